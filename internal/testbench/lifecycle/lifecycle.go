package main

import (
	"fmt"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// lifecycle is the life of one item.
type lifecycle struct {
	*mockServer
	*result
	resource       *resource.Resource
	fill           string                      // of what is sent
	variables      map[string]any              // values of path variables that name no item
	keys           map[*resource.Resource]any  // of the items that paths name
	want           map[string]any              // what was sent of the item
	seen           map[string]any              // as it was read last
	scope          []any                       // values of the variables before the key in the creation's path
	namedVariables map[string]bool             // those variables
	nestedParents  map[*resource.Resource]bool // parents that it names
	steps          int
	failed         bool
}

const (
	noSuccessStatus skipReason = "the document has no answer that says that it was done"
	otherParent     skipReason = "the list is below something that the creation does not name"
	noAddress       skipReason = "no value is a key both in an item and in the path"
	noRequest       skipReason = "no conforming request can be made that is not another operation's"
	noKey           skipReason = "no answer and no Location shows the key that the server has made"
	noLookup        skipReason = "the item has no value for the property that the path names"
	noFilter        skipReason = "the list asks for a filter that does not take the item's value"
	nothingSent     skipReason = "the change can send nothing of the item"
)

var skipReasons = []skipReason{noSuccessStatus, noRequest, noAddress, otherParent, noKey, noLookup, noFilter, nothingSent}

// runAll goes all the way.
func (t *lifecycle) runAll(creator *resource.Binding) {
	if !t.create(creator) {
		return
	}
	t.readAndList()
	for _, b := range t.resource.Bindings {
		if changes(b) && !t.cannotName(b) && !t.cannotConfirm(b) {
			t.update(b)
		}
	}
	for _, b := range t.resource.Bindings {
		if b.Role == resource.Delete && !t.cannotName(b) && !t.cannotConfirm(b) {
			if t.remove(b) {
				t.checkDeleted()
			}
			return
		}
	}
}

// readAndList reads the item and lists it, by every operation that does.
func (t *lifecycle) readAndList() {
	for _, b := range t.resource.Bindings {
		switch {
		case reads(b) && !t.cannotName(b):
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

// cannotName reports whether an operation cannot name the item.
func (t *lifecycle) cannotName(b *resource.Binding) bool {
	if t.resource.Singleton || b.KeyIn == resource.Nowhere {
		return false
	}
	if b.Lookup != nil {
		if t.lookup(b) == nil {
			t.skip(noLookup, b)
			return true
		}
		return false
	}
	key := t.keys[t.resource]
	if key == nil {
		t.skip(noKey, b)
		return true
	}
	if p := keyParameter(t.resource); b.KeyIn == resource.InPath && t.resource.Key.Schema != nil && p != nil &&
		p.Schema != nil && !spec.Conforms(p.Schema.Keywords, convert(key, p)) {
		if value, err := generateValue(p); err == nil && !spec.Conforms(t.resource.Key.Schema,
			typed(value, t.resource.Key.Schema)) {
			t.skip(noAddress, b)
			return true
		}
	}
	return false
}

// scopeValue returns what a variable before the key was in a request.
func (t *lifecycle) scopeValue(v resource.Variable) any {
	if v.Parent != nil {
		if key := t.keys[v.Parent]; key != nil {
			return key
		}
	}
	return t.variables[v.Name]
}

// sameScope reports whether an operation's path has as many variables before
// the key as that of the creation: they stand for the same.
func (t *lifecycle) sameScope(b *resource.Binding) bool {
	return b.Resource == t.resource && len(t.scope) > 0 && len(b.Scope) == len(t.scope)
}

// otherValue reports whether a list stands below parents that nothing says the item
// belongs to: neither the path of its creation nor a property of it.
func (t *lifecycle) otherValue(b *resource.Binding) bool {
	for i, v := range b.Scope {
		if t.unknownItems == "refuse" && v.Parent != nil && !t.nestedParents[v.Parent] && canMake(v.Parent) &&
			t.keys[v.Parent] == nil {
			return true // that parent was not made
		}
		if t.resource.Scoped && t.sameScope(b) && t.scope[i] != nil {
			continue
		}
		if t.namedVariables[v.Name] || v.Parent != nil && t.nestedParents[v.Parent] || t.itemValue(v) != nil {
			continue
		}
		return true
	}
	return false
}

// canMake reports whether something makes a resource's items.
func canMake(r *resource.Resource) bool { return r.Has(resource.Create) || r.Has(resource.Upsert) }

// itemValue returns the value that an item has of a variable before its key.
func (t *lifecycle) itemValue(v resource.Variable) any {
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

// lookup returns the item's value of the property that a path names instead of
// the key.
func (t *lifecycle) lookup(b *resource.Binding) any {
	for _, item := range []map[string]any{t.want, t.seen} {
		if value, ok := resource.Get(item, b.Lookup); ok && value != nil {
			return value
		}
	}
	return nil
}

// cannotConfirm reports whether the document has no answer for the case that all is
// well: the mock answers with one of those that say that it is not.
func (t *lifecycle) cannotConfirm(b *resource.Binding) bool {
	if b.Success != nil || len(b.Operation.Responses) == 0 {
		return false
	}
	t.skip(noSuccessStatus, b)
	return true
}

func (t *lifecycle) create(b *resource.Binding) bool {
	if t.cannotConfirm(b) {
		return false
	}
	created, why := t.createItem(t.resource, b)
	switch {
	case created == nil && why == "":
		t.skip(noRequest, b)
		return false
	case why != "":
		return t.step(creating, b, why)
	}
	t.want = created.want
	t.namedVariables, t.nestedParents = map[string]bool{}, map[*resource.Resource]bool{}
	for _, v := range b.Scope {
		t.scope = append(t.scope, t.scopeValue(v))
		t.namedVariables[v.Name] = true
		t.nestedParents[v.Parent] = v.Parent != nil
	}
	if item, ok := itemIn(b, created.answer); ok {
		t.seen = item
	}
	if created.key != nil {
		t.keys[t.resource] = created.key
	}
	if b.Response != nil {
		why = shownItem(b, created.answer, b.Response, t.want)
	}
	return t.step(creating, b, why)
}

func itemIn(b *resource.Binding, a *answer) (map[string]any, bool) {
	if b.Response == nil || a.body == nil {
		return nil, false
	}
	value, _ := b.Response.Item(a.body)
	item, ok := value.(map[string]any)
	return item, ok
}

func (t *lifecycle) read(variables stage, b *resource.Binding) {
	a, err := t.ask(b, requestOptions{})
	if err != nil {
		t.impossible(variables, b, err)
		return
	}
	why := a.wrong
	if why == "" && b.Response != nil && a.body != nil {
		if why = shownItem(b, a, b.Response, t.want); why == "" {
			if item, ok := b.Response.Item(a.body); ok {
				t.seen, _ = item.(map[string]any)
			}
		}
	}
	t.step(variables, b, why)
}

// shownItem holds the item in an answer to what it should be.
func shownItem(b *resource.Binding, a *answer, shape *resource.Shape, want map[string]any) string {
	if a.body == nil || b.Media == nil || b.Media.Schema == nil {
		return ""
	}
	item, ok := shape.Item(a.body)
	object, isObject := item.(map[string]any)
	if !ok || !isObject {
		return fmt.Sprintf("the answer shows no item: %s", a.text())
	}
	if !reads(b) && len(schema.Properties(shape.Value)) == 0 {
		return "" // the answer to a change need not show it
	}
	if why := differs(object, shape.Value, want); why != "" {
		return why + ": " + a.text()
	}
	return ""
}

func (t *lifecycle) list(b *resource.Binding) {
	if t.otherValue(b) {
		t.skip(otherParent, b)
		return
	}
	a, found, err := t.find(b)
	switch {
	case err == errFilter:
		t.skip(noFilter, b)
	case err != nil:
		t.impossible(keyListBody, b, err)
	case a.wrong != "":
		t.step(keyListBody, b, a.wrong)
	default:
		t.step(keyListBody, b, found)
	}
}

func (t *lifecycle) update(b *resource.Binding) {
	before := t.seen
	a, want, err := t.change(b)
	if err == errNothing {
		t.skip(nothingSent, b)
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
		why = shownItem(b, a, b.Response, t.want)
	}
	for _, reader := range t.resource.Bindings {
		if why != "" || !reads(reader) || reader.Response == nil || t.cannotName(reader) {
			continue
		}
		again, err := t.ask(reader, requestOptions{})
		switch {
		case err != nil:
		case again.wrong != "":
			why = "read afterwards: " + again.wrong
		default:
			if why = shownItem(reader, again, reader.Response, t.want); why != "" {
				why = "read afterwards: " + why
				break
			}
			if item, ok := reader.Response.Item(again.body); ok {
				t.seen, _ = item.(map[string]any)
			}
			if notFound := t.notFound(b, before, a.values.Body()); notFound != "" {
				why = "read afterwards: " + notFound + ": " + again.text()
			}
		}
		break
	}
	t.step(updating, b, why)
}

// notFound names a property that changed though nobody asked for it.
func (t *lifecycle) notFound(b *resource.Binding, before map[string]any, body any) string {
	sent, _ := b.Request.Item(body)
	said, _ := sent.(map[string]any)
	for name, old := range before {
		if name == t.resource.Updated || name == t.resource.Version {
			continue
		}
		if _, ok := said[name]; ok || renamedFrom(b, said, name) {
			continue
		}
		if b.Role != resource.Update && !readOnly(t.resource, name) {
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

func (t *lifecycle) remove(b *resource.Binding) bool {
	a, err := t.ask(b, requestOptions{})
	if err != nil {
		t.impossible(deleting, b, err)
		return false
	}
	return t.step(deleting, b, a.wrong)
}

// checkDeleted looks for the item where it was.
func (t *lifecycle) checkDeleted() {
	for _, b := range t.resource.Bindings {
		switch {
		case reads(b) && !t.cannotName(b):
			a, err := t.ask(b, requestOptions{missing: true})
			if err == nil {
				t.step(afterDeletion, b, a.wrong)
			}
		case lists(b) && !t.otherValue(b):
			a, found, err := t.find(b)
			switch {
			case err != nil:
			case a.wrong != "":
				t.step(afterDeletion, b, a.wrong)
			case !t.distinguishes(b):
			case found == "":
				t.step(afterDeletion, b, "it is still listed: "+a.text())
			default:
				t.step(afterDeletion, b, "")
			}
		}
	}
}

// distinguishes reports whether a list shows by what an item is known.
func (t *lifecycle) distinguishes(b *resource.Binding) bool {
	listed := schema.Properties(b.List.Items.Value)
	if key := t.resource.Key; key != nil && len(key.Property) > 0 && t.keys[t.resource] != nil &&
		listed[key.Property[0]] != nil {
		return true
	}
	for name := range t.want {
		if listed[name] != nil {
			return true
		}
	}
	return false
}

func (t *lifecycle) impossible(variables stage, b *resource.Binding, err error) {
	if impossibleRequest(err) {
		t.skip(noRequest, b)
		return
	}
	t.step(variables, b, err.Error())
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
