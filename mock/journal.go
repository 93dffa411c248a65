package mock

import (
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
	"github.com/coldframe/coldframe/mock/internal/verify"
)

// passed is what an exchange does not say of its way through a proxy. The zero value is for responses of the mock.
type passed struct {
	path              string // of the upstream; "" if nothing was forwarded
	request, response int    // sizes of bodies of which only the beginning is known, in bytes; 0 for others
}

// record adds an exchange to the journal and to the recording, if there are any.
func (s *Server) record(x *exchanged, began time.Time, p passed) {
	if s.journal == nil && s.recording == nil {
		return
	}
	e := entryOf(x, began)
	e.RequestSize, e.ResponseSize = p.request, p.response
	if p.path != "" {
		e.Why.Source = journal.Upstream
	}
	if s.recording != nil {
		s.recordHAR(e, p.path)
	}
	if s.journal != nil {
		s.journal.Record(e)
	}
}

// entryOf returns the journal's entry of an exchange, without its credentials.
func entryOf(x *exchanged, began time.Time) *journal.Entry {
	e := &journal.Entry{
		Time:     began,
		Delay:    x.delay,
		Response: x.answer.Response,
		Fault:    string(x.fault),
		Findings: x.credentials().HideFindings(slices.Clone(x.findings)),
		Notes:    x.notes,
		Consumer: x.consumer,
		Mocked:   x.ask.Mocked,
		Merged:   x.merged,
		Replayed: x.replayed,
		Why:      whyOf(x),
		Writes:   x.account.Writes,
	}
	e.Response.Body = x.credentials().HideBytes(x.recorded)
	e.Response.Header = slices.Clone(x.contract.secrets.RedactHeader(x.answer.Header)) // which is part of the answer
	sent := x.credentials()
	e.Request = x.redact().request
	if sent != nil { // the path, a link or a scenario's response may repeat a credential
		e.Request.Path, e.Request.Query = sent.Hide(e.Request.Path), sent.Hide(e.Request.Query)
		e.Request.Header, e.Request.Body = sent.HideHeader(e.Request.Header), sent.HideBytes(e.Request.Body)
		e.Response.Header = sent.HideHeader(e.Response.Header)
		e.Why.Collection, e.Why.Key = sent.Hide(e.Why.Collection), sent.Hide(e.Why.Key)
		e.Writes = slices.Clone(e.Writes)
		for i := range e.Writes {
			e.Writes[i].Collection, e.Writes[i].Key = sent.Hide(e.Writes[i].Collection), sent.Hide(e.Writes[i].Key)
		}
	}
	if x.session.Name != state.Default {
		e.Session = x.session.Name
	}
	if o := x.operation; o != nil {
		e.Operation = journal.Operation{ID: o.ID, Method: o.Method, Path: o.Path}
	}
	if x.rule != nil {
		e.Scenario, e.Rule = x.rule.Scenario, x.rule.Number
	}
	return e
}

// whyOf says what made a response.
func whyOf(x *exchanged) journal.Why {
	w := journal.Why{Source: journal.Generated, Collection: x.account.Collection, Key: x.account.Key}
	if x.operation != nil && w.Collection != "" {
		w.Role = x.operation.role
	}
	switch {
	case x.answer.Refused:
		w.Source = journal.Refused
	case x.replayed != "":
		w.Source = journal.Recording
	case x.scripted:
		w.Source = journal.Scenario
	case x.operation == nil:
		w.Source = journal.Control
	case x.account.Answers:
		w.Source = journal.State
	case x.answer.Example:
		w.Source = journal.Example
	}
	return w
}

// seen returns an exchange of the journal as conditions see it.
func (c *contract) seen(e *journal.Entry) *scenario.Request {
	request := e.Request
	requestCut, responseCut := e.Cut()
	if requestCut {
		request.Body = nil // a truncated body is null
	}
	var match route.Match
	var values decode.Values
	if o, _ := c.find(&request, &match); o != nil {
		values, _ = o.validator.Decode(&request, match.Values)
	} else {
		values.SetBody(bodyValue(request.Header, request.Body))
	}
	seen := scenarioRequest(&request, &values)
	var body any
	if !responseCut {
		body = bodyValue(e.Response.Header, e.Response.Body)
	}
	seen.WithResponse(e.Response.Status, e.Response.Header, body)
	return seen
}

func bodyValue(h exchange.Header, body []byte) any {
	contentType, _ := h.Get("Content-Type")
	return jsontext.DecodeBody(contentType, body)
}

