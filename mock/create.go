package mock

import (
	"slices"

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
	shape := p.shape(x.values.MediaType)
	answer := shape.project(sent)
	if len(answer) == 0 {
		return false
	}
	begun(answer, shape.begins)
	if !shape.complete(answer) {
		value, err := p.generator().Fill(x.key(status, media), x.withPath(p, answer), shape.unsent(sent)...)
		if err != nil {
			x.unsatisfiable(err)
			return true
		}
		x.keepSent()
		x.body(media, value)
		return true
	}
	if !p.conforms(answer) {
		return false
	}
	x.keepSent()
	x.body(media, answer)
	x.write()
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
	sendable map[string]*spec.Keywords // properties of the request
	veil     *veil
	begins   map[string]any // what properties are that the client could have sent and did not
	fixed    bool           // every listed property is one that the client could have sent
}

// shape gives the response's shape for requests of a media type.
func (p *producer) shape(request *spec.MediaType) *shape {
	if known, ok := p.shapes.Load(request); ok {
		return known.(*shape)
	}
	s := &shape{fixed: true, sendable: map[string]*spec.Keywords{}, begins: map[string]any{}}
	if p.media.Schema != nil {
		s.listed, s.required = p.media.Schema.Properties(), p.media.Schema.Requires()
		s.veil = veilOf(p.media.Schema)
	}
	if request != nil && request.Schema != nil {
		for name, property := range request.Schema.Properties() {
			if !readOnly(property, 0) {
				s.sendable[name] = property
				if usual, k := resource.Default(request.Schema, property), s.listed[name]; usual != nil && k != nil && spec.Conforms(k, usual) {
					s.begins[name] = usual
				}
			}
		}
	}
	for name := range s.listed {
		if s.sendable[name] == nil {
			s.fixed = false
		}
	}
	known, _ := p.shapes.LoadOrStore(request, s)
	return known.(*shape)
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
