package impact

import (
	"bytes"
	"io"
	"net/http"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// contract is a document with what reading the exchanges of a suite needs.
type contract struct {
	*spec.Contract
	plan       *resource.Plan
	router     *route.Router
	validators map[*spec.Operation]*validate.Validator
	contents   map[*spec.Response]*decode.Content
}

func newContract(c *spec.Contract, plan *resource.Plan) *contract {
	all := &contract{
		Contract: c, plan: plan, router: route.New(c),
		validators: map[*spec.Operation]*validate.Validator{}, contents: map[*spec.Response]*decode.Content{},
	}
	for _, op := range c.Operations {
		all.validators[op] = validate.New(op)
		for _, r := range op.Responses {
			all.contents[r] = decode.NewContent(r.Content)
		}
	}
	return all
}

// maxBody is the largest body of a request that is read for what the suite sends, in bytes.
const maxBody = 16 << 20

// sent returns the value of a request's body, nil if it has none that the document describes. The body stays readable.
func (c *contract) sent(op *spec.Operation, path []string, r *http.Request) any {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), r.Body), r.Body}
	if err != nil || len(text) == maxBody {
		return nil
	}
	values, _ := c.validators[op].Decode(&exchange.Request{
		Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Header: fields(r.Header), Body: text,
	}, path)
	return values.Body()
}

func fields(h http.Header) (all exchange.Header) {
	for name, values := range h {
		for _, value := range values {
			all = append(all, exchange.Field{Name: name, Value: value})
		}
	}
	return all
}

// body returns the value of a response's JSON body with its documented media type; nil if the body is not JSON.
func (c *contract) body(documented *spec.Response, h http.Header, text []byte) (*spec.MediaType, any) {
	if documented == nil || len(text) == 0 {
		return nil, nil
	}
	value, media, findings := c.contents[documented].Decode(fields(h), text)
	if media == nil || len(findings) > 0 || media.Schema == nil {
		return nil, nil
	}
	return media, value
}

// place is a property that a schema of the document lists.
type place struct {
	owner  *spec.Keywords // the schema that lists it
	schema *spec.Schema   // of the body, from which owner is reachable
	member *schema.Member
	path   string // in the body: items[].address.city
}

// key identifies the property in the document, wherever its schema is used.
func (p *place) key() string { return p.owner.Location + "\x00" + p.member.Name }

// walk visits the listed properties of all objects in a body, innermost first. visit may change the object.
func walk(media *spec.MediaType, value any, visit func(p place, object map[string]any)) {
	var descend func(s *schema.Shape, path string, value any)
	descend = func(s *schema.Shape, path string, value any) {
		switch v := value.(type) {
		case []any:
			for i, item := range v {
				descend(s.Item(i), path+"[]", item)
			}
		case map[string]any:
			for name, child := range v {
				at := strings.TrimPrefix(path+"."+name, ".")
				m := s.Member(name)
				if m == nil {
					descend(s.Additional(), at, child)
					continue
				}
				descend(m.Shape(), at, child)
				for _, k := range s.Schemas() {
					if k.Properties[name] != nil {
						visit(place{owner: k, schema: media.Schema, member: m, path: at}, v)
						break
					}
				}
			}
		}
	}
	descend(media.Schema.Shape(), "", value)
}

// title names a property as people do: Order.address.city if a component has it, else by an operation that shows it.
func (p *place) title(of *spec.Operation) string {
	var words []string
	if n := p.schema.Node(p.owner); n != nil {
		words = exchange.SplitPointer(n.Place().Pointer)
	}
	switch {
	case len(words) > 2 && words[0] == "components" && words[1] == "schemas":
		words = words[2:]
	case len(words) > 1 && words[0] == "definitions":
		words = words[1:]
	default:
		return name(of) + " " + p.path
	}
	title := words[0]
	for i := 1; i < len(words); i++ {
		switch words[i] {
		case "properties":
			if i++; i < len(words) {
				title += "." + words[i]
			}
		case "items":
			title += "[]"
		}
	}
	return title + "." + p.member.Name
}

// place returns where the document lists the property.
func (p *place) place() exchange.Place {
	n := p.schema.Node(p.owner)
	if listed := n.Get("properties").Get(p.member.Name); listed != nil {
		return listed.Place()
	}
	if n != nil {
		return n.Place()
	}
	return p.schema.Place
}

func name(o *spec.Operation) string { return o.Method + " " + o.Path }
