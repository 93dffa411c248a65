package coverage

import (
	"encoding/json"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/jsontext"
)

type counters []atomic.Uint64

type bits []atomic.Uint64

// set writes only new bits, so that processors need not exchange cache lines.
func (b bits) set(i int) {
	if word, bit := &b[i/64], uint64(1)<<(i%64); word.Load()&bit == 0 {
		word.Or(bit)
	}
}

func (b bits) has(i int) bool { return b[i/64].Load()&(1<<(i%64)) != 0 }

// tally is the coverage of one session: a bit for each point of the operations that it has used.
type tally struct{ operations []atomic.Pointer[bits] }

// of returns the session's bits for an operation that is laid out; nil without a session.
func (t *tally) of(o *operationCounts) bits {
	if t == nil {
		return nil
	}
	at := &t.operations[o.index]
	if b := at.Load(); b != nil {
		return *b
	}
	fresh := make(bits, (len(o.laid.points)+63)/64)
	if at.CompareAndSwap(nil, &fresh) {
		return fresh
	}
	return *at.Load()
}

// marks collects the counts of one exchange.
type marks struct {
	total counters
	own   bits // of the session; nil if none
}

func (m *marks) hit(i int) {
	m.total[i].Add(1)
	if m.own != nil {
		m.own.set(i)
	}
}

// see is hit for parts of responses: it writes only new ones.
func (m *marks) see(i int) {
	if m.total[i].Load() == 0 {
		m.total[i].CompareAndSwap(0, 1)
	}
	if m.own != nil {
		m.own.set(i)
	}
}

// complete reports whether everything inside of a field is already counted, so that it need not be read. With it,
// counting takes 4 % of a creation of a 20 kB item, and 9 % without (BenchmarkLargeAnswer).
func (m *marks) complete(f *field) bool {
	for i := f.first; i < f.end; i++ {
		if m.total[i].Load() == 0 || m.own != nil && !m.own.has(i) {
			return false
		}
	}
	return f.reaches == nil || m.complete(f.reaches)
}

// maxItems limits the items of an array that are counted.
const maxItems = 100

func (m *marks) value(f *field, value any) {
	if f == nil {
		return
	}
	if f.point > 0 {
		m.hit(f.point)
	}
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range f.inside().properties {
			if value, ok := v[name]; ok {
				m.value(inner, value)
			}
		}
	case []any:
		if of := f.inside().item; of != nil {
			for _, item := range v[:min(len(v), maxItems)] {
				m.value(of, item)
			}
		}
	case string:
		m.enum(f.texts[v])
	case json.Number:
		m.enum(f.others[string(v)])
	case bool:
		m.enum(f.others[strconv.FormatBool(v)])
	case nil:
		m.enum(f.others["null"])
	}
}

// members is value for an object that has not been decoded.
func (m *marks) members(f *field, object *jsontext.Flat) {
	if f == nil {
		return
	}
	if f.point > 0 {
		m.hit(f.point)
	}
	properties := f.inside().properties
	for i := range object.Len() {
		switch p := properties[object.Name(i)]; {
		case p == nil:
		case len(p.texts)+len(p.others) > 0:
			m.value(p, jsontext.PlainValue(object.JSON(i)))
		case p.point > 0:
			m.hit(p.point)
		}
	}
}

// enum counts a value of an enum; 0 means no value.
func (m *marks) enum(i int) {
	if i > 0 {
		m.hit(i)
	}
}

func raise(counter *atomic.Uint64, n uint64) {
	for {
		have := counter.Load()
		if have >= n || counter.CompareAndSwap(have, n) {
			return
		}
	}
}

// Replace takes over the counts of the previous document's coverage for all parts that still exist: by operation,
// kind, name and parent (two media types may have a property of the same name). Exchanges in flight are counted in
// both.
func (c *Coverage) Replace(before *Coverage) {
	before.next.Store(c)
	for _, o := range before.operations {
		if o.used.Load() {
			c.take(before, o)
		}
	}
}

// take takes over the counts of one operation. It may be repeated.
func (c *Coverage) take(before *Coverage, o *operationCounts) {
	own := c.byName[o.Method+" "+o.Path]
	if own == nil {
		return
	}
	l := own.lay()
	c.use(own)
	type identity struct {
		kind, name string
		within     int // index of the new parent point
	}
	index := make(map[identity]int, len(l.points))
	for i, p := range l.points {
		index[identity{p.kind, p.name, p.within}] = i
	}
	points := o.lay().points
	moved := make([]int, len(points)) // new index of each point; -1 if none. Parents come first
	for i, p := range points {
		at, ok := index[identity{p.kind, p.name, moved[p.within]}]
		if !ok {
			at = -1
		}
		if moved[i] = at; ok {
			raise(&own.total[at], o.total[i].Load())
		}
	}
	sessions, names := *before.sessions.Load(), []string(nil)
	for name, t := range sessions {
		if t.operations[o.index].Load() != nil {
			names = append(names, name)
		}
	}
	known := c.begin(slices.Clone(names)...) // all at once: each call copies what is known
	for _, name := range names {
		used, mine := *sessions[name].operations[o.index].Load(), known[name].of(own)
		if mine == nil {
			continue
		}
		for i, at := range moved {
			if at >= 0 && used.has(i) {
				mine.set(at)
			}
		}
	}
	if next := c.next.Load(); next != nil {
		next.take(c, own)
	}
}
