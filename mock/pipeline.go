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
	"github.com/coldframe/coldframe/mock/internal/state"
)

// incoming is a request with its context. The steps up to validation find it out; later steps only read it.
type incoming struct {
	contract  *contract         // the contract when the request came
	ask       respond.Request   // with its preferences and decoded values
	operation *operation        // nil if the request matches none
	alike     []*spec.Operation // what else it matches equally well; nil for nothing
	session   *session
	scenarios *scenario.View     // of the session
	scenario  *scenario.Scenario // chosen by a preference; nil if none
	outcome   *scenario.Outcome  // of the scenarios, if a proxy applied them before; else nil
	access    *logins.Access     // granted by the credentials
	redaction *redaction         // see redact
	consumer  string             // of a proxy; "" if it is not known
	apart     *session           // answers in place of the session that the request chooses; nil if none
}

// exchanged is a request with its response. Log, journal, coverage and callbacks read it.
type exchanged struct {
	incoming
	answer respond.Answer
	effect
	findings []exchange.Finding
	notes    []exchange.Note      // what of the request is not simulated
	replayed string               // the recorded exchange that answers; "" if none does
	written  []byte               // the body before its links to pictures lead to the client's host
	recorded []byte               // the body without credentials that the document names; nil without a journal
	merged   string               // how a proxy's response differs from the upstream's; "" if it does not
	messages []*callbacks.Message // to send after the response
	stream   *resources.Stream    // continues the body; nil if it is whole
	account  resources.Account    // of the items that it concerns
	scripted bool                 // the rule of a scenario sets the response
}

// effect is what the mock does beside its response.
type effect struct {
	rule  *scenario.Rule // the rule of a scenario that asks for it; nil if none
	delay time.Duration  // before the response
	fault httpserver.Fault
}

// mockedField says, in a response of a proxy, why the request was not forwarded.
const mockedField = "Coldframe-Mocked"

// exchange answers a request:
//
//	accept:  preflight → route → methods → preferences → session → authenticate → misspelt parameters → decode → validate
//	respond: scenario → replay → status → body
//	finish:  range → validate response → notes → log → journal
//	         coverage → callbacks
//
// A step returns what it found out, findings included. A step that refuses the request ends accept and respond.
func (s *Server) exchange(r *exchange.Request) *exchanged { return s.exchangeAfter(r, nil) }

// exchangeAfter answers a request to which scenarios have been applied.
func (s *Server) exchangeAfter(r *exchange.Request, outcome *scenario.Outcome) *exchanged {
	x := s.handle(r, func(x *exchanged) *respond.Refusal {
		x.outcome = outcome
		return s.process(x)
	})
	count(x)
	x.messages = s.callbacksOf(x)
	return x
}

// handle calls process, and finishes the response or the refusal.
func (s *Server) handle(r *exchange.Request, process func(*exchanged) *respond.Refusal) *exchanged {
	var began time.Time
	if s.journal != nil || !s.log.off {
		began = s.options.Clock() // otherwise unused
	}
	x := s.begin(r)
	c := x.contract
	refusal := process(x)
	if err := r.Work.Ended(); err != nil {
		x.answer, x.effect = respond.Answer{}, effect{}
		refusal = s.overdue(err)
	}
	if refusal != nil {
		x.ask.Now = c.resources.Now(x.session.State, x.ask.Dynamic)
		c.responder.Refuse(&x.ask, &x.answer, refusal)
	}
	s.finish(x, began)
	return x
}

// begin returns an exchange of which only the request is known.
func (s *Server) begin(r *exchange.Request) *exchanged {
	c := s.current.Load()
	x := &exchanged{
		incoming: incoming{
			contract: c, session: s.sessions.Lookup(""), ask: respond.Request{
				Request: r, Preferences: prefer.None(), Secrets: c.secrets,
			},
		},
		effect: effect{delay: s.options.Delay},
	}
	x.ask.Seed, x.ask.Dynamic = s.options.seed(x.ask.Preferences)
	return x
}

func (s *Server) process(x *exchanged) *respond.Refusal {
	response, findings, refusal := s.accept(&x.incoming)
	if x.findings = findings; response != nil {
		x.answer.Response = *response
		return nil
	}
	if x.ask.Preferences.Has(prefer.Delay) {
		x.delay = x.ask.Preferences.Delay
	}
	switch {
	case x.ask.Work.Over():
		return refusal
	case refusal != nil && s.replay(x): // a recording says what became of the request
		x.findings = append(x.findings, refusal.Findings...)
		return nil
	case refusal != nil:
		return refusal
	}
	return s.respond(x)
}

