package mock

import (
	"cmp"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// cover counts what of the document the exchange used.
func (h *handled) cover() {
	if h.operation == nil {
		return
	}
	h.contract.coverage.Count(coverage.Use{
		Operation: h.operation.Operation.Operation, Values: &h.ask.Values,
		Session: h.session.Name, Response: &h.answer.Response,
	})
}

// counts has the coverage of a contract go on from that of the contract in
// force.
func (s *Server) counts(c *contract) {
	c.coverage.Bound(s.options.MaxSessions, func() []string {
		var names []string
		for _, one := range s.sessions.List() {
			names = append(names, one.Name)
		}
		return names
	})
	if before := s.current.Load(); before != nil {
		c.coverage.Replace(before.coverage)
	}
}

// Coverage reports what of the document was used, with the place of each operation,
// parameter, value, media type, status and property. Reaches and Missing query it;
// Text, LCOV and JSON write it.
type Coverage = coverage.Report

// Coverage reports what of the document was used since the server started. Parts
// that a reload keeps keep their counts.
func (s *Server) Coverage() *Coverage { return s.current.Load().coverage.Report() }

// coverage reports what of the document one session used, nil where there is none, or
// all of them.
func (s *Server) coverage(session string, one bool) *Coverage {
	c := s.current.Load().coverage
	if !one {
		return c.Report()
	}
	session = cmp.Or(session, state.Default)
	if report := c.Session(session); report != nil || s.sessions.Lookup(session) == nil {
		return report
	}
	return c.Empty(session)
}

// forgetCoverage drops the counts of a session, "" for those of all.
func (c *contract) forgetCoverage(session string) {
	c.coverage.Forget(func(name string) bool { return session == "" || name == session })
}
