package mock

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
	"github.com/coldframe/coldframe/mock/internal/learn"
	"github.com/coldframe/coldframe/mock/internal/proxy"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
	report "github.com/coldframe/coldframe/report/exchange"
)

// The codes of findings on forwarded exchanges.
const (
	codeUnreachable = "upstream-unreachable"
	codeTimeout     = "upstream-timeout"
	codeNoAnswer    = "upstream-no-answer"
	codeMalformed   = "upstream-malformed"
	codeCertificate = "upstream-certificate"
	codeBrokeOff    = "upstream-broke-off"
	codeLoop        = "proxy-loop"
	codeNotChecked  = "body-not-checked"
	codeNotMerged   = "not-merged"
	codeNotPatched  = "scenario-not-applied"

	codeForeignOrigin = "foreign-origin"
)

// forwarded is a request on its way to the upstream, and what is known of its response.
type forwarded struct {
	*exchanged
	request  *proxy.Tap // its body; nil if it has none
	base     string     // the document's base path in its path
	lacking  string     // the document's base path that its path lacks
	checked  bool       // the findings on the request are known
	enforced []exchange.Finding
	share    bodies.Share    // of the decoded response
	merges   bool            // the response may need what clients changed here
	adopted  bool            // the items of the response are known
	body     any             // of the response, decoded
	media    *spec.MediaType // of body; nil if it is not known
	finished bool
	before   *session // as the session was when the request came; nil if nothing is learned
}

// mergedField says, in a response of a proxy, how many of its items differ from what the upstream sent.
const mergedField = "Coldframe-Merged"

// proxied answers requests of a proxy: those of the control API, and those that are forwarded.
func (s *Server) proxied(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, control.Prefix) && s.core.Hosts.Allow(r.Host) {
		s.core.ServeHTTP(w, r)
		return
	}
	s.forwards.Add(1)
	defer s.forwards.Done()
	defer func() {
		if cause := recover(); cause != nil {
			if cause != http.ErrAbortHandler {
				s.logFault(r.Method+" "+r.URL.Path, cause)
			}
			panic(http.ErrAbortHandler)
		}
	}()
	s.forward(s.core.Patient(w, r), r)
}

// forward passes a request on to the upstream:
//
//	preflight → route → session → [validate] → items of the session → scenario → forward → [validate the response]
//	→ merge → send → validate → adopt → log → journal → recording → coverage
//
// The steps in brackets come first if they are enforced. A request that is not forwarded, and a response that is
// refused, is answered with problem details.
func (s *Server) forward(w http.ResponseWriter, r *http.Request) {
	began := s.options.Clock()
	x := &forwarded{exchanged: s.begin(httpserver.Head(r))}
	x.delay = 0
	if r.Body != nil && r.Body != http.NoBody {
		x.request = proxy.NewTap(io.NopCloser(r.Body), r.ContentLength, s.options.Limits.MaxBody, s.core.Bodies)
		r.Body = x.request
		defer x.request.Release()
	}
	refusal := s.acceptForwarded(x, r)
	if x.ask.Mocked != "" && refusal == nil {
		s.askUpstream(x, w, r)
		s.mockInstead(w, r, x.ask.Mocked, x.outcome)
		return
	}
	if refusal == nil && x.answer.Status == 0 {
		if s.core.Pause(r.Context(), x.delay) != nil {
			panic(http.ErrAbortHandler)
		}
		if x.rule != nil {
			w = s.core.Throttle(r.Context(), w, x.rule.Bandwidth)
		}
		seen := s.upstream.Forward(w, r, proxy.Steps{
			Base: x.base, MissingBase: x.lacking, Stopped: s.context, Whole: x.asksWhole(),
			Head: func(h *proxy.Head) error {
				h.Body.AtEnd = func() { s.finishForwarded(x, h, nil, began) }
				return s.head(x, h)
			},
		})
		if seen.Head != nil {
			defer seen.Body.Release()
			defer x.share.Release()
		}
		if !seen.Sent {
			reason, unsent := s.fallsBack(x, seen)
			if reason != "" && (x.request == nil || x.request.Rewind(unsent)) {
				if x.outcome != nil {
					x.outcome.Delay = 0 // it is over
				}
				if seen.Err == errLacking {
					s.askUpstream(x, w, r)
				}
				s.mockInstead(w, r, reason, x.outcome)
				return
			}
		}
		if x.enforced != nil {
			response, _, whole := s.decoded(x, seen.Head)
			s.observe(x, seen.Path, response, whole, nil, began)
		}
		var fault *exchange.Finding
		if refusal, fault = s.refuseUnsent(x, seen); fault != nil {
			s.observe(x, seen.Path, nil, true, fault, began)
		}
		if refusal == nil {
			s.finishForwarded(x, seen.Head, seen.Err, began)
			if seen.Err != nil {
				panic(http.ErrAbortHandler)
			}
			return
		}
	}
	if refusal != nil {
		x.contract.responder.Refuse(&x.ask, &x.answer, refusal)
	}
	s.finish(x.exchanged, began)
	if r.Context().Err() != nil {
		panic(http.ErrAbortHandler)
	}
	httpserver.Write(w, r, httpserver.Answer{Response: &x.answer.Response}, nil)
}

