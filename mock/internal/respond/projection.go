package respond

import (
	"maps"
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// projection is what a response shows of the bodies of one request media type.
type projection struct {
	*View
	required map[string]bool
	sendable map[string]*spec.Keywords // as Sendable
	defaults map[string]any            // of sendable properties that the response shows
	complete bool                      // every property of the response is sendable
	objects  Objects
	counters Counters
	begun    []string // properties with the times at which what is new is created and changed

	binding *resource.Binding // as Operation.Item
	shape   *resource.Shape   // where the object is in the response's body; nil if it is the body

	wrapper string // name under which the object is in the request, if no binding has it; "" if none

	flat *flatView // nil if what is shown is not copied
}

func (b *Body) projection(q *Request) *projection {
	request := q.Values.MediaType
	if known, ok := b.projections.Load(request); ok {
		return known.(*projection)
	}
	p := &projection{View: b.View(), complete: true, defaults: map[string]any{}, binding: q.Operation.Item}
	if p.binding != nil && p.binding.Media == b.media && b.media.Schema != nil {
		if r := p.binding.Response; r != nil && (len(r.Path) > 0 || r.Nesting != nil) && r.Value != nil {
			p.View, p.shape = NewView(Part(b.media.Schema, r.Value), b.options), r
		}
	}
	if request != nil && request.Schema != nil {
		p.read(request.Schema)
	}
	if p.binding == nil && q.Operation.creates && b.media.Schema != nil && !p.findWrapped(b, request) {
		p.findCreated(b)
	}
	if p.schema != nil {
		p.required = p.schema.Requires()
		p.objects = NewObjects(p.schema, p.Properties, p.sendable, b.options)
	}
	p.findDefaults(request)
	for name := range p.Properties {
		p.complete = p.complete && p.sendable[name] != nil
	}
	p.counters = generate.Counters(p.Properties)
	p.begun = generate.Begun(maps.Keys(p.Properties))
	p.flat = newFlatView(p, request, b.media)
	known, _ := b.projections.LoadOrStore(request, p)
	return known.(*projection)
}

func (p *projection) findDefaults(request *spec.MediaType) {
	for name, property := range p.sendable {
		k, value := p.Properties[name], request.Schema.Default(property)
		if value != nil && k != nil && spec.Conforms(k, value) {
			p.defaults[name] = value
		}
	}
}

func (p *projection) read(schema *spec.Schema) {
	var rename map[string]string
	if p.binding != nil {
		rename = p.binding.Rename
		if p.binding.Request != nil {
			for _, name := range p.binding.Request.Path {
				if schema = Part(schema, schema.Members()[name]); schema.Keywords == nil {
					return
				}
			}
			if p.binding.Request.Nesting != nil {
				schema = Part(schema, p.binding.Request.Value)
			}
		}
	}
	p.sendable = Sendable(schema, rename)
}

// findWrapped finds what was created if it stands under one name in the request and in the answer:
// {plant: {…}} for {plant: {…}}. It reports whether it does.
func (p *projection) findWrapped(b *Body, request *spec.MediaType) bool {
	if request == nil || request.Schema == nil || len(p.sendable) != 1 {
		return false
	}
	for name, property := range p.sendable {
		value := p.Properties[name]
		if len(schema.Properties(property)) == 0 || len(schema.Properties(value)) == 0 {
			break
		}
		p.wrapper, p.shape = name, &resource.Shape{Path: []string{name}, Value: value}
		p.View = NewView(Part(b.media.Schema, value), b.options)
		p.sendable = Sendable(Part(request.Schema, property), nil)
		return true
	}
	return false
}

// findCreated finds what was created in a body around it, as in {ok: true, data: {…}}: the object in the body that has
// more than others of what can be sent, or the only one if nothing has any of it and the body says of no creation.
func (p *projection) findCreated(b *Body) {
	best, most, objects := "", p.alike(p.Properties), 0
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		members := schema.Properties(p.Properties[name])
		if len(members) == 0 {
			continue
		}
		objects++
		if n := p.alike(members); n > most {
			best, most = name, n
		} else if most == 0 && best == "" {
			best = name
		}
	}
	if best == "" || most == 0 && (objects > 1 || resource.HasIdentity(p.Properties)) {
		return
	}
	value := p.Properties[best]
	p.shape = &resource.Shape{Path: []string{best}, Value: value}
	p.View = NewView(Part(b.media.Schema, value), b.options)
}

// alike counts the properties that can be sent.
func (p *projection) alike(properties map[string]*spec.Keywords) int {
	n := 0
	for name := range properties {
		if p.sendable[name] != nil {
			n++
		}
	}
	return n
}

// sentItem returns what a request says of an item, as the answer shows that.
func (b *Body) sentItem(q *Request, p *projection, sent map[string]any) map[string]any {
	return p.objects.Put(b.Key(q, 0), p.itemOf(sent), nil, nil)
}

func (p *projection) itemOf(sent map[string]any) map[string]any {
	if p.binding == nil {
		if inner, ok := sent[p.wrapper].(map[string]any); ok && p.wrapper != "" {
			return inner
		}
		return sent
	}
	if r := p.binding.Request; r != nil && (len(r.Path) > 0 || r.Nesting != nil) {
		inner, _ := jsonvalue.Property(sent, r.Path)
		sent, _ = r.Nesting.Flat(inner).(map[string]any)
	}
	return Rename(p.binding, sent)
}

