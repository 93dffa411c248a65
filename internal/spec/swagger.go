package spec

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// swagger writes a Swagger 2.0 document as one of OpenAPI 3.0, out of its own
// nodes, so that every place stays the one in the user's file. (kin-openapi's
// openapi2conv has no places.) Schemas stay as they are: their references lead
// into the definitions of the file.
type swagger struct {
	*loader
	root *Node
}

// upgrade gives the OpenAPI 3.0 form of a Swagger 2.0 document.
func (l *loader) upgrade(root *Node) *Node {
	s := swagger{l, root}
	out := s.object(root)
	out.put("openapi", s.text(root.Get("swagger"), "3.0.3"))
	out.take(root, "info", "tags", "externalDocs", "security")
	out.put("servers", s.servers())
	if paths := root.Get("paths"); paths != nil {
		converted := s.object(paths)
		for _, m := range paths.Members {
			converted.put(m.Name, s.pathItem(m.Value))
		}
		out.put("paths", converted)
	}
	components := s.object(root)
	components.put("schemas", root.Get("definitions"))
	if definitions := root.Get("securityDefinitions"); definitions != nil {
		schemes := s.object(definitions)
		for _, m := range definitions.Members {
			schemes.put(m.Name, s.securityScheme(m.Value))
		}
		components.put("securitySchemes", schemes)
	}
	out.put("components", components)
	return out
}

// object begins an object that stands where at does.
func (s *swagger) object(at *Node) *Node {
	return &Node{Kind: Object, file: at.file, offset: at.offset}
}

func (s *swagger) text(at *Node, text string) *Node {
	return &Node{Kind: String, Text: text, file: at.file, offset: at.offset}
}

func (s *swagger) boolean(at *Node, value bool) *Node {
	n := &Node{Kind: Bool, Text: "false", file: at.file, offset: at.offset}
	if value {
		n.Text = "true"
	}
	return n
}

// put adds a member to a node that is being made, if there is a value.
func (n *Node) put(name string, value *Node) {
	if value != nil {
		n.Members = append(n.Members, Member{name, value, value.offset})
	}
}

// take puts members of another node.
func (n *Node) take(from *Node, names ...string) {
	for _, m := range from.Members {
		if slices.Contains(names, m.Name) {
			n.Members = append(n.Members, m)
		}
	}
}

func (s *swagger) servers() *Node {
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
	servers := &Node{Kind: Array, file: at.file, offset: at.offset}
	for _, u := range urls {
		server := s.object(at)
		server.put("url", s.text(at, u))
		servers.Items = append(servers.Items, server)
	}
	return servers
}

