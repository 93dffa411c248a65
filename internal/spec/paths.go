package spec

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/tree"
)

// maxTemplate limits the templates of paths and of servers' URLs, in bytes.
const maxTemplate = 8 << 10

// paths returns the clean Paths Object with normalized keys: each begins with a slash. Operations that share a method
// and a path all stay: the rest of the request may distinguish them (validate.Fitting).
func (m *normalizer) paths(n *tree.Node) *tree.Node {
	var members []tree.Member
	index := map[string]int{}            // index into members
	first := map[string]exchange.Place{} // by method and template without names
	for _, member := range n.Fields() {
		key := n.PlaceOfMember(member)
		if len(member.Name) > maxTemplate {
			m.fault(member.Value, "malformed-path", "path "+exchange.Quote(member.Name)+" is longer than "+
				strconv.Itoa(maxTemplate)+" bytes, more than clients send; it is left out")
			continue
		}
		name := m.pathKey(member.Name, key)
		if template := frameworkTemplate(name); template != name {
			m.warn(key, "foreign-path", "the path "+exchange.Quote(name)+" is written for a framework; it is read as "+
				exchange.Quote(template))
			name = template
		}
		variables := allVariables(name)
		seen := map[string]bool{}
		for _, variable := range variables {
			if seen[variable] {
				m.warn(key, "duplicate-variable", "the path has the variable "+exchange.Quote(variable)+" more than once")
			}
			seen[variable] = true
		}
		anonymous := pathVariable.Get().ReplaceAllLiteralString(name, "{}")
		for _, field := range member.Value.Fields() {
			if !slices.Contains(methods, field.Name) {
				continue
			}
			place := field.Value.Place()
			template := field.Name + " " + anonymous
			if before, ok := first[template]; ok {
				m.warn(place, "conflicting-paths",
					strings.ToUpper(field.Name)+" "+exchange.Quote(member.Name)+
						" describes the same requests as the operation at line "+strconv.Itoa(before.Line)+
						"; the one that a request fits answers it, else the first")
				continue
			}
			first[template] = place
		}
		at, known := index[name]
		if !known {
			index[name] = len(members)
			members = append(members, tree.Member{Name: name, Value: member.Value, Offset: member.Offset})
			continue
		}
		merged := members[at].Value.Copy() // "pets" and "/pets"
		for _, field := range member.Value.Fields() {
			if merged.Get(field.Name) == nil {
				merged.Append(field)
			}
		}
		members[at].Value = merged
	}
	clean := n.New(tree.Object)
	clean.SetMembers(members)
	return clean
}

func (m *normalizer) pathKey(name string, place exchange.Place) string {
	if strings.ContainsAny(name, "?#") {
		m.warn(place, "malformed-path",
			"path "+exchange.Quote(name)+" has a query or a fragment, which is no part of a path; the query is required "+
				"of requests, a fragment cannot be sent")
	}
	if !strings.HasPrefix(name, "/") {
		m.warn(place, "malformed-path", "path "+exchange.Quote(name)+" must begin with a slash")
		name = "/" + name
	}
	if strings.Count(name, "{") != strings.Count(name, "}") {
		m.warn(place, "malformed-path", "path "+exchange.Quote(name)+" has a brace without its counterpart")
	}
	return name
}

var pathVariable = lazyregexp.New(`\{([^}]*)\}`)

// allVariables returns the names in the braces of a path template, in order.
func allVariables(path string) []string {
	var names []string
	for _, match := range pathVariable.Get().FindAllStringSubmatch(path, -1) {
		names = append(names, match[1])
	}
	return names
}

var (
	colonVariable = lazyregexp.New(`/:([A-Za-z_]\w*)(/|$)`)
	boundVariable = lazyregexp.New(`\{([A-Za-z_][\w.]*)=([^{}]*)\}`)
)

