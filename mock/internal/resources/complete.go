package resources

import (
	"maps"
	"time"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// complete adds to an item what the server sets: properties that the client cannot
// send, and those that the item's schema requires.
func complete(q *Request, collection, key string, item map[string]any) map[string]any {
	k := q.op.runtime
	if k.KeyProperty() != nil {
		if _, ok := resource.Get(item, k.Key.Property); !ok {
			item = k.setTypedKey(item, key)
		}
	}
	if k.Item == nil {
		return item
	}
	var unsent []string
	if s := q.op.request; s != nil {
		item = maps.Clone(item)
		respond.SetDefaults(item, s.defaults().sendable)
		respond.SetDefaults(item, s.defaults().readOnly)
		for name := range s.sendable {
			if _, ok := item[name]; !ok {
				unsent = append(unsent, name)
			}
		}
	}
	if k.isComplete(item, unsent) {
		return item
	}
	have, _ := k.listed(item, k.properties)
	filled, ok := k.Generate(k.ValueKey(q.set.options.Seed, collection, key), have, unsent...)
	if !ok {
		return item
	}
	filled = maps.Clone(filled)
	maps.Copy(filled, item)
	return filled
}

func (k *Runtime) isComplete(item map[string]any, unsent []string) bool {
	missing := 0
	for name := range k.properties {
		if _, ok := item[name]; !ok {
			missing++
		}
	}
	for _, name := range unsent {
		if k.properties[name] != nil {
			missing--
		}
	}
	return missing == 0 && spec.Conforms(k.Item.Keywords, item)
}

// Generate makes an item around the properties that it has.
func (k *Runtime) Generate(key generate.Key, have map[string]any, unsent ...string) (map[string]any, bool) {
	value, err := k.generator().Fill(key, have, unsent...)
	item, ok := value.(map[string]any)
	return item, ok && err == nil
}

// CompleteFixture adds to an item of data what the server sets: its times, its version,
// and properties that clients cannot send.
func (s *Set) CompleteFixture(k *Runtime, in *state.State, collection, key string, item map[string]any) {
	s.completeTimes(k, in, item)
	if k.Version != "" && item[k.Version] == nil {
		k.setVersion(item, 1)
	}
	var wanted, unsent []string
	for name := range k.properties {
		if _, ok := item[name]; ok {
			continue
		}
		if k.isSetByServer(name) {
			wanted = append(wanted, name)
		} else {
			unsent = append(unsent, name)
		}
	}
	if len(wanted) == 0 || k.Item == nil {
		return
	}
	have, _ := k.listed(item, k.properties)
	filled, ok := k.Generate(k.ValueKey(s.options.Seed, collection, key), have, unsent...)
	if !ok {
		return
	}
	for _, name := range wanted {
		if value, ok := filled[name]; ok {
			item[name] = value
		}
	}
}

func (s *Set) completeTimes(k *Runtime, in *state.State, item map[string]any) {
	isCreated, isUpdated := k.Created == "" || item[k.Created] != nil, k.Updated == "" || item[k.Updated] != nil
	now := time.Time{}
	if !isCreated || !isUpdated {
		now = s.now(in, s.options.Dynamic)
	}
	if !isCreated {
		k.setTime(item, k.Created, now)
	}
	if isUpdated {
		return
	}
	k.setTime(item, k.Updated, now)
	if created, ok := item[k.Created]; ok && spec.Conforms(k.properties[k.Updated], created) {
		item[k.Updated] = created
	}
}

// isSetByServer reports whether clients cannot send a property: it is readOnly, or no
// creation has it.
func (k *Runtime) isSetByServer(name string) bool {
	if k.readOnly(name) {
		return true
	}
	for _, b := range k.Bindings {
		if s := k.operations[b].request; s != nil && b.Role == resource.Create && len(s.sendable) > 0 {
			return !s.sends(name)
		}
	}
	return false
}
