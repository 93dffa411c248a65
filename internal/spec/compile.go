package spec

import (
	"cmp"
	"mime"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

// compile makes the contract of the document whose root file is given.
func (l *loader) compile(f *tree.File) (*Contract, error) {
	if err := l.recognise(f); err != nil {
		return nil, err
	}
	root := f.Root
	if root.Get("openapi") == nil { // Swagger 2.0
		root = l.upgrade(root)
	}
	n := l.normalize(root)
	clean := n.root
	if clean == nil {
		return nil, &DocumentError{Place: f.Root.Place(), Message: "the document is a reference that leads nowhere"}
	}
	l.gather(f)
	doc, err := n.model()
	if err != nil {
		return nil, &DocumentError{Place: exchange.Place{File: f.Name},
			Message: "kin-openapi cannot model the document: " + err.Error(), Err: err}
	}
	c := &compiler{loader: l, doc: doc, clean: clean, schemas: newSchemas(l, doc.OpenAPI),
		called: map[*tree.Node][]*Callback{}, ids: map[string]exchange.Place{}}
	contract := &Contract{File: f.Name, OpenAPI: cmp.Or(f.Root.Get("openapi"), f.Root.Get("swagger")).Text,
		BasePaths: basePaths(doc.Servers)}
	if doc.Info != nil {
		contract.Title, contract.Version = doc.Info.Title, doc.Info.Version
	}
	c.schemes(clean.Get("components").Get("securitySchemes"))
	contract.Operations = c.operations(clean)
	contract.Webhooks = c.webhooks(clean.Get("webhooks"))
	c.resolveLinks(contract.Operations)
	c.schemas.addUnused(n.schemas)
	c.schemas.compileAll()
	c.checkExamples()
	contract.files = make(map[string]*tree.File, len(l.files))
	for path, f := range l.files {
		contract.files[f.Name] = f
		if filepath.IsAbs(path) {
			contract.Files = append(contract.Files, path)
		}
	}
	slices.Sort(contract.Files)
	contract.Findings = exchange.Sort(l.findings)
	l.findings = nil
	return contract, nil
}

// recognise refuses what is no OpenAPI document, saying what it looks like.
func (l *loader) recognise(f *tree.File) error {
	fail := func(n *tree.Node, message string) error {
		return &DocumentError{Place: n.Place(), Message: message}
	}
	switch {
	case f.Root.Kind == tree.Null:
		return &DocumentError{Place: exchange.Place{File: f.Name},
			Message: "the document is empty; it must begin with \"openapi: 3.1.0\" or the like"}
	case f.Root.Kind != tree.Object:
		return fail(f.Root, "an OpenAPI document must be an object, this is "+f.Root.Kind.String())
	case f.Root.Get("swagger") != nil && f.Root.Get("openapi") == nil:
		if version := f.Root.Get("swagger"); version.Text != "2.0" && version.Text != "2" {
			return fail(version, "Swagger version "+version.Describe()+" is not supported; use Swagger 2.0 or OpenAPI 3")
		}
		return nil
	case f.Root.Get("openapi") == nil:
		return fail(f.Root, "the field \"openapi\" is missing; an OpenAPI document names its version, as in "+
			"\"openapi: 3.1.0\"")
	}
	version := f.Root.Get("openapi")
	minor, _, _ := strings.Cut(strings.TrimPrefix(version.Text, "3."), ".")
	switch {
	case !strings.HasPrefix(version.Text, "3."):
		return fail(version, "OpenAPI version "+version.Describe()+" is not supported; use 3.0, 3.1 or 3.2")
	case !slices.Contains([]string{"0", "1", "2"}, minor):
		l.find(exchange.Finding{Code: "unknown-version", Severity: exchange.Warning, Document: version.Place(),
			Message: "OpenAPI version " + exchange.Quote(version.Text) + " is not known; the document is read as 3.2"})
	}
	return nil
}

// compiler makes the contract's parts from kin-openapi's model, and their
// places and schemas from the clean tree, going through both side by side.
type compiler struct {
	*loader
	doc      *openapi3.T
	clean    *tree.Node
	schemas  *schemas
	security map[string]*SecurityScheme
	examples []exampleOf
	outgoing bool                       // operations being compiled are those of callbacks and webhooks
	called   map[*tree.Node][]*Callback // Callback Objects that are compiled
	ids      map[string]exchange.Place  // of operations
	pending  []pendingLink
	streams  []*MediaType // that have examples and an itemSchema
}

// exampleOf is an example whose schema it must fit.
type exampleOf struct {
	example *Example
	schema  *Schema
}

func (c *compiler) operations(clean *tree.Node) []*Operation {
	var operations []*Operation
	paths := clean.Get("paths")
	if paths == nil {
		return nil
	}
	for _, member := range paths.Members {
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

func (c *compiler) pathItem(path string, item *openapi3.PathItem, n *tree.Node) []*Operation {
	var operations []*Operation
	for _, member := range n.Members {
		if slices.Contains(methods, member.Name) {
			method := strings.ToUpper(member.Name)
			operations = append(operations, c.operation(method, path, item, n, item.GetOperation(method), member.Value))
		}
	}
	if additional := n.Get("additionalOperations"); additional != nil {
		for _, member := range additional.Members {
			if slices.Contains(methods, strings.ToLower(member.Name)) {
				c.warn(member.Value.Place(), "known-method",
					exchange.Quote(member.Name)+" has a field of its own, "+exchange.Quote(strings.ToLower(member.Name))+
						", and cannot be an additional operation")
				continue
			}
			if operation := item.AdditionalOperations[member.Name]; operation != nil {
				operations = append(operations, c.operation(member.Name, path, item, n, operation, member.Value))
			}
		}
	}
	return operations
}

func (c *compiler) operation(method, path string, item *openapi3.PathItem, in *tree.Node,
	operation *openapi3.Operation, n *tree.Node) *Operation {
	o := &Operation{
		ID:          operation.OperationID,
		Method:      method,
		Path:        path,
		Summary:     n.Get("summary").Str(),
		Description: n.Get("description").Str(),
		Tags:        operation.Tags,
		Place:       n.Place(),
		Route:       &routers.Route{Spec: c.doc, Path: path, PathItem: item, Method: method, Operation: operation},
		node:        n,
		item:        in,
	}
	if o.ID == "" {
		o.ID = method + " " + path
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
			Content:  c.content(operation.RequestBody.Value.Content, body.Get("content"), c.asking()),
			Place:    body.Place(),
		}
		slices.SortStableFunc(o.Body.Content, func(a, b *MediaType) int { return cmp.Compare(a.breadth(), b.breadth()) })
	}
	o.Responses = c.responses(operation.Responses, n.Get("responses"))
	o.Callbacks = c.callbacks(operation.Callbacks, n.Get("callbacks"))
	if operation.Security != nil {
		o.Security = c.requirements(*operation.Security, n.Get("security"))
	} else if !c.outgoing { // the document's requirements are about requests to the API
		o.Security = c.requirements(c.doc.Security, c.clean.Get("security"))
	}
	return o
}

// defaultStyle is the style of a parameter that names none (OpenAPI 3.1
// section 4.8.12.2).
func defaultStyle(in string) string {
	if in == exchange.InQuery || in == exchange.InCookie {
		return "form"
	}
	return "simple"
}

func (c *compiler) parameter(p *openapi3.Parameter, n *tree.Node, d Direction) *Parameter {
	switch p.In {
	case exchange.InPath, exchange.InQuery, exchange.InHeader, exchange.InCookie, "querystring":
	default:
		c.fault(n, "unknown-parameter-location",
			"a parameter is in path, query, header or cookie, not in "+exchange.Quote(p.In))
		return nil
	}
	compiled := &Parameter{
		Name:            p.Name,
		In:              p.In,
		Required:        p.Required,
		Style:           p.Style,
		AllowReserved:   p.AllowReserved,
		AllowEmptyValue: p.AllowEmptyValue,
		Place:           n.Place(),
	}
	if compiled.Style == "" {
		compiled.Style = defaultStyle(p.In)
	}
	compiled.Explode = compiled.Style == "form" || compiled.Style == "cookie"
	if p.Explode != nil {
		compiled.Explode = *p.Explode
	}
	if schema := n.Get("schema"); schema != nil {
		compiled.Schema = c.schemas.add(schema, d)
	} else if content := n.Get("content"); content != nil {
		if types := c.content(p.Content, content, d); len(types) > 0 {
			compiled.Content = types[0]
		}
	}
	compiled.Examples = c.examplesOf(n, compiled.Schema)
	return compiled
}

func (c *compiler) headers(headers openapi3.Headers, n *tree.Node, d Direction) []*Parameter {
	var compiled []*Parameter
	if n == nil {
		return nil
	}
	for _, member := range n.Members {
		if strings.EqualFold(member.Name, "Content-Type") { // OpenAPI 3.1 section 4.8.17.1: ignored
			continue
		}
		header := headers[member.Name].Value.Parameter
		header.Name, header.In = member.Name, exchange.InHeader
		if p := c.parameter(&header, member.Value, d); p != nil {
			compiled = append(compiled, p)
		}
	}
	slices.SortFunc(compiled, func(a, b *Parameter) int { return cmp.Compare(a.Name, b.Name) })
	return compiled
}

func (c *compiler) content(content openapi3.Content, n *tree.Node, d Direction) []*MediaType {
	if n == nil {
		return nil
	}
	var compiled []*MediaType
	for _, member := range n.Members {
		compiled = append(compiled, c.mediaType(member.Name, content[member.Name], member.Value, d))
	}
	return compiled
}

func (c *compiler) mediaType(name string, model *openapi3.MediaType, n *tree.Node, d Direction) *MediaType {
	m := &MediaType{Range: name, Place: n.Place()}
	full, params, err := mime.ParseMediaType(name)
	if err != nil {
		full, _, _ = strings.Cut(strings.ToLower(name), ";")
		if name != "*" {
			c.warn(m.Place, "malformed-media-type", exchange.Quote(name)+" is no media type: "+strings.TrimPrefix(err.Error(),
				"mime: "))
		}
	}
	m.Params = params
	var ok bool
	if m.Type, m.Subtype, ok = strings.Cut(strings.TrimSpace(full), "/"); !ok {
		m.Subtype = "*"
	}
	if schema := n.Get("schema"); schema != nil {
		m.Schema = c.schemas.add(schema, d)
	}
	if item := n.Get("itemSchema"); item != nil {
		m.Item = c.schemas.add(item, d)
	}
	for property, encoding := range model.Encoding {
		if m.Encoding == nil {
			m.Encoding = map[string]*Encoding{}
		}
		e := &Encoding{ContentType: encoding.ContentType, Style: encoding.Style, AllowReserved: encoding.AllowReserved}
		e.Explode = e.Style == "" || e.Style == "form"
		if encoding.Explode != nil {
			e.Explode = *encoding.Explode
		}
		e.Headers = c.headers(encoding.Headers, n.Get("encoding").Get(property).Get("headers"), d)
		m.Encoding[property] = e
	}
	m.Examples = c.examplesOf(n, m.Schema)
	if m.Item != nil && len(m.Examples) > 0 {
		c.streams = append(c.streams, m)
	}
	return m
}

// breadth orders media types from the exact one to */*.
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
	if n == nil {
		return nil
	}
	var responses []*Response
	for _, member := range n.Members {
		r := &Response{Status: member.Name, Place: member.Value.Place()}
		if _, count := r.Code(); count == 0 && r.Status != "default" {
			c.fault(member.Value, "unknown-status",
				"a response's key is a status such as \"200\", a range such as \"2XX\" or \"default\", "+
					"not "+exchange.Quote(r.Status))
			continue
		}
		response := model.Value(member.Name).Value
		if response.Description != nil {
			r.Description = *response.Description
		}
		r.Headers = c.headers(response.Headers, member.Value.Get("headers"), c.answering())
		r.Content = c.content(response.Content, member.Value.Get("content"), c.answering())
		c.links(r, member.Value.Get("links"))
		responses = append(responses, r)
	}
	slices.SortStableFunc(responses, func(a, b *Response) int { return cmp.Compare(a.order(), b.order()) })
	return responses
}

// order puts exact codes first, then ranges, then default.
func (r *Response) order() int {
	switch first, count := r.Code(); count {
	case 1:
		return first
	case 100:
		return 1000 + first
	}
	return 10000
}
