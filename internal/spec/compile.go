package spec

import (
	"cmp"
	"mime"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unique"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// clean returns the clean tree of a document.
func (l *loader) clean(f *tree.File) (normalized, error) {
	if err := l.recognise(f); err != nil {
		return normalized{}, err
	}
	root := f.Root
	if root.Get("openapi") == nil { // Swagger 2.0
		root = l.upgrade(root)
	}
	n := l.normalize(root)
	if n.root == nil {
		return n, &DocumentError{Place: f.Root.Place(), Message: "the document is a reference that leads nowhere"}
	}
	l.gather(f)
	return n, nil
}

func (l *loader) compile(f *tree.File) (*Contract, error) {
	n, err := l.clean(f)
	if err != nil {
		return nil, err
	}
	clean, doc := n.root, n.model()
	schemas := newSchemas(l, clean)
	schemas.shapes = schema.NewShapes(schema.Document{
		Order: schemas.order, Discriminator: schemas.compiledDiscriminator,
	})
	c := &compiler{loader: l, doc: doc, clean: clean, schemas: schemas, response: InResponse,
		security: map[string]*SecurityScheme{}, called: map[*tree.Node][]*Callback{}, ids: map[string]exchange.Place{},
		values: map[*tree.Node]any{}}
	contract := &Contract{File: f.Name, OpenAPI: cmp.Or(f.Root.Get("openapi"), f.Root.Get("swagger")).Text,
		BasePaths: basePaths(doc.Servers), Hosts: hosts(doc.Servers)}
	if doc.Info != nil {
		contract.Title, contract.Version = doc.Info.Title, doc.Info.Version
	}
	c.schemes(clean.Get("components").Get("securitySchemes"))
	for _, name := range c.schemeNames {
		contract.Schemes = append(contract.Schemes, c.security[name])
	}
	contract.Operations = c.operations(clean.Get("paths"))
	contract.Webhooks = c.webhooks(clean.Get("webhooks"))
	c.resolveLinks(contract.Operations)
	findAlternatives(contract.Operations)
	c.schemas.addUnused(n.schemas)
	c.schemas.compileAll()
	takeSpans(contract.Operations)
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	c.checkExamples()
	contract.files = make(map[string]*tree.File, len(l.files))
	for path, f := range l.files {
		if f.err == nil {
			contract.files[f.Name] = f.File
		}
		if f.err == nil && filepath.IsAbs(path) {
			contract.Files = append(contract.Files, path)
		}
	}
	slices.Sort(contract.Files)
	contract.Size = int64(l.bytes)
	contract.Findings = exchange.Sort(l.findings)
	l.findings = nil
	return contract, nil
}

// recognise refuses a file that is not an OpenAPI document, and says what it looks like.
func (l *loader) recognise(f *tree.File) error {
	fail := func(n *tree.Node, message string) error {
		return &DocumentError{Place: n.Place(), Message: message}
	}
	version, swagger := f.Root.Get("openapi"), f.Root.Get("swagger")
	switch {
	case f.Root.Kind == tree.Null:
		return &DocumentError{Place: exchange.Place{File: f.Name},
			Message: "the document is empty; it must begin with \"openapi: 3.1.0\" or the like"}
	case f.Root.Kind != tree.Object:
		return fail(f.Root, "an OpenAPI document must be an object, this is "+f.Root.Kind.String())
	case version == nil && swagger == nil:
		return fail(f.Root, "the field \"openapi\" is missing; an OpenAPI document names its version, as in "+
			"\"openapi: 3.1.0\"")
	case version == nil && swagger.Text != "2.0" && swagger.Text != "2":
		return fail(swagger, "Swagger version "+swagger.Describe()+" is not supported; use Swagger 2.0 or OpenAPI 3")
	case version == nil:
		return nil
	}
	rest, isThree := strings.CutPrefix(version.Text, "3.")
	minor, _, _ := strings.Cut(rest, ".")
	switch {
	case !isThree:
		return fail(version, "OpenAPI version "+version.Describe()+" is not supported; use 3.0, 3.1 or 3.2")
	case !slices.Contains([]string{"0", "1", "2"}, minor):
		l.warn(version.Place(), "unknown-version",
			"OpenAPI version "+exchange.Quote(version.Text)+" is not known; the document is read as 3.2")
	}
	return nil
}

// compiler builds the contract from kin-openapi's model, and its places and schemas from the clean tree. It walks
// both in parallel.
type compiler struct {
	*loader
	doc         *openapi3.T
	clean       *tree.Node
	schemas     *schemas
	security    map[string]*SecurityScheme
	schemeNames []string // declared in the document, sorted
	examples    []exampleOf
	called      map[*tree.Node][]*Callback // compiled Callback Objects
	ids         map[string]exchange.Place  // operationId → place
	pending     []pendingLink
	values      map[*tree.Node]any // of examples

	request, response Direction // the directions of requests and responses of the current operations
}

// outgoing reports whether the current operations belong to callbacks and webhooks.
func (c *compiler) outgoing() bool { return c.request == InResponse }

func (c *compiler) operations(paths *tree.Node) []*Operation {
	var operations []*Operation
	for _, member := range paths.Fields() {
		item := c.doc.Paths.Value(member.Name)
		if item == nil {
			continue
		}
		for _, o := range c.pathItem(member.Name, item, member.Value) {
			if first, ok := c.ids[o.ID]; ok {
				c.warn(o.Place, "duplicate-operation-id",
					"operationId "+exchange.Quote(o.ID)+" is used at line "+strconv.Itoa(first.Line)+" already")
				o.ID = o.Method + " " + o.Path
			}
			c.ids[o.ID] = o.Place
			operations = append(operations, o)
		}
	}
	return operations
}

// interned returns a copy of a string. The strings of a document in JSON are parts of its text, and names are kept
// longer than the document: by the journal, sessions and clients of a contract that was replaced.
func interned(s string) string { return unique.Make(s).Value() }

func (c *compiler) pathItem(path string, item *openapi3.PathItem, n *tree.Node) []*Operation {
	var operations []*Operation
	path = interned(path)
	for _, member := range n.Fields() {
		if slices.Contains(methods, member.Name) {
			method := strings.ToUpper(member.Name)
			operations = append(operations, c.operation(method, path, item, n, item.GetOperation(method), member.Value))
		}
	}
	for _, member := range n.Get("additionalOperations").Fields() {
		if own := strings.ToLower(member.Name); slices.Contains(methods, own) {
			c.warn(member.Value.Place(), "known-method", exchange.Quote(member.Name)+" has a field of its own, "+
				exchange.Quote(own)+", and cannot be an additional operation")
		} else if operation := item.AdditionalOperations[member.Name]; operation != nil {
			operations = append(operations, c.operation(member.Name, path, item, n, operation, member.Value))
		}
	}
	return operations
}

func (c *compiler) operation(method, path string, item *openapi3.PathItem, in *tree.Node,
	operation *openapi3.Operation, n *tree.Node) *Operation {
	o := &Operation{
		ID:          interned(cmp.Or(operation.OperationID, method+" "+path)),
		Method:      interned(method),
		Path:        path,
		Summary:     n.Get("summary").Str(),
		Description: n.Get("description").Str(),
		Tags:        operation.Tags,
		Place:       n.Place(),
		Route:       &routers.Route{Spec: c.doc, Path: path, PathItem: item, Method: method, Operation: operation},
		node:        n,
		item:        in,
	}
	servers := c.doc.Servers
	if len(item.Servers) > 0 {
		servers = item.Servers
	}
	if operation.Servers != nil && len(*operation.Servers) > 0 {
		servers = *operation.Servers
	}
	if len(servers) > 0 {
		o.Route.Server = servers[0]
	}
	o.BasePaths = basePaths(servers)
	o.Parameters = c.parameters(path, item.Parameters, in.Get("parameters"), operation.Parameters, n.Get("parameters"), n)
	if body := n.Get("requestBody"); body != nil {
		o.Body = &RequestBody{
			Required: operation.RequestBody.Value.Required,
			Content:  c.content(operation.RequestBody.Value.Content, body.Get("content"), c.request),
			Place:    body.Place(),
		}
		slices.SortStableFunc(o.Body.Content, func(a, b *MediaType) int { return cmp.Compare(a.breadth(), b.breadth()) })
	}
	o.Responses = c.responses(operation.Responses, n.Get("responses"))
	o.Callbacks = c.callbacks(operation.Callbacks, n.Get("callbacks"))
	if operation.Security != nil {
		o.Security = c.requirements(*operation.Security, n.Get("security"))
	} else if !c.outgoing() { // the document's own requirements apply to requests to the API
		o.Security = c.requirements(c.doc.Security, c.clean.Get("security"))
	}
	o.Parameters = slices.DeleteFunc(o.Parameters, o.isImplied)
	return o
}

// defaultStyles are the default styles of parameters by place (OpenAPI 3.1 section 4.8.12.2).
var defaultStyles = map[string]string{exchange.InPath: "simple", exchange.InQuery: "form", exchange.InHeader: "simple",
	exchange.InCookie: "form", "querystring": "simple"}

func (c *compiler) parameter(p *openapi3.Parameter, n *tree.Node, d Direction) *Parameter {
	style, known := defaultStyles[p.In]
	if !known {
		c.fault(n, "unknown-parameter-location",
			"a parameter is in path, query, header or cookie, not in "+exchange.Quote(p.In))
		return nil
	}
	if !nameable(p.In, p.Name) {
		c.fault(n, "malformed-header-name", exchange.Quote(p.Name)+" cannot be the name of a "+p.In+
			" (RFC 9110 section 5.1); it is left out")
		return nil
	}
	compiled := &Parameter{
		Name:            interned(p.Name),
		In:              interned(p.In),
		Required:        p.Required,
		Style:           cmp.Or(p.Style, style),
		AllowReserved:   p.AllowReserved,
		AllowEmptyValue: p.AllowEmptyValue,
		Description:     n.Get("description").Str(),
		Schema:          c.schemas.add(parameterSchema(n), d),
		Place:           n.Place(),
	}
	compiled.Explode = compiled.Style == "form" || compiled.Style == "cookie"
	if p.Explode != nil {
		compiled.Explode = *p.Explode
	}
	if types := c.content(p.Content, n.Get("content"), d); len(types) > 0 {
		compiled.Content = types[0]
	}
	compiled.Examples = c.examplesOf(n, compiled.Schema, nil)
	return compiled
}

// parameterSchema returns the schema of a parameter. A query parameter with "allowEmptyValue: false" excludes the
// empty string. Without that field, the schema decides: the style writes an empty string as "name=" (OpenAPI 3.0.3
// section 4.7.12, style examples), and the interaction of field and schema is implementation-defined (3.1.1).
func parameterSchema(n *tree.Node) *tree.Node {
	schema, empty := n.Get("schema"), n.Get("allowEmptyValue")
	if schema == nil || empty == nil || empty.True() || n.Get("in").Str() != exchange.InQuery ||
		schema.Get("minLength") != nil || !slices.Contains([]string{"", "string"}, schema.Get("type").Str()) {
		return schema
	}
	one := empty.New(tree.Number)
	one.Text = "1"
	both := empty.New(tree.Array).AppendItems(schema, empty.New(tree.Object).Add("minLength", one))
	return empty.New(tree.Object).Add("allOf", both)
}

func isToken(name string) bool { return name != "" && exchange.IsToken(name) }

// nameable reports whether a parameter with this name can be sent: names of headers are tokens, and names of cookies
// must not contain the delimiters of RFC 6265 section 4.1.1. Other names are percent-encoded.
func nameable(in, name string) bool {
	switch in {
	case exchange.InHeader:
		return isToken(name)
	case exchange.InCookie:
		ends := func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune("=;,", r) }
		return name != "" && !strings.ContainsFunc(name, ends)
	}
	return true
}

