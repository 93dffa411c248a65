package mock

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// sowOne completes an item as a creation would, checks and keeps it.
func (p *planting) sowOne(s *sown, taken map[[2]string]*sown, highest map[string]int64) {
	k := s.keeping
	if k == nil {
		if r := s.resource; r.Item != nil && r.Value != nil {
			p.check(s, part(r.Item, r.Value))
		}
		if text, ok := written(s.item); ok {
			p.keep(p.in.Append(s.collection, text, state.Seeded))
		}
		return
	}
	key := s.key
	if key == "" {
		p.in.Know(s.collection, highest[s.collection])
	}
	for try := 0; key == "" && try < maxKeys; try++ {
		value, text := k.newKey(p.in, p.options.Seed, s.collection)
		name := [2]string{s.collection, text}
		if taken[name] != nil {
			continue
		}
		key, taken[name] = text, s
		if k.Key != nil && k.Key.Property != nil {
			s.item = resource.Set(s.item, k.Key.Property, value).(map[string]any)
		}
	}
	if key == "" {
		p.find(s.node, "invalid-key", "no key can be made for an item of "+k.Name+"; give it one")
		return
	}
	k.complete(s.item, p.time(k, s.item), generate.NewKey(p.options.Seed, "item", k.Name, s.collection, key))
	if k.value != nil {
		p.check(s, k.value)
	}
	text, ok := written(s.item)
	if !ok {
		return // nested deeper than any document is read
	}
	p.keep(p.in.Insert(s.collection, key, text, state.Seeded))
	p.note(s.resource, s.collection, s.above)
}

func (p *planting) keep(_ *state.Item, err error) {
	if err == nil {
		p.count++
	}
}

// note remembers that a collection has items.
func (p *planting) note(r *resource.Resource, collection string, above func() []string) {
	known := p.collections[r]
	if len(known) == 0 || known[len(known)-1].name != collection {
		p.collections[r] = append(known, grown{collection, above()})
	}
}

// time is when an item was made that does not say so: the clock that sessions go
// on with.
func (p *planting) time(k *keeping, item map[string]any) time.Time {
	made, changed := k.Created == "" || item[k.Created] != nil, k.Updated == "" || item[k.Updated] != nil
	switch {
	case made && changed:
		return time.Time{}
	case p.options.Dynamic:
		return p.options.Clock().UTC().Truncate(time.Millisecond)
	}
	return calendarBegins.Add(time.Duration(p.in.Tick()) * time.Second)
}

// complete adds what the server makes of an item: its times, its version, and
// properties that clients cannot send.
func (k *keeping) complete(item map[string]any, now time.Time, key generate.Key) {
	if k.Created != "" && item[k.Created] == nil {
		k.setTime(item, k.Created, now)
	}
	if k.Updated != "" && item[k.Updated] == nil {
		k.setTime(item, k.Updated, now)
		if made, ok := item[k.Created]; ok && spec.Conforms(k.listed[k.Updated], made) {
			item[k.Updated] = made
		}
	}
	if k.Version != "" && item[k.Version] == nil {
		if first, ok := asTyped("1", k.listed[k.Version]); ok {
			item[k.Version] = first
		}
	}
	var wanted, unsent []string
	for name := range k.listed {
		if _, ok := item[name]; ok {
			continue
		}
		if k.madeByServer(name) {
			wanted = append(wanted, name)
		} else {
			unsent = append(unsent, name)
		}
	}
	if len(wanted) == 0 || k.value == nil {
		return
	}
	have, _ := k.listedOf(item, k.listed)
	value, err := k.maker().Fill(key, have, unsent...)
	made, ok := value.(map[string]any)
	if err != nil || !ok {
		return
	}
	for _, name := range wanted {
		if value, ok := made[name]; ok {
			item[name] = value
		}
	}
}

// madeByServer reports whether a property is no client's to say: it is
// readOnly, or no creation takes it.
func (k *keeping) madeByServer(name string) bool {
	if k.servers(name) {
		return true
	}
	for _, b := range k.Bindings {
		if s := k.sent[b]; s != nil && b.Role == resource.Create && len(s.sendable) > 0 {
			return s.sendable[name] == nil
		}
	}
	return false
}

// check holds an item to its schema.
func (p *planting) check(s *sown, schema *spec.Schema) {
	for _, f := range schema.Check(withoutHidden(s.item), exchange.InBody, "") {
		at, rest := s.node, f.Pointer
		for rest != "" {
			token, more, _ := strings.Cut(rest[1:], "/")
			next := at.At("/" + token)
			if next == nil {
				break
			}
			if at, rest = next, more; more != "" {
				rest = "/" + more
			}
		}
		message := f.Message
		if place := f.Document.String(); place != "" {
			message += " (" + place + ")"
		}
		p.find(at, f.Code, message)
		p.findings[len(p.findings)-1].Document.Pointer += rest // of what is not there
	}
	listed := schema.Properties()
	for _, m := range s.node.Members {
		name := [2]string{s.resource.Name, m.Name}
		if len(listed) == 0 || listed[m.Name] != nil || strings.HasPrefix(m.Name, hidden) || p.warned[name] {
			continue
		}
		p.warned[name] = true
		p.warnings = append(p.warnings, exchange.Finding{
			Code: "unknown-property", Severity: exchange.Warning, Document: s.node.PlaceOf(m.Name),
			Message: fmt.Sprintf("%s have no property %q, so no answer shows it%s", s.resource.Name, m.Name, nearest.Hint(m.Name, slices.Collect(maps.Keys(listed)))),
		})
	}
}
