package scenario

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Limits of scenarios that are put while the mock runs.
const (
	MaxPut      = 100      // for all sessions, and for each of them
	MaxPutBytes = 16 << 20 // total size of their texts
)

// Edit derives new changes from changes.
type Edit = func(*Changes) *Changes

// Set is the scenarios for all sessions: the files' scenarios, plus changes. It is immutable; a change returns a new
// one.
type Set struct {
	*Book
	contract *spec.Contract
	files    *Book
	changes  *Changes
	version  uint64               // increases with each change
	resets   map[string]time.Time // see ResetAt
	options  Options
}

// Options of a Set.
type Options struct {
	Seed uint64 // see State
	// Grown is called with a number of bytes when sessions use more memory than Memory has reported.
	Grown func(bytes int64)
	// Dropped is called for scenarios of a session that no longer fit the document.
	Dropped func(exchange.Finding)
}

// NewSet returns the set of the files' scenarios, compiled for a contract.
func NewSet(c *spec.Contract, files *Book, o Options) *Set {
	return &Set{Book: files, contract: c, files: files, options: o}
}

// Follow returns the set with those changes of an earlier one that fit the document. Scenarios with
// unchanged content keep their state in all sessions; reset are the names of the changed ones, which start again at
// the given time. The findings are about changes that do not fit.
func (s *Set) Follow(earlier *Set, at time.Time) (next *Set, reset []string, findings []exchange.Finding) {
	changes, findings := earlier.changes.fitting(s.contract)
	next = s.with(changes, earlier)
	for _, one := range next.Scenarios {
		if before := earlier.Scenario(one.Name); before != nil && before.identity != one.identity {
			next.resets[one.Name] = at
			reset = append(reset, one.Name)
		}
	}
	return next, reset, findings
}

// ResetAt returns when Follow last reset a scenario of the set; the zero time if never.
func (s *Set) ResetAt(one *Scenario) time.Time {
	if known := s.Scenario(one.Name); known == nil || known.identity != one.identity {
		return time.Time{} // the session's own
	}
	return s.resets[one.Name]
}

func (s *Set) with(changes *Changes, earlier *Set) *Set {
	next := &Set{
		Book: changes.book(s.files), contract: s.contract, files: s.files, changes: changes,
		version: earlier.version + 1, resets: map[string]time.Time{}, options: s.options,
	}
	for _, one := range next.Scenarios {
		if at := earlier.ResetAt(one); !at.IsZero() {
			next.resets[one.Name] = at
		}
	}
	return next
}

// Size returns the bytes of the texts that were put for all sessions.
func (s *Set) Size() int { return s.changes.bytes() }

// ErrInvalid is returned if the findings on new texts include errors.
var ErrInvalid = errors.New("a scenario has errors")

// Change changes scenarios for all sessions, completely or not at all. total is the Size of the set and all sessions.
// The findings are on new texts; the error is ErrInvalid, or names the exceeded limit.
func (s *Set) Change(edit Edit, total int) (*Set, []exchange.Finding, error) {
	changes, findings, err := s.changes.edited(s.contract, edit, total)
	if err != nil {
		return nil, findings, err
	}
	return s.with(changes, s), findings, nil
}

func (ch *Changes) edited(c *spec.Contract, edit Edit, total int) (*Changes, []exchange.Finding, error) {
	after := edit(ch)
	if after != nil && len(after.put) > MaxPut {
		return nil, nil, fmt.Errorf("there would be %d scenarios, the limit is %d; delete some", len(after.put), MaxPut)
	}
	if more := after.bytes() - ch.bytes(); more > 0 && total+more > MaxPutBytes {
		const message = "the scenarios of all sessions would have %d bytes, the limit is %d; delete some, or sessions"
		return nil, nil, fmt.Errorf(message, total+more, MaxPutBytes)
	}
	compiled, findings := after.compile(c)
	if broken(findings) {
		return nil, findings, ErrInvalid
	}
	return compiled, findings, nil
}

// Session is the scenario state of one session: its own changes, after the changes for all sessions, and the memory of
// its rules. It is safe for concurrent use. The zero value is a new session.
type Session struct {
	// Now is the clock for its State. Set it before use.
	Now func() time.Time

	mu   sync.Mutex // for writers
	view atomic.Pointer[View]
}

// View is the scenarios of a session with their state, for requests.
type View struct {
	*Book
	State   *State
	set     *Set
	changes *Changes // of the session
}