// acceptForwarded runs the steps before a request is forwarded. It answers preflights.
func (s *Server) acceptForwarded(x *forwarded, r *http.Request) *respond.Refusal {
	c, q := x.contract, &x.ask
	if !s.core.Hosts.Allow(r.Host) {
		return &respond.Refusal{
			Status: 421, Findings: []exchange.Finding{readFailure(q.Request, 421, &s.options)},
			Header: exchange.Header{{Name: "Connection", Value: "close"}},
		}
	}
	if r.Method == http.MethodConnect {
		return &respond.Refusal{
			Status: 405, Header: exchange.Header{{Name: "Connection", Value: "close"}}, Findings: []exchange.Finding{{
				Code: "method-not-allowed", In: exchange.InRequest, Message: "no request goes to a host other than the upstream",
			}},
		}
	}
	origin, _ := q.Header.Get("Origin")
	if origin != "" && !s.core.Hosts.Trusts(origin, r.Host) {
		if len(s.options.Proxy.Header) > 0 {
			return &respond.Refusal{Status: 403, Findings: []exchange.Finding{{
				Code: codeForeignOrigin, In: exchange.InHeader, Name: "Origin",
				Message: "a page of " + exchange.Quote(origin) + " must not use the fields that the proxy adds; " +
					"allow its host with the option allowed-host",
			}}}
		}
	} else if s.options.Listen.CORS == "on" {
		if response := c.preflight(q.Request, s.options.Listen.PrivateNetwork); response != nil {
			x.answer.Response = *response
			return nil
		}
	}
	var match route.Match
	operation, result := c.find(q.Request, &match)
	x.base = c.router.Base(q.Path)
	if operation != nil {
		x.operation, x.alike, q.Operation, q.Variables = operation, match.Alternatives, operation.Operation, match.Values
		if paths := operation.BasePaths; x.base == "" && len(paths) == 2 { // one, and ""
			x.lacking = paths[0]
		}
		if source, reason := s.choices.Of(operation.Operation.Operation); source == proxy.Mock {
			q.Mocked = reason
			return nil
		}
	} else if q.Method != "OPTIONS" {
		x.findings = c.unrouted(q.Request, result).Findings
	}
	session, findings, refusal := s.sessionOf(q)
	if x.session, x.findings = session, append(x.findings, findings...); refusal != nil {
		return refusal
	}
	x.consumer = s.consumerOf(x.exchanged)
	if s.learner != nil && operation != nil {
		x.before = session.Copy()
	}
	if s.enforces("requests") {
		if x.request != nil {
			x.request.Hold()
		}
		before := len(x.findings)
		s.checkRequest(x)
		if wrong := errorsOf(x.findings[before:]); len(wrong) > 0 {
			x.findings = x.findings[:before]
			return &respond.Refusal{Status: 400, Findings: wrong}
		}
	}
	if x.operation != nil {
		if q.Mocked = s.meetItems(x); q.Mocked == "" {
			q.Mocked = s.meetScenarios(x)
		}
	}
	return nil
}

// items returns the request as the items of its session see it.
func (s *Server) items(x *forwarded) *resources.Request {
	if x.ask.Work == nil {
		x.ask.Work = &exchange.Work{}
	}
	x.ask.Work.Begin(s.options.Limits.RequestTimeout) // again: the response may have taken long
	return &resources.Request{
		Request: &x.ask, Session: x.session.State, Replies: x.session.Value().Replies,
		Base: cmp.Or(x.session.Value().Base, x.contract.fixtures),
	}
}

