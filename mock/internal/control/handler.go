// Package control is the mock's control API, with which clients inspect and
// change the mock itself. openapi.yaml describes it; requests are validated
// against that document. routes.go has a row for each operation.
package control

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/verify"
)

// Prefix is what the paths of the control API begin with.
const Prefix = "/__coldframe/"

// Handler answers the requests of the control API. It is safe for concurrent
// use once its fields are set.
type Handler struct {
	Sessions  Sessions
	Scenarios Scenarios
	Webhooks  Webhooks
	// Evidence gives the journal, nil where none is kept, and the mock's contract
	// as it is now.
	Evidence func() verify.Evidence
	// Coverage reports what of the document has been used, by all or in one
	// session; nil where there is no such session.
	Coverage func(session string, one bool) *coverage.Report
	// Off serves health alone.
	Off bool
	// Token is required of every request but health's; "" requires none.
	Token string
	// Done ends streams when the mock stops; nil is never.
	Done <-chan struct{}
}

// Answer is a response whose body may be streamed.
type Answer struct {
	*exchange.Response
	// Stream writes the body, piece by piece, until write fails. Nil where the
	// response has all of it.
	Stream func(write func([]byte) error)
}

// Serve answers one request. It refuses requests that a browser sends for a page
// of another origin: any site can make a browser send them.
func (h *Handler) Serve(r *exchange.Request) Answer {
	if reason := foreign(r.Header); reason != "" {
		return problem(403, reason)
	}
	if r.Path != Prefix+"health" {
		if h.Off {
			return problem(404, "the control API is off (option control)")
		}
		if !h.authorized(r.Header) {
			a := problem(401, "the control API needs the token of the option control-token, as Authorization: Bearer TOKEN")
			a.Header.Set("WWW-Authenticate", "Bearer")
			return a
		}
	}
	return h.dispatch(r)
}

// Elsewhere answers on a port that serves no control API but its health.
func (h *Handler) Elsewhere(r *exchange.Request) Answer {
	if reason := foreign(r.Header); reason != "" {
		return problem(403, reason)
	}
	if r.Path == Prefix+"health" {
		return h.Serve(r)
	}
	return problem(404, "the control API has a port of its own (option control-port)")
}

// Unreadable answers what could not be read as a request.
func Unreadable(status int) Answer {
	return problem(status, "the request could not be read: "+strings.ToLower(http.StatusText(status)))
}

func (h *Handler) authorized(header exchange.Header) bool {
	if h.Token == "" {
		return true
	}
	sent, _ := header.Get("Authorization")
	scheme, token, _ := strings.Cut(sent, " ")
	return strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare([]byte(strings.TrimSpace(token)), []byte(h.Token)) == 1
}

// foreign gives the reason why a request comes from another origin, "" where it
// does not. A browser sends its page's origin in Origin or Sec-Fetch-Site; Host
// shows a name that an attacker has resolve to this machine.
func foreign(h exchange.Header) string {
	const reason = "the control API is not for pages of other origins"
	for _, site := range h.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return reason
		}
	}
	hosts := h.Values("Host")
	for _, origin := range h.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || len(hosts) == 0 || !strings.EqualFold(u.Host, hosts[0]) {
			return reason
		}
	}
	for _, host := range hosts {
		name := host
		if bare, _, err := net.SplitHostPort(host); err == nil {
			name = bare
		}
		isAddress := net.ParseIP(strings.Trim(name, "[]")) != nil
		if !isAddress && strings.Contains(name, ".") && !strings.HasSuffix(strings.ToLower(name), ".localhost") {
			return "the control API is reached by an address, as localhost or by a name without dots, not as " + host
		}
	}
	return ""
}
