package spec

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/coldframe/coldframe/internal/tree"
)

// model returns kin-openapi's model of the clean tree, without schemas and examples, which are compiled from the tree
// (schema.go). It does not use kin-openapi's loader, which reads JSON and resolves references: writing and reading
// JSON took a fifth of the loading time of GitHub's document, and a quarter of the allocated bytes.
func (n *normalized) model() *openapi3.T {
	m := modeller{
		shared: n.shared, parameters: map[*tree.Node]*openapi3.Parameter{}, headers: map[*tree.Node]*openapi3.Header{},
		responses: map[*tree.Node]*openapi3.Response{}, callbacks: map[*tree.Node]*openapi3.Callback{},
		bodies: map[*tree.Node]*openapi3.RequestBody{},
	}
	root := n.root
	info := root.Get("info")
	doc := &openapi3.T{
		OpenAPI: root.Get("openapi").Str(), Paths: openapi3.NewPaths(), Servers: m.servers(root.Get("servers")),
		Security:   requirementsOf(root.Get("security")),
		Components: &openapi3.Components{SecuritySchemes: schemesOf(root.Get("components").Get("securitySchemes"))},
	}
	if info != nil {
		doc.Info = &openapi3.Info{Title: info.Get("title").Str(), Version: info.Get("version").Str()}
	}
	for _, member := range root.Get("paths").Fields() {
		doc.Paths.Set(member.Name, m.pathItem(member.Value))
	}
	m.outgoing = true
	doc.Webhooks = mapped(root.Get("webhooks"), m.pathItem)
	return doc
}

// modeller fills the model. It converts the target of several references once.
type modeller struct {
	shared     map[*tree.Node]*objectKind
	parameters map[*tree.Node]*openapi3.Parameter
	headers    map[*tree.Node]*openapi3.Header
	responses  map[*tree.Node]*openapi3.Response
	callbacks  map[*tree.Node]*openapi3.Callback
	bodies     map[*tree.Node]*openapi3.RequestBody
	outgoing   bool // within a callback or a webhook: nested callbacks are left out, because they could be infinitely many
}

// once returns fill(n), and the same result each time if references lead to n.
func once[T any](m *modeller, made map[*tree.Node]*T, n *tree.Node, fill func(*tree.Node) *T) *T {
	if m.shared[n] == nil {
		return fill(n)
	}
	if made[n] == nil {
		made[n] = fill(n)
	}
	return made[n]
}

// mapped returns the converted members of an object; nil if none.
func mapped[T any](n *tree.Node, convert func(*tree.Node) T) map[string]T {
	if len(n.Fields()) == 0 {
		return nil
	}
	all := make(map[string]T, len(n.Fields()))
	for _, member := range n.Fields() {
		all[member.Name] = convert(member.Value)
	}
	return all
}

// itemsOf returns the converted items of an array; nil if n is not one.
func itemsOf[T any](n *tree.Node, convert func(*tree.Node) T) []T {
	if n == nil {
		return nil
	}
	all := make([]T, len(n.List()))
	for i, item := range n.List() {
		all[i] = convert(item)
	}
	return all
}

func (m *modeller) pathItem(n *tree.Node) *openapi3.PathItem {
	item := &openapi3.PathItem{
		Servers: m.servers(n.Get("servers")), Parameters: itemsOf(n.Get("parameters"), m.parameter),
		AdditionalOperations: mapped(n.Get("additionalOperations"), m.operation),
	}
	for _, method := range methods {
		if operation := n.Get(method); operation != nil {
			item.SetOperation(strings.ToUpper(method), m.operation(operation))
		}
	}
	return item
}

func (m *modeller) operation(n *tree.Node) *openapi3.Operation {
	o := &openapi3.Operation{
		Tags: itemsOf(n.Get("tags"), (*tree.Node).Str), OperationID: n.Get("operationId").Str(),
		Deprecated: n.Get("deprecated").True(), Parameters: itemsOf(n.Get("parameters"), m.parameter),
	}
	if servers := n.Get("servers"); servers != nil {
		all := m.servers(servers)
		o.Servers = &all
	}
	if security := n.Get("security"); security != nil {
		all := requirementsOf(security)
		o.Security = &all
	}
	if body := n.Get("requestBody"); body != nil {
		o.RequestBody = &openapi3.RequestBodyRef{Value: once(m, m.bodies, body, m.requestBody)}
	}
	if responses := n.Get("responses"); responses != nil {
		o.Responses = openapi3.NewResponsesWithCapacity(len(responses.Fields()))
		for _, member := range responses.Fields() {
			o.Responses.Set(member.Name, &openapi3.ResponseRef{Value: once(m, m.responses, member.Value, m.response)})
		}
	}
	if !m.outgoing {
		o.Callbacks = mapped(n.Get("callbacks"), func(n *tree.Node) *openapi3.CallbackRef {
			return &openapi3.CallbackRef{Value: once(m, m.callbacks, n, m.callback)}
		})
	}
	return o
}

