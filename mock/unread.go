package mock

import (
	"net/http"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// unread answers a request of which not all was read: r is what is known of
// it, status what the reader says.
func (s *Server) unread(r *exchange.Request, status int) *handled {
	began := s.now()
	c := s.current.Load()
	h := &handled{contract: c, session: s.sessions.Lookup(""), ask: respond.Request{Request: r, Secrets: c.secrets}}
	h.ask.Seed, h.ask.Dynamic = s.options.seed(&h.ask.Preferences)
	refusal := &respond.Refusal{Status: status, Findings: []exchange.Finding{s.readFailure(status)}}
	if status == http.StatusRequestEntityTooLarge {
		if h.operation, _ = c.find(r, &h.match); h.operation != nil {
			h.ask.Operation, h.ask.Variables = h.operation.Operation, h.match.Values
			refusal.Problem, refusal.Status = respond.TooLarge, 0
		}
	}
	c.responder.Refuse(&h.ask, &h.answer, refusal)
	s.finish(h, began)
	return h
}

// readFailure says why a request was not read.
func (s *Server) readFailure(status int) exchange.Finding {
	switch status {
	case http.StatusRequestEntityTooLarge:
		return exchange.Finding{Code: decode.CodeBodyTooLarge, Message: "body is over " + sizeText(s.options.MaxBody), In: exchange.InBody}
	case http.StatusRequestHeaderFieldsTooLarge:
		return exchange.Finding{Code: "header-too-large", Message: "the fields are over " + sizeText(httpserver.MaxHeader), In: exchange.InHeader}
	case http.StatusRequestTimeout:
		return exchange.Finding{Code: "request-timeout", Message: "not all of it came within " + httpserver.Timeout.String(), In: exchange.InRequest}
	}
	// The reader's error would quote the request with its credentials.
	return exchange.Finding{Code: "unreadable-request", Message: "not a request of HTTP/1.1 (RFC 9112)", In: exchange.InRequest}
}