// meetItems finds out what the items of the session mean for a request. It returns why the request is mocked; "" if it
// is forwarded.
func (s *Server) meetItems(x *forwarded) (mocked string) {
	if !x.session.State.HasLocal("") {
		return ""
	}
	if x.request == nil && !x.checked {
		s.checkRequest(x)
	} else if !x.checked { // its body is on the way
		x.ask.Values, _ = x.operation.validator.Decode(x.ask.Request, x.ask.Variables)
	}
	found := x.contract.resources.Forwarding(s.items(x))
	x.merges = found.Merges
	if found.Unmerged != "" && found.Mocked == "" {
		x.findings = append(x.findings, exchange.Finding{
			Code: codeNotMerged, Severity: exchange.Warning, In: exchange.InResponseBody,
			Message: "it does not have what was changed in the mock of " + found.Unmerged,
		})
	}
	return found.Mocked
}

// meetScenarios applies the scenarios to a request. It returns why the request is mocked; "" if it is forwarded, later
// or with a patched response.
func (s *Server) meetScenarios(x *forwarded) (mocked string) {
	x.scenarios = x.session.Value().Scenarios.View(x.contract.scenarios)
	outcome := applyScenarios(x.exchanged, func() {
		if !x.checked {
			if x.request != nil {
				x.request.Hold()
			}
			s.checkRequest(x)
		}
	})
	if x.rule = outcome.Rule; x.rule == nil {
		return ""
	}
	x.outcome = outcome
	if x.rule.Fault != "" || outcome.Response != nil && !x.patches() {
		return fmt.Sprintf("scenario %s, rule %d", x.rule.Scenario, x.rule.Number)
	}
	x.delay = outcome.Delay
	return ""
}

// patches reports whether a scenario patches the body of the response.
func (x *forwarded) patches() bool {
	return x.outcome != nil && x.outcome.Err == nil && x.outcome.Answer.Patch != nil && x.outcome.Answer.Status < 300
}

func (s *Server) enforces(what string) bool {
	return s.options.Proxy.Enforce == what || s.options.Proxy.Enforce == "both"
}

// consumerOf names the consumer of a request: by a field of its own, its session, or the first product of User-Agent
// (RFC 9110 section 10.1.5).
func (s *Server) consumerOf(x *exchanged) string {
	if name := s.options.Proxy.ConsumerHeader; name != "" {
		if value, ok := x.ask.Header.Get(name); ok {
			return exchange.Shorten(value, maxConsumer)
		}
	}
	if x.session.Name != state.Default {
		return x.session.Name
	}
	agent, _ := x.ask.Header.Get("User-Agent")
	product, _, _ := strings.Cut(strings.TrimSpace(agent), "/")
	return exchange.Shorten(product, maxConsumer)
}

// maxConsumer limits the name of a consumer, in characters.
const maxConsumer = 100

// mockInstead answers a request with the mock.
func (s *Server) mockInstead(w http.ResponseWriter, r *http.Request, reason string, outcome *scenario.Outcome) {
	core := *s.core
	core.Serve = func(q *exchange.Request) httpserver.Answer {
		if q.Mocked = reason; s.options.Listen.TrustProxy {
			q.Origin = httpserver.ForwardedOrigin(q.Header, s.URL())
		}
		return s.answerOf(guarded(s, q, outcome))
	}
	core.ServeHTTP(w, r)
}

// fallsBack returns why a request to which the upstream gave no usable response is mocked, and whether none of its body
// was sent; "" if it is not mocked.
func (s *Server) fallsBack(x *forwarded, seen proxy.Seen) (reason string, unsent bool) {
	if x.operation == nil || x.enforced != nil {
		return "", false
	}
	var dial *net.OpError
	var timeout net.Error
	switch err := seen.Err; {
	case err == errLacking:
		s.choices.Lacks(x.operation.Operation.Operation, seen.Status)
		return fmt.Sprintf("the upstream answered %d", seen.Status), false
	case errors.Is(err, context.Canceled), errors.Is(err, proxy.ErrLoop):
	case errors.As(err, &dial) && dial.Op == "dial":
		if s.choices.FallsBack("unreachable") {
			return "the upstream is unreachable", true
		}
	case errors.As(err, &timeout) && timeout.Timeout():
		if s.choices.FallsBack("timeout") {
			return "the upstream did not answer in time", false
		}
	case s.choices.FallsBack("malformed"):
		return "the upstream gave no valid response", false
	}
	return "", false
}