// frameworkTemplate returns a path as OpenAPI writes it: /todos/{id} for /todos/:id of Express and others, and
// /v1/publishers/{parent} for /v1/{parent=publishers/*} of gRPC (google.api.http). The second variable part of name is
// called name_2.
func frameworkTemplate(path string) string {
	for range 2 { // neighbours share a slash
		path = colonVariable.Get().ReplaceAllString(path, "/{$1}$2")
	}
	return boundVariable.Get().ReplaceAllStringFunc(path, func(variable string) string {
		found := boundVariable.Get().FindStringSubmatch(variable)
		parts := strings.Split(strings.ReplaceAll(found[2], "**", "*"), "*")
		if len(parts) == 1 {
			return variable
		}
		template := parts[0] + "{" + found[1] + "}" + parts[1]
		for i, text := range parts[2:] {
			template += "{" + found[1] + "_" + strconv.Itoa(i+2) + "}" + text
		}
		return template
	})
}

// takeSpans takes the patterns of path parameters away that the paths spell out: wings/[^/]+ of {name} in
// /wings/{name}.
func takeSpans(operations []*Operation) {
	for _, o := range operations {
		for i, p := range o.Parameters {
			if spans := p.Spans(); len(spans) == 1 && strings.Contains(o.Path, "/"+spelledOut(p.Name, spans[0])) {
				free := *p
				free.Schema, free.Within = nil, spans[0]
				o.Parameters[i] = &free
			}
		}
	}
}

// spelledOut returns the segments of a parameter's values as frameworkTemplate writes them.
func spelledOut(name string, segments []string) string {
	variables := 0
	all := slices.Clone(segments)
	for i, segment := range segments {
		if segment != "" {
			continue
		}
		if variables++; variables == 1 {
			all[i] = "{" + name + "}"
		} else {
			all[i] = "{" + name + "_" + strconv.Itoa(variables) + "}"
		}
	}
	return strings.Join(all, "/")
}

// templateVariables returns each name once.
func templateVariables(path string) []string {
	var names []string
	seen := map[string]bool{}
	for _, name := range allVariables(path) {
		if !seen[name] {
			names = append(names, name)
		}
		seen[name] = true
	}
	return names
}

// parameters merges the path item's parameters with the operation's, which win (OpenAPI 3.1 section 4.8.10), and adds
// undeclared variables of the template.
func (c *compiler) parameters(path string, shared openapi3.Parameters, sharedNodes *tree.Node,
	own openapi3.Parameters, ownNodes, operation *tree.Node) []*Parameter {
	declared := declarations{positions: map[parameterKey]int{}}
	nodes := slices.Concat(sharedNodes.List(), ownNodes.List())
	for i, ref := range slices.Concat(shared, own) {
		if i == len(shared) {
			declared.inherited = len(declared.parameters)
		}
		if p := c.parameter(ref.Value, nodes[i], c.request); p != nil {
			c.declare(&declared, p)
		}
	}
	if c.outgoing() { // the URL of a callback or webhook is not a template
		return declared.parameters
	}
	path, key := cutPath(path)
	declared.parameters = c.keyParameters(key, declared.parameters, operation)
	variables := templateVariables(path)
	described := make(map[string]*Parameter, len(variables)) // by variable of the path
	for _, name := range variables {
		described[name] = nil
	}
	parameters := slices.DeleteFunc(declared.parameters, func(p *Parameter) bool {
		if _, ok := described[p.Name]; ok && p.In == exchange.InPath {
			described[p.Name] = p
			return false
		} else if p.In != exchange.InPath {
			return false
		}
		c.warn(p.Place, "unused-path-parameter", "the path "+exchange.Quote(path)+" has no variable "+
			exchange.Quote(p.Name)+c.hint(p.Name, variables)+"; the parameter is ignored")
		return true
	})
	at := operation.Place()
	for _, name := range variables {
		switch p := described[name]; {
		case p == nil:
			c.warn(at, "undeclared-path-parameter",
				"the path's variable "+exchange.Quote(name)+" is not declared as a parameter; it is read as a string")
			parameters = append(parameters, &Parameter{Name: name, In: exchange.InPath, Required: true, Style: "simple",
				Place: at})
		case !p.Required:
			c.warn(p.Place, "optional-path-parameter",
				"the path parameter "+exchange.Quote(name)+" must say \"required: true\"; it is treated as required")
			p.Required = true
		}
	}
	return parameters
}

