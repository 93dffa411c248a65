package spec

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

// swagger rewrites a Swagger 2.0 document as OpenAPI 3.0, from its own
// nodes, so that every place stays the one in the user's file. (kin-openapi's
// openapi2conv has no places.) Schemas stay as they are: their references lead
// into the definitions of the file.
type swagger struct {
	*loader
	root *tree.Node
}

// upgrade gives the OpenAPI 3.0 form of a Swagger 2.0 document.
func (l *loader) upgrade(root *tree.Node) *tree.Node {
	s := swagger{l, root}
	out := root.New(tree.Object)
	out.Add("openapi", root.Get("swagger").NewText("3.0.3"))
	take(out, root, "info", "tags", "externalDocs", "security")
	out.Add("servers", s.servers())
	if paths := root.Get("paths"); paths != nil {
		converted := paths.New(tree.Object)
		for _, m := range paths.Members {
			converted.Add(m.Name, s.pathItem(m.Value))
		}
		out.Add("paths", converted)
	}
	components := root.New(tree.Object)
	components.Add("schemas", root.Get("definitions"))
	if definitions := root.Get("securityDefinitions"); definitions != nil {
		schemes := definitions.New(tree.Object)
		for _, m := range definitions.Members {
			schemes.Add(m.Name, s.securityScheme(m.Value))
		}
		components.Add("securitySchemes", schemes)
	}
	out.Add("components", components)
	return out
}

// take appends members of another node.
func take(to, from *tree.Node, names ...string) {
	for _, m := range from.Members {
		if slices.Contains(names, m.Name) {
			to.Members = append(to.Members, m)
		}
	}
}

func (s *swagger) servers() *tree.Node {
	at := s.root.Get("basePath")
	if at == nil {
		at = s.root.Get("host")
	}
	if at == nil {
		return nil
	}
	host, path := s.root.Get("host").Str(), s.root.Get("basePath").Str()
	urls := []string{path}
	if host != "" {
		schemes := s.strings(s.root.Get("schemes"), "https")
		urls = urls[:0]
		for _, scheme := range schemes {
			urls = append(urls, scheme+"://"+host+path)
		}
	}
	servers := at.New(tree.Array)
	for _, u := range urls {
		server := at.New(tree.Object)
		server.Add("url", at.NewText(u))
		servers.Items = append(servers.Items, server)
	}
	return servers
}

// strings gives the strings of an array, or the one by default.
func (s *swagger) strings(n *tree.Node, otherwise string) []string {
	var texts []string
	if n != nil {
		for _, item := range n.Items {
			if item.Str() != "" {
				texts = append(texts, item.Text)
			}
		}
	}
	if texts == nil {
		texts = []string{otherwise}
	}
	return texts
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
	for _, m := range n.Members {
		switch {
		case slices.Contains(methods, m.Name):
			if m.Value.Kind == tree.Object {
				out.Add(m.Name, s.operation(m.Value, shared))
			}
		case strings.HasPrefix(m.Name, "x-"):
			out.Members = append(out.Members, m)
		}
	}
	return out
}

// parameters resolves the references of a list of parameters.
func (s *swagger) parameters(n *tree.Node) []*tree.Node {
	if n == nil {
		return nil
	}
	var parameters []*tree.Node
	for _, item := range n.Items {
		target, err := s.resolve(item)
		if err != nil {
			s.find(exchange.Finding{Code: "dangling-reference", Message: "$ref " + exchange.Quote(item.Get("$ref").Str()) +
				": " + err.Error(), Document: item.Place()})
			continue
		}
		parameters = append(parameters, target)
	}
	return parameters
}

func (s *swagger) operation(n *tree.Node, shared []*tree.Node) *tree.Node {
	out := n.New(tree.Object)
	for _, m := range n.Members {
		switch m.Name {
		case "parameters", "responses", "consumes", "produces", "schemes":
		default:
			out.Members = append(out.Members, m)
		}
	}
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
			out.Add("requestBody", s.body(n, p))
		case "formData":
			form = append(form, p)
		default:
			list.Items = append(list.Items, s.parameter(p))
		}
	}
	if form != nil {
		out.Add("requestBody", s.form(n, form))
	}
	out.Add("parameters", list)
	if responses := n.Get("responses"); responses != nil {
		converted := responses.New(tree.Object)
		for _, m := range responses.Members {
			converted.Add(m.Name, s.response(n, m.Value))
		}
		out.Add("responses", converted)
	}
	return out
}

// types gives the media types of an operation: its own, else the document's.
func (s *swagger) types(operation *tree.Node, field, otherwise string) []string {
	if own := operation.Get(field); own != nil {
		return s.strings(own, otherwise)
	}
	return s.strings(s.root.Get(field), otherwise)
}

func (s *swagger) body(operation, p *tree.Node) *tree.Node {
	out := p.New(tree.Object)
	take(out, p, "description", "required")
	content := p.New(tree.Object)
	for _, name := range s.types(operation, "consumes", "application/json") {
		media := p.New(tree.Object)
		take(media, p, "schema")
		content.Add(name, media)
	}
	out.Add("content", content)
	return out
}

// schemaFields are the fields of a parameter or header that are its schema.
var schemaFields = []string{"type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum",
	"exclusiveMinimum",
	"maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf", "x-nullable",
	"x-example", "title"}