// lacks reports whether a response says that the upstream does not have the operation: 501, or a 404 to a path without
// variables whose body is no documented one.
func (s *Server) lacks(x *forwarded, h *proxy.Head) bool {
	if x.operation == nil || !s.choices.FallsBack(strconv.Itoa(h.Status)) {
		return false
	}
	if x.request != nil {
		if _, _, whole := x.request.Seen(); !whole {
			return false // the mock could not read it again
		}
	}
	switch h.Status {
	case http.StatusNotImplemented:
		return true
	case http.StatusNotFound:
		if strings.Contains(x.operation.Path, "{") {
			return false
		}
		h.Body.Hold()
		response, _, whole := s.decoded(x, h)
		documented := x.operation.Response(h.Status)
		return documented == nil || documented.Status != "default" && whole &&
			len(x.operation.validator.Response(x.ask.Method, response)) > 0
	}
	return false
}

// Reasons for which a response is not sent.
var (
	errEnforced = errors.New("the response leaves the document")
	errLacking  = errors.New("the upstream does not have the operation")
	errAsked    = errors.New("the response is for the mock")
)

// head runs before the head of a response is sent. It adds the findings that are known by then.
func (s *Server) head(x *forwarded, h *proxy.Head) error {
	if !x.checked {
		whole := x.request == nil
		if !whole {
			_, _, whole = x.request.Seen()
		}
		if whole {
			s.checkRequest(x)
		}
	}
	if s.lacks(x, h) {
		return errLacking
	}
	known := slices.Clone(x.findings)
	if s.enforces("responses") && !h.Streams {
		h.Body.Hold()
		before := len(x.findings)
		response, _, whole := s.decoded(x, h)
		wrong := append(x.findings[before:], s.checkResponse(x, response, whole)...)
		x.findings = x.findings[:before]
		if wrong = errorsOf(wrong); len(wrong) > 0 {
			x.enforced = wrong
			return errEnforced
		}
	} else {
		response := &exchange.Response{Status: h.Status, Header: httpserver.Fields(h.Header)}
		known = append(known, s.checkResponse(x, response, false)...)
	}
	if err := s.changeResponse(x, h); err != nil {
		return err
	}
	if origin, _ := x.ask.Header.Get("Origin"); s.options.Listen.CORS == "on" && origin != "" {
		if host, _ := x.ask.Header.Get("Host"); s.core.Hosts.Trusts(origin, host) {
			httpserver.AllowOriginOf(x.ask.Request, h.Answer, s.core.Hosts)
		}
	}
	if wrong := errorsOf(known); len(wrong) > 0 {
		wrong = x.ask.Secrets.Sent(x.ask.Request).HideFindings(wrong)
		h.Answer.Set(respond.FindingField, respond.FieldText(exchange.Join(wrong)))
	}
	return nil
}

// changeResponse changes a response as the items of the session and a scenario ask for, before it is sent. An error is
// the refusal of a patch that does not fit.
func (s *Server) changeResponse(x *forwarded, h *proxy.Head) error {
	patches, merges := x.patches(), x.merges && h.Status == http.StatusOK
	if patches && h.Status != x.outcome.Answer.Status {
		patches = false
		x.findings = append(x.findings, exchange.Finding{
			Code: codeNotPatched, Severity: exchange.Info, In: exchange.InResponse,
			Message: fmt.Sprintf("the scenario patches responses with status %d", x.outcome.Answer.Status),
		})
	}
	if !patches && !merges {
		return nil
	}
	h.Body.Hold()
	before := len(x.findings)
	response, _, whole := s.decoded(x, h)
	if x.findings = x.findings[:before]; whole {
		s.checkResponse(x, response, true)
	}
	body, changed := x.body, false
	if merges {
		merged, header := s.merge(x, whole, response)
		if changed = merged != nil; changed {
			body = merged
			for _, f := range header {
				h.Answer.Set(f.Name, f.Value)
			}
			h.Answer.Set(mergedField, x.merged)
		}
	}
	if patches {
		rule, patch := x.rule, x.outcome.Answer.Patch
		if changed = x.media != nil && x.media.IsJSON(); changed {
			body = jsonvalue.Merge(body, *patch)
		}
		if !changed || !rule.Violates && !x.media.Conforms(body) {
			return &respond.Refusal{Status: 500, Findings: []exchange.Finding{{
				Code: scenario.CodeFailed, In: exchange.InRequest, Document: rule.Place, Message: fmt.Sprintf(
					"scenario %s, rule %d: the response has no JSON body that the patch can change so that it conforms",
					rule.Scenario, rule.Number),
			}}}
		}
		for _, f := range x.outcome.Answer.Header {
			h.Answer.Set(f.Name, f.Value)
		}
	}
	if changed {
		known, _ := x.ask.Header.Get("If-None-Match")
		h.Replace(jsontext.Marshal(body), known)
	}
	return nil
}