// redaction is the credentials of a request, and the request without them.
type redaction struct {
	sent    auth.Sent
	request exchange.Request
}

// credentials returns the credentials of the request.
func (x *incoming) credentials() auth.Sent { return x.redact().sent }

// redact separates the credentials from the request at the first call.
func (x *incoming) redact() *redaction {
	if x.redaction == nil {
		sent := x.ask.Request
		if packed, _ := sent.Header.Get("Content-Encoding"); packed != "" && !x.ask.Unpacked && len(sent.Body) > 0 {
			hidden := *sent
			hidden.Body = []byte(auth.Redacted) // nobody has looked into the body
			sent = &hidden
		}
		r := &redaction{}
		r.sent = x.contract.secrets.Take(&r.request, sent)
		x.redaction = r
	}
	return x.redaction
}

// Reset restores the state of the start: no sessions, the items of Options.State.Data, the scenarios of
// Options.Scenarios, an empty journal, no coverage.
func (s *Server) Reset() {
	for _, session := range s.sessions.List() {
		s.sessions.Delete(session.Name) // Default stays, as a new session
	}
	s.changeScenarios(nil, func(*scenario.Changes) *scenario.Changes { return nil })
	s.current.Load().coverage.Forget(func(string) bool { return true })
	s.journal.Clear()
}

// Requests returns the exchanges of the journal, oldest first. Their bodies and headers are shared with the journal: do
// not change them. There are none with a negative Options.Control.Journal.
func (s *Server) Requests() []*Entry {
	entries, _ := s.journal.Entries()
	return plainEntries(entries)
}

// Expectation describes exchanges that the journal must have. The zero value expects
// at least one exchange, of any operation.
type Expectation = client.Expectation

// Step is one exchange of Expectation.Sequence.
type Step = client.Step

// VerifyError says how the journal differs from the expectation, or why the expectation is invalid.
type VerifyError = client.Problem

// Verify compares the journal with an expectation. The error is a *VerifyError.
func (s *Server) Verify(e Expectation) error {
	if s.journal == nil {
		return &VerifyError{Detail: "no journal is kept; see Options.Control.Journal"}
	}
	work := &exchange.Work{Gone: func() error { return s.context.Err() }}
	work.Begin(s.options.Limits.RequestTimeout)
	_, problem, findings := verify.Check(work, s.served().Evidence, e)
	switch {
	case len(findings) > 0:
		return &VerifyError{Status: 422, Detail: exchange.Join(findings)}
	case problem != nil:
		return problem
	}
	return nil
}

func (s *Server) served() control.Served {
	c := s.current.Load()
	return control.Served{
		Evidence:  verify.Evidence{Journal: s.journal, Contract: c.Contract, Request: c.seen},
		Scenarios: c.scenarios,
		Coverage:  c.coverage,
		Catalog:   c.catalog,
		Findings:  c.findings,
		LoadedAt:  c.loadedAt,
		Reload:    s.failed.Load(),
		Items:     c.resources,
	}
}

// toUpstream returns a request as it was sent to a path of the upstream.
func (s *Server) toUpstream(r *exchange.Request, path string) *exchange.Request {
	sent := *r
	sent.Path, sent.Header = path, slices.Clone(r.Header)
	sent.Header.Set("Host", s.options.upstream.Host)
	return &sent
}

// openRecording opens the recording of Options.Proxy.Record.
func (s *Server) openRecording() (*recording.Writer, error) {
	if s.options.Proxy.Record == "" {
		return nil, nil
	}
	w, err := recording.Create(s.options.Proxy.Record, "document sha256:"+s.current.Load().Hash(), s.options.Clock())
	if err != nil {
		return nil, &OptionError{"Proxy.Record", err.Error()}
	}
	return w, nil
}

// recordHAR adds an exchange to the recording. path is the upstream's; "" if nothing was forwarded.
func (s *Server) recordHAR(e *journal.Entry, path string) {
	origin, request := s.URL(), &e.Request
	if path != "" {
		origin, request = recording.Origin(s.options.upstream), s.toUpstream(request, path)
	}
	err := s.recording.Add(&recording.Exchange{
		Began: e.Time, Took: s.options.Clock().Sub(e.Time), Origin: origin, Request: request, Response: &e.Response,
		RequestBytes: e.RequestSize, ResponseBytes: e.ResponseSize, Comment: e.Consumer,
	})
	if err != nil {
		s.unrecorded.Do(func() { s.log.note("the recording ends: %v", err) })
	}
}