func (m *modeller) callback(n *tree.Node) *openapi3.Callback {
	m.outgoing = true
	defer func() { m.outgoing = false }()
	callback := openapi3.NewCallbackWithCapacity(len(n.Fields()))
	for _, member := range n.Fields() {
		callback.Set(member.Name, m.pathItem(member.Value))
	}
	return callback
}

func (m *modeller) parameter(n *tree.Node) *openapi3.ParameterRef {
	return &openapi3.ParameterRef{Value: once(m, m.parameters, n, func(n *tree.Node) *openapi3.Parameter {
		p := m.described(n)
		p.Name, p.In = n.Get("name").Str(), n.Get("in").Str()
		return &p
	})}
}

func (m *modeller) header(n *tree.Node) *openapi3.HeaderRef {
	return &openapi3.HeaderRef{Value: once(m, m.headers, n, func(n *tree.Node) *openapi3.Header {
		return &openapi3.Header{Parameter: m.described(n)}
	})}
}

// described returns the fields that Parameter Objects and Header Objects share.
func (m *modeller) described(n *tree.Node) openapi3.Parameter {
	return openapi3.Parameter{
		Required: n.Get("required").True(), Style: n.Get("style").Str(), Explode: optional(n.Get("explode")),
		AllowReserved: n.Get("allowReserved").True(), AllowEmptyValue: n.Get("allowEmptyValue").True(),
		Content: mapped(n.Get("content"), m.mediaType),
	}
}

func (m *modeller) requestBody(n *tree.Node) *openapi3.RequestBody {
	return &openapi3.RequestBody{Required: n.Get("required").True(), Content: mapped(n.Get("content"), m.mediaType)}
}

func (m *modeller) response(n *tree.Node) *openapi3.Response {
	r := &openapi3.Response{Headers: mapped(n.Get("headers"), m.header), Content: mapped(n.Get("content"), m.mediaType)}
	if description := n.Get("description"); description != nil {
		r.Description = &description.Text
	}
	return r
}

func (m *modeller) mediaType(n *tree.Node) *openapi3.MediaType {
	return &openapi3.MediaType{Encoding: mapped(n.Get("encoding"), func(n *tree.Node) *openapi3.Encoding {
		return &openapi3.Encoding{
			ContentType: n.Get("contentType").Str(), Headers: mapped(n.Get("headers"), m.header),
			Style: n.Get("style").Str(), Explode: optional(n.Get("explode")), AllowReserved: n.Get("allowReserved").True(),
		}
	})}
}

func (m *modeller) servers(n *tree.Node) openapi3.Servers {
	return itemsOf(n, func(n *tree.Node) *openapi3.Server {
		return &openapi3.Server{
			URL: n.Get("url").Str(),
			Variables: mapped(n.Get("variables"), func(n *tree.Node) *openapi3.ServerVariable {
				return &openapi3.ServerVariable{Enum: itemsOf(n.Get("enum"), (*tree.Node).Str), Default: n.Get("default").Str()}
			}),
		}
	})
}

func requirementsOf(n *tree.Node) openapi3.SecurityRequirements {
	return itemsOf(n, func(n *tree.Node) openapi3.SecurityRequirement {
		requirement := make(openapi3.SecurityRequirement, len(n.Fields()))
		for _, member := range n.Fields() {
			requirement[member.Name] = itemsOf(member.Value, (*tree.Node).Str)
		}
		return requirement
	})
}

func schemesOf(n *tree.Node) openapi3.SecuritySchemes {
	return mapped(n, func(n *tree.Node) *openapi3.SecuritySchemeRef {
		return &openapi3.SecuritySchemeRef{Value: &openapi3.SecurityScheme{
			Type: n.Get("type").Str(), Scheme: n.Get("scheme").Str(), BearerFormat: n.Get("bearerFormat").Str(),
			Name: n.Get("name").Str(), In: n.Get("in").Str(), OpenIdConnectUrl: n.Get("openIdConnectUrl").Str(),
		}}
	})
}

// optional returns a boolean, nil if none.
func optional(n *tree.Node) *bool {
	if n == nil {
		return nil
	}
	value := n.True()
	return &value
}
