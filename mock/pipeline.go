// Package mock serves a mock of an OpenAPI document: it validates requests, keeps the items that clients create, and
// returns documented responses. New loads a document. Run serves it on a socket; Handler, Transport and Client answer
// without one. Package mocktest starts a mock for a Go test.
package mock

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
	"github.com/coldframe/coldframe/mock/internal/images"
	"github.com/coldframe/coldframe/mock/internal/logins"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// handled is a request with its response and the results of the steps. The steps fill it in; log, journal, coverage
// and callbacks read it.
type handled struct {
	contract  *contract // the contract when the request came
	ask       respond.Request
	match     route.Match
	operation *operation // nil if the request matches none
	session   *session
	access    *logins.Access // granted by the request's credentials
	findings  []exchange.Finding
	rule      *scenario.Rule // the rule that applies; nil for none
	delay     time.Duration  // before the response
	fault     httpserver.Fault
	answer    respond.Answer
	written   []byte               // the body before its links to pictures lead to the client's host
	recorded  []byte               // the body without credentials that the document names; nil without a journal
	messages  []*callbacks.Message // to send after the answer

	redaction *redaction // see redact
}

// exchange answers a request:
//
//	route → preferences → session → authenticate → decode → validate →
//	scenario → respond → validate response → log, journal → callbacks
//
// Findings and other results travel as values in handled.
func (s *Server) exchange(r *exchange.Request) *handled {
	h := s.handle(r, s.process)
	if h.operation != nil {
		use := coverage.Use{
			Operation: h.operation.Operation.Operation, Values: &h.ask.Values,
			Session: h.session.Name, Response: &h.answer.Response, Written: h.written, Parts: h.answer.Parts,
		}
		if kept := h.answer.Kept; kept != nil {
			use.Repeated = &kept.Counted
		}
		h.contract.coverage.Count(use)
		for _, alike := range h.match.Alternatives { // operations that nothing in the request distinguishes from it
			if use.Operation = alike; alike != h.match.Operation {
				h.contract.coverage.Count(use)
			}
		}
	}
	h.messages = s.callbacksOf(h)
	return h
}

// handle calls process, and finishes the response or the refusal.
func (s *Server) handle(r *exchange.Request, process func(*contract, *handled) *respond.Refusal) *handled {
	var began time.Time
	if s.journal != nil || !s.log.off {
		began = s.options.Clock() // otherwise unused
	}
	c := s.current.Load()
	h := &handled{contract: c, session: s.sessions.Lookup(""), delay: s.options.Delay}
	h.ask = respond.Request{Request: r, Secrets: c.secrets}
	h.ask.Seed, h.ask.Dynamic = s.options.seed(&h.ask.Preferences)
	refusal := process(c, h)
	if err := r.Work.Ended(); err != nil {
		refusal = s.overdue(h, err)
	}
	if refusal != nil {
		c.responder.Refuse(&h.ask, &h.answer, refusal)
	}
	s.finish(h, began)
	return h
}

// process runs the steps up to the response. A step that refuses the request ends them.
func (s *Server) process(c *contract, h *handled) (refusal *respond.Refusal) {
	o, q, r := &s.options, &h.ask, h.ask.Request
	if o.Listen.CORS == "on" {
		if answer := c.preflight(r, o.Listen.PrivateNetwork); answer != nil {
			h.answer.Response = *answer
			return nil
		}
	}
	found, result := c.find(r, &h.match)
	if found == nil {
		if answer := c.methods(r, result); answer != nil {
			h.answer.Response = *answer
			return nil
		}
		return c.unrouted(r, result)
	}
	h.operation, q.Operation, q.Variables = found, found.Operation, h.match.Values
	var malformed *exchange.Finding
	if q.Preferences, malformed = prefer.Read(r); malformed != nil {
		return respond.RefusePreference(*malformed)
	}
	q.Seed, q.Dynamic = o.seed(&q.Preferences)
	if q.Preferences.Has(prefer.Delay) {
		h.delay = q.Preferences.Delay
	}
	if h.session, h.findings, refusal = s.sessionOf(q); refusal != nil {
		return refusal
	}
	scenarios := h.session.Value().Scenarios.View(c.scenarios)
	chosen, refusal := chooseScenario(scenarios, &q.Preferences)
	if refusal != nil {
		return refusal
	}
	if h.access, refusal = authenticate(o, h); refusal != nil {
		return refusal
	}
	h.findings = append(h.findings, misspelt(o, found, q)...)
	findings, refusal := decodeAndValidate(o, found, q)
	if h.findings = append(h.findings, findings...); refusal != nil || r.Work.Over() {
		return refusal
	}
	outcome, findings := scenarios.Apply(chosen, found.Operation.Operation, func() *scenario.Request {
		asked := scenarioRequest(r, &q.Values)
		asked.Session, asked.Kept = h.session.Name, keptItems(h)
		return asked
	})
	h.findings = append(h.findings, findings...)
	if r.Work.Over() {
		return nil
	}
	if h.rule = outcome.Rule; h.rule != nil {
		h.delay += outcome.Delay
		h.fault = httpserver.Fault(h.rule.Fault)
		if outcome.Response != nil {
			return s.respondAs(h, &outcome)
		}
	}
	status, documented, refusal := respond.Status(q)
	switch {
	case refusal != nil:
		return refusal
	case documented == nil && q.Preferences.Has(prefer.Code):
		c.responder.Undocumented(q, &h.answer)
		return nil
	}
	return s.respondTo(h, status, documented)
}