// strings gives the strings of an array, or the one by default.
func (s *swagger) strings(n *Node, otherwise string) []string {
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

func (s *swagger) pathItem(n *Node) *Node {
	if target, err := s.resolve(n); err == nil {
		n = target
	}
	if n.Kind != Object {
		return n
	}
	shared := s.parameters(n.Get("parameters"))
	out := s.object(n)
	for _, m := range n.Members {
		switch {
		case slices.Contains(methods, m.Name):
			if m.Value.Kind == Object {
				out.put(m.Name, s.operation(m.Value, shared))
			}
		case strings.HasPrefix(m.Name, "x-"):
			out.Members = append(out.Members, m)
		}
	}
	return out
}

// parameters resolves the references of a list of parameters.
func (s *swagger) parameters(n *Node) []*Node {
	if n == nil {
		return nil
	}
	var parameters []*Node
	for _, item := range n.Items {
		target, err := s.resolve(item)
		if err != nil {
			s.find(exchange.Finding{Code: "dangling-reference", Message: "$ref " + quote(item.Get("$ref").Str()) + ": " + err.Error(), Document: item.Place()})
			continue
		}
		parameters = append(parameters, target)
	}
	return parameters
}

func (s *swagger) operation(n *Node, shared []*Node) *Node {
	out := s.object(n)
	for _, m := range n.Members {
		switch m.Name {
		case "parameters", "responses", "consumes", "produces", "schemes":
		default:
			out.Members = append(out.Members, m)
		}
	}
	own := s.parameters(n.Get("parameters"))
	for _, p := range shared {
		same := func(q *Node) bool {
			return q.Get("in").Str() == p.Get("in").Str() && q.Get("name").Str() == p.Get("name").Str()
		}
		if !slices.ContainsFunc(own, same) {
			own = append(own, p)
		}
	}
	list := &Node{Kind: Array, file: n.file, offset: n.offset}
	var form []*Node
	for _, p := range own {
		switch p.Get("in").Str() {
		case "body":
			out.put("requestBody", s.body(n, p))
		case "formData":
			form = append(form, p)
		default:
			list.Items = append(list.Items, s.parameter(p))
		}
	}
	if form != nil {
		out.put("requestBody", s.form(n, form))
	}
	out.put("parameters", list)
	if responses := n.Get("responses"); responses != nil {
		converted := s.object(responses)
		for _, m := range responses.Members {
			converted.put(m.Name, s.response(n, m.Value))
		}
		out.put("responses", converted)
	}
	return out
}

// types gives the media types of an operation: its own, else the document's.
func (s *swagger) types(operation *Node, field, otherwise string) []string {
	if own := operation.Get(field); own != nil {
		return s.strings(own, otherwise)
	}
	return s.strings(s.root.Get(field), otherwise)
}

func (s *swagger) body(operation, p *Node) *Node {
	out := s.object(p)
	out.take(p, "description", "required")
	content := s.object(p)
	for _, name := range s.types(operation, "consumes", "application/json") {
		media := s.object(p)
		media.take(p, "schema")
		content.put(name, media)
	}
	out.put("content", content)
	return out
}

// schemaFields are the fields of a parameter or header that are its schema.
var schemaFields = []string{"type", "format", "items", "default", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
	"maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "enum", "multipleOf", "x-nullable", "x-example", "title"}

func (s *swagger) schema(p *Node) *Node {
	out := s.object(p)
	if p.Get("type").Str() == "file" {
		out.put("type", s.text(p.Get("type"), "string"))
		out.put("format", s.text(p.Get("type"), "binary"))
		return out
	}
	out.take(p, schemaFields...)
	return out
}

func (s *swagger) parameter(p *Node) *Node {
	out := s.object(p)
	out.take(p, "name", "in", "description", "required", "allowEmptyValue")
	out.put("schema", s.schema(p))
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
	out.put("style", s.text(p, style))
	out.put("explode", s.boolean(p, explode))
	return out
}

func (s *swagger) form(operation *Node, fields []*Node) *Node {
	at := fields[0]
	schema, properties := s.object(at), s.object(at)
	encoding := s.object(at)
	required := &Node{Kind: Array, file: at.file, offset: at.offset}
	file := false
	for _, p := range fields {
		name := p.Get("name").Str()
		file = file || p.Get("type").Str() == "file"
		properties.put(name, s.schema(p))
		if p.Get("required").True() {
			required.Items = append(required.Items, p.Get("name"))
		}
		if p.Get("type").Str() == "array" && p.Get("collectionFormat").Str() != "multi" {
			e := s.object(p)
			e.put("style", s.text(p, "form"))
			e.put("explode", s.boolean(p, false))
			encoding.put(name, e)
		}
	}
	schema.put("type", s.text(at, "object"))
	schema.put("properties", properties)
	if len(required.Items) > 0 {
		schema.put("required", required)
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
	content := s.object(at)
	for _, name := range types {
		media := s.object(at)
		media.put("schema", schema)
		if len(encoding.Members) > 0 {
			media.put("encoding", encoding)
		}
		content.put(name, media)
	}
	out := s.object(at)
	if len(required.Items) > 0 {
		out.put("required", s.boolean(at, true))
	}
	out.put("content", content)
	return out
}

func (s *swagger) response(operation, n *Node) *Node {
	if target, err := s.resolve(n); err == nil {
		n = target
	}
	if n.Kind != Object {
		return n
	}
	out := s.object(n)
	for _, m := range n.Members {
		switch m.Name {
		case "schema", "headers", "examples":
		default:
			out.Members = append(out.Members, m)
		}
	}
	if headers := n.Get("headers"); headers != nil {
		converted := s.object(headers)
		for _, m := range headers.Members {
			header := s.object(m.Value)
			header.take(m.Value, "description")
			header.put("schema", s.schema(m.Value))
			converted.put(m.Name, header)
		}
		out.put("headers", converted)
	}
	schema, examples := n.Get("schema"), n.Get("examples")
	if schema == nil {
		return out
	}
	content := s.object(n)
	types := s.types(operation, "produces", "application/json")
	if schema.Get("type").Str() == "file" {
		schema = s.schema(schema)
		types = s.types(operation, "produces", "application/octet-stream")
	}
	for _, name := range types {
		media := s.object(n)
		media.put("schema", schema)
		media.put("example", examples.Get(name))
		content.put(name, media)
	}
	out.put("content", content)
	return out
}

// flows are the names of OAuth flows since OpenAPI 3.
var flows = map[string]string{"implicit": "implicit", "password": "password", "application": "clientCredentials", "accessCode": "authorizationCode"}

func (s *swagger) securityScheme(n *Node) *Node {
	out := s.object(n)
	out.take(n, "description")
	switch n.Get("type").Str() {
	case "basic":
		out.put("type", s.text(n.Get("type"), "http"))
		out.put("scheme", s.text(n.Get("type"), "basic"))
	case "oauth2":
		out.take(n, "type")
		flow := s.object(n)
		flow.take(n, "authorizationUrl", "tokenUrl", "scopes")
		all := s.object(n)
		if name := flows[n.Get("flow").Str()]; name != "" {
			all.put(name, flow)
		}
		out.put("flows", all)
	default:
		out.take(n, "type", "name", "in")
	}
	return out
}
