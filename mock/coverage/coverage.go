// Package coverage counts what of a document consumers really use: operations,
// parameters, the values of enums, statuses, and the properties of bodies, each
// with its place in the document. What an operation has is laid out when it is
// first asked for, so a large document costs nothing at start.
package coverage

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	maxDepth  = 5   // of properties inside each other
	maxPoints = 500 // of one body
	maxItems  = 100 // of an array that are looked at
)

// Coverage counts for one contract. It is safe for concurrent use.
type Coverage struct {
	operations []*operation // in the document's order
	byOp       map[*spec.Operation]*operation
}

// point is one thing that can be used.
type point struct {
	kind  string // parameter, value, status, request property, response property
	name  string
	place exchange.Place
	hits  atomic.Uint64
}

type operation struct {
	*spec.Operation
	hits       atomic.Uint64
	once       sync.Once
	points     []*point
	parameters []*field // of Operation.Parameters, in their order
	request    map[*spec.MediaType]*field
	responses  map[*spec.Response]*response
}

type response struct {
	*point
	body map[*spec.MediaType]*field
}

// field is a parameter or property, with what is inside of it.
type field struct {
	*point     // nil for a body as a whole
	values     map[string]*point
	properties map[string]*field
	item       *field // of an array
}

// New begins to count at zero.
func New(c *spec.Contract) *Coverage {
	coverage := &Coverage{byOp: make(map[*spec.Operation]*operation, len(c.Operations))}
	for _, op := range c.Operations {
		o := &operation{Operation: op}
		coverage.operations = append(coverage.operations, o)
		coverage.byOp[op] = o
	}
	return coverage
}

// lay lays out the points of the operation.
func (o *operation) lay() {
	o.once.Do(func() {
		for _, p := range o.Parameters {
			f := &field{point: o.add("parameter", p.In+"."+p.Name, p.Place)}
			schema := p.Schema
			if p.Content != nil {
				schema = p.Content.Schema
			}
			if schema != nil {
				o.enum(f, schema, schema.Keywords, p.In+"."+p.Name)
			}
			o.parameters = append(o.parameters, f)
		}
		o.request = map[*spec.MediaType]*field{}
		if o.Body != nil {
			for _, media := range o.Body.Content {
				o.request[media] = o.body("request property", "request", media)
			}
		}
		o.responses = map[*spec.Response]*response{}
		for _, r := range o.Responses {
			at := &response{o.add("status", r.Status, r.Place), map[*spec.MediaType]*field{}}
			for _, media := range r.Content {
				at.body[media] = o.body("response property", r.Status, media)
			}
			o.responses[r] = at
		}
	})
}

func (o *operation) add(kind, name string, place exchange.Place) *point {
	p := &point{kind: kind, name: name, place: place}
	o.points = append(o.points, p)
	return p
}

// body lays out the properties of a JSON body, nil for another.
func (o *operation) body(kind, name string, media *spec.MediaType) *field {
	if media.Schema == nil || !media.IsJSON() {
		return nil
	}
	root, left := &field{}, maxPoints
	o.inside(root, kind, name, media.Schema, media.Schema.Keywords, maxDepth, &left)
	return root
}

func (o *operation) inside(f *field, kind, name string, s *spec.Schema, k *spec.Keywords, depth int, left *int) {
	if depth == 0 {
		return
	}
	inner := &spec.Schema{Keywords: k}
	properties := inner.Properties()
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		if *left--; *left < 0 {
			return
		}
		property, path := properties[key], name+"."+key
		child := &field{point: o.add(kind, path, s.Node(property).Place())}
		o.enum(child, s, property, path)
		if f.properties == nil {
			f.properties = map[string]*field{}
		}
		f.properties[key] = child
		o.inside(child, kind, path, s, property, depth-1, left)
	}
	if items := itemsOf(k); items != nil {
		f.item = &field{}
		o.inside(f.item, kind, name+"[]", s, items, depth-1, left)
	}
}

// itemsOf gives the schema of an array's items, through references.
func itemsOf(k *spec.Keywords) *spec.Keywords {
	for range maxDepth {
		switch {
		case k == nil:
			return nil
		case k.Items2020 != nil:
			return k.Items2020
		}
		k = k.Ref
	}
	return nil
}

// enum lays out the values of an enum.
func (o *operation) enum(f *field, s *spec.Schema, k *spec.Keywords, name string) {
	for range maxDepth {
		if k == nil || k.Enum != nil {
			break
		}
		k = k.Ref
	}
	if k == nil || k.Enum == nil || len(k.Enum.Values) > maxPoints {
		return
	}
	node := s.Node(k)
	f.values = make(map[string]*point, len(k.Enum.Values))
	for i, value := range k.Enum.Values {
		text, ok := scalar(value)
		if !ok || f.values[text] != nil {
			continue
		}
		at := node
		if node != nil && node.At("/enum/"+itoa(i)) != nil {
			at = node.At("/enum/" + itoa(i))
		}
		f.values[text] = o.add("value", name+" = "+text, at.Place())
	}
}

// Use counts an exchange. body gives the response's body where it is JSON, and
// is asked only where that says something new.
func (c *Coverage) Use(op *spec.Operation, v *decode.Values, status int, body func() any) {
	o := c.byOp[op]
	if o == nil {
		return
	}
	o.hits.Add(1)
	o.lay()
	for i, p := range o.Parameters {
		if value, ok := parameters(v, p.In)[p.Name]; ok {
			o.parameters[i].use(value)
		}
	}
	if v.HasBody && v.MediaType != nil {
		if f := o.request[v.MediaType]; f != nil {
			f.use(v.Body)
		}
	}
	r := o.responses[op.Response(status)]
	if r == nil {
		return
	}
	r.hits.Add(1)
	if !r.incomplete() {
		return
	}
	if value := body(); value != nil {
		for _, f := range r.body {
			if f != nil {
				f.use(value)
			}
		}
	}
}

// incomplete reports whether a body may still use something for the first
// time.
func (r *response) incomplete() bool {
	for _, f := range r.body {
		if f != nil && f.incomplete() {
			return true
		}
	}
	return false
}

func (f *field) incomplete() bool {
	if f.point != nil && f.hits.Load() == 0 {
		return true
	}
	for _, v := range f.values {
		if v.hits.Load() == 0 {
			return true
		}
	}
	for _, p := range f.properties {
		if p.incomplete() {
			return true
		}
	}
	return f.item != nil && f.item.incomplete()
}

func (f *field) use(value any) {
	if f.point != nil {
		f.hits.Add(1)
	}
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range f.properties {
			if value, ok := v[name]; ok {
				inner.use(value)
			}
		}
	case []any:
		if f.item != nil {
			for _, item := range v[:min(len(v), maxItems)] {
				f.item.use(item)
			}
		}
	}
	if f.values == nil {
		return
	}
	if text, ok := scalar(value); ok && f.values[text] != nil {
		f.values[text].hits.Add(1)
	}
}

// scalar gives the text of a value that has no parts.
func scalar(value any) (text string, ok bool) {
	switch value.(type) {
	case nil, bool, string, json.Number:
		return string(jsontext.Append(nil, value)), true
	}
	return "", false
}

func parameters(v *decode.Values, in string) map[string]any {
	switch in {
	case exchange.InPath:
		return v.Path
	case exchange.InHeader:
		return v.Header
	case exchange.InCookie:
		return v.Cookie
	}
	return v.Query
}