func (c *compiler) headers(headers openapi3.Headers, n *tree.Node, d Direction) []*Parameter {
	declared := declarations{positions: map[parameterKey]int{}}
	for _, member := range n.Fields() {
		header := headers[member.Name].Value.Parameter
		header.Name, header.In = strings.TrimRight(member.Name, ": \t\r\n"), exchange.InHeader
		if header.Name != member.Name && isToken(header.Name) {
			c.warn(n.PlaceOfMember(member), "malformed-header-name",
				exchange.Quote(member.Name)+" is no name of a header; it is read as "+exchange.Quote(header.Name))
		}
		if strings.EqualFold(header.Name, "Content-Type") { // OpenAPI 3.1 section 4.8.17.1: ignored
			continue
		}
		if p := c.parameter(&header, member.Value, d); p != nil {
			c.declare(&declared, p)
		}
	}
	slices.SortFunc(declared.parameters, func(a, b *Parameter) int { return cmp.Compare(a.Name, b.Name) })
	return declared.parameters
}

func (c *compiler) content(content openapi3.Content, n *tree.Node, d Direction) []*MediaType {
	var compiled []*MediaType
	isType := func(m tree.Member) bool { return strings.Contains(m.Name, "/") || m.Name == "*" }
	hasTypes := slices.ContainsFunc(n.Fields(), isType)
	for _, member := range n.Fields() {
		if hasTypes && !isType(member) { // a property of an example, as converters of older documents leave it
			c.warn(n.PlaceOfMember(member), "malformed-media-type",
				exchange.Quote(member.Name)+" is no media type (RFC 9110 section 8.3.1); it is left out")
			continue
		}
		compiled = append(compiled, c.mediaType(member.Name, content[member.Name], member.Value, d))
	}
	return compiled
}

