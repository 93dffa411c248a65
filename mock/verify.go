package mock

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/verify"
)

// Reset begins again: without sessions, with the items of the start, the
// scenarios that were loaded at their first answer and an empty journal.
func (s *Server) Reset() {
	for _, session := range s.sessions.List() {
		s.sessions.Delete(session.Name) // Default stays, as new
	}
	s.changeScenarios(nil, func(*scenario.Changes) *scenario.Changes { return nil })
	s.forgetCoverage("")
	s.journal.Clear()
}

// Requests gives the exchanges of the journal, oldest first. They are shared:
// read them only. Nothing is kept with a negative Options.Journal.
func (s *Server) Requests() []*journal.Entry {
	entries, _ := s.journal.Entries()
	return entries
}

// Expectation says which exchanges the journal is expected to have. The zero
// value expects at least one, of any operation.
type Expectation = client.Expectation

// Step is one exchange of Expectation.Sequence.
type Step = client.Step

// VerifyError says how the journal is not as expected, or what is wrong with
// the expectation.
type VerifyError = client.Problem

// Verify compares the journal with an expectation. The error is a *VerifyError.
func (s *Server) Verify(e Expectation) error {
	if s.journal == nil {
		return &VerifyError{Detail: "no journal is kept; see Options.Journal"}
	}
	_, problem, findings := verify.Check(s.evidence(), e)
	switch {
	case len(findings) > 0:
		return &VerifyError{Status: 422, Detail: exchange.Join(findings)}
	case problem != nil:
		return problem
	}
	return nil
}

// evidence is what expectations are compared with.
func (s *Server) evidence() verify.Evidence {
	return verify.Evidence{Journal: s.journal, Contract: s.current.Load().Contract, Request: s.seen}
}