// merge returns the body of a response with what clients changed in the session, and fields for it; nil if it is sent
// unchanged. If the document does not allow the body, a finding says so.
func (s *Server) merge(x *forwarded, whole bool, r *exchange.Response) (body any, header exchange.Header) {
	defer s.recoverItems(x)
	finding := exchange.Finding{Code: codeNotMerged, Severity: exchange.Warning, In: exchange.InResponseBody}
	const unchanged = "it does not have what was changed in the mock: "
	switch {
	case !whole:
		finding.Message = unchanged + "it could not be read whole"
	case x.media == nil || !x.media.IsJSON():
		finding.Message = unchanged + "it is no JSON of the document"
	default:
		s.adopt(x, r.Header)
		merged := x.contract.resources.Merge(s.items(x), r.Header, x.media, x.body)
		if merged == nil {
			return nil, nil
		}
		if merged.Conforms() {
			x.merged = merged.String()
			return merged.Body, merged.Header
		}
		finding.Message = unchanged + "the document does not allow the result"
	}
	x.findings = append(x.findings, finding)
	return nil, nil
}

// askUpstream reads the item that a mocked request changes, if nothing is known of it: the mock would generate it.
func (s *Server) askUpstream(x *forwarded, w http.ResponseWriter, r *http.Request) {
	c, q := x.contract, &x.ask
	var err error
	if x.session, _, err = s.sessions.Get(chosenSession(q.Header)); err != nil {
		return
	}
	q.Values, _ = x.operation.validator.Decode(q.Request, q.Variables)
	operation, path := c.resources.Unseen(s.items(x))
	if operation == nil || s.choices.IsMocked(operation) {
		return
	}
	reader := c.operations[operation]
	ctx, cancel := context.WithTimeout(r.Context(), cmp.Or(s.options.Limits.RequestTimeout, 10*time.Second))
	defer cancel()
	read := r.Clone(ctx)
	read.Method, read.Body, read.ContentLength, read.TransferEncoding = http.MethodGet, nil, 0, nil
	read.RequestURI, read.URL.RawQuery = path, ""
	for _, name := range []string{"Content-Type", "Content-Encoding", "Content-Length", "Expect", "If-Match"} {
		read.Header.Del(name)
	}
	seen := s.upstream.Forward(w, read, proxy.Steps{
		Base: x.base, MissingBase: x.lacking, Stopped: s.context, Whole: true,
		Head: func(h *proxy.Head) error {
			h.Body.Hold()
			response, _, whole := s.decoded(x, h)
			asked := &forwarded{exchanged: s.begin(&exchange.Request{Method: http.MethodGet, Path: path, Header: q.Header})}
			asked.operation, asked.ask.Operation, asked.session = reader, reader.Operation, x.session
			asked.ask.Values.Path = q.Values.Path
			switch {
			case whole && h.Status == http.StatusOK:
				asked.body, asked.media, _ = reader.validator.DecodeResponse(http.MethodGet, response)
				s.adopt(asked, response.Header)
			case h.Status == http.StatusNotFound, h.Status == http.StatusGone:
				c.resources.AdoptMissing(s.items(x))
			}
			return errAsked // nothing of it is for the client
		},
	})
	if seen.Head != nil {
		seen.Body.Release()
		x.share.Release()
	}
}

