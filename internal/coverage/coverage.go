// Package coverage counts what of a document consumers really use: operations, parameters, values of enums,
// media types, statuses and the properties of bodies, each with its place in the document, for all together
// and for each session. What an operation has is laid out when it is first asked for (layout.go), so a large
// document costs nothing at start; counting takes no lock (tally.go); responses are read as they were written
// (walk.go).
package coverage

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Coverage counts for one contract. It is safe for concurrent use.
type Coverage struct {
	contract    *spec.Contract
	operations  []*operation // in the document's order
	byOp        map[*spec.Operation]*operation
	byName      map[string]*operation // "METHOD path"
	limit       int
	constraints bool
	live        func() []string // gives the names of the sessions that there are

	sessions atomic.Pointer[map[string]*tally] // replaced, never changed
	mu       sync.Mutex                        // of those who replace sessions
	next     atomic.Pointer[Coverage]          // that of the contract that came after; nil for none
	laid     atomic.Int64                      // points of the operations that are laid out
}

// SessionMemory is the most bytes of memory that the counts of one session take.
func (c *Coverage) SessionMemory() int64 { return int64(len(c.operations))*8 + c.laid.Load()/8 }

// operation is one operation with its counts over all sessions.
type operation struct {
	*spec.Operation
	index int
	once  sync.Once
	laid  *layout
	total counters
	used  atomic.Bool

	constraints bool // are laid out too
}

// defaultSessions is how many sessions are counted for where nobody says.
const defaultSessions = 1000

// New begins to count at zero.
func New(c *spec.Contract) *Coverage {
	coverage := &Coverage{
		contract: c,
		byOp:     make(map[*spec.Operation]*operation, len(c.Operations)),
		byName:   make(map[string]*operation, len(c.Operations)),
		limit:    2 * defaultSessions,
		live:     func() []string { return nil },
	}
	coverage.sessions.Store(&map[string]*tally{})
	for i, op := range c.Operations {
		o := &operation{Operation: op, index: i}
		coverage.operations = append(coverage.operations, o)
		coverage.byOp[op] = o
		coverage.byName[op.Method+" "+op.Path] = o
	}
	return coverage
}

// Bound says how many sessions there may be at a time, 0 for 1,000, and how to
// learn which there are: when twice as many have been counted for, the counts of
// those that are gone are dropped. It is called before anything is counted.
func (c *Coverage) Bound(sessions int, live func() []string) {
	if sessions <= 0 {
		sessions = defaultSessions
	}
	c.limit, c.live = 2*sessions, live
}

// Use is one exchange.
type Use struct {
	Operation *spec.Operation
	Values    *decode.Values // nil where the operation was not asked for, and only the response counts
	Session   string
	Broken    *exchange.Finding // the one constraint that the request was made to break; nil for none
	Response  *exchange.Response
	Repeated  *Repeated // whose body the response has; nil for none
	Written   []byte    // the response's body before links in it were changed; nil where they were not
	Parts     []*Part   // of that body, in its order
}

// Repeated is a body that several responses have. What it has is looked for once in a row for each session.
type Repeated struct {
	first atomic.Pointer[atomic.Uint64] // of the bits of the session that it was counted for last
}

// isNew reports whether a body is to be counted for a session: it was not what was counted last.
func (r *Repeated) isNew(m *marks) bool {
	return r == nil || len(m.own) == 0 || r.first.Swap(&m.own[0]) != &m.own[0]
}

// Part is an element of an array that several responses have: an object. A list of thirty 20 kB items of which one is
// new is counted in 0.1 ms, and in 1.1 without this (BenchmarkLargeAnswer).
type Part struct {
	JSON []byte
	Repeated
}

