package mock

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/crud"
	"github.com/coldframe/coldframe/mock/state"
)

// attempts is how often a change is tried again that another one has come
// before.
const attempts = 100

// change replaces an item, changes it in part, or makes it where it was not.
func (x *visit) change(status int, documented *spec.Response) outcome {
	b := x.operation.binding
	key, _ := x.namedKey()
	if key == "" || !x.values.HasBody && b.Role != resource.Upsert {
		return passed
	}
	collection := x.collection()
	for range attempts {
		before, gone := x.lookup(collection)
		if before.value == nil && b.Role != resource.Upsert {
			if result := x.missing(key, gone); result != passed {
				return result
			}
		}
		if !x.current(before, gone) {
			return answered
		}
		if before.value == nil && b.Lookup != nil && b.Role == resource.Upsert {
			_, before.key = x.newKey(collection) // the path names another property
		}
		after, result := x.next(collection, before)
		if result == passed && before.value == nil && b.Role == resource.Update {
			before.value = x.unseen(collection, before.key)
		}
		if result == passed && before.value != nil {
			return x.show(status, documented, collection, before)
		}
		if result != changed {
			return result
		}
		if x.alike(collection, before.key, after, before.value) {
			return answered
		}
		text, ok := written(after)
		if !ok {
			return passed
		}
		match := state.Any
		if before.value != nil {
			match = state.Match(before.version)
		}
		item, isNew, err := x.session.State.Put(collection, before.key, text, 0, match)
		if errors.Is(err, state.ErrVersion) {
			continue
		}
		if err != nil {
			x.warnDropped()
			return passed
		}
		if b.Role == resource.Upsert && x.preferences.code == 0 {
			listed := before.value == nil && !gone && b.Lookup == nil && x.isListed(collection, before.key)
			if other := x.replacing(isNew && !listed, status); other != nil {
				return x.showReplaced(other, collection, stored{item.Key, item.Version, after})
			}
		}
		return x.show(status, documented, collection, stored{item.Key, item.Version, after})
	}
	x.refuse(conflict, []exchange.Finding{{Code: "conflict", Message: "the item changes all the time", In: exchange.InRequest}})
	return answered
}

// replacing gives the answer to a PUT that has replaced an item: 201 is for one that
// has made it alone, where the document has another. nil is the answer at hand.
func (x *visit) replacing(isNew bool, status int) *spec.Response {
	if isNew || status != 201 {
		return nil
	}
	for _, r := range x.operation.Responses {
		if first, count := r.Code(); count == 1 && (first == 200 || first == 204) {
			return r
		}
	}
	return nil
}

// showReplaced gives that answer: with the item, or as it would be without.
func (x *visit) showReplaced(documented *spec.Response, collection string, item stored) outcome {
	status, _ := documented.Code()
	x.begin(status)
	x.headers(documented)
	if x.show(status, documented, collection, item) == answered || bodiless(status) {
		return answered
	}
	media := x.negotiate(documented.Content)
	if media == nil {
		return answered
	}
	value, err := x.generated(x.in.producer(media), x.key(status, media))
	if err != nil {
		x.unsatisfiable(err)
		return answered
	}
	x.body(media, value)
	return answered
}

// next gives the item as a request wants it. It gives passed where the request
// says nothing of the item, and answered where it was refused.
func (x *visit) next(collection string, before stored) (map[string]any, outcome) {
	b, k := x.operation.binding, x.operation.keeps
	old := before.value
	if old == nil && (b.Role == resource.Update || b.Role == resource.Replace) {
		old = x.unseen(collection, before.key)
	}
	var after map[string]any
	var described map[string]any // what was sent, where the request's schema has it all
	switch {
	case b.Role == resource.Update && x.isJSONPatch():
		patched, err := crud.Patch(withoutHidden(old), x.values.Body)
		object, ok := patched.(map[string]any)
		if err == nil && !ok {
			err = errNoObject
		}
		if err != nil {
			return nil, x.unpatched(before, err)
		}
		after = object
	default:
		object, ok := x.sentObject()
		if !ok {
			return nil, passed
		}
		if b.Role == resource.Update {
			object = withoutServers(k, b, object)
			if x.describes(object) {
				described = object
			}
			after = crud.Merge(withoutHidden(old), object).(map[string]any)
			k.nulls(after, object)
		} else {
			after = x.replaced(collection, before.key, old, object)
		}
	}
	after = x.settled(before, old, after)
	if b.Role != resource.Update || x.options.Validate != "strict" {
		return after, changed
	}
	findings := x.broken(before, old, after)
	if len(findings) == 0 {
		return after, changed
	}
	if described == nil {
		x.refuse(badBody, findings)
		return nil, answered
	}
	return x.allowed(before, old, after, described), changed
}

