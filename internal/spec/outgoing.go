package spec

import (
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/internal/tree"
)

// Callback is one entry of a Callback Object: requests that the API sends as the outcome of an operation (OpenAPI 3.1
// section 4.8.18). These requests are output of the API, like its responses: their schemas are InResponse, and the
// schemas of their responses InRequest.
type Callback struct {
	Name       string // its key under callbacks
	URL        *runtimeexpr.Template
	Operations []*Operation // Path is the text of URL; nested callbacks are left out
	Place      exchange.Place
}

// Webhook is a set of requests that the API sends on its own (OpenAPI 3.1 section 4.8.1). The directions of their
// schemas are as in a Callback.
type Webhook struct {
	Name       string
	Operations []*Operation // Path is empty
	Place      exchange.Place
}

// Webhook finds a webhook by its name, nil if none.
func (c *Contract) Webhook(name string) *Webhook {
	for _, w := range c.Webhooks {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// callbacks compiles the callbacks of an operation. A callback that several operations refer to is compiled once.
func (c *compiler) callbacks(model openapi3.Callbacks, n *tree.Node) []*Callback {
	if c.outgoing() {
		return nil
	}
	var callbacks []*Callback
	for _, member := range n.Fields() {
		compiled, ok := c.called[member.Value]
		if !ok {
			compiled = c.callback(member.Name, model[member.Name], member.Value)
			c.called[member.Value] = compiled
		}
		callbacks = append(callbacks, compiled...)
	}
	return callbacks
}

func (c *compiler) callback(name string, model *openapi3.CallbackRef, n *tree.Node) []*Callback {
	if model == nil || model.Value == nil {
		return nil
	}
	var compiled []*Callback
	for _, at := range n.Fields() {
		item := model.Value.Value(at.Name)
		if item == nil {
			continue
		}
		expression, err := runtimeexpr.ParseTemplate(at.Name)
		if err != nil {
			c.find(exchange.Finding{Code: "malformed-expression", Document: n.File.Place(at.Offset),
				Message: "callback " + exchange.Quote(name) + ": " + err.Error()})
			continue
		}
		compiled = append(compiled, &Callback{Name: name, URL: expression, Operations: c.sent(at.Name, item, at.Value),
			Place: at.Value.Place()})
	}
	return compiled
}

func (c *compiler) webhooks(n *tree.Node) []*Webhook {
	var webhooks []*Webhook
	for _, member := range n.Fields() {
		item := c.doc.Webhooks[member.Name]
		if item == nil {
			continue
		}
		w := &Webhook{Name: member.Name, Operations: c.sent("", item, member.Value), Place: member.Value.Place()}
		for _, o := range w.Operations {
			if o.ID == o.Method+" " {
				o.ID += member.Name
			}
		}
		webhooks = append(webhooks, w)
	}
	return webhooks
}

func (c *compiler) sent(url string, item *openapi3.PathItem, n *tree.Node) []*Operation {
	c.request, c.response = InResponse, InRequest
	defer func() { c.request, c.response = InRequest, InResponse }()
	operations := c.pathItem("", item, n) // the braces of a URL are not path parameters
	for _, o := range operations {
		if o.ID == o.Method+" " {
			o.ID += url
		}
		o.Path = url
	}
	return operations
}

// Link describes how a response leads to another request (OpenAPI 3.1 section 4.8.20).
type Link struct {
	Name       string
	Operation  *Operation // the target of the link
	Parameters []LinkParameter
	Body       *runtimeexpr.Value // nil if the link does not set it
	Place      exchange.Place
}

// LinkParameter is a value for a parameter of a link's operation.
type LinkParameter struct {
	Parameter *Parameter
	Value     *runtimeexpr.Value
}

// pendingLink is a link whose operation is not known yet.
type pendingLink struct {
	link     *Link
	response *Response
	node     *tree.Node
}

// resolveLinks adds the links to responses. A link without an operation is left out.
func (c *compiler) resolveLinks(operations []*Operation) {
	if len(c.pending) == 0 {
		return
	}
	places, ids := make(map[exchange.Place]*Operation, len(operations)), make(map[string]*Operation, len(operations))
	names := make([]string, len(operations))
	for i, o := range operations {
		places[spot(o.Place)], ids[o.ID], names[i] = o, o, o.ID
	}
	for _, p := range c.pending {
		warn := func(code, message string) {
			c.warn(p.link.Place, code, "link "+exchange.Quote(p.link.Name)+": "+message)
		}
		var problem string
		if p.link.Operation, problem = c.linked(p.node, names, ids, places); problem != "" {
			warn("unknown-link-operation", problem)
			continue
		}
		for _, member := range p.node.Get("parameters").Fields() {
			value, err := runtimeexpr.ParseValue(member.Value.Value())
			parameter := p.link.Operation.parameter(member.Name)
			switch {
			case err != nil:
				warn("malformed-expression", "parameter "+exchange.Quote(member.Name)+": "+err.Error())
			case parameter == nil:
				warn("unknown-link-parameter",
					"operation "+exchange.Quote(p.link.Operation.ID)+" has no parameter "+exchange.Quote(member.Name))
			default:
				p.link.Parameters = append(p.link.Parameters, LinkParameter{parameter, value})
			}
		}
		if body := p.node.Get("requestBody"); body != nil {
			var err error
			if p.link.Body, err = runtimeexpr.ParseValue(body.Value()); err != nil {
				warn("malformed-expression", "requestBody: "+err.Error())
			}
		}
		p.response.Links = append(p.response.Links, p.link)
	}
}

// spot is a place without its pointer, because several paths of references may lead to it.
func spot(p exchange.Place) exchange.Place {
	p.Pointer = ""
	return p
}

// linked returns the operation that a Link Object names, or an error message.
func (c *compiler) linked(n *tree.Node, names []string, ids map[string]*Operation,
	places map[exchange.Place]*Operation) (o *Operation, problem string) {
	if id := n.Get("operationId").Str(); id != "" {
		if o := ids[id]; o != nil {
			return o, ""
		}
		return nil, "there is no operation " + exchange.Quote(id) + c.hint(id, names)
	}
	ref := n.Get("operationRef").Str()
	if ref == "" {
		return nil, "it has neither operationId nor operationRef"
	}
	target, err := c.lookup(n.Get("operationRef"), ref)
	if err != nil {
		return nil, "operationRef " + exchange.Quote(ref) + ": " + err.Error()
	}
	if o := places[spot(target.Place())]; o != nil {
		return o, ""
	}
	return nil, "operationRef " + exchange.Quote(ref) + " leads to no operation of the document"
}

// parameter returns a parameter by its name, or by its place and name as in path.id.
func (o *Operation) parameter(name string) *Parameter {
	for _, p := range o.Parameters {
		if p.Name == name {
			return p
		}
	}
	for _, p := range o.Parameters {
		if p.In+"."+p.Name == name {
			return p
		}
	}
	return nil
}
