// Package control is the mock's control API: what clients use to look at the
// mock itself. openapi.yaml describes it, and its requests are held to that
// document as those of the mock are to theirs (document.go); handle.go has a
// row for each operation, the other files are named for what they are about.
package control

import (
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Prefix is what the paths of the control API begin with.
const Prefix = "/__coldframe/"

// Handler answers the requests of the control API. It is safe for concurrent
// use once its fields are set.
type Handler struct {
	store     *state.State
	Webhooks  *Webhooks  // nil: there are none
	Sessions  *Sessions  // set by the mock
	Scenarios *Scenarios // the same
	// Journal is nil where none is kept.
	Journal *journal.Journal
	// Contract is that of the mock's document, as it is now.
	Contract func() *spec.Contract
	// Seen gives an exchange as the conditions of verify see it.
	Seen func(*journal.Entry) *scenario.Request
	// Coverage says what of the document has been used, by all or in one session;
	// nil where there is no such session.
	Coverage func(session string, one bool) *coverage.Report
	// Off leaves health alone in service.
	Off bool
	// Token is asked of every request but health's; "" asks for none.
	Token string
	// Done ends what goes on, when the mock stops; nil is never.
	Done <-chan struct{}
}

// New makes the control API of a mock that keeps its items in store.
func New(store *state.State) *Handler { return &Handler{store: store} }

// Answer is a response, whose body may go on for as long as the client
// listens.
type Answer struct {
	*exchange.Response
	// Stream writes the body, piece by piece, until write fails. Nil where the
	// response has all of it.
	Stream func(write func([]byte) error)
}

// Serve answers one request. Those that a page of another origin makes a
// browser send are refused: the mock answers to its user, not to every site
// that is open beside it.
func (h *Handler) Serve(r *exchange.Request) Answer {
	if reason := foreign(r.Header); reason != "" {
		return problem(403, reason)
	}
	if r.Path != Prefix+"health" {
		if h.Off {
			return problem(404, "the control API is off; see --control")
		}
		if refusal := h.unauthorized(r.Header); refusal != nil {
			return Answer{Response: refusal}
		}
	}
	return h.described(r)
}

// Elsewhere answers a request for the control API where it is not served, but
// for its health.
func (h *Handler) Elsewhere(r *exchange.Request) Answer {
	if reason := foreign(r.Header); reason != "" {
		return problem(403, reason)
	}
	if r.Path == Prefix+"health" {
		return h.Serve(r)
	}
	return problem(404, "the control API has a port of its own; see --control-port")
}

// Unreadable answers what could not be read as a request.
func Unreadable(status int) Answer {
	return problem(status, "the request could not be read: "+strings.ToLower(http.StatusText(status)))
}

// unauthorized refuses a request without the token, nil for none to refuse.
func (h *Handler) unauthorized(header exchange.Header) *exchange.Response {
	if h.Token == "" {
		return nil
	}
	sent, _ := header.Get("Authorization")
	scheme, token, _ := strings.Cut(sent, " ")
	if strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(strings.TrimSpace(token)), []byte(h.Token)) == 1 {
		return nil
	}
	refusal := problem(401, "the control API asks for the token of --control-token, as Authorization: Bearer TOKEN")
	refusal.Header.Set("WWW-Authenticate", "Bearer")
	return refusal.Response
}

// foreign says why a request comes from elsewhere, "" where it does not. A
// browser tells its page's origin in Origin or Sec-Fetch-Site; a name that
// resolves to this machine for an attacker's purposes shows in Host.
func foreign(h exchange.Header) string {
	const elsewhere = "the control API is not for pages of other origins"
	for _, site := range h.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return elsewhere
		}
	}
	hosts := h.Values("Host")
	for _, origin := range h.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || len(hosts) == 0 || !strings.EqualFold(u.Host, hosts[0]) {
			return elsewhere
		}
	}
	for _, host := range hosts {
		name := host
		if bare, _, err := net.SplitHostPort(host); err == nil {
			name = bare
		}
		if net.ParseIP(strings.Trim(name, "[]")) == nil && strings.Contains(name, ".") && !strings.HasSuffix(strings.ToLower(name), ".localhost") {
			return "the control API is reached by an address, as localhost or by a name without dots, not as " + host
		}
	}
	return ""
}

// answer gives a JSON value.
func answer(value any) Answer { return written("application/json", jsontext.Append(nil, value)) }

// marshalled gives a value as encoding/json writes it.
func marshalled(value any) Answer {
	body, err := compact(value)
	if err != nil {
		return problem(500, err.Error())
	}
	return written("application/json", body)
}

func written(kind string, body []byte) Answer {
	return Answer{Response: &exchange.Response{Status: 200, Header: typed(kind), Body: body}}
}

func noContent() Answer { return Answer{Response: &exchange.Response{Status: 204}} }

func typed(kind string) exchange.Header { return exchange.Header{{Name: "Content-Type", Value: kind}} }

// problem answers with problem details (RFC 9457).
func problem(status int, detail string) Answer { return problemWith(status, detail, nil) }

// problemWith has further members.
func problemWith(status int, detail string, members map[string]any) Answer {
	object := map[string]any{"type": "about:blank", "title": http.StatusText(status), "status": status, "detail": detail}
	for name, value := range members {
		object[name] = value
	}
	body, err := compact(object)
	if err != nil {
		body, _ = json.Marshal(err.Error())
	}
	return Answer{Response: &exchange.Response{Status: status, Header: typed("application/problem+json"), Body: body}}
}