func (c *compiler) mediaType(name string, model *openapi3.MediaType, n *tree.Node, d Direction) *MediaType {
	m := readMediaType(interned(name))
	m.Place, m.Schema, m.Item = n.Place(), c.schemas.add(n.Get("schema"), d), c.schemas.add(n.Get("itemSchema"), d)
	if m.Range != name {
		c.warn(m.Place, "malformed-media-type",
			exchange.Quote(name)+" is no media type (RFC 9110 section 8.3.1); it is read as "+m.Range)
	}
	if len(model.Encoding) > 0 {
		m.Encoding = make(map[string]*Encoding, len(model.Encoding))
	}
	for property, encoding := range model.Encoding {
		e := &Encoding{ContentType: interned(encoding.ContentType), Style: encoding.Style,
			AllowReserved: encoding.AllowReserved, Explode: encoding.Style == "" || encoding.Style == "form",
			Headers: c.headers(encoding.Headers, n.Get("encoding").Get(property).Get("headers"), d)}
		if encoding.Explode != nil {
			e.Explode = *encoding.Explode
		}
		m.Encoding[property] = e
	}
	m.Examples = c.examplesOf(n, m.Schema, m)
	return m
}

// readMediaType parses the key of a content map. An invalid key is read as the media type that it begins with, else
// as any: the schema still describes the body.
func readMediaType(name string) *MediaType {
	full, params, err := mime.ParseMediaType(name)
	readable := name
	if err != nil || strings.ContainsFunc(name, unicode.IsControl) || strings.TrimSpace(name) != name {
		full = strings.ToLower(strings.TrimSpace(name))
		if end := strings.IndexFunc(full, func(r rune) bool { return r <= ' ' || r == ';' || r == ',' }); end >= 0 {
			full = full[:end]
		}
		readable, params = full, nil
	}
	kind, subtype, _ := strings.Cut(full, "/")
	if !isToken(kind) || !isToken(subtype) {
		return &MediaType{Range: "*/*", Type: "*", Subtype: "*"}
	}
	return &MediaType{Range: readable, Type: kind, Subtype: subtype, Params: params}
}