// Rename returns what was sent under the names that the item has for it.
func Rename(b *resource.Binding, sent map[string]any) map[string]any {
	if len(b.Rename) == 0 {
		return sent
	}
	item := make(map[string]any, len(sent))
	for name, value := range sent {
		if renamed, ok := b.Rename[name]; ok {
			name = renamed
		}
		item[name] = value
	}
	return item
}

func (p *projection) isComplete(shown map[string]any) bool {
	if !p.complete && len(p.Properties) > 0 {
		return false
	}
	for name := range p.required {
		if _, ok := shown[name]; !ok {
			return false
		}
	}
	return true
}

// unsent names what the client could have sent and did not: unless the
// response requires it, it is left out of the answer.
func (p *projection) unsent(sent map[string]any) []string {
	var names []string
	for name := range p.sendable {
		if _, ok := sent[name]; !ok {
			names = append(names, name)
		}
	}
	return names
}

func (p *projection) withParents(q *Request, have map[string]any) map[string]any {
	if p.binding == nil {
		return have
	}
	for _, v := range p.binding.Scope {
		if len(v.Property) != 1 || p.Properties[v.Property[0]] == nil {
			continue
		}
		if value, ok := Typed(q.Values.Path[v.Name], p.Properties[v.Property[0]]); ok {
			have = jsonvalue.WithProperty(have, v.Property, value).(map[string]any)
		}
	}
	return have
}

// SetDefaults adds the values of properties that an item does not have.
func SetDefaults(item, defaults map[string]any) {
	for name, value := range defaults {
		if _, ok := item[name]; !ok {
			item[name] = value
		}
	}
}

func (b *Body) fill(p *projection, key generate.Key, have map[string]any, unsent []string, now time.Time) any {
	object, _ := p.Fill(key, have, unsent...)
	if made, ok := object.(map[string]any); ok {
		if made = p.renew(key, made, have, now); p.Conforms(made) {
			object = made
		}
	}
	if p.shape == nil {
		return object
	}
	around := b.value(key)
	if body := p.shape.Put(around, object); b.media.Conforms(body) {
		return body
	}
	return around
}

// renew returns an object with the times at which it was created and changed, which are now, and others in agreement.
func (p *projection) renew(key generate.Key, object, have map[string]any, now time.Time) map[string]any {
	if now.IsZero() {
		return object
	}
	times := generate.Renew(object, have, p.begun, now)
	if len(times) == 0 {
		return object
	}
	renewed := maps.Clone(object)
	maps.Copy(renewed, times)
	maps.Copy(times, have)
	if agreed := p.generator().Agree(key, renewed, times); p.Conforms(agreed) {
		return agreed
	}
	return renewed
}

// begin makes an example one of something new: its counters are 0, and its end has not come.
func (p *projection) begin(example map[string]any) map[string]any {
	object := maps.Clone(example)
	for name := range example {
		k := p.Properties[name]
		if k == nil {
			continue
		}
		switch value, absent := generate.Beginning(name, k); {
		case absent && spec.Conforms(k, nil):
			object[name] = nil
		case absent && !p.required[name]:
			delete(object, name)
		case value != nil:
			object[name] = value
		}
	}
	return object
}

// beginnings returns what something new has besides what was sent, and names what it does not have yet.
func (p *projection) beginnings(have map[string]any) (fresh map[string]any, absent []string) {
	fresh = maps.Clone(have)
	for name, k := range p.Properties {
		_, has := have[name]
		if has || p.counters[name] != "" || p.sendable[name] != nil && !p.required[name] {
			continue
		}
		switch value, isAbsent := generate.Beginning(name, k); {
		case isAbsent && spec.Conforms(k, nil):
			fresh[name] = nil
		case isAbsent:
			absent = append(absent, name)
		case value != nil:
			fresh[name] = value
		}
	}
	p.counters.Set(fresh, p.Properties, p.sendable)
	return fresh, absent
}

// onExample returns the documented example that answers by itself, with what the request says of it. It reports
// false if none, or none that allows that.
func (b *Body) onExample(q *Request, p *projection, have map[string]any, unsent []string, now time.Time) (any, bool) {
	e := b.Example("")
	if e == nil || q.Dynamic {
		return nil, false
	}
	shown := e.Value
	if p.shape != nil {
		shown, _ = p.shape.Item(e.Value)
	}
	object, ok := shown.(map[string]any)
	if !ok {
		return nil, false
	}
	reduced := maps.Clone(object)
	for _, name := range unsent {
		if !p.required[name] {
			delete(reduced, name)
		}
	}
	fresh := reduced
	if q.Method == "POST" {
		fresh = p.begin(reduced)
		maps.Copy(fresh, have)
		fresh = p.generator().Agree(b.Key(q, 0), fresh, have)
		fresh = p.renew(b.Key(q, 0), fresh, have, now)
	}
	for _, object := range []map[string]any{fresh, reduced, maps.Clone(object)} {
		maps.Copy(object, have)
		body := any(object)
		if p.shape != nil {
			body = p.shape.Put(e.Value, object)
		}
		if b.media.Conforms(body) {
			return body, true
		}
	}
	return nil, false
}
