// Package coverage counts which parts of a document are used: operations, parameters, enum values, media types,
// statuses and the properties of bodies, each with its place in the document, for all sessions together and for each.
// An operation is laid out at its first use (layout.go), so a large document costs nothing at start; counting takes
// no lock (tally.go); responses are read in their encoded form (walk.go).
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

// Coverage counts the use of one contract. It is safe for concurrent use.
type Coverage struct {
	contract    *spec.Contract
	operations  []*operationCounts // in the document's order
	byOp        map[*spec.Operation]*operationCounts
	byName      map[string]*operationCounts // "METHOD path"
	limit       int
	constraints bool
	live        func() []string // returns the names of the existing sessions

	sessions atomic.Pointer[map[string]*tally] // replaced, not changed
	mu       sync.Mutex                        // held while sessions is replaced
	next     atomic.Pointer[Coverage]          // of the contract that replaced this one; nil if none
	laid     atomic.Int64                      // points of the operations that are laid out
}

// SessionMemory returns the maximum memory of the counts of one session, in bytes.
func (c *Coverage) SessionMemory() int64 { return int64(len(c.operations))*8 + c.laid.Load()/8 }

// operationCounts are the counts of one operation over all sessions.
type operationCounts struct {
	*spec.Operation
	index int
	once  sync.Once
	laid  *layout
	total counters
	used  atomic.Bool

	constraints bool // constraints are laid out too
}

// defaultSessions is the default number of sessions with counts.
const defaultSessions = 1000

// New returns a coverage with all counts at zero.
func New(c *spec.Contract) *Coverage {
	coverage := &Coverage{
		contract: c,
		byOp:     make(map[*spec.Operation]*operationCounts, len(c.Operations)),
		byName:   make(map[string]*operationCounts, len(c.Operations)),
		limit:    2 * defaultSessions,
		live:     func() []string { return nil },
	}
	coverage.sessions.Store(&map[string]*tally{})
	for i, op := range c.Operations {
		o := &operationCounts{Operation: op, index: i}
		coverage.operations = append(coverage.operations, o)
		coverage.byOp[op] = o
		coverage.byName[op.Method+" "+op.Path] = o
	}
	return coverage
}

// Bound sets the number of concurrent sessions, 0 for 1,000, and the function that returns their names. When twice as
// many sessions have counts, the counts of deleted sessions are dropped. Call it before anything is counted.
func (c *Coverage) Bound(sessions int, live func() []string) {
	if sessions <= 0 {
		sessions = defaultSessions
	}
	c.limit, c.live = 2*sessions, live
}

// Use is one exchange to count.
type Use struct {
	Operation *spec.Operation
	Values    *decode.Values // nil if only the response counts
	Session   string
	Broken    *exchange.Finding // the one constraint that the request violates on purpose; nil if none
	Response  *exchange.Response
	Repeated  *Repeated // set if the response has this remembered body; nil otherwise
	Written   []byte    // the response's body before links in it were changed; nil if they were not
	Parts     []*Part   // parts of this body, in order
}

// Repeated is a body that several responses share. For one session it is read only once in a row.
type Repeated struct {
	first atomic.Pointer[atomic.Uint64] // the session that it was last counted for, by its bits
}

// isNew reports whether a body must be counted for a session, because it was last counted for another.
func (r *Repeated) isNew(m *marks) bool {
	return r == nil || len(m.own) == 0 || r.first.Swap(&m.own[0]) != &m.own[0]
}

// Part is an array element, an object, that several responses share. With it, a list of thirty 20 kB items with one
// new item is counted in 0.1 ms instead of 1.1 (BenchmarkLargeAnswer).
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

// use counts a request to an operation, which must be laid out.
func (c *Coverage) use(o *operationCounts) {
	if !o.used.Load() && o.used.CompareAndSwap(false, true) {
		c.laid.Add(int64(len(o.laid.points)))
	}
}

func (m *marks) request(o *operationCounts, l *layout, v *decode.Values) {
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

// textOf returns bytes, which must not change meanwhile, as a string.
func textOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// body returns the entry for a Content-Type: exact ones before ranges.
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

// session returns the counts of one session, and creates them if necessary.
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
