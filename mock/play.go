package mock

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// Bounds of the scenarios that are put while the mock runs.
const (
	maxPut      = 100      // for all sessions, and for each of them
	maxPutBytes = 16 << 20 // of text, of all together
)

// play is the scenarios as one session sees them: those for all with its own
// changes, and what their rules remember.
type play struct {
	in       *contract // that it was made for
	book     *scenario.Book
	counters *scenario.State
}

// plays is what a session has of scenarios. Requests read one pointer; both are
// written under the lock of the memory that they belong to.
type plays struct {
	current atomic.Pointer[play]
	changes atomic.Pointer[scenario.Changes]
}

// fork copies what a session has.
func (p *plays) fork(to *plays) {
	to.changes.Store(p.changes.Load())
	if last := p.current.Load(); last != nil {
		to.current.Store(&play{last.in, last.book, last.counters.Fork()})
	}
}

// play gives the scenarios of a session for a contract.
func (m *memory) play(s *Server, c *contract) *play {
	if p := m.current.Load(); p != nil && p.in == c {
		return p
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.renew(s, c)
}

// renew is play under the lock, which makes the session's scenarios where there
// are none yet for this contract.
func (m *memory) renew(s *Server, c *contract) *play {
	last := m.current.Load()
	if last != nil && (last.in == c || last.in.version > c.version && last.in.Contract == c.Contract) {
		return last
	}
	changes, findings := m.changes.Load().Fitting(c.Contract)
	p := s.newPlay(c, changes.Book(c.book), last)
	if last != nil && last.in.version > c.version {
		return p // for a request that came before a reload
	}
	for _, f := range findings {
		if f.Severity == exchange.Error {
			s.log.note("a session loses a scenario that no longer fits the document: %s", f)
		}
	}
	m.changes.Store(changes)
	m.current.Store(p)
	return p
}

// newPlay goes on with the counters of an earlier one.
func (s *Server) newPlay(c *contract, book *scenario.Book, last *play) *play {
	p := &play{in: c, book: book}
	if last != nil {
		p.counters = book.Continue(last.counters)
		return p
	}
	p.counters = book.NewState()
	p.counters.Seed, p.counters.Now = s.options.Seed, s.options.Clock
	return p
}

// scenarioControl is what the control API may do with scenarios.
func (s *Server) scenarioControl() control.Scenarios {
	return control.Scenarios{
		Of: func(session *string) (*scenario.Book, []*scenario.State, *control.Failure) {
			c := s.current.Load()
			if session == nil {
				var states []*scenario.State
				for _, one := range s.sessions.List() {
					states = append(states, one.Value().play(s, c).counters)
				}
				return c.book, states, nil
			}
			found, failure := s.sessionFor(*session)
			if failure != nil {
				return nil, nil, failure
			}
			p := found.Value().play(s, c)
			return p.book, []*scenario.State{p.counters}, nil
		},
		Change: s.changeScenarios,
	}
}

// sessionFor gives the session of a name, which is made where there is none.
func (s *Server) sessionFor(name string) (*session, *control.Failure) {
	found, err := s.sessions.Get(name)
	if err != nil {
		return nil, &control.Failure{Status: 400, Detail: err.Error()}
	}
	return found, nil
}

// changeScenarios changes the scenarios of one session, or those for all. The
// findings are on the scenarios that are put; where one is an error, nothing is
// changed.
func (s *Server) changeScenarios(name *string, edit func(*scenario.Changes) *scenario.Changes) ([]exchange.Finding, *control.Failure) {
	s.changing.Lock()
	defer s.changing.Unlock()
	c := s.current.Load()
	if name == nil {
		changes, findings, failure := s.edited(c, s.changes, edit)
		if failure != nil {
			return findings, failure
		}
		s.changes = changes
		changed := *c
		changed.version++
		changed.book = changes.Book(c.loaded)
		s.current.Store(&changed)
		return findings, nil
	}
	found, failure := s.sessionFor(*name)
	if failure != nil {
		return nil, failure
	}
	m := found.Value()
	m.mu.Lock()
	defer m.mu.Unlock()
	last := m.renew(s, c)
	changes, findings, failure := s.edited(c, m.changes.Load(), edit)
	if failure != nil {
		return findings, failure
	}
	m.changes.Store(changes)
	m.current.Store(s.newPlay(c, changes.Book(c.book), last))
	return findings, nil
}

// edited changes scenarios within the bounds and compiles them.
func (s *Server) edited(c *contract, before *scenario.Changes, edit func(*scenario.Changes) *scenario.Changes) (*scenario.Changes, []exchange.Finding, *control.Failure) {
	after := edit(before)
	_, had := before.Size()
	count, bytes := after.Size()
	if count > maxPut {
		return nil, nil, &control.Failure{Status: 409, Detail: fmt.Sprintf("there would be %d scenarios, the limit is %d; delete some", count, maxPut)}
	}
	if all := s.putBytes() + bytes - had; bytes > had && all > maxPutBytes {
		return nil, nil, &control.Failure{Status: 409, Detail: fmt.Sprintf("the scenarios of all sessions would have %d bytes, the limit is %d; delete some, or sessions", all, maxPutBytes)}
	}
	compiled, findings := after.Compile(c.Contract)
	for _, f := range findings {
		if f.Severity == exchange.Error {
			return nil, findings, &control.Failure{Status: 422, Findings: findings}
		}
	}
	return compiled, findings, nil
}

// putBytes gives the size of what was put for all sessions and for each.
func (s *Server) putBytes() int {
	_, all := s.changes.Size()
	for _, one := range s.sessions.List() {
		_, bytes := one.Value().changes.Load().Size()
		all += bytes
	}
	return all
}

// choose finds the scenario that a request asks for, nil where it asks for none.
func (p *play) choose(preferences *prefer.Preferences) (*scenario.Scenario, *respond.Refusal) {
	if !preferences.Has(prefer.Scenario) {
		return nil, nil
	}
	name := preferences.Scenario
	if chosen := p.book.Scenario(name); chosen != nil {
		return chosen, nil
	}
	loaded := "none is loaded (option scenario)"
	if names := p.book.Names(); len(names) > 0 {
		loaded = "loaded: " + strings.Join(names, ", ")
	}
	preferences.Given &^= prefer.Of(prefer.Scenario) // it is not applied
	return nil, malformedPreference(fmt.Sprintf("there is no scenario %q; %s", name, loaded))
}