// accept runs the steps up to validation. It returns the response to a request that is not an operation's.
func (s *Server) accept(x *incoming) (*exchange.Response, []exchange.Finding, *respond.Refusal) {
	o, c, q := &s.options, x.contract, &x.ask
	if o.Listen.CORS == "on" {
		if response := c.preflight(q.Request, o.Listen.PrivateNetwork); response != nil {
			return response, nil, nil
		}
	}
	var match route.Match
	operation, result := c.find(q.Request, &match)
	if operation == nil {
		if response := c.methods(q.Request, result); response != nil {
			return response, nil, nil
		}
		return nil, nil, c.unrouted(q.Request, result)
	}
	x.operation, x.alike, q.Operation, q.Variables = operation, match.Alternatives, operation.Operation, match.Values
	preferences, malformed := prefer.Read(q.Request)
	if q.Preferences = preferences; malformed != nil {
		return nil, nil, respond.RefusePreference(*malformed)
	}
	q.Seed, q.Dynamic = o.seed(q.Preferences)
	session, findings, refusal := x.apart, []exchange.Finding(nil), (*respond.Refusal)(nil)
	if session == nil {
		session, findings, refusal = s.sessionOf(q)
	}
	if x.session = session; refusal != nil {
		return nil, findings, refusal
	}
	x.scenarios = session.Value().Scenarios.View(c.scenarios)
	if x.scenario, refusal = chooseScenario(x.scenarios, q.Preferences); refusal != nil {
		return nil, findings, refusal
	}
	if x.access, refusal = authenticate(o, x); refusal != nil {
		return nil, findings, refusal
	}
	findings = append(findings, misspelt(o, operation, q)...)
	invalid, refusal := decodeAndValidate(o, operation, q)
	return nil, append(findings, invalid...), refusal
}

// respond makes the response to an accepted request: a scenario's or the documented one.
func (s *Server) respond(x *exchanged) *respond.Refusal {
	q, outcome := &x.ask, x.outcome
	if outcome == nil {
		outcome = applyScenarios(x, func() {})
	}
	if q.Work.Over() {
		return nil
	}
	if x.rule = outcome.Rule; x.rule != nil {
		x.delay += outcome.Delay
		x.fault = httpserver.Fault(x.rule.Fault)
		if x.scripted = outcome.Response != nil; x.scripted {
			return s.respondAs(x, outcome)
		}
	}
	if s.replay(x) {
		return nil
	} else if s.options.Replay.Strict && !asksOtherwise(q.Preferences) {
		said := x.operation.said(&x.redact().request, q.Variables)
		return &respond.Refusal{Status: http.StatusNotImplemented, Findings: x.contract.replay.Explain(said)}
	}
	status, documented, refusal := respond.Status(q)
	switch {
	case refusal != nil:
		return refusal
	case documented == nil && q.Preferences.Has(prefer.Code):
		q.Now = x.contract.resources.Now(x.session.State, q.Dynamic)
		x.contract.responder.Undocumented(q, &x.answer)
		return nil
	}
	return s.respondTo(x, status, documented)
}

// applyScenarios applies the scenarios of the session, or the one that the request chose. If they read the request,
// decode is called before.
func applyScenarios(x *exchanged, decode func()) *scenario.Outcome {
	q := &x.ask
	outcome, findings := x.scenarios.Apply(x.scenario, x.operation.Operation.Operation, func() *scenario.Request {
		decode()
		asked := scenarioRequest(q.Request, &q.Values)
		asked.Session, asked.Kept = x.session.Name, keptItems(x.contract, x.session.State, q)
		return asked
	})
	x.findings = append(x.findings, findings...)
	return &outcome
}

// replay answers with a recorded exchange. It reports false if none matches, or if the client asks for another answer.
func (s *Server) replay(x *exchanged) bool {
	c, q := x.contract, &x.ask
	if c.replay == nil || x.operation == nil || asksOtherwise(q.Preferences) {
		return false
	}
	entry := c.replay.Answer(x.session.Value().Replayed, x.operation.said(&x.redact().request, q.Variables))
	if entry == nil {
		return false
	}
	x.replayed = entry.String()
	x.answer.SetRecorded(entry.Response, x.operation.Response(entry.Response.Status) != nil, entry.Findings)
	if x.operation.Kept && !s.options.State.Stateless {
		c.adopt(&resources.Request{
			Request: q, Session: x.session.State, Base: cmp.Or(x.session.Value().Base, c.fixtures),
		}, entry.Response)
	}
	return true
}