// asksWhole reports whether the request asks the upstream for a whole representation, which the proxy may change.
func (x *forwarded) asksWhole() bool {
	isRead := x.ask.Method == http.MethodGet || x.ask.Method == http.MethodHead
	return isRead && (x.merges || x.patches())
}

// adopt keeps what a successful response says of the upstream's items.
func (s *Server) adopt(x *forwarded, header exchange.Header) {
	if x.adopted || x.operation == nil || !x.operation.stateful {
		return
	}
	defer s.recoverItems(x)
	x.adopted = true
	x.contract.resources.Adopt(s.items(x), header, x.media, x.body)
}

// recoverItems logs a failure to keep or merge items, so that the response is forwarded all the same.
func (s *Server) recoverItems(x *forwarded) {
	if cause := recover(); cause != nil {
		s.logFault(x.ask.Method+" "+x.ask.Path, cause)
	}
}

// refuseUnsent returns the refusal of a request to which the upstream gave no response that was sent, and what is wrong
// with the upstream.
func (s *Server) refuseUnsent(x *forwarded, seen proxy.Seen) (*respond.Refusal, *exchange.Finding) {
	if seen.Sent {
		return nil, nil
	}
	if refusal, ok := errors.AsType[*respond.Refusal](seen.Err); ok {
		return refusal, nil
	}
	f := &exchange.Finding{Code: codeUnreachable, In: exchange.InResponse}
	status := http.StatusBadGateway
	var timeout net.Error
	switch err := seen.Err; {
	case err == errEnforced:
		return &respond.Refusal{Status: status, Findings: x.enforced}, nil
	case errors.Is(err, proxy.ErrLoop):
		loop := exchange.Finding{Code: codeLoop, In: exchange.InResponse, Message: err.Error()}
		return &respond.Refusal{Status: http.StatusLoopDetected, Findings: []exchange.Finding{loop}}, nil
	case errors.Is(err, context.Canceled):
		return s.overdue(exchange.ErrClientLeft), nil
	case errors.As(err, &timeout) && timeout.Timeout():
		f.Code, status = codeTimeout, http.StatusGatewayTimeout
		f.Message = fmt.Sprintf("the upstream did not answer within %v (option upstream-timeout)",
			cmp.Or(s.options.Proxy.Timeout, time.Minute))
	default:
		dial, isNetwork := errors.AsType[*net.OpError](err)
		_, isUntrusted := errors.AsType[*tls.CertificateVerificationError](err)
		_, isPlain := errors.AsType[tls.RecordHeaderError](err)
		switch {
		case isUntrusted, isPlain:
			f.Code = codeCertificate
		case isNetwork && dial.Op == "dial":
		case isNetwork, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			f.Code = codeNoAnswer
		default:
			f.Code = codeMalformed
		}
		cause := strings.TrimPrefix(err.Error(), "net/http: HTTP/1.x transport connection broken: ")
		f.Message = "no response came from " + s.options.upstream.Host + ": " + exchange.Shorten(cause, maxCause)
		if isUntrusted {
			f.Message += " (options upstream-ca and insecure)"
		}
	}
	return &respond.Refusal{Status: status, Findings: []exchange.Finding{*f}}, f
}

// maxCause limits the text of an error in a finding, in characters.
const maxCause = 300

// decoded returns a response as far as it has been seen, with its body decoded, and the size of that; whole says that
// the body is complete. It adds a finding if the body cannot be decoded.
func (s *Server) decoded(x *forwarded, h *proxy.Head) (r *exchange.Response, size int64, whole bool) {
	body, size, whole := h.Body.Seen()
	r = &exchange.Response{Status: h.Status, Header: httpserver.Fields(h.Header), Body: body}
	encoding, packed := r.Header.Get("Content-Encoding")
	if !packed || !whole || len(body) == 0 {
		return r, size, whole
	}
	x.share.Release()
	x.share.Of = s.core.Bodies
	plain, finding := decode.Decompress(encoding, body, s.options.Limits.MaxBody, &x.share)
	if finding != nil {
		x.findings = append(x.findings, exchange.OfResponse([]exchange.Finding{*finding})...)
		return r, size, false
	}
	r.Body = plain
	return r, int64(len(plain)), true
}

