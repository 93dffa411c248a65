package mock

import (
	"slices"
	"time"

	"github.com/coldframe/coldframe/mock/journal"
)

// now is when an exchange begins; where nobody keeps or logs it, nobody asks.
func (s *Server) now() time.Time {
	if s.journal != nil {
		return s.journal.Now()
	}
	return s.log.now()
}

// record keeps the exchange in the journal, without its credentials.
func (x *visit) record(began time.Time) {
	if x.journal == nil {
		return
	}
	e := &journal.Entry{
		Time:     began,
		Delay:    x.delay,
		Request:  *x.in.secrets.Redact(x.request),
		Response: x.response,
		Fault:    string(x.fault),
		Findings: slices.Clone(x.findings),
	}
	e.Response.Header = slices.Clone(x.response.Header) // x.room must not be kept
	if o := x.operation; o != nil {
		e.Operation = journal.Operation{ID: o.ID, Method: o.Method, Path: o.Path}
	}
	if x.rule != nil {
		e.Scenario, e.Rule = x.rule.Scenario, x.rule.Number
	}
	x.journal.Record(e)
}