// allowed gives a changed item that breaks its schema by what the request's
// schema allows. Objects that cannot be mixed with the old ones replace them,
// and where that is no better, what the item cannot have stays as it was.
func (x *visit) allowed(before stored, old, after, sent map[string]any) map[string]any {
	whole := maps.Clone(after)
	for name, value := range sent {
		if _, object := value.(map[string]any); object {
			whole[name] = value
		}
	}
	if len(x.broken(before, old, whole)) == 0 {
		return whole
	}
	for _, f := range x.broken(before, old, after) {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/"), "/")
		name = exchange.UnescapePointer(name)
		if _, ok := sent[name]; !ok {
			continue
		}
		if value, had := old[name]; had {
			after[name] = value
		} else {
			delete(after, name)
		}
	}
	return after
}

var errNoObject = errors.New("the result is no object")

// unpatched refuses a JSON Patch that cannot be applied, but for what the
// document allows to be sent and is no patch, and for places that an item which
// nobody has made happens not to have.
func (x *visit) unpatched(before stored, err error) outcome {
	media := x.values.MediaType
	switch {
	case errors.Is(err, crud.ErrMalformed) && media != nil && media.Schema != nil,
		before.value == nil && (errors.Is(err, crud.ErrNoPlace) || err == errNoObject):
		return passed
	}
	problem := badBody
	if errors.Is(err, crud.ErrTest) {
		problem = conflict
	}
	x.refuse(problem, []exchange.Finding{{Code: "patch-failed", Message: err.Error(), In: exchange.InBody}})
	return answered
}

// describes reports whether the request's schema has all properties that were
// sent. It has allowed them then, whatever the schema of answers says.
func (x *visit) describes(sent map[string]any) bool {
	b, k := x.operation.binding, x.operation.keeps
	var listed map[string]*spec.Keywords
	switch s, media := k.sent[b], x.values.MediaType; {
	case s != nil && s.media == media:
		listed = s.sendable
	case media != nil && media.Schema != nil && len(b.Request.Path) == 0:
		listed = media.Schema.Properties()
	}
	for name := range sent {
		if listed[name] == nil {
			return false
		}
	}
	return len(listed) > 0
}

// settled gives a changed item with what the request cannot change: what the
// server alone says, the key and the parents that the path names, the times.
func (x *visit) settled(before stored, old, after map[string]any) map[string]any {
	b, k := x.operation.binding, x.operation.keeps
	after = maps.Clone(after)
	for name, value := range old {
		if k.servers(name) && !k.sends(b, name) || len(name) > len(hidden) && name[:len(hidden)] == hidden {
			after[name] = value
		}
	}
	if k.Key != nil && k.Key.Property != nil && b.Lookup == nil {
		value, has := resource.Get(old, k.Key.Property)
		if text, _ := crud.Text(value); !has || text != before.key {
			if typed, fits := k.typed(k.Key.Property, x.operation.typedKey(x, before.key)); fits || !has {
				value = typed
			} else if before.value == nil && x.isListed(x.collection(), text) { // an example's, for whatever key
				if made, _, ok := k.madeKey(k.keys, x.options.Seed, x.collection(), before.key); ok {
					value = made
				}
			}
		}
		after = resource.Set(after, k.Key.Property, value).(map[string]any)
	}
	if b.Lookup != nil && before.value == nil {
		named, _ := x.namedKey()
		after = resource.Set(after, b.Lookup, k.typedAt(b.Lookup, named)).(map[string]any)
	}
	if !k.Scoped || before.value == nil {
		after = x.withScope(after)
	}
	x.touch(k, after, old, before.value == nil && b.Role == resource.Upsert)
	return after
}

// broken says what the item's schema has against a changed item, and had not
// against the item before: the request is the cause.
func (x *visit) broken(before stored, old, after map[string]any) []exchange.Finding {
	k := x.operation.keeps
	if k.value == nil {
		return nil
	}
	check := func(item map[string]any) []exchange.Finding {
		return k.value.Check(onlyListed(item, k.listed), exchange.InBody, "")
	}
	findings := check(after)
	if len(findings) == 0 {
		return nil
	}
	known := check(x.settled(before, old, withoutHidden(old)))
	findings = slices.DeleteFunc(findings, func(f exchange.Finding) bool {
		return slices.ContainsFunc(known, func(o exchange.Finding) bool { return o.Code == f.Code && o.Pointer == f.Pointer })
	})
	return exchange.Sort(findings)
}

// sentObject gives what was sent of the item. Nothing, or a file, makes one
// that says nothing of itself.
func (x *visit) sentObject() (map[string]any, bool) {
	b := x.operation.binding
	if b.Request != nil && x.values.HasBody {
		if sent, ok := b.Request.Item(x.values.Body); ok {
			if object, ok := sent.(map[string]any); ok {
				return renamed(b, object), true
			}
		}
	}
	return map[string]any{}, b.Role == resource.Upsert
}

