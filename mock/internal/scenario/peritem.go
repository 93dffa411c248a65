package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/fnv"
	"maps"
	"time"
)

const (
	// maxItems is how many items the rules with for: item of one session remember; the one that was met first is
	// forgotten first.
	maxItems = 10_000
	// maxItemPath is how long a path is remembered as it is, in bytes; a longer one by its hash.
	maxItemPath = 128

	itemBytes = 400 // of memory for each item that is remembered, its path included
	slotBytes = 128 // for each rule
)

// perItem is what rules with for: item remember, by the path of the item. The lock of the State guards it.
type perItem struct {
	byPath map[string]*itemMemory
	order  []string // the paths, the one that was met first first
	bytes  int64    // of memory, about
}

// itemMemory is what is remembered of one item.
type itemMemory struct {
	created time.Time // of the item; zero where that is not known
	slots   map[*Rule]*slot
	current map[*states]int // where it is not that of the session
	key     uint64          // of random draws
}

// find gives what is remembered of an item. One that was created anew is another item.
func (p *perItem) find(path string, created time.Time) *itemMemory {
	m := p.byPath[path]
	switch {
	case m != nil && (created.IsZero() || m.created.Equal(created)):
		return m
	case m != nil:
		p.bytes -= slotBytes * int64(len(m.slots))
	case p.byPath == nil:
		p.byPath = map[string]*itemMemory{}
		fallthrough
	default:
		if len(p.order) == maxItems {
			p.forget(p.order[0])
			p.order = p.order[1:]
		}
		p.order = append(p.order, path)
		p.bytes += itemBytes
	}
	h := fnv.New64a()
	h.Write([]byte(path))
	m = &itemMemory{created: created, slots: map[*Rule]*slot{}, current: map[*states]int{}, key: h.Sum64()}
	p.byPath[path] = m
	return m
}

func (p *perItem) forget(path string) {
	p.bytes -= itemBytes + slotBytes*int64(len(p.byPath[path].slots))
	delete(p.byPath, path)
}

func (p *perItem) slot(m *itemMemory, r *Rule) *slot {
	s := m.slots[r]
	if s == nil {
		s = &slot{}
		m.slots[r] = s
		p.bytes += slotBytes
	}
	return s
}

// continued gives a copy with what is remembered of some rules.
func (p *perItem) continued(rules map[*Rule]*slot, current map[*states]int) perItem {
	to := perItem{byPath: make(map[string]*itemMemory, len(p.byPath)), bytes: p.bytes}
	for _, path := range p.order {
		from := p.byPath[path]
		m := &itemMemory{from.created, map[*Rule]*slot{}, maps.Clone(from.current), from.key}
		for rule, s := range from.slots {
			if rules[rule] != nil {
				m.slots[rule] = s.clone()
			}
		}
		maps.DeleteFunc(m.current, func(s *states, _ int) bool { _, known := current[s]; return !known })
		to.bytes -= slotBytes * int64(len(from.slots)-len(m.slots))
		to.byPath[path], to.order = m, append(to.order, path)
	}
	return to
}

// reset forgets what the rules of a scenario have counted.
func (p *perItem) reset(s *Scenario) {
	for _, m := range p.byPath {
		for _, rule := range s.All {
			if m.slots[rule] != nil {
				delete(m.slots, rule)
				p.bytes -= slotBytes
			}
		}
		delete(m.current, s.states)
	}
}

// itemKey gives the path by which an item is remembered.
func itemKey(path string) string {
	if len(path) <= maxItemPath {
		return path
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])
}