// View returns the scenarios of the session, with its changes applied to a set.
func (s *Session) View(set *Set) *View {
	if v := s.view.Load(); v != nil && v.set == set {
		return v
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.renew(set)
}

// renew returns the view for this set, and creates it if necessary. The lock is held.
func (s *Session) renew(set *Set) *View {
	last := s.view.Load()
	if last == nil {
		last = &View{State: NewState(), set: &Set{}}
		last.State.Seed, last.State.Grown = set.options.Seed, set.options.Grown
		if s.Now != nil {
			last.State.Now = s.Now
		}
	}
	isOutdated := last.set.version > set.version // the request came before the set was replaced
	if last.set == set || isOutdated && last.set.contract == set.contract {
		return last
	}
	changes, findings := last.changes.fitting(set.contract)
	if isOutdated {
		book := changes.book(set.Book)
		return &View{book, last.State.late(book.Scenarios...), set, changes}
	}
	v := last.with(changes, set)
	for _, f := range findings {
		if f.Severity == exchange.Error && set.options.Dropped != nil {
			set.options.Dropped(f)
		}
	}
	s.view.Store(v)
	return v
}

func (v *View) with(changes *Changes, set *Set) *View {
	book := changes.book(set.Book)
	return &View{book, v.State.resume(book.Scenarios...), set, changes}
}

// Change is like Set.Change, for this session only.
func (s *Session) Change(set *Set, edit Edit, total int) ([]exchange.Finding, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.renew(set)
	changes, findings, err := last.changes.edited(set.contract, edit, total)
	if err == nil {
		s.view.Store(last.with(changes, set))
	}
	return findings, err
}

// Size returns the bytes of the texts that were put for the session.
func (s *Session) Size() int {
	if v := s.view.Load(); v != nil {
		return v.changes.bytes()
	}
	return 0
}

// Memory returns roughly the memory in bytes that a session takes for its rules' memory and its own scenarios.
func (s *Session) Memory(set *Set) int64 {
	const compiled = 8 // bytes of memory for each byte of text
	n := compiled * int64(s.Size())
	if v := s.view.Load(); v != nil {
		n += v.State.itemBytes.Load()
	}
	for _, one := range set.Scenarios {
		n += slotBytes * int64(1+len(one.All))
	}
	return n
}

// Fork returns an independent copy with another clock.
func (s *Session) Fork(now func() time.Time) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	fork := &Session{Now: now}
	if v := s.view.Load(); v != nil {
		state := v.State.fork()
		state.Now = now
		fork.view.Store(&View{v.Book, state, v.set, v.changes})
	}
	return fork
}

// Outcome is the effect of scenarios on a request. Rule is nil if none applies.
type Outcome struct {
	Hit
	Answer Answer // set if there is a Response
	Err    error  // of an expression in the response
}

// Apply finds the rule that applies to a request, in the chosen scenario or, for nil, in the active ones, and makes
// its response. It calls request only if a rule reads it. Findings are about conditions that failed.
func (v *View) Apply(chosen *Scenario, op *spec.Operation, request func() *Request) (Outcome, []exchange.Finding) {
	if chosen == nil {
		chosen = v.Active
	}
	v.State.requests.Add(1)
	rules := chosen.Rules(op)
	var r *Request
	if rules.reads {
		r = request()
	}
	hit, findings := rules.Match(r, v.State)
	outcome := Outcome{Hit: hit}
	if hit.Response != nil {
		outcome.Answer, outcome.Err = hit.Answer(r)
	}
	return outcome, findings
}

// Changes are the differences from a Book: scenarios that were put, deleted or switched. A session's changes apply
// after the changes for all sessions. Nil means no changes. Changes are immutable: each method returns new ones.
type Changes struct {
	replaces bool // the Book's scenarios are removed
	put      []*put
	deleted  map[string]bool // names
	active   map[string]bool
}

type put struct {
	Text
	id       *putID
	compiled *Scenario      // nil if it is not compiled, or has errors
	contract *spec.Contract // the contract that it was compiled for
	findings []exchange.Finding
}

// putID identifies a put: the same text, put again, starts again.
type putID struct{ _ byte }

func newPut(t Text) *put { return &put{Text: t, id: new(putID)} }

// Text is the text of a scenario file, YAML or JSON.
type Text struct {
	Name string
	Text []byte
}

func (ch *Changes) clone() *Changes {
	if ch == nil {
		return &Changes{deleted: map[string]bool{}, active: map[string]bool{}}
	}
	return &Changes{ch.replaces, slices.Clone(ch.put), maps.Clone(ch.deleted), maps.Clone(ch.active)}
}