// finishForwarded validates what passed, and logs and records it. If a response ends well, that is before the client
// has all of it, so that the client finds the exchange in the journal. err says why a response ended otherwise.
func (s *Server) finishForwarded(x *forwarded, h *proxy.Head, err error, began time.Time) {
	if x.finished {
		return
	}
	x.finished = true
	if !x.checked {
		s.checkRequest(x)
	}
	response, size, whole := s.decoded(x, h)
	found := s.checkResponse(x, response, whole)
	x.findings = append(x.findings, found...)
	var fault *exchange.Finding
	switch {
	case whole:
	case h.Body.Failed() != nil && !errors.Is(err, context.Canceled):
		fault = &exchange.Finding{
			Code: codeBrokeOff, In: exchange.InResponseBody, Message: fmt.Sprintf("the upstream broke off after %d bytes", size),
		}
		x.findings = append(x.findings, *fault)
	default:
		x.findings = append(x.findings, notChecked(exchange.InResponseBody, size, s.options.Limits.MaxBody))
	}
	if whole && h.Status/100 == 2 {
		s.adopt(x, response.Header)
	}
	if whole && x.before != nil {
		s.learn(x, response, found)
	}
	if x.ask.Method == http.MethodHead {
		response.Body = nil // of a GET; see asksWhole
	}
	x.findings = x.credentials().HideFindings(x.findings)
	x.answer.Response = *response
	x.recorded = x.contract.secrets.RedactBody(response)
	s.log.exchange(x.exchanged, began)
	p := passed{path: h.Path}
	if !whole {
		p.response = int(size)
		x.answer.Body = nil // for the coverage
	}
	if x.request != nil {
		if beginning, size, whole := x.request.Seen(); !whole {
			x.ask.Body, p.request = beginning, int(size)
		}
	}
	s.record(x.exchanged, began, p)
	count(x.exchanged)
	s.observe(x, h.Path, response, whole, fault, began)
}

// learn compares a response with the mock's, which answers in a copy of the session as it was before the exchange. The
// journal, the log, the coverage and receivers of callbacks do not see that.
func (s *Server) learn(x *forwarded, r *exchange.Response, found []exchange.Finding) {
	if x.rule != nil || r.Status >= 500 || slices.Contains(validate.RequestedStatuses(x.ask.Header), r.Status) {
		return // the mock decides otherwise, or nothing
	}
	defer s.recoverItems(x)
	asked := *x.ask.Request
	asked.Share, asked.Work = bodies.Share{}, &exchange.Work{}
	asked.Work.Begin(s.options.Limits.RequestTimeout)
	if x.request != nil {
		body, _, whole := x.request.Seen()
		if asked.Body = body; !whole {
			return
		}
	}
	m := s.begin(&asked)
	m.contract, m.apart = x.contract, x.before
	if refusal := s.process(m); refusal != nil {
		x.contract.responder.Refuse(&m.ask, &m.answer, refusal)
	}
	if s.write(m); m.stream != nil || asked.Work.Ended() != nil {
		return
	}
	answerOf := func(r *exchange.Response) learn.Answer {
		known := *r
		known.Body = x.contract.secrets.RedactBody(r)
		body, media, _ := x.operation.validator.DecodeResponse(x.ask.Method, &known)
		listed := x.contract.resources.Listed(s.items(x), r.Header, media, body)
		return learn.Answer{Status: r.Status, Body: body, Media: media, List: listed}
	}
	s.learner.Add(&learn.Exchange{
		Operation: x.operation.Operation.Operation, Unsent: x.contract.resources.Unsent(s.items(x), x.media),
		Upstream: answerOf(r), Mock: answerOf(&m.answer.Response), Findings: found,
	})
}

// Learned says how the responses of a proxy's upstream differ from the mock's; see Options.Proxy.Learn.
type Learned struct {
	Text     string // the share of differing exchanges, and the differences of each operation
	Settings string // lines of coldframe.yaml that remove differences; "" if there are none
	Overlay  string // an OpenAPI Overlay 1.0 that corrects the document; "" if nothing is to correct
}

// Learned returns what was learned so far.
func (s *Server) Learned() Learned {
	if s.learner == nil {
		return Learned{}
	}
	r := s.learner.Report()
	return Learned{r.Text(), r.Settings, r.Overlay}
}