// nulls keeps the nulls that were sent for properties that may be null: there,
// none is a value.
func (k *keeping) nulls(item, sent map[string]any) {
	for name, value := range sent {
		if schema := k.listed[name]; value == nil && schema != nil && !k.servers(name) && spec.Conforms(schema, nil) {
			item[name] = nil
		}
	}
}

// onlyListed gives the properties that are listed, all where none is.
func onlyListed(item map[string]any, listed map[string]*spec.Keywords) map[string]any {
	if len(listed) == 0 {
		return item
	}
	have := make(map[string]any, len(listed))
	for name, value := range item {
		if listed[name] != nil {
			have[name] = value
		}
	}
	return have
}

// replaced gives an item that was sent whole. What a client cannot send stays,
// or is made.
func (x *visit) replaced(collection, key string, old, sent map[string]any) map[string]any {
	b, k := x.operation.binding, x.operation.keeps
	after := maps.Clone(withoutServers(k, b, sent))
	var sendable map[string]*spec.Keywords
	open := false
	if s := k.sent[b]; s != nil {
		sendable, open = s.sendable, s.open
		begun(after, s.begins().sendable)
	}
	if old == nil {
		made, _ := x.completed(k, b, collection, key, after)
		return made
	}
	for name, value := range old {
		if _, ok := after[name]; !ok && len(sendable) > 0 && sendable[name] == nil && !(open && !k.declares(name)) {
			after[name] = value
		}
	}
	return after
}

// isJSONPatch reports whether the body is a JSON Patch (RFC 6902).
func (x *visit) isJSONPatch() bool {
	if m := x.values.MediaType; m != nil && m.Subtype == "json-patch+json" {
		return true
	}
	list, ok := x.values.Body.([]any)
	if !ok || len(list) == 0 {
		return false
	}
	first, _ := list[0].(map[string]any)
	_, isOperation := first["op"].(string)
	return isOperation
}

// servers reports whether a property is the server's to say.
func (k *keeping) servers(name string) bool {
	for i := range k.Properties {
		if p := &k.Properties[i]; p.Name == name {
			return p.ReadOnly
		}
	}
	return false
}

// sends reports whether an operation's body has a property for the client to say,
// which may be readOnly where the item is shown.
func (k *keeping) sends(b *resource.Binding, name string) bool {
	s := k.sent[b]
	return s != nil && s.sendable[name] != nil
}

// withoutServers gives what was sent without what is the server's to say.
func withoutServers(k *keeping, b *resource.Binding, sent map[string]any) map[string]any {
	kept := maps.Clone(sent)
	for i := range k.Properties {
		if p := &k.Properties[i]; p.ReadOnly && !k.sends(b, p.Name) {
			delete(kept, p.Name)
		}
	}
	return kept
}

// renamed gives what was sent under the names of the item.
func renamed(b *resource.Binding, sent map[string]any) map[string]any {
	if len(b.Rename) == 0 {
		return sent
	}
	item := make(map[string]any, len(sent))
	for name, value := range sent {
		if own, ok := b.Rename[name]; ok {
			name = own
		}
		item[name] = value
	}
	return item
}

// withScope adds the keys of the parents that the path names.
func (x *visit) withScope(item map[string]any) map[string]any {
	b, k := x.operation.binding, x.operation.keeps
	for _, v := range b.Scope {
		value, ok := x.values.Path[v.Name]
		if !ok || k.Scoped && v.Property == nil && !slices.ContainsFunc(k.extra[b], func(e resource.Variable) bool { return e.Name == v.Name }) {
			continue
		}
		item = resource.Set(item, scopeProperty(v), k.typedAt(v.Property, value)).(map[string]any)
	}
	return item
}

// touch sets the times and the version of an item that changes. old is what it
// was, or nil.
func (x *visit) touch(k *keeping, item, old map[string]any, isNew bool) {
	x.touchTimes(k, item, old, isNew)
	if k.Version == "" {
		return
	}
	next := json.Number("1")
	switch v := old[k.Version].(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			next = json.Number(strconv.FormatInt(n+1, 10))
		}
	case string:
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			next = json.Number(strconv.FormatInt(n+1, 10))
		}
	}
	if typed, ok := asTyped(next, k.listed[k.Version]); ok && k.listed[k.Version] != nil {
		item[k.Version] = typed
	}
}

// written gives an item as it is kept, false where it is nested too deep to be
// read again.
func written(item map[string]any) ([]byte, bool) {
	text := jsontext.Append(nil, item)
	_, err := jsontext.Decode(string(text))
	return text, err == nil
}
