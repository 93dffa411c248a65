package spec

import (
	"cmp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

// swagger rewrites a Swagger 2.0 document as OpenAPI 3.0, reusing its nodes, so that every place still refers to the
// user's file. (kin-openapi's openapi2conv loses the places.) Schemas are not changed: their references lead into the
// definitions of the file.
type swagger struct {
	*loader
	root *tree.Node
}

func (l *loader) upgrade(root *tree.Node) *tree.Node {
	s := swagger{l, root}
	components := root.New(tree.Object).Add("schemas", root.Get("definitions")).
		Add("securitySchemes", root.Get("securityDefinitions").Map(s.securityScheme))
	out := root.New(tree.Object).Add("openapi", root.Get("swagger").NewText("3.0.3"))
	return take(out, root, "info", "tags", "externalDocs", "security").Add("servers", s.servers()).
		Add("paths", root.Get("paths").Map(s.pathItem)).Add("components", components)
}

func take(to, from *tree.Node, names ...string) *tree.Node {
	for _, m := range from.Fields() {
		if slices.Contains(names, m.Name) {
			to.Append(m)
		}
	}
	return to
}

func without(n *tree.Node, names ...string) *tree.Node {
	out := n.New(tree.Object)
	for _, m := range n.Fields() {
		if !slices.Contains(names, m.Name) {
			out.Append(m)
		}
	}
	return out
}

func (s *swagger) servers() *tree.Node {
	host, path := s.root.Get("host"), s.root.Get("basePath")
	at := cmp.Or(path, host)
	if at == nil {
		return nil
	}
	urls := []string{path.Str()}
	if host.Str() != "" {
		urls = texts(s.root.Get("schemes"), "https")
		for i, scheme := range urls {
			urls[i] = scheme + "://" + host.Text + path.Str()
		}
	}
	servers := at.New(tree.Array)
	for _, u := range urls {
		servers.AppendItems(at.New(tree.Object).Add("url", at.NewText(u)))
	}
	return servers
}

// texts returns the strings of an array, or the default otherwise.
func texts(n *tree.Node, otherwise string) []string {
	var all []string
	for _, item := range n.List() {
		if item.Str() != "" {
			all = append(all, item.Text)
		}
	}
	if all == nil {
		return []string{otherwise}
	}
	return all
}

// types returns the media types of an operation: its own, else the document's.
func (s *swagger) types(operation *tree.Node, field, otherwise string) []string {
	return texts(cmp.Or(operation.Get(field), s.root.Get(field)), otherwise)
}

func (s *swagger) pathItem(n *tree.Node) *tree.Node {
	if target, err := s.resolve(n); err == nil {
		n = target
	}
	if n.Kind != tree.Object {
		return n
	}
	shared := s.parameters(n.Get("parameters"))
	out := n.New(tree.Object)
	for _, m := range n.Fields() {
		switch {
		case slices.Contains(methods, m.Name) && m.Value.Kind == tree.Object:
			out.Add(m.Name, s.operation(m.Value, shared))
		case strings.HasPrefix(m.Name, "x-"):
			out.Append(m)
		}
	}
	return out
}

func (s *swagger) parameters(n *tree.Node) []*tree.Node {
	var parameters []*tree.Node
	for _, item := range n.List() {
		target, err := s.resolve(item)
		if err != nil {
			s.dangling(item, item.Get("$ref").Str(), err)
			continue
		}
		parameters = append(parameters, target)
	}
	return parameters
}

func (s *swagger) operation(n *tree.Node, shared []*tree.Node) *tree.Node {
	out := without(n, "parameters", "responses", "consumes", "produces", "schemes")
	own := s.parameters(n.Get("parameters"))
	for _, p := range shared {
		same := func(q *tree.Node) bool {
			return q.Get("in").Str() == p.Get("in").Str() && q.Get("name").Str() == p.Get("name").Str()
		}
		if !slices.ContainsFunc(own, same) {
			own = append(own, p)
		}
	}
	list := n.New(tree.Array)
	var form []*tree.Node
	for _, p := range own {
		switch p.Get("in").Str() {
		case "body":
			content := content(p, s.types(n, "consumes", "application/json"), take(p.New(tree.Object), p, "schema"))
			out.Add("requestBody", take(p.New(tree.Object), p, "description", "required").Add("content", content))
		case "formData":
			form = append(form, p)
		default:
			list.AppendItems(s.parameter(p))
		}
	}
	if form != nil {
		out.Add("requestBody", s.form(n, form))
	}
	response := func(r *tree.Node) *tree.Node { return s.response(n, r) }
	return out.Add("parameters", list).Add("responses", n.Get("responses").Map(response))
}

func content(at *tree.Node, types []string, media *tree.Node) *tree.Node {
	content := at.New(tree.Object)
	for _, name := range types {
		content.Add(name, media)
	}
	return content
}

// schemaFields are the fields of a parameter or header that form its schema.
var schemaFields = []string{"type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum",
	"exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum",
	"multipleOf", "x-nullable", "x-example", "title"}

func (s *swagger) schema(p *tree.Node) *tree.Node {
	out := p.New(tree.Object)
	if t := p.Get("type"); t.Str() == "file" {
		return out.Add("type", t.NewText("string")).Add("format", t.NewText("binary"))
	}
	take(out, p, schemaFields...)
	if empty := p.Get("allowEmptyValue"); empty != nil && !empty.True() && p.Get("minLength") == nil {
		one := empty.New(tree.Number)
		one.Text = "1"
		out.Add("minLength", one)
	}
	return out
}

// collectionStyles maps collection formats to styles of OpenAPI 3; others have the style of csv.
var collectionStyles = map[string]string{"ssv": "spaceDelimited", "pipes": "pipeDelimited"}

func (s *swagger) parameter(p *tree.Node) *tree.Node {
	out := take(p.New(tree.Object), p, "name", "in", "description", "required", "allowEmptyValue").
		Add("schema", s.schema(p))
	if p.Get("type").Str() != "array" {
		return out
	}
	style, format := "simple", p.Get("collectionFormat")
	if p.Get("in").Str() == exchange.InQuery {
		style = "form"
	}
	if format.Str() == "tsv" {
		s.warn(format.Place(), "unknown-collection-format",
			"collectionFormat \"tsv\" has no counterpart in OpenAPI 3; it is read as csv")
	}
	style = cmp.Or(collectionStyles[format.Str()], style)
	return out.Add("style", p.NewText(style)).Add("explode", p.NewBool(format.Str() == "multi"))
}

func (s *swagger) form(operation *tree.Node, fields []*tree.Node) *tree.Node {
	at := fields[0]
	properties, encoding := at.New(tree.Object), at.New(tree.Object)
	required := at.New(tree.Array)
	file := false
	for _, p := range fields {
		name := p.Get("name").Str()
		file = file || p.Get("type").Str() == "file"
		properties.Add(name, s.schema(p))
		if p.Get("required").True() {
			required.AppendItems(p.Get("name"))
		}
		if p.Get("type").Str() == "array" && p.Get("collectionFormat").Str() != "multi" {
			style := cmp.Or(collectionStyles[p.Get("collectionFormat").Str()], "form")
			encoding.Add(name, p.New(tree.Object).Add("style", p.NewText(style)).Add("explode", p.NewBool(false)))
		}
	}
	schema := at.New(tree.Object).Add("type", at.NewText("object")).Add("properties", properties)
	out := at.New(tree.Object)
	if len(required.List()) > 0 {
		schema.Add("required", required)
		out.Add("required", at.NewBool(true))
	}
	media := at.New(tree.Object).Add("schema", schema)
	if len(encoding.Fields()) > 0 {
		media.Add("encoding", encoding)
	}
	types := slices.DeleteFunc(s.types(operation, "consumes", ""), func(name string) bool {
		return !strings.HasPrefix(name, "multipart/") && (file || name != "application/x-www-form-urlencoded")
	})
	switch {
	case len(types) > 0:
	case file:
		types = []string{"multipart/form-data"}
	default:
		types = []string{"application/x-www-form-urlencoded"}
	}
	return out.Add("content", content(at, types, media))
}

func (s *swagger) response(operation, n *tree.Node) *tree.Node {
	if target, err := s.resolve(n); err == nil {
		n = target
	}
	if n.Kind != tree.Object {
		return n
	}
	out := without(n, "schema", "headers", "examples").Add("headers", n.Get("headers").Map(s.header))
	schema := n.Get("schema")
	byDefault := "application/json"
	if schema.Get("type").Str() == "file" {
		schema, byDefault = s.schema(schema), "application/octet-stream"
	}
	examples := n.Get("examples").Fields()
	content := n.New(tree.Object)
	for _, name := range s.produced(operation, byDefault, examples) {
		example := exampleFor(name, examples)
		if schema != nil || example != nil {
			content.Add(name, n.New(tree.Object).Add("schema", schema).Add("example", example))
		}
	}
	if len(content.Fields()) == 0 {
		return out
	}
	return out.Add("content", content)
}

// produced returns the media types of a response: the ones that the operation produces, and the ones of its examples.
func (s *swagger) produced(operation *tree.Node, otherwise string, examples []tree.Member) []string {
	names := s.types(operation, "produces", "")
	for _, e := range examples {
		switch base := mediaBase(e.Name); {
		case !strings.Contains(base, "/"):
			s.warn(e.Value.Place(), "unknown-media-type", exchange.Quote(e.Name)+
				" is no media type; the examples of a response are listed by theirs, as in application/json")
		case !strings.Contains(base, "*") && !slices.ContainsFunc(names, func(n string) bool { return mediaBase(n) == base }):
			names = append(names, e.Name)
		}
	}
	if names = slices.DeleteFunc(names, func(name string) bool { return name == "" }); len(names) == 0 {
		return []string{otherwise}
	}
	return names
}

// exampleFor returns the example of a media type: its own, else the example of a range that contains it.
func exampleFor(name string, examples []tree.Member) *tree.Node {
	var found *tree.Node
	for _, e := range examples {
		switch covers := mediaBase(e.Name); {
		case e.Name == name:
			return e.Value
		case covers == mediaBase(name), found == nil && strings.HasSuffix(covers, "/*") &&
			(covers == "*/*" || strings.HasPrefix(mediaBase(name), covers[:len(covers)-1])):
			found = e.Value
		}
	}
	return found
}

// mediaBase returns a media type without its parameters.
func mediaBase(name string) string {
	base, _, _ := strings.Cut(name, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

func (s *swagger) header(n *tree.Node) *tree.Node {
	return take(n.New(tree.Object), n, "description").Add("schema", s.schema(n))
}

// flows are the names of OAuth flows since OpenAPI 3.
var flows = map[string]string{"implicit": "implicit", "password": "password", "application": "clientCredentials",
	"accessCode": "authorizationCode"}

func (s *swagger) securityScheme(n *tree.Node) *tree.Node {
	out := take(n.New(tree.Object), n, "description")
	switch t := n.Get("type"); t.Str() {
	case "basic":
		return out.Add("type", t.NewText("http")).Add("scheme", t.NewText("basic"))
	case "oauth2":
		all := n.New(tree.Object)
		if name := flows[n.Get("flow").Str()]; name != "" {
			all.Add(name, take(n.New(tree.Object), n, "authorizationUrl", "tokenUrl", "scopes"))
		}
		return take(out, n, "type").Add("flows", all)
	}
	return take(out, n, "type", "name", "in")
}