func (s *swagger) schema(p *tree.Node) *tree.Node {
	out := p.New(tree.Object)
	if p.Get("type").Str() == "file" {
		out.Add("type", p.Get("type").NewText("string"))
		out.Add("format", p.Get("type").NewText("binary"))
		return out
	}
	take(out, p, schemaFields...)
	return out
}

func (s *swagger) parameter(p *tree.Node) *tree.Node {
	out := p.New(tree.Object)
	take(out, p, "name", "in", "description", "required", "allowEmptyValue")
	out.Add("schema", s.schema(p))
	if p.Get("type").Str() != "array" {
		return out
	}
	in := p.Get("in").Str()
	style, explode := "simple", false
	if in == exchange.InQuery {
		style = "form"
	}
	switch format := p.Get("collectionFormat"); format.Str() {
	case "multi":
		explode = true
	case "ssv":
		style = "spaceDelimited"
	case "pipes":
		style = "pipeDelimited"
	case "tsv":
		s.find(exchange.Finding{Code: "unknown-collection-format", Severity: exchange.Warning, Document: format.Place(),
			Message: "collectionFormat \"tsv\" has no counterpart in OpenAPI 3; it is read as csv"})
	}
	out.Add("style", p.NewText(style))
	out.Add("explode", p.NewBool(explode))
	return out
}

func (s *swagger) form(operation *tree.Node, fields []*tree.Node) *tree.Node {
	at := fields[0]
	schema, properties := at.New(tree.Object), at.New(tree.Object)
	encoding := at.New(tree.Object)
	required := at.New(tree.Array)
	file := false
	for _, p := range fields {
		name := p.Get("name").Str()
		file = file || p.Get("type").Str() == "file"
		properties.Add(name, s.schema(p))
		if p.Get("required").True() {
			required.Items = append(required.Items, p.Get("name"))
		}
		if p.Get("type").Str() == "array" && p.Get("collectionFormat").Str() != "multi" {
			e := p.New(tree.Object)
			e.Add("style", p.NewText("form"))
			e.Add("explode", p.NewBool(false))
			encoding.Add(name, e)
		}
	}
	schema.Add("type", at.NewText("object"))
	schema.Add("properties", properties)
	if len(required.Items) > 0 {
		schema.Add("required", required)
	}
	var types []string
	for _, name := range s.types(operation, "consumes", "") {
		if strings.HasPrefix(name, "multipart/") || name == "application/x-www-form-urlencoded" && !file {
			types = append(types, name)
		}
	}
	switch {
	case types != nil:
	case file:
		types = []string{"multipart/form-data"}
	default:
		types = []string{"application/x-www-form-urlencoded"}
	}
	content := at.New(tree.Object)
	for _, name := range types {
		media := at.New(tree.Object)
		media.Add("schema", schema)
		if len(encoding.Members) > 0 {
			media.Add("encoding", encoding)
		}
		content.Add(name, media)
	}
	out := at.New(tree.Object)
	if len(required.Items) > 0 {
		out.Add("required", at.NewBool(true))
	}
	out.Add("content", content)
	return out
}

func (s *swagger) response(operation, n *tree.Node) *tree.Node {
	if target, err := s.resolve(n); err == nil {
		n = target
	}
	if n.Kind != tree.Object {
		return n
	}
	out := n.New(tree.Object)
	for _, m := range n.Members {
		switch m.Name {
		case "schema", "headers", "examples":
		default:
			out.Members = append(out.Members, m)
		}
	}
	if headers := n.Get("headers"); headers != nil {
		converted := headers.New(tree.Object)
		for _, m := range headers.Members {
			header := m.Value.New(tree.Object)
			take(header, m.Value, "description")
			header.Add("schema", s.schema(m.Value))
			converted.Add(m.Name, header)
		}
		out.Add("headers", converted)
	}
	schema, examples := n.Get("schema"), n.Get("examples")
	if schema == nil {
		return out
	}
	content := n.New(tree.Object)
	types := s.types(operation, "produces", "application/json")
	if schema.Get("type").Str() == "file" {
		schema = s.schema(schema)
		types = s.types(operation, "produces", "application/octet-stream")
	}
	for _, name := range types {
		media := n.New(tree.Object)
		media.Add("schema", schema)
		media.Add("example", examples.Get(name))
		content.Add(name, media)
	}
	out.Add("content", content)
	return out
}

// flows are the names of OAuth flows since OpenAPI 3.
var flows = map[string]string{"implicit": "implicit", "password": "password", "application": "clientCredentials",
	"accessCode": "authorizationCode"}

func (s *swagger) securityScheme(n *tree.Node) *tree.Node {
	out := n.New(tree.Object)
	take(out, n, "description")
	switch n.Get("type").Str() {
	case "basic":
		out.Add("type", n.Get("type").NewText("http"))
		out.Add("scheme", n.Get("type").NewText("basic"))
	case "oauth2":
		take(out, n, "type")
		flow := n.New(tree.Object)
		take(flow, n, "authorizationUrl", "tokenUrl", "scopes")
		all := n.New(tree.Object)
		if name := flows[n.Get("flow").Str()]; name != "" {
			all.Add(name, flow)
		}
		out.Add("flows", all)
	default:
		take(out, n, "type", "name", "in")
	}
	return out
}
