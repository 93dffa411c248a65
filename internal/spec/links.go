package spec

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/internal/tree"
)

// Link says how a response leads to another request (OpenAPI 3.1 section
// 4.8.20).
type Link struct {
	Name       string
	Operation  *Operation // that the link leads to
	Parameters []LinkParameter
	Body       *runtimeexpr.Value // nil where the link says nothing of it
	Place      exchange.Place
}

// LinkParameter is a value for a parameter of the operation that a link leads
// to.
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

// resolveLinks gives responses their links. One that leads nowhere is left
// out.
func (c *compiler) resolveLinks(operations []*Operation) {
	places := make(map[exchange.Place]*Operation, len(operations))
	for _, o := range operations {
		places[spot(o.Place)] = o
	}
	for _, p := range c.pending {
		warn := func(code, message string) {
			c.warn(p.link.Place, code, "link "+exchange.Quote(p.link.Name)+": "+message)
		}
		var problem string
		if p.link.Operation, problem = c.linked(p.node, operations, places); problem != "" {
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

// spot is a place without its pointer: references may lead to it on many ways.
func spot(p exchange.Place) exchange.Place {
	p.Pointer = ""
	return p
}

// linked gives the operation that a Link Object names, or what is wrong.
func (c *compiler) linked(n *tree.Node, operations []*Operation,
	places map[exchange.Place]*Operation) (o *Operation, problem string) {
	if id := n.Get("operationId").Str(); id != "" {
		ids := make([]string, 0, len(operations))
		for _, o := range operations {
			if o.ID == id {
				return o, ""
			}
			ids = append(ids, o.ID)
		}
		return nil, "there is no operation " + exchange.Quote(id) + nearest.Hint(id, ids)
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

// parameter finds a parameter by its name, or by its place and name as in
// path.id.
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