// observe passes an exchange on to Options.Proxy.Observe. path is the upstream's. fault says why no whole response
// came; nil if one came.
func (s *Server) observe(x *forwarded, path string, r *exchange.Response, whole bool, fault *exchange.Finding,
	began time.Time) {
	if s.options.Proxy.Observe == nil {
		return
	}
	requestWhole := true
	if x.request != nil {
		x.ask.Body, _, requestWhole = x.request.Seen()
	}
	s.options.Proxy.Observe(&report.Recorded{
		Origin: recording.Origin(s.options.upstream), Request: s.toUpstream(x.ask.Request, path).Plain(), Response: r,
		Took: s.options.Clock().Sub(began), RequestCut: !requestWhole, ResponseCut: !whole, Fault: fault,
	})
}

// newProxy returns the proxy of Options.Proxy; nil for a mock.
func newProxy(s *Server) *proxy.Proxy {
	o := &s.options
	if o.upstream == nil {
		return nil
	}
	s.choices = o.choices
	var config *tls.Config
	if o.Proxy.TLS != nil {
		config = o.Proxy.TLS.Clone()
	}
	return proxy.New(proxy.Options{
		Upstream: o.upstream, Header: o.Proxy.Header, TLS: config, Timeout: o.Proxy.Timeout,
		TrustProxy: o.Listen.TrustProxy, MaxBody: o.Limits.MaxBody, Bodies: s.core.Bodies,
	})
}

func errorsOf(findings []exchange.Finding) (all []exchange.Finding) {
	for _, f := range findings {
		if f.Severity == exchange.Error {
			all = append(all, f)
		}
	}
	return all
}

// checkRequest adds the findings on a request, as far as its body has been seen.
func (s *Server) checkRequest(x *forwarded) {
	x.checked = true
	if x.operation == nil {
		return
	}
	q, whole := &x.ask, true
	if x.request != nil {
		var size int64
		q.Body, size, whole = x.request.Seen()
		if !whole {
			q.Body = nil
			x.findings = append(x.findings, notChecked(exchange.InBody, size, s.options.Limits.MaxBody))
		}
	}
	found, refusal := decodeAndValidate(&s.options, x.operation, q)
	if refusal != nil {
		found = refusal.Findings
	}
	if !whole {
		found = slices.DeleteFunc(found, func(f exchange.Finding) bool { return f.In == exchange.InBody })
	}
	x.findings = append(x.findings, misspelt(&s.options, x.operation, q)...)
	x.findings = append(x.findings, found...)
}

// notChecked says that a body was not seen to its end, so that nothing is known of it.
func notChecked(in string, size int64, limit int) exchange.Finding {
	f := exchange.Finding{Code: codeNotChecked, Severity: exchange.Info, In: in}
	if f.Message = fmt.Sprintf("it ended after %d bytes", size); size > int64(limit) {
		f.Message = fmt.Sprintf("it has over %s (option max-body)", sizeText(limit))
	}
	f.Message += ", so it was not checked"
	return f
}

// checkResponse returns the findings on a response; whole says that its body is known.
func (s *Server) checkResponse(x *forwarded, r *exchange.Response, whole bool) []exchange.Finding {
	if x.operation == nil || slices.Contains(validate.RequestedStatuses(x.ask.Header), r.Status) ||
		r.Status == http.StatusSwitchingProtocols {
		return nil
	}
	known := *r
	if !whole {
		known.Body = nil
	}
	var found []exchange.Finding
	method := x.ask.Method
	if x.asksWhole() {
		method = http.MethodGet
	}
	x.body, x.media, found = x.operation.validator.DecodeResponse(method, &known)
	if !whole {
		found = slices.DeleteFunc(found, func(f exchange.Finding) bool { return f.In == exchange.InBody })
	}
	for i := range found {
		if found[i].Code == validate.CodeUndocumentedStatus && validate.IsOfHTTP(r.Status) {
			found[i].Severity = exchange.Warning
		}
	}
	found = exchange.OfResponse(found)
	if r.Status == 401 || r.Status == 403 {
		return found
	}
	missing := x.operation.auth.Check(x.ask.Request)
	for i := range missing {
		if r.Status < 300 {
			missing[i].Message += ", and the upstream accepts the request"
		}
	}
	return append(missing, found...)
}