// Count counts an exchange.
func (c *Coverage) Count(u Use) {
	o := c.byOp[u.Operation]
	if o == nil {
		return
	}
	l := o.lay()
	c.use(o)
	m := marks{o.total, c.session(u.Session).of(o)}
	if u.Values != nil {
		m.request(o, l, u.Values)
	}
	if u.Broken != nil {
		if at := l.broken(u.Broken); at > 0 {
			m.hit(at)
		}
	}
	if r := l.responses[o.Response(u.Response.Status)]; r != nil {
		m.hit(r.status)
		m.response(r, u)
	}
	if next := c.next.Load(); next != nil { // the document was replaced meanwhile
		next.take(c, o)
	}
}

// use says that an operation, which is laid out, was asked for.
func (c *Coverage) use(o *operation) {
	if !o.used.Load() && o.used.CompareAndSwap(false, true) {
		c.laid.Add(int64(len(o.laid.points)))
	}
}

func (m *marks) request(o *operation, l *layout, v *decode.Values) {
	m.hit(0)
	for i, p := range o.Parameters {
		if value, ok := v.In(p.In)[p.Name]; ok {
			m.value(l.parameters[i], value)
		}
	}
	if v.HasBody && v.MediaType != nil {
		if b := l.request[v.MediaType]; b != nil {
			m.hit(b.media)
			if flat := v.Flat(); flat == nil {
				m.value(b.root, v.Body())
			} else {
				m.members(b.root, flat)
			}
		}
	}
}

func (m *marks) response(r *response, u Use) {
	body := u.Response.Body
	if u.Written != nil {
		body = u.Written
	}
	if len(body) == 0 {
		return
	}
	kind, _ := u.Response.Header.Get("Content-Type")
	b := r.body(kind)
	if b == nil {
		return
	}
	m.hit(b.media)
	if isNew := u.Repeated.isNew(m); b.root != nil && isNew && !m.complete(b.root) {
		walk(textOf(body), b.root, m, u.Parts)
	}
}

// textOf returns bytes that do not change meanwhile.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// body finds the entry that a Content-Type is of: exact before ranges.
func (r *response) body(contentType string) *body {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.TrimSpace(kind)
	var best *body
	rank := 0
	for _, b := range r.content {
		at := 0
		switch slash := strings.IndexByte(kind, '/'); {
		case strings.EqualFold(contentType, b.Range):
			at = 4
		case strings.EqualFold(kind, b.kind):
			at = 3
		case slash > 0 && b.Subtype == "*" && strings.EqualFold(kind[:slash], b.Type):
			at = 2
		case b.Type == "*":
			at = 1
		}
		if at > rank {
			best, rank = b, at
		}
	}
	return best
}

// session returns what one session has used so far, nil if there are too many sessions.
func (c *Coverage) session(name string) *tally {
	if t := (*c.sessions.Load())[name]; t != nil {
		return t
	}
	return c.begin(name)[name]
}

// begin begins to count for sessions, unless there are too many, and returns what every session has used so far.
func (c *Coverage) begin(names ...string) map[string]*tally {
	c.mu.Lock()
	defer c.mu.Unlock()
	after := maps.Clone(*c.sessions.Load())
	if len(after)+len(names) > c.limit {
		live := map[string]bool{}
		for _, name := range c.live() {
			live[name] = true
		}
		hasEnded := func(name string) bool { return !live[name] }
		maps.DeleteFunc(after, func(name string, _ *tally) bool { return hasEnded(name) })
		if len(names) > 1 { // a request's own session may be too new to be listed
			names = slices.DeleteFunc(names, hasEnded)
		}
	}
	for _, name := range names {
		if after[name] == nil && len(after) < c.limit {
			after[strings.Clone(name)] = &tally{make([]atomic.Pointer[bits], len(c.operations))}
		}
	}
	c.sessions.Store(&after)
	return after
}

// Forget drops the counts of sessions.
func (c *Coverage) Forget(which func(session string) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	after := maps.Clone(*c.sessions.Load())
	maps.DeleteFunc(after, func(name string, _ *tally) bool { return which(name) })
	c.sessions.Store(&after)
}