// asksOtherwise reports whether a client prefers an answer that no recording has.
func asksOtherwise(p *prefer.Preferences) bool {
	return p.Has(prefer.Code) || p.Has(prefer.Example) || p.Has(prefer.Scenario)
}

// respondTo makes the documented response of a status: with items, what was sent, an example or a generated body.
func (s *Server) respondTo(x *exchanged, status int, documented *spec.Response) *respond.Refusal {
	responder, q, a := x.contract.responder, &x.ask, &x.answer
	if status >= 400 {
		q.Now = x.contract.resources.Now(x.session.State, q.Dynamic)
	}
	responder.Begin(q, a, status, documented)
	if documented == nil {
		return nil
	}
	var about *resources.Request // nil if neither items nor logins matter
	var login *logins.Attempt
	if x.operation.stateful {
		about = &resources.Request{
			Request: q, Documented: documented, Session: x.session.State, Replies: x.session.Value().Replies,
			Base: cmp.Or(x.session.Value().Base, x.contract.fixtures), User: x.access.User,
		}
		if s.journal != nil {
			about.Account = &x.account
		}
		if a.Status < 300 && q.Preferences.Example == "" {
			login = x.contract.logins.Attempt(about, x.session.Value().Logins, x.access)
		}
		if user := login.Identify(); user != "" {
			about.User = user
		}
		if refusal := login.Check(); refusal != nil {
			return refusal
		}
	}
	created, refusal := s.makeBody(x, documented, about, login.HasSecret())
	if refusal != nil || q.Work.Over() {
		return refusal
	}
	return login.Complete(a, documented, created)
}

// makeBody adds the body to a response. It returns the created item, without a value if none was created. A request
// that contains a secret is not kept unchanged.
func (s *Server) makeBody(
	x *exchanged, documented *spec.Response, about *resources.Request, hasSecret bool,
) (resources.Item, *respond.Refusal) {
	responder, q, a := x.contract.responder, &x.ask, &x.answer
	result := resources.Result{ByPath: true}
	if about != nil {
		result = x.contract.resources.Handle(about, a)
		x.stream = result.Stream
	}
	switch {
	case result.Refusal != nil || result.Answered || q.Work.Ended() != nil:
	case (!x.operation.Kept && q.Method == "POST" || result.Uploaded) &&
		responder.Echo(q, a, documented, x.contract.resources.Now(x.session.State, q.Dynamic)):
		if a.Status < 300 && !hasSecret && q.Values.HasBody && !result.Uploaded {
			s.keepSent(x)
		}
	default:
		responder.Respond(q, a, documented, result.Adjust, result.ByPath)
	}
	return result.Created, result.Refusal
}

func (s *Server) respondAs(x *exchanged, outcome *scenario.Outcome) *respond.Refusal {
	x.answer.Ignored |= prefer.Of(prefer.Code, prefer.Example)
	if outcome.Err != nil {
		return &respond.Refusal{Status: 500, Findings: []exchange.Finding{{
			Code: scenario.CodeFailed, Message: "scenario " + outcome.Scenario + ": " + outcome.Err.Error(),
			In: exchange.InRequest, Document: outcome.Place,
		}}}
	}
	scripted := &outcome.Answer
	author := fmt.Sprintf("the answer of scenario %s, rule %d,", x.rule.Scenario, x.rule.Number)
	if !scripted.HasBody {
		documented := x.operation.Response(scripted.Status)
		refusal := s.respondTo(x, scripted.Status, documented)
		if refusal == nil && scripted.Patch != nil && x.answer.Status == scripted.Status && !x.contract.responder.Patch(
			&x.ask, &x.answer, documented, *scripted.Patch, author, x.rule.Violates) {
			refusal = &respond.Refusal{Status: 500, Findings: []exchange.Finding{{
				Code: scenario.CodeFailed, Message: author + " has no JSON body that a patch could change",
				In: exchange.InRequest, Document: x.rule.Place,
			}}}
		}
		x.answer.SetFields(scripted.Header)
		return refusal
	}
	x.answer.Response = exchange.Response{
		Status: scripted.Status, Header: slices.Clone(scripted.Header), Body: scripted.Body,
	}
	if media := outcome.Response.MediaType; !scripted.Checked && media != nil {
		x.answer.Validate(media, scripted.Value, author)
	}
	return nil
}

// finish validates and writes the response, and logs and records the exchange.
func (s *Server) finish(x *exchanged, began time.Time) {
	s.write(x)
	s.log.exchange(x, began)
	s.record(x, began, passed{})
}