// respondTo makes the documented response of a status: with items, what was sent, an example or a generated body.
func (s *Server) respondTo(h *handled, status int, documented *spec.Response) *respond.Refusal {
	responder, q, a := h.contract.responder, &h.ask, &h.answer
	responder.Begin(q, a, status, documented)
	if documented == nil {
		return nil
	}
	var about *resources.Request // nil if neither items nor logins matter
	var login *logins.Attempt
	if h.operation.stateful {
		about = &resources.Request{
			Request: q, Documented: documented, Session: h.session.State, Replies: h.session.Value().Replies,
			Base: cmp.Or(h.session.Value().Base, h.contract.fixtures), User: h.access.User,
		}
		if a.Status < 300 && q.Preferences.Example == "" {
			login = h.contract.logins.Attempt(about, h.session.Value().Logins, h.access)
		}
		if user := login.Identify(); user != "" {
			about.User = user
		}
		if refusal := login.Check(); refusal != nil {
			return refusal
		}
	}
	created, refusal := makeBody(s, h, documented, about, login.HasSecret())
	if refusal != nil || q.Work.Over() {
		return refusal
	}
	return login.Complete(a, documented, created)
}

// makeBody adds the body to a response. It returns the created item, without a value if none was created. A request
// that contains a secret is not kept unchanged.
func makeBody(
	s *Server, h *handled, documented *spec.Response, about *resources.Request, hasSecret bool,
) (resources.Item, *respond.Refusal) {
	responder, q, a := h.contract.responder, &h.ask, &h.answer
	result := resources.Result{ByPath: true}
	if about != nil {
		result = h.contract.resources.Handle(about, a)
	}
	switch {
	case result.Refusal != nil || result.Answered || q.Work.Ended() != nil:
	case !h.operation.Kept && q.Method == "POST" &&
		responder.Echo(q, a, documented, h.contract.resources.Now(h.session.State, q.Dynamic)):
		if a.Status < 300 && !hasSecret && q.Values.HasBody {
			s.keepSent(h)
		}
	default:
		responder.Respond(q, a, documented, result.Adjust, result.ByPath)
	}
	return result.Created, result.Refusal
}

func (s *Server) respondAs(h *handled, outcome *scenario.Outcome) *respond.Refusal {
	h.answer.Ignored |= prefer.Of(prefer.Code, prefer.Example)
	if outcome.Err != nil {
		return &respond.Refusal{Status: 500, Findings: []exchange.Finding{{
			Code: scenario.CodeFailed, Message: "scenario " + outcome.Scenario + ": " + outcome.Err.Error(),
			In: exchange.InRequest, Document: outcome.Place,
		}}}
	}
	scripted := &outcome.Answer
	author := fmt.Sprintf("the answer of scenario %s, rule %d,", h.rule.Scenario, h.rule.Number)
	if !scripted.HasBody {
		documented := h.operation.Response(scripted.Status)
		refusal := s.respondTo(h, scripted.Status, documented)
		if refusal == nil && scripted.Patch != nil && h.answer.Status == scripted.Status && !h.contract.responder.Patch(
			&h.ask, &h.answer, documented, *scripted.Patch, author, h.rule.Violates) {
			refusal = &respond.Refusal{Status: 500, Findings: []exchange.Finding{{
				Code: scenario.CodeFailed, Message: author + " has no JSON body that a patch could change",
				In: exchange.InRequest, Document: h.rule.Place,
			}}}
		}
		h.answer.SetFields(scripted.Header)
		return refusal
	}
	h.answer.Response = exchange.Response{
		Status: scripted.Status, Header: slices.Clone(scripted.Header), Body: scripted.Body,
	}
	if media := outcome.Response.MediaType; !scripted.Checked && media != nil {
		h.answer.Validate(media, scripted.Value, author)
	}
	return nil
}

