package control

import (
	"encoding/json"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// Catalog describes the document of a mock to clients.
type Catalog struct {
	contract *spec.Contract
	plan     *resource.Plan
	list     func() []byte // of all operations, written once
}

// NewCatalog returns the catalog of a document.
func NewCatalog(c *spec.Contract, plan *resource.Plan) *Catalog {
	catalog := &Catalog{contract: c, plan: plan}
	catalog.list = sync.OnceValue(func() []byte {
		list := make([]client.Operation, len(c.Operations))
		for i, o := range c.Operations {
			list[i] = catalog.operation(o)
		}
		return marshal(map[string]any{"operations": list})
	})
	return catalog
}

func (c *Catalog) operation(o *spec.Operation) client.Operation {
	described := client.Operation{
		Operation: o.ID, Method: o.Method, Path: o.Path, Summary: o.Summary, Tags: o.Tags, Deprecated: o.Deprecated(),
		Place: client.Place(o.Place), Statuses: []string{},
	}
	for _, r := range o.Responses {
		described.Statuses = append(described.Statuses, r.Status)
	}
	if b := c.plan.Of(o); b != nil && b.Resource != nil {
		described.Resource = &client.Role{Collection: b.Resource.Name, Does: b.Role.String(), Reason: b.Reason}
	}
	return described
}

func getOperations(h *Handler, _ *call) (any, error) {
	return written("application/json", h.Served().Catalog.list()), nil
}

func getOperation(h *Handler, c *call) (any, error) {
	catalog := h.Served().Catalog
	o, err := scenario.FindOperation(catalog.contract, c.path("operation"))
	if err != nil {
		return nil, &Failure{Status: 404, Detail: err.Error()}
	}
	return catalog.details(o), nil
}

// getResources answers with what coldframe plan --json prints.
func getResources(h *Handler, _ *call) (any, error) { return h.Served().Catalog.plan, nil }

func (c *Catalog) details(o *spec.Operation) client.OperationDetails {
	d := client.OperationDetails{
		Operation: c.operation(o), Description: o.Description,
		Parameters: []client.Parameter{}, Responses: []client.Response{},
		Security: [][]client.Need{}, Sample: sampleOf(o),
	}
	for _, p := range o.Parameters {
		described := client.Parameter{In: p.In, Name: p.Name, Required: p.Required, Description: p.Description}
		if s := p.ValueSchema(); s != nil {
			described.Schema = s.Inline()
		}
		described.Example = exampleOf(p.Examples)
		d.Parameters = append(d.Parameters, described)
	}
	if o.Body != nil {
		d.Body = &client.Body{Required: o.Body.Required, MediaTypes: mediaTypesOf(o.Body.Content)}
	}
	for _, r := range o.Responses {
		d.Responses = append(d.Responses, client.Response{
			Status: r.Status, Description: r.Description, MediaTypes: mediaTypesOf(r.Content), Examples: exampleNames(r),
		})
	}
	for _, alternative := range o.Security {
		needs := []client.Need{}
		for _, n := range alternative {
			in, name := n.Scheme.Parameter()
			needs = append(needs, client.Need{
				Scheme: n.Scheme.Key, Type: n.Scheme.Type, HTTP: n.Scheme.Scheme, In: in, Name: name, Scopes: n.Scopes,
			})
		}
		d.Security = append(d.Security, needs)
	}
	return d
}

func mediaTypesOf(content []*spec.MediaType) map[string]client.MediaType {
	all := make(map[string]client.MediaType, len(content))
	for _, m := range content {
		described := client.MediaType{Example: exampleOf(m.Examples)}
		if m.Schema != nil {
			described.Schema = m.Schema.Inline()
		} else if m.Item != nil {
			described.Schema = m.Item.Inline()
		}
		all[m.Range] = described
	}
	return all
}

// exampleOf returns the first example that conforms, nil if none does.
func exampleOf(examples []*spec.Example) json.RawMessage {
	for _, e := range examples {
		if len(e.Broken) == 0 {
			return jsontext.Append(nil, e.Value)
		}
	}
	return nil
}

func exampleNames(r *spec.Response) (names []string) {
	for _, m := range r.Content {
		for _, e := range m.Examples {
			if e.Name != "" && len(e.Broken) == 0 && !slices.Contains(names, e.Name) {
				names = append(names, e.Name)
			}
		}
	}
	return names
}

func sampleOf(o *spec.Operation) *client.Sample {
	r, err := request.Sample(o)
	if err != nil {
		return nil
	}
	s := &client.Sample{Method: r.Method, Target: r.Path, Headers: map[string]string{}}
	if r.Query != "" {
		s.Target = r.Path + "?" + r.Query
	}
	for _, f := range r.Header {
		s.Headers[f.Name] = f.Value
	}
	if utf8.Valid(r.Body) {
		s.Body = string(r.Body)
	} else {
		s.Base64 = r.Body
	}
	return s
}
