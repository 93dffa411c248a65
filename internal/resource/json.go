package resource

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// MarshalJSON gives the plan for programs: resources, then operations in the
// document's order. Paths to properties are JSON Pointers.
func (p *Plan) MarshalJSON() ([]byte, error) {
	type key struct {
		Property string `json:"property,omitempty"`
		Type     string `json:"type"`
		Format   string `json:"format,omitempty"`
		ChosenBy string `json:"chosenBy"`
	}
	type resource struct {
		Name           string   `json:"name"`
		Singleton      bool     `json:"singleton,omitempty"`
		Scoped         bool     `json:"scoped,omitempty"`
		Parent         string   `json:"parent,omitempty"`
		ParentProperty string   `json:"parentKey,omitempty"`
		Key            *key     `json:"key,omitempty"`
		Unique         []string `json:"unique,omitempty"`
		Created        string   `json:"created,omitempty"`
		Updated        string   `json:"updated,omitempty"`
		Version        string   `json:"version,omitempty"`
	}
	type variable struct {
		Name     string `json:"name"`
		Property string `json:"property,omitempty"`
		Parent   string `json:"parent,omitempty"`
	}
	type field struct {
		Property string    `json:"property"`
		Role     FieldRole `json:"role"`
		Link     bool      `json:"link,omitempty"`
	}
	type header struct {
		Name string    `json:"name"`
		Role FieldRole `json:"role"`
	}
	type param struct {
		Name     string    `json:"name"`
		Role     ParamRole `json:"role"`
		Property string    `json:"property,omitempty"`
		Compare  string    `json:"compare,omitempty"`
		Style    string    `json:"style,omitempty"`
	}
	type list struct {
		Items   string   `json:"items"`
		Fields  []field  `json:"fields,omitempty"`
		Headers []header `json:"headers,omitempty"`
		Params  []param  `json:"params,omitempty"`
	}
	type operation struct {
		Method     string            `json:"method"`
		Path       string            `json:"path"`
		Operation  string            `json:"operationId"`
		Resource   string            `json:"resource,omitempty"`
		Role       Role              `json:"role"`
		Reads      bool              `json:"reads,omitempty"`
		Subset     bool              `json:"subset,omitempty"`
		KeyIn      string            `json:"keyIn,omitempty"`
		Variable   string            `json:"variable,omitempty"`
		Keys       string            `json:"keys,omitempty"`
		Lookup     string            `json:"lookup,omitempty"`
		Scope      []variable        `json:"scope,omitempty"`
		Request    string            `json:"request,omitempty"`
		Rename     map[string]string `json:"rename,omitempty"`
		Response   string            `json:"response,omitempty"`
		List       *list             `json:"list,omitempty"`
		Headers    []string          `json:"headers,omitempty"`
		Confidence float64           `json:"confidence"`
		Reason     string            `json:"reason"`
		Declared   bool              `json:"declared,omitempty"`
	}
	out := struct {
		Resources  []resource  `json:"resources"`
		Operations []operation `json:"operations"`
	}{[]resource{}, []operation{}}
	for _, r := range p.Resources {
		one := resource{Name: r.Name, Singleton: r.Singleton, Scoped: r.Scoped, Parent: r.Parent.name(),
			ParentProperty: pointerTo(r.ParentProperty),
			Unique:         r.Unique, Created: r.Created, Updated: r.Updated, Version: r.Version}
		if r.Key != nil {
			one.Key = &key{pointerTo(r.Key.Property), r.Key.Kind.String(), r.Key.Format, r.Key.ChosenBy.String()}
		}
		out.Resources = append(out.Resources, one)
	}
	for _, b := range p.Bindings {
		one := operation{Method: b.Operation.Method, Path: b.Operation.Path, Operation: b.Operation.ID,
			Resource: b.Resource.name(), Role: b.Role,
			Reads: b.Reads, Subset: b.Subset, KeyIn: b.KeyIn.String(), Variable: b.Variable,
			Keys: pointerTo(b.Keys), Lookup: pointerTo(b.Lookup),
			Request: b.Request.String(), Rename: b.Rename, Response: b.Response.String(), Headers: b.Headers.names(),
			Confidence: math.Round(b.Confidence*100) / 100, Reason: b.Reason, Declared: b.Declared}
		for _, v := range b.Scope {
			one.Scope = append(one.Scope, variable{v.Name, pointerTo(v.Property), v.Parent.name()})
		}
		if l := b.List; l != nil {
			one.List = &list{Items: l.Items.String()}
			for _, f := range l.Fields {
				one.List.Fields = append(one.List.Fields, field{pointerTo(f.Path), f.Role, f.Link})
			}
			for _, h := range l.Header {
				one.List.Headers = append(one.List.Headers, header(h))
			}
			for _, p := range l.Params {
				written := param{Name: p.Name(), Role: p.Role, Property: pointerTo(p.Property)}
				switch p.Role {
				case Filter:
					written.Compare = p.Compare.String()
				case Sort:
					written.Style = p.Sort.String()
				}
				one.List.Params = append(one.List.Params, written)
			}
		}
		out.Operations = append(out.Operations, one)
	}
	return json.Marshal(out)
}

// name is safe on nil.
func (r *Resource) name() string {
	if r == nil {
		return ""
	}
	return r.Name
}

func pointerTo(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteString("/" + exchange.EscapePointer(name))
	}
	return b.String()
}