// cutPath cuts a key at the first "?" or "#" outside of braces.
func cutPath(key string) (path, rest string) {
	for i := 0; i < len(key); i++ {
		switch key[i] {
		case '{':
			if end := strings.IndexByte(key[i:], '}'); end >= 0 {
				i += end
			}
		case '?', '#':
			return key[:i], key[i:]
		}
	}
	return key, ""
}

// keyParameters adds parameters from the part of a key after the path: ?action=start requires this query parameter
// with this value; {any} matches every value. #Action=Start does the same if the operation declares no parameter with
// this name, but requires nothing: a fragment is not sent.
func (c *compiler) keyParameters(key string, parameters []*Parameter, operation *tree.Node) []*Parameter {
	query, fragment, _ := strings.Cut(strings.TrimPrefix(key, "?"), "#")
	for i, text := range []string{query, fragment} {
		for pair := range strings.SplitSeq(text, "&") {
			name, value, hasValue := strings.Cut(pair, "=")
			isQuery := i == 0
			if name == "" || !isQuery && !hasValue {
				continue
			}
			name = unescapeQuery(name)
			at := slices.IndexFunc(parameters, func(p *Parameter) bool {
				return p.In == exchange.InQuery && p.Name == name || !isQuery && strings.EqualFold(p.Name, name)
			})
			if at >= 0 && !isQuery {
				continue
			}
			if at < 0 {
				at = len(parameters)
				parameters = append(parameters, &Parameter{Name: name, In: exchange.InQuery, Style: "form", Explode: true,
					Place: operation.Place()})
			}
			p := parameters[at]
			p.Required = isQuery
			if isAny := strings.HasPrefix(value, "{") && strings.HasSuffix(value, "}"); !isAny && p.Content == nil {
				p.Schema = c.schemas.add(only(p.Schema, unescapeQuery(value), operation), c.request)
			}
		}
	}
	return parameters
}

// only returns a schema that accepts one value. The value has the type of s if that is a number or a boolean.
func only(s *Schema, text string, at *tree.Node) *tree.Node {
	value, kind := at.NewText(text), "string"
	if s != nil {
		switch t := s.root.Get("type").Str(); t {
		case "integer", "number":
			kind, value.Kind = t, tree.Number
		case "boolean":
			kind, value.Kind = t, tree.Bool
		}
	}
	return at.New(tree.Object).Add("type", at.NewText(kind)).Add("enum", at.New(tree.Array).AppendItems(value))
}

func unescapeQuery(text string) string {
	if decoded, err := url.QueryUnescape(text); err == nil {
		return decoded
	}
	return text
}

// findAlternatives links operations whose templates differ only in the names of their variables.
func findAlternatives(operations []*Operation) {
	byForm := map[string][]*Operation{}
	for _, o := range operations {
		form := o.Method + " " + pathVariable.Get().ReplaceAllLiteralString(o.Template(), "{}")
		byForm[form] = append(byForm[form], o)
	}
	for _, same := range byForm {
		if len(same) > 1 {
			for _, o := range same {
				o.Alternatives = same
			}
		}
	}
}

// declarations are the parameters or headers of one object.
type declarations struct {
	parameters []*Parameter
	inherited  int // the number of parameters at the front that come from the path item
	positions  map[parameterKey]int
}

// parameterKey identifies parameters: names of headers are case-insensitive (RFC 9110 section 5.1).
type parameterKey struct{ in, name string }