// write validates and writes the response.
func (s *Server) write(x *exchanged) {
	x.contract.responder.Partial(&x.ask, &x.answer)
	x.contract.responder.Write(&x.ask, &x.answer)
	if x.stream == nil {
		x.contract.responder.Revalidate(&x.ask, &x.answer)
	}
	x.written = x.answer.Body
	if kept := x.answer.Kept; kept != nil {
		x.answer.Body, x.recorded = kept.Sent(func(body []byte) (sent, recorded []byte) { return outgoing(s, x, body) })
	} else {
		x.answer.Body, x.recorded = outgoing(s, x, x.answer.Body)
	}
	x.findings = append(x.findings, x.answer.Findings...)
	x.notes = x.operation.notesOn(x)
	if _, told := x.answer.Header.Get("WWW-Authenticate"); x.answer.Status == 401 && x.operation != nil && !told {
		x.answer.SetFields(x.operation.challenge("")) // RFC 9110 section 15.5.2
	}
	if !x.answer.Counted {
		x.answer.Ignored |= prefer.Of(prefer.Count)
	}
	if x.stream == nil && x.ask.Preferences.Wait > 0 {
		x.answer.Ignored |= prefer.Of(prefer.Wait)
	}
	if applied := x.ask.Preferences.Applied(x.answer.Ignored); applied != "" {
		x.answer.Header.Set("Preference-Applied", applied)
	}
	if x.ask.Mocked != "" {
		x.answer.Header.Set(mockedField, x.ask.Mocked)
	}
	if s.options.Listen.CORS == "on" {
		httpserver.AllowOrigin(x.ask.Request, &x.answer.Response, s.core.Hosts)
	}
	httpserver.Sandbox(&x.answer.Response)
}

// count adds the exchange to the coverage of each operation that nothing in the request distinguishes from its own.
func count(x *exchanged) {
	if x.operation == nil {
		return
	}
	use := coverage.Use{
		Operation: x.operation.Operation.Operation, Values: &x.ask.Values,
		Session: cmp.Or(x.consumer, x.session.Name), Response: &x.answer.Response, Written: x.written, Parts: x.answer.Parts,
	}
	if kept := x.answer.Kept; kept != nil {
		use.Repeated = &kept.Counted
	}
	x.contract.coverage.Count(use)
	for _, alike := range x.alike {
		if use.Operation = alike; alike != x.operation.Operation.Operation {
			x.contract.coverage.Count(use)
		}
	}
}

// outgoing returns the sent form of a body, and the recorded one.
func outgoing(s *Server, x *exchanged, body []byte) (sent, recorded []byte) {
	body = s.absolute(x, body)
	if s.journal == nil && s.recording == nil {
		return body, nil
	}
	return body, x.contract.secrets.RedactBody(&exchange.Response{Header: x.answer.Header, Body: body})
}

// absolute makes the URLs of pictures and items in a body, or in an event, lead to the host of the client.
func (s *Server) absolute(x *exchanged, body []byte) []byte {
	if s.options.Values.ImageURLs != "mock" {
		return body
	}
	return images.Absolute(body, x.ask.Request, s.URL)
}

// keepSent keeps what a request sends for the control API, byte for byte if it is JSON.
func (s *Server) keepSent(x *exchanged) {
	text := x.ask.Body
	if !x.ask.Values.MediaType.IsJSON() {
		text = jsontext.Append(nil, x.ask.Values.Body())
	}
	item, err := x.session.State.Append(x.operation.Path, text, 0)
	if err != nil {
		s.warnDropped() // the body is larger than the whole store
		return
	}
	if s.journal == nil {
		return
	}
	x.account = resources.Account{Collection: item.Collection, Key: item.Key, Answers: true, Writes: []state.Write{
		{Collection: item.Collection, Key: item.Key, Kind: state.Created, Version: item.Version},
	}}
}

// overdue refuses a request whose response took too long.
func (s *Server) overdue(why error) *respond.Refusal {
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
	x := s.handle(r, func(x *exchanged) *respond.Refusal {
		x.delay = 0
		refusal := &respond.Refusal{Status: status, Findings: []exchange.Finding{readFailure(r, status, &s.options)}}
		switch status {
		case http.StatusRequestEntityTooLarge:
			refusal.Problem = respond.TooLarge
		case http.StatusServiceUnavailable:
			refusal.Problem = respond.Overloaded
		default:
			return refusal
		}
		var match route.Match
		if x.operation, _ = x.contract.find(r, &match); x.operation != nil {
			x.ask.Operation, x.ask.Variables = x.operation.Operation, match.Values
			refusal.Status = 0
		}
		return refusal
	})
	return httpserver.Answer{Response: &x.answer.Response}
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
