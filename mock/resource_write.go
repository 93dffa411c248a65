package mock

import (
	"encoding/json"
	"errors"
	"maps"
	"strconv"

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
	if key == "" || !x.values.HasBody {
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
		after, findings := x.next(collection, before)
		if after == nil {
			if len(findings) == 0 {
				return passed
			}
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
			status, documented = x.upserted(isNew, status, documented)
		}
		return x.show(status, documented, collection, stored{item.Key, item.Version, after})
	}
	x.refuse(conflict, []exchange.Finding{{Code: "conflict", Message: "the item changes all the time", In: exchange.InRequest}})
	return answered
}

// upserted gives the answer to a PUT that has made an item, or replaced one:
// 201 is for the former alone where the document has another for the latter.
func (x *visit) upserted(isNew bool, status int, documented *spec.Response) (int, *spec.Response) {
	if isNew || status != 201 {
		return status, documented
	}
	for _, r := range x.operation.Responses {
		if first, count := r.Code(); count == 1 && (first == 200 || first == 204) {
			x.begin(first)
			x.headers(r)
			return first, r
		}
	}
	return status, documented
}

// next gives the item as a request wants it; nil where it cannot be had, with
// findings where the request was refused for that.
func (x *visit) next(collection string, before stored) (map[string]any, []exchange.Finding) {
	b, k := x.operation.binding, x.operation.keeps
	old := before.value
	if old == nil && (b.Role == resource.Update || b.Role == resource.Replace) {
		old = x.unseen(collection, before.key)
	}
	var after map[string]any
	switch {
	case b.Role == resource.Update && x.isJSONPatch():
		patched, err := crud.Patch(withoutHidden(old), x.values.Body)
		object, ok := patched.(map[string]any)
		if err == nil && !ok {
			err = errors.New("the result is no object")
		}
		if err != nil {
			problem := badBody
			if errors.Is(err, crud.ErrTest) {
				problem = conflict
			}
			findings := []exchange.Finding{{Code: "patch-failed", Message: err.Error(), In: exchange.InBody}}
			x.refuse(problem, findings)
			return nil, findings
		}
		after = object
	case b.Request == nil:
		return nil, nil
	default:
		sent, ok := b.Request.Item(x.values.Body)
		object, isObject := sent.(map[string]any)
		if !ok || !isObject {
			return nil, nil
		}
		object = renamed(b, object)
		if b.Role == resource.Update {
			after = crud.Merge(withoutHidden(old), withoutServers(k, object)).(map[string]any)
			k.nulls(after, object)
		} else {
			after = x.replaced(collection, before.key, old, object)
		}
	}
	after = maps.Clone(after)
	for name, value := range old { // what the server alone says stays
		if k.servers(name) || len(name) > len(hidden) && name[:len(hidden)] == hidden {
			after[name] = value
		}
	}
	if k.Key != nil && k.Key.Property != nil && b.Lookup == nil {
		value, ok := resource.Get(old, k.Key.Property)
		if text, _ := crud.Text(value); !ok || text != before.key {
			value = k.typedAt(k.Key.Property, x.operation.typedKey(x, before.key))
		}
		after = resource.Set(after, k.Key.Property, value).(map[string]any)
	}
	if !k.Scoped || before.value == nil {
		after = x.withScope(after)
	}
	x.touch(k, after, old, before.value == nil && b.Role == resource.Upsert)
	if b.Role == resource.Update && k.value != nil && x.options.Validate == "strict" {
		check := func(item map[string]any) []exchange.Finding {
			return k.value.Check(onlyListed(item, k.listed), exchange.InBody, "")
		}
		if findings := check(after); len(findings) > 0 && len(check(old)) == 0 {
			x.refuse(badBody, exchange.Sort(findings))
			return nil, findings
		}
	}
	return after, nil
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
	after := maps.Clone(withoutServers(k, sent))
	sendable := k.sent[b].sendable
	begun(after, k.sent[b].begins().sendable)
	if old == nil {
		made, _ := x.completed(k, b, collection, key, after)
		return made
	}
	for name, value := range old {
		if _, ok := after[name]; !ok && len(sendable) > 0 && sendable[name] == nil {
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

func withoutServers(k *keeping, sent map[string]any) map[string]any {
	kept := maps.Clone(sent)
	for i := range k.Properties {
		if p := &k.Properties[i]; p.ReadOnly {
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
		if !ok || k.Scoped && v.Property == nil {
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