// finish validates and writes the response, and logs and records the exchange.
func (s *Server) finish(h *handled, began time.Time) {
	h.contract.responder.Write(&h.ask, &h.answer)
	h.written = h.answer.Body
	if kept := h.answer.Kept; kept != nil {
		h.answer.Body, h.recorded = kept.Sent(func(body []byte) (sent, recorded []byte) { return outgoing(s, h, body) })
	} else {
		h.answer.Body, h.recorded = outgoing(s, h, h.answer.Body)
	}
	h.findings = append(h.findings, h.answer.Findings...)
	if _, told := h.answer.Header.Get("WWW-Authenticate"); h.answer.Status == 401 && h.operation != nil && !told {
		h.answer.SetFields(h.operation.challenge("")) // RFC 9110 section 15.5.2
	}
	if !h.answer.Counted {
		h.answer.Ignored |= prefer.Of(prefer.Count)
	}
	if applied := h.ask.Preferences.Applied(h.answer.Ignored); applied != "" {
		h.answer.Header.Set("Preference-Applied", applied)
	}
	if s.options.Listen.CORS == "on" {
		allowOrigin(h.ask.Request, &h.answer.Response, s.core.Hosts)
	}
	httpserver.Sandbox(&h.answer.Response)
	s.log.exchange(h, began)
	if s.journal != nil {
		s.journal.Record(entryOf(h, began))
	}
}

// outgoing returns a body as it is sent, and as it is recorded.
func outgoing(s *Server, h *handled, body []byte) (sent, recorded []byte) {
	if s.options.Values.ImageURLs == "mock" {
		body = images.Absolute(body, h.ask.Request, s.URL)
	}
	if s.journal == nil {
		return body, nil
	}
	return body, h.contract.secrets.RedactBody(&exchange.Response{Header: h.answer.Header, Body: body})
}

// keepSent keeps what a request sends for the control API, byte for byte where it is JSON.
func (s *Server) keepSent(h *handled) {
	text := h.ask.Body
	if !h.ask.Values.MediaType.IsJSON() {
		text = jsontext.Append(nil, h.ask.Values.Body())
	}
	if _, err := h.session.State.Append(h.operation.Path, text, 0); err != nil {
		s.warnDropped() // the body is larger than the whole store
	}
}

// overdue refuses a request whose response took too long. Results of the steps are dropped.
func (s *Server) overdue(h *handled, why error) *respond.Refusal {
	h.answer, h.delay, h.fault, h.rule = respond.Answer{}, 0, "", nil
	f := exchange.Finding{Code: "deadline-exceeded", In: exchange.InRequest}
	switch f.Message = why.Error(); why {
	case exchange.ErrDeadline:
		f.Message = fmt.Sprintf("making the answer took longer than %v; the option request-timeout allows more",
			s.options.Limits.RequestTimeout)
	case exchange.ErrClientLeft:
		f.Code = "client-left"
	}
	return &respond.Refusal{Problem: respond.Overdue, Findings: []exchange.Finding{f}}
}

// unread answers a request that was not read completely: r has the known parts, status comes from the reader.
func (s *Server) unread(r *exchange.Request, status int) httpserver.Answer {
	h := s.handle(r, func(c *contract, h *handled) *respond.Refusal {
		h.delay = 0
		refusal := &respond.Refusal{Status: status, Findings: []exchange.Finding{readFailure(r, status, &s.options)}}
		switch status {
		case http.StatusRequestEntityTooLarge:
			refusal.Problem = respond.TooLarge
		case http.StatusServiceUnavailable:
			refusal.Problem = respond.Overloaded
		default:
			return refusal
		}
		if h.operation, _ = c.find(r, &h.match); h.operation != nil {
			h.ask.Operation, h.ask.Variables = h.operation.Operation, h.match.Values
			refusal.Status = 0
		}
		return refusal
	})
	return httpserver.Answer{Response: &h.answer.Response}
}

func readFailure(r *exchange.Request, status int, o *Options) exchange.Finding {
	f := exchange.Finding{In: exchange.InRequest}
	switch status {
	case http.StatusRequestEntityTooLarge:
		f.In, f.Code, f.Message = exchange.InBody, decode.CodeBodyTooLarge, "body is over "+sizeText(o.Limits.MaxBody)
	case http.StatusServiceUnavailable:
		f.In, f.Code, f.Message = exchange.InBody, decode.CodeOverloaded, bodies.ErrNoRoom.Error()
	case http.StatusRequestHeaderFieldsTooLarge:
		f.In, f.Code, f.Message = exchange.InHeader, "header-too-large", "the fields are over "+sizeText(httpserver.MaxHeader)
	case http.StatusMisdirectedRequest:
		host, _ := r.Header.Get("Host")
		f.In, f.Name, f.Code = exchange.InHeader, "Host", "host-not-allowed"
		f.Message = "the mock does not answer as " + exchange.Quote(host) +
			"; use localhost or an address, or allow the name with the option allowed-host"
	case http.StatusRequestTimeout:
		f.Code = "request-timeout"
		f.Message = fmt.Sprintf("not all of it came within %v; the option read-timeout gives more", o.Limits.ReadTimeout)
	default: // the reader's error would quote the request with its credentials
		f.Code, f.Message = "unreadable-request", "not a request of HTTP/1.1 (RFC 9112)"
	}
	return f
}
