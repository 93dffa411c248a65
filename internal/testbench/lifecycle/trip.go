package main

import (
	"fmt"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// trip is the life of one item.
type trip struct {
	*served
	*result
	resource *resource.Resource
	fill     string                      // of what is sent
	at       map[string]any              // values of path variables that name no item
	keys     map[*resource.Resource]any  // of the items that paths name
	want     map[string]any              // what was sent of the item
	seen     map[string]any              // as it was read last
	scope    []any                       // values of the variables before the key in the creation's path
	named    map[string]bool             // those variables
	below    map[*resource.Resource]bool // parents that it names
	steps    int
	failed   bool
}

const (
	noSuccess   exception = "the document has no answer that says that it was done"
	elsewhere   exception = "the list is below something that the creation does not name"
	noAddress   exception = "no value is a key both in an item and in the path"
	noRequest   exception = "no conforming request can be made"
	noKey       exception = "no answer and no Location shows the key that the server has made"
	noLookup    exception = "the item has no value for the property that the path names"
	noFilter    exception = "the list asks for a filter that does not take the item's value"
	nothingSent exception = "the change can send nothing of the item"
)

var exceptions = []exception{noSuccess, noRequest, noAddress, elsewhere, noKey, noLookup, noFilter, nothingSent}

// whole goes all the way.
func (t *trip) whole(creator *resource.Binding) {
	if !t.create(creator) {
		return
	}
	t.look()
	for _, b := range t.resource.Bindings {
		if changes(b) && !t.unnamed(b) && !t.unsaid(b) {
			t.update(b)
		}
	}
	for _, b := range t.resource.Bindings {
		if b.Role == resource.Delete && !t.unnamed(b) && !t.unsaid(b) {
			if t.remove(b) {
				t.gone()
			}
			return
		}
	}
}

// look reads the item and lists it, by every operation that does.
func (t *trip) look() {
	for _, b := range t.resource.Bindings {
		switch {
		case reads(b) && !t.unnamed(b):
			t.read(reading, b)
		case lists(b):
			t.list(b)
		}
	}
}

func reads(b *resource.Binding) bool {
	return b.Role == resource.Read && b.Operation.Method == "GET" && (b.KeyIn == resource.InPath || b.Resource.Singleton)
}

func lists(b *resource.Binding) bool {
	return b.Role == resource.List && !b.Subset && b.Operation.Method == "GET" && b.List != nil && b.Media != nil
}

func changes(b *resource.Binding) bool {
	return b.Role == resource.Update || b.Role == resource.Replace || b.Role == resource.Upsert
}

// unnamed reports whether an operation cannot name the item.
func (t *trip) unnamed(b *resource.Binding) bool {
	if t.resource.Singleton || b.KeyIn == resource.Nowhere {
		return false
	}
	if b.Lookup != nil {
		if t.lookup(b) == nil {
			t.excuse(noLookup, b)
			return true
		}
		return false
	}
	key := t.keys[t.resource]
	if key == nil {
		t.excuse(noKey, b)
		return true
	}
	if p := keyParameter(t.resource); b.KeyIn == resource.InPath && t.resource.Key.Schema != nil && p != nil && p.Schema != nil && !spec.Conforms(p.Schema.Keywords, fit(key, p)) {
		if value, err := t.made(p); err == nil && !spec.Conforms(t.resource.Key.Schema, typed(value, t.resource.Key.Schema)) {
			t.excuse(noAddress, b)
			return true
		}
	}
	return false
}

// scopeValue gives what a variable before the key was in a request.
func (t *trip) scopeValue(v resource.Variable) any {
	if v.Parent != nil {
		if key := t.keys[v.Parent]; key != nil {
			return key
		}
	}
	return t.at[v.Name]
}

// sameScope reports whether an operation's path has as many variables before
// the key as that of the creation: they stand for the same.
func (t *trip) sameScope(b *resource.Binding) bool {
	return b.Resource == t.resource && len(t.scope) > 0 && len(b.Scope) == len(t.scope)
}

// apart reports whether a list stands below parents that nothing says the item
// belongs to: neither the path of its creation nor a property of it.
func (t *trip) apart(b *resource.Binding) bool {
	for i, v := range b.Scope {
		if t.unknownItems == "refuse" && v.Parent != nil && !t.below[v.Parent] && canMake(v.Parent) && t.keys[v.Parent] == nil {
			return true // that parent was not made
		}
		if t.resource.Scoped && t.sameScope(b) && t.scope[i] != nil {
			continue
		}
		if t.named[v.Name] || v.Parent != nil && t.below[v.Parent] || t.holds(v) != nil {
			continue
		}
		return true
	}
	return false
}

// canMake reports whether something makes a resource's items.
func canMake(r *resource.Resource) bool { return r.Has(resource.Create) || r.Has(resource.Upsert) }

// holds gives the value that an item has of a variable before its key.
func (t *trip) holds(v resource.Variable) any {
	if v.Property == nil {
		return nil
	}
	for _, item := range []map[string]any{t.seen, t.want} {
		if value, ok := resource.Get(item, v.Property); ok && value != nil {
			return value
		}
	}
	return nil
}

// lookup gives the item's value of the property that a path names instead of
// the key.
func (t *trip) lookup(b *resource.Binding) any {
	for _, item := range []map[string]any{t.want, t.seen} {
		if value, ok := resource.Get(item, b.Lookup); ok && value != nil {
			return value
		}
	}
	return nil
}

// unsaid reports whether the document has no answer for the case that all is
// well: the mock answers with one of those that say that it is not.
func (t *trip) unsaid(b *resource.Binding) bool {
	if b.Success != nil || len(b.Operation.Responses) == 0 {
		return false
	}
	t.excuse(noSuccess, b)
	return true
}

func (t *trip) create(b *resource.Binding) bool {
	if t.unsaid(b) {
		return false
	}
	born, why := t.bear(t.resource, b)
	switch {
	case born == nil && why == "":
		t.excuse(noRequest, b)
		return false
	case why != "":
		return t.step(creating, b, why)
	}
	t.want = born.want
	t.named, t.below = map[string]bool{}, map[*resource.Resource]bool{}
	for _, v := range b.Scope {
		t.scope = append(t.scope, t.scopeValue(v))
		t.named[v.Name] = true
		t.below[v.Parent] = v.Parent != nil
	}
	if item, ok := t.itemIn(b, born.answer); ok {
		t.seen = item
	}
	if born.key != nil {
		t.keys[t.resource] = born.key
	}
	if b.Response != nil {
		why = t.shown(b, born.answer, b.Response, t.want)
	}
	return t.step(creating, b, why)
}

func (t *trip) itemIn(b *resource.Binding, a *answer) (map[string]any, bool) {
	if b.Response == nil || a.body == nil {
		return nil, false
	}
	value, _ := b.Response.Item(a.body)
	item, ok := value.(map[string]any)
	return item, ok
}

func (t *trip) read(at stage, b *resource.Binding) {
	a, err := t.ask(b, asking{})
	if err != nil {
		t.impossible(at, b, err)
		return
	}
	why := a.wrong
	if why == "" && b.Response != nil && a.body != nil {
		if why = t.shown(b, a, b.Response, t.want); why == "" {
			if item, ok := b.Response.Item(a.body); ok {
				t.seen, _ = item.(map[string]any)
			}
		}
	}
	t.step(at, b, why)
}

// shown holds the item in an answer to what it should be.
func (t *trip) shown(b *resource.Binding, a *answer, shape *resource.Shape, want map[string]any) string {
	if a.body == nil || b.Media == nil || b.Media.Schema == nil {
		return ""
	}
	item, ok := shape.Item(a.body)
	object, isObject := item.(map[string]any)
	if !ok || !isObject {
		return fmt.Sprintf("the answer shows no item: %s", a.text())
	}
	if !reads(b) && len(propertiesOf(b.Media.Schema, shape.Value)) == 0 {
		return "" // the answer to a change need not show it
	}
	if why := t.differs(object, b.Media.Schema, shape.Value, want); why != "" {
		return why + ": " + a.text()
	}
	return ""
}

func (t *trip) list(b *resource.Binding) {
	if t.apart(b) {
		t.excuse(elsewhere, b)
		return
	}
	a, found, err := t.find(b)
	switch {
	case err == errFilter:
		t.excuse(noFilter, b)
	case err != nil:
		t.impossible(listing, b, err)
	case a.wrong != "":
		t.step(listing, b, a.wrong)
	default:
		t.step(listing, b, found)
	}
}

func (t *trip) update(b *resource.Binding) {
	before := t.seen
	a, want, err := t.change(b)
	if err == errNothing {
		t.excuse(nothingSent, b)
		return
	}
	if err != nil {
		t.impossible(updating, b, err)
		return
	}
	if a.wrong != "" {
		t.step(updating, b, a.wrong)
		return
	}
	t.want = want
	why := ""
	if b.Response != nil {
		why = t.shown(b, a, b.Response, t.want)
	}
	for _, reader := range t.resource.Bindings {
		if why != "" || !reads(reader) || reader.Response == nil || t.unnamed(reader) {
			continue
		}
		again, err := t.ask(reader, asking{})
		switch {
		case err != nil:
		case again.wrong != "":
			why = "read afterwards: " + again.wrong
		default:
			if why = t.shown(reader, again, reader.Response, t.want); why != "" {
				why = "read afterwards: " + why
				break
			}
			if item, ok := reader.Response.Item(again.body); ok {
				t.seen, _ = item.(map[string]any)
			}
			if lost := t.lost(b, before, a.values.Body); lost != "" {
				why = "read afterwards: " + lost + ": " + again.text()
			}
		}
		break
	}
	t.step(updating, b, why)
}

// lost names a property that changed though nobody asked for it.
func (t *trip) lost(b *resource.Binding, before map[string]any, body any) string {
	sent, _ := b.Request.Item(body)
	said, _ := sent.(map[string]any)
	for name, old := range before {
		if name == t.resource.Updated || name == t.resource.Version {
			continue
		}
		if _, ok := said[name]; ok || renamedFrom(b, said, name) {
			continue
		}
		if b.Role != resource.Update && !t.readOnly(name) {
			continue
		}
		if now, ok := t.seen[name]; !ok || !jsonvalue.Equals(old, now) {
			return fmt.Sprintf("%q was %s, is %s", name, text(old), text(now))
		}
	}
	return ""
}

func renamedFrom(b *resource.Binding, said map[string]any, name string) bool {
	for from, to := range b.Rename {
		if _, ok := said[from]; ok && to == name {
			return true
		}
	}
	return false
}

func (t *trip) remove(b *resource.Binding) bool {
	a, err := t.ask(b, asking{})
	if err != nil {
		t.impossible(deleting, b, err)
		return false
	}
	return t.step(deleting, b, a.wrong)
}

// gone looks for the item where it was.
func (t *trip) gone() {
	for _, b := range t.resource.Bindings {
		switch {
		case reads(b) && !t.unnamed(b):
			a, err := t.ask(b, asking{missing: true})
			if err == nil {
				t.step(afterwards, b, a.wrong)
			}
		case lists(b) && !t.apart(b):
			a, found, err := t.find(b)
			switch {
			case err != nil:
			case a.wrong != "":
				t.step(afterwards, b, a.wrong)
			case !t.tellsApart(b):
			case found == "":
				t.step(afterwards, b, "it is still listed: "+a.text())
			default:
				t.step(afterwards, b, "")
			}
		}
	}
}

// tellsApart reports whether a list shows by what an item is known.
func (t *trip) tellsApart(b *resource.Binding) bool {
	listed := propertiesOf(b.Media.Schema, b.List.Items.Value)
	if key := t.resource.Key; key != nil && len(key.Property) > 0 && t.keys[t.resource] != nil && listed[key.Property[0]] != nil {
		return true
	}
	for name := range t.want {
		if listed[name] != nil {
			return true
		}
	}
	return false
}

func (t *trip) impossible(at stage, b *resource.Binding, err error) {
	if impossibleRequest(err) {
		t.excuse(noRequest, b)
		return
	}
	t.step(at, b, err.Error())
}

// missingStatus is the status that says that an item is not there.
func missingStatus(o *operation) int {
	for _, candidate := range []string{"404", "410", "4XX", "default", "400"} {
		for _, r := range o.Responses {
			switch first, count := r.Code(); {
			case r.Status != candidate:
			case count == 1:
				return first
			default:
				return 404
			}
		}
	}
	return 404
}