// breadth orders media types from exact ones to */*.
func (m *MediaType) breadth() int {
	switch {
	case m.Type == "*":
		return 3
	case m.Subtype == "*":
		return 2
	case len(m.Params) == 0:
		return 1
	}
	return 0
}

func (c *compiler) responses(model *openapi3.Responses, n *tree.Node) []*Response {
	var responses []*Response
	for _, member := range n.Fields() {
		r := &Response{Status: interned(member.Name), Place: member.Value.Place()}
		if meant, ok := rangeMeant(r.Status); ok && n.Get(meant) == nil {
			c.warn(n.PlaceOfMember(member), "unknown-status", "a range of statuses is written "+meant+", not "+
				exchange.Quote(r.Status)+"; it is read as that")
			r.Status = meant
		}
		if _, count := r.Code(); count == 0 && r.Status != "default" {
			c.fault(member.Value, "unknown-status", "a response's key is a status such as \"200\", a range such as "+
				"\"2XX\" or \"default\", not "+exchange.Quote(r.Status))
			continue
		}
		response := model.Value(member.Name).Value
		if response.Description != nil {
			r.Description = *response.Description
		}
		r.Headers = c.headers(response.Headers, member.Value.Get("headers"), c.response)
		r.Content = c.content(response.Content, member.Value.Get("content"), c.response)
		for _, l := range member.Value.Get("links").Fields() {
			c.pending = append(c.pending, pendingLink{&Link{Name: l.Name, Place: l.Value.Place()}, r, l.Value})
		}
		responses = append(responses, r)
	}
	slices.SortStableFunc(responses, func(a, b *Response) int { return cmp.Compare(a.order(), b.order()) })
	return responses
}

// rangeMeant returns the range that a misspelt one stands for: 2XX for 20X, 2xX and 2**.
func rangeMeant(status string) (string, bool) {
	if len(status) != 3 || status[0] < '1' || status[0] > '5' || strings.EqualFold(status[1:], "XX") {
		return "", false
	}
	isPlaceholder := func(c byte) bool { return c == 'x' || c == 'X' || c == '*' || c == '?' }
	isZero := status[1] == '0'
	return status[:1] + "XX", isPlaceholder(status[2]) && (isZero || isPlaceholder(status[1]))
}

// order sorts exact codes first, then ranges, then default.
func (r *Response) order() int {
	switch first, count := r.Code(); count {
	case 1:
		return first
	case 100:
		return 1000 + first
	}
	return 10000
}
