package mock

import (
	"encoding/json"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

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
		if text, _ := jsonvalue.Text(value); !has || text != before.key {
			if typed, fits := k.typed(k.Key.Property, x.operation.typedKey(x, before.key)); fits || !has {
				value = typed
			} else if before.value == nil && k.Has(resource.List) { // made, or an example's: a list may show another item that has it
				if made, ok := k.ownKey(x.options.Seed, x.collection(), before.key); ok {
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

// ownKey makes what an item shows as its key that paths name by another which the
// property cannot have. Integers are larger than those that are counted.
func (k *keeping) ownKey(seed uint64, collection, key string) (any, bool) {
	if k.Key.Kind == resource.Integer {
		const beyond = 1_000_000_000
		h := fnv.New32a()
		h.Write([]byte(collection + " " + key))
		if n := json.Number(strconv.Itoa(beyond + int(h.Sum32())%beyond)); spec.Conforms(k.Key.Schema, n) {
			return n, true
		}
	}
	made, _, ok := k.madeKey(k.keys, seed, collection, "named "+key)
	return made, ok
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
