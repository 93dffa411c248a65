package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/fnv"
	"maps"
	"time"
)

const (
	// maxItems limits the items that rules with for: item remember in one session; the oldest is forgotten first.
	maxItems = 10_000
	// maxItemPath limits a remembered path, in bytes; a longer one is remembered by its hash.
	maxItemPath = 128

	itemBytes = 400 // memory for each remembered item, including its path
	slotBytes = 128 // memory for each rule of an item
)

// perItem is the memory of rules with for: item, by the path of the item. The lock of the State guards it.
type perItem struct {
	byPath map[string]*itemMemory
	order  []string // the paths, oldest first
	bytes  int64    // of memory, roughly
}

// itemMemory is the memory of one item.
type itemMemory struct {
	created time.Time       // creation of the item; zero if unknown
	slots   map[*slot]*slot // by the rule's slot of the session
	current map[*tally]int  // if it differs from the state of the session
	key     uint64          // for random draws
}

// find returns the memory of an item. An item that was created again is another item.
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
	m = &itemMemory{created: created, slots: map[*slot]*slot{}, current: map[*tally]int{}, key: h.Sum64()}
	p.byPath[path] = m
	return m
}

func (p *perItem) forget(path string) {
	p.bytes -= itemBytes + slotBytes*int64(len(p.byPath[path].slots))
	delete(p.byPath, path)
}

// slot returns an item's slot for the rule with the given slot of the session.
func (p *perItem) slot(m *itemMemory, total *slot) *slot {
	s := m.slots[total]
	if s == nil {
		s = &slot{tally: total.tally}
		m.slots[total] = s
		p.bytes += slotBytes
	}
	return s
}

// fork returns a copy for copied slots and tallies. Entries of others are left out.
func (p *perItem) fork(slots map[*slot]*slot, tallies map[*tally]*tally) perItem {
	to := perItem{byPath: make(map[string]*itemMemory, len(p.byPath))}
	for _, path := range p.order {
		from := p.byPath[path]
		m := &itemMemory{from.created, map[*slot]*slot{}, map[*tally]int{}, from.key}
		for total, s := range from.slots {
			if copied := slots[total]; copied != nil {
				m.slots[copied] = s.clone(copied.tally)
			}
		}
		for t, number := range from.current {
			if copied := tallies[t]; copied != nil {
				m.current[copied] = number
			}
		}
		to.bytes += itemBytes + slotBytes*int64(len(m.slots))
		to.byPath[path], to.order = m, append(to.order, path)
	}
	return to
}

// retain removes entries of tallies that are not kept.
func (p *perItem) retain(isKept func(*tally) bool) {
	for _, m := range p.byPath {
		for total := range m.slots {
			if !isKept(total.tally) {
				delete(m.slots, total)
				p.bytes -= slotBytes
			}
		}
		maps.DeleteFunc(m.current, func(t *tally, _ int) bool { return !isKept(t) })
	}
}

// forgetTally removes the counts of a scenario's rules.
func (p *perItem) forgetTally(t *tally) { p.retain(func(one *tally) bool { return one != t }) }

// itemKey returns the key of an item's path.
func itemKey(path string) string {
	if len(path) <= maxItemPath {
		return path
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])
}
