package mock

import (
	"slices"
	"sync"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// create answers a POST that makes something: what was sent is kept whole, and
// the answer is what was sent in the shape of the response. It reports false
// where the operation does not look like a creation: nothing of what was sent
// has a place in the answer.
func (x *visit) create(status int, documented *spec.Response) bool {
	if x.request.Method != "POST" || status >= 300 || !x.values.HasBody || x.preferences.example != "" {
		return false
	}
	sent, ok := x.values.Body.(map[string]any)
	if !ok {
		return false
	}
	if len(documented.Content) == 0 {
		x.keepSent()
		return true
	}
	media := x.negotiate(documented.Content)
	if media == nil || !media.IsJSON() {
		return false
	}
	p := x.in.producer(media)
	shape := p.shape(x.values.MediaType, x.operation.says)
	sent = shape.said(sent)
	answer := shape.project(sent)
	if len(answer) == 0 && shape.says == nil {
		return false
	}
	begun(answer, shape.begins)
	if len(answer) == 0 {
		return false
	}
	if shape.place == nil && shape.complete(answer) {
		if !p.conforms(answer) {
			return false
		}
		x.keepSent()
		x.body(media, answer)
		x.write()
		return true
	}
	if shape.place == nil {
		answer = x.withPath(p, answer)
	}
	answer = x.withParents(shape, answer)
	value, ok := x.onExample(shape, answer, shape.unsent(sent))
	if !ok {
		var err error
		if value, err = shape.fill(x.key(status, media), answer, shape.unsent(sent)); err != nil {
			x.unsatisfiable(err)
			return true
		}
	}
	x.keepSent()
	x.body(media, value)
	return true
}

// keepSent stores what was sent, byte for byte where it is JSON: the request's body
// is a copy already.
func (x *visit) keepSent() {
	text := x.request.Body
	if !x.values.MediaType.IsJSON() {
		text = jsontext.Append(nil, x.values.Body)
	}
	if _, err := x.session.State.Append(x.operation.Path, text, 0); err != nil {
		x.warnDropped() // larger than the whole store
	}
}

// shape is what an object of a response has, seen from a request body.
type shape struct {
	listed   map[string]*spec.Keywords // of the response; empty: any property
	required map[string]bool
	sendable map[string]*spec.Keywords // properties of the request, under the response's names
	veil     *veil
	begins   map[string]any // what properties are that the client could have sent and did not
	fixed    bool           // every listed property is one that the client could have sent

	says      *resource.Binding // see operation
	whole     *producer
	place     *resource.Shape            // of the object in the response's body; nil where it is the body
	generator func() *generate.Generator // of the object where it has a place
}

// shape gives the response's shape for requests of a media type. says is what
// they say by the operation, nil where nobody knows.
func (p *producer) shape(request *spec.MediaType, says *resource.Binding) *shape {
	if known, ok := p.shapes.Load(request); ok {
		return known.(*shape)
	}
	s := &shape{fixed: true, sendable: map[string]*spec.Keywords{}, begins: map[string]any{}, says: says, whole: p}
	if schema := p.media.Schema; schema != nil {
		if says != nil && says.Response != nil && len(says.Response.Path) > 0 && says.Response.Value != nil && says.Media == p.media {
			schema = part(schema, says.Response.Value)
			s.place = says.Response
			s.generator = sync.OnceValue(func() *generate.Generator { return generate.New(schema, p.options) })
		}
		s.listed, s.required = schema.Members(), schema.Requires()
		s.veil = veilOf(schema)
	}
	if request != nil && request.Schema != nil {
		s.takes(request.Schema)
	}
	for name := range s.listed {
		if s.sendable[name] == nil {
			s.fixed = false
		}
	}
	known, _ := p.shapes.LoadOrStore(request, s)
	return known.(*shape)
}

// takes reads what clients can send by the schema of their requests.
func (s *shape) takes(schema *spec.Schema) {
	if s.says != nil && s.says.Request != nil {
		for _, name := range s.says.Request.Path {
			schema = part(schema, schema.Members()[name])
			if schema.Keywords == nil {
				return
			}
		}
	}
	for name, property := range schema.Members() {
		if readOnly(property, 0) {
			continue
		}
		if s.says != nil && s.says.Rename[name] != "" {
			name = s.says.Rename[name]
		}
		s.sendable[name] = property
		if usual, k := schema.Default(property), s.listed[name]; usual != nil && k != nil && spec.Conforms(k, usual) {
			s.begins[name] = usual
		}
	}
}

// readOnly reports whether a property is the server's to make.
func readOnly(k *spec.Keywords, depth int) bool {
	const deepest = 16 // references and compositions
	if k == nil || depth > deepest {
		return false
	}
	return k.ReadOnly || readOnly(k.Ref, depth+1) ||
		slices.ContainsFunc(k.AllOf, func(part *spec.Keywords) bool { return readOnly(part, depth+1) })
}

// project takes over what was sent and the response lists.
func (s *shape) project(sent map[string]any) map[string]any {
	if len(s.listed) == 0 {
		return sent
	}
	answer := make(map[string]any, len(s.listed))
	for name, value := range s.veil.overItem(sent) {
		if k, ok := s.listed[name]; ok && spec.Conforms(k, value) {
			answer[name] = value
		}
	}
	return answer
}

// complete reports whether nothing is left for the server to make.
func (s *shape) complete(answer map[string]any) bool {
	if !s.fixed && len(s.listed) > 0 {
		return false
	}
	for name := range s.required {
		if _, ok := answer[name]; !ok {
			return false
		}
	}
	return true
}

// unsent names what the client could have sent and did not: unless the
// response must have it, it is left out of the answer.
func (s *shape) unsent(sent map[string]any) []string {
	var names []string
	for name := range s.sendable {
		if _, ok := sent[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}