// Put adds a scenario, or replaces the one with its name. The rules of a new scenario come before all others.
func (ch *Changes) Put(t Text) *Changes {
	c := ch.clone()
	delete(c.active, t.Name)
	if i := c.find(t.Name); i >= 0 {
		c.put[i] = newPut(t)
	} else {
		c.put = slices.Insert(c.put, 0, newPut(t))
	}
	return c
}

// Delete deletes a scenario.
func (ch *Changes) Delete(name string) *Changes {
	c := ch.clone()
	c.put = slices.DeleteFunc(c.put, func(p *put) bool { return p.Name == name })
	delete(c.active, name)
	c.deleted[name] = true
	return c
}

// Switch activates or deactivates a scenario.
func (ch *Changes) Switch(name string, active bool) *Changes {
	c := ch.clone()
	c.active[name] = active
	return c
}

// Replacement replaces all scenarios.
func Replacement(texts []Text) *Changes {
	c := (*Changes)(nil).clone()
	c.replaces = true
	for _, t := range texts {
		c.put = append(c.put, newPut(t))
	}
	return c
}

func (ch *Changes) find(name string) int {
	return slices.IndexFunc(ch.put, func(p *put) bool { return p.Name == name })
}

func (ch *Changes) bytes() (n int) {
	if ch != nil {
		for _, p := range ch.put {
			n += len(p.Text.Text)
		}
	}
	return n
}

// compile compiles new texts for this contract, if necessary, and returns all findings on new texts.
func (ch *Changes) compile(c *spec.Contract) (*Changes, []exchange.Finding) {
	if ch == nil {
		return nil, nil
	}
	compiled := ch.clone()
	var findings []exchange.Finding
	names := map[string]bool{}
	for i, p := range compiled.put {
		if p.contract != c {
			p = compilePut(p.Text, p.id, c)
			compiled.put[i] = p
		}
		findings = append(findings, p.findings...)
		if names[p.Name] {
			findings = append(findings, exchange.Finding{
				Code: CodeName, Document: exchange.Place{File: p.Name + ".yaml"},
				Message: fmt.Sprintf("there are two scenarios %q", p.Name),
			})
		}
		names[p.Name] = true
	}
	return compiled, exchange.Sort(findings)
}

// fitting is compile without the scenarios that have errors.
func (ch *Changes) fitting(c *spec.Contract) (*Changes, []exchange.Finding) {
	compiled, findings := ch.compile(c)
	if compiled != nil {
		compiled.put = slices.DeleteFunc(compiled.put, func(p *put) bool { return p.compiled == nil })
	}
	return compiled, findings
}

func compilePut(t Text, id *putID, c *spec.Contract) *put {
	s, findings, place := parse(c, t.Name+".yaml", t.Text)
	if s.Name != t.Name && !broken(findings) {
		findings = append(findings, exchange.Finding{
			Code:     CodeName,
			Message:  fmt.Sprintf("the name is %q here and %q in the request; leave it out", s.Name, t.Name),
			Document: place,
		})
	}
	s.File, s.identity = "", identity{put: id}
	if broken(findings) {
		s = nil
	}
	return &put{t, id, s, c, findings}
}

// book applies compiled changes to a book. A scenario that was put replaces the one with its name, whose file it keeps,
// or else comes first.
func (ch *Changes) book(base *Book) *Book {
	if ch == nil {
		return base
	}
	var scenarios, first []*Scenario
	placed := map[string]bool{}
	if !ch.replaces {
		for _, s := range base.Scenarios {
			if i := ch.find(s.Name); i >= 0 && ch.put[i].compiled != nil {
				s = ch.put[i].compiled
				placed[s.Name] = true
			} else if ch.deleted[s.Name] {
				continue
			}
			scenarios = append(scenarios, s)
		}
	}
	for _, p := range ch.put {
		if p.compiled != nil && !placed[p.Name] {
			first = append(first, p.compiled)
		}
	}
	scenarios = append(first, scenarios...)
	files := map[string]string{}
	for _, s := range base.Scenarios {
		files[s.Name] = s.File
	}
	for i, s := range scenarios {
		changed := *s
		changed.File = files[s.Name]
		if active, ok := ch.active[s.Name]; ok {
			changed.Active = active
		}
		if changed.Outline != s.Outline {
			scenarios[i] = &changed
		}
	}
	book := newBook(scenarios...)
	book.Files = base.Files
	return book
}