// declare adds a parameter or header, or replaces an earlier description of the same one. It may override inherited
// ones.
func (c *compiler) declare(d *declarations, p *Parameter) {
	key := parameterKey{p.In, p.Name}
	if p.In == exchange.InHeader {
		key.name = strings.ToLower(p.Name)
	}
	at, known := d.positions[key]
	if !known {
		d.positions[key] = len(d.parameters)
		d.parameters = append(d.parameters, p)
		return
	}
	if at >= d.inherited {
		as := ""
		if first := d.parameters[at].Name; first != p.Name {
			as = ", first as " + exchange.Quote(first)
		}
		c.warn(p.Place, "duplicate-parameter",
			"the parameter "+exchange.Quote(p.Name)+" in "+p.In+" is described twice"+as+"; the last description counts")
	}
	d.parameters[at] = p
}

// maxBasePaths limits the combinations of variables in one server's path.
const maxBasePaths = 32

// basePaths returns the paths of the servers, for every value of their variables.
func basePaths(servers openapi3.Servers) []string {
	paths := []string{""}
	for _, server := range servers {
		for _, location := range serverPaths(server) {
			if u, err := url.Parse(location); err == nil {
				paths = append(paths, strings.TrimRight("/"+strings.Trim(u.EscapedPath(), "/"), "/"))
			}
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	return slices.Compact(paths)
}

// hosts returns the hosts of the servers, with their ports.
func hosts(servers openapi3.Servers) (all []string) {
	for _, server := range servers {
		if u, err := url.Parse(server.URL); err == nil && u.Host != "" {
			all = append(all, u.Host)
		}
	}
	return all
}

// serverPaths returns the part of a server's URL after its host, for every value of its variables.
func serverPaths(server *openapi3.Server) []string {
	location := server.URL
	if len(location) > maxTemplate {
		return nil
	}
	if _, after, ok := strings.Cut(location, "://"); ok {
		_, path, _ := strings.Cut(after, "/")
		location = "/" + path
	} else if strings.HasPrefix(location, "{") { // a variable for scheme and host
		if _, path, ok := strings.Cut(location, "}/"); ok {
			location = "/" + path
		}
	}
	var single []string // variables with one value, which are replaced together, each after its name
	several := map[string][]string{}
	names := templateVariables(location)
	for _, name := range names {
		variable := server.Variables[name]
		if variable == nil {
			continue
		}
		values := variable.Enum
		if !slices.Contains(values, variable.Default) {
			values = append([]string{variable.Default}, values...)
		}
		if len(values) == 1 {
			single = append(single, "{"+name+"}", values[0])
		} else {
			several[name] = values
		}
	}
	if single != nil {
		location = strings.NewReplacer(single...).Replace(location)
	}
	locations := []string{location}
	for _, name := range names {
		if several[name] == nil {
			continue
		}
		var filled []string
		for _, l := range locations {
			for _, value := range several[name] {
				if len(filled) < maxBasePaths {
					filled = append(filled, strings.ReplaceAll(l, "{"+name+"}", value))
				}
			}
		}
		locations = filled
	}
	// A path with remaining variables cannot be matched.
	return slices.DeleteFunc(locations, func(l string) bool { return strings.ContainsAny(l, "{}") })
}

func (m *normalizer) servers(n *tree.Node) {
	variables, location := n.Get("variables"), n.Get("url").Str()
	if len(location) > maxTemplate {
		m.fault(n.Get("url"), "malformed-path", "the server's URL is longer than "+strconv.Itoa(maxTemplate)+
			" bytes; it is left out")
		return
	}
	for _, name := range templateVariables(location) {
		if variables.Get(name) == nil {
			m.warn(n.Get("url").Place(), "undeclared-server-variable",
				"the server's variable "+exchange.Quote(name)+" is not described")
		}
	}
	for _, member := range variables.Fields() {
		value, enum := member.Value.Get("default"), member.Value.Get("enum")
		switch {
		case value == nil:
			m.fault(member.Value, "missing-field", "the server's variable "+exchange.Quote(member.Name)+" needs a \"default\"")
		case enum != nil && !slices.ContainsFunc(enum.List(), func(item *tree.Node) bool { return item.Text == value.Text }):
			m.warn(value.Place(), "default-not-in-enum", "the default "+exchange.Quote(value.Text)+
				" of the server's variable "+exchange.Quote(member.Name)+" is not in its enum")
		}
	}
}
