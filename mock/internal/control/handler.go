// Package control is the mock's control API, through which clients inspect and change the mock itself. openapi.yaml
// describes it; requests are validated against that document. routes.go has a row for each operation.
package control

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/console"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/origin"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
	"github.com/coldframe/coldframe/mock/internal/learn"
	"github.com/coldframe/coldframe/mock/internal/logins"
	"github.com/coldframe/coldframe/mock/internal/proxy"
	"github.com/coldframe/coldframe/mock/internal/replay"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
	"github.com/coldframe/coldframe/mock/internal/verify"
)

// Prefix is the prefix of the control API's paths.
const Prefix = "/__coldframe/"

// Handler answers the requests of the control API. It is safe for concurrent use once its fields are set.
type Handler struct {
	Sessions *state.Sessions[*Memory]
	// SessionOf returns the name of the session that a request's fields choose, "" if they choose none.
	SessionOf func(exchange.Header) string
	// Served returns what the mock currently serves.
	Served func() Served
	// ChangeScenarios changes the scenarios of a session, or for nil the ones for all sessions, completely or not at
	// all. It creates the session if necessary, and returns the findings on new texts.
	ChangeScenarios func(session *string, edit scenario.Edit) ([]exchange.Finding, error)
	// SeedState replaces the items of a session by the items in a data file's text, completely or not at all. It
	// creates the session if necessary, and returns the warnings.
	SeedState func(session string, text []byte) ([]exchange.Finding, error)
	// ExportSession writes a session's file in pieces.
	ExportSession func(s *state.Session[*Memory], write func([]byte) error) error
	// ImportSession replaces a session by the one in a file, completely or not at all. It creates the session if
	// necessary, and returns the warnings.
	ImportSession func(session string, file []byte) ([]exchange.Finding, error)
	// BodyOf returns the JSON of a kept item as bodies have it.
	BodyOf func(*state.Item) []byte
	// MockOrigin is the origin of the mock if the API has a port of its own, else "".
	MockOrigin string
	// SendWebhook sends a webhook and returns the sent request and the response. method "" is the first documented
	// method; body replaces a generated body, nil if none.
	SendWebhook func(name, method, url string, body *any) (any, error)
	// URL and ControlURL return the addresses of the mock and of the control API.
	URL, ControlURL func() string
	// SessionCookie is the cookie in which requests name their session.
	SessionCookie string
	// Choices say which operations a proxy forwards; nil for a mock.
	Choices *proxy.Choices
	// Learner compares a proxy's upstream with the mock; nil if nothing is compared.
	Learner *learn.Learner
	// ClockMode is the mode of the sessions' clocks: session, real or fixed.
	ClockMode string
	// Off turns off everything except health.
	Off bool
	// Hosts are the names under which the API answers, beside this machine's.
	Hosts origin.Hosts
	// Token is required of every request except health's; "" requires none.
	Token string
	// Handlers are further endpoints, by the name that follows Prefix.
	Handlers map[string]http.Handler
	// ReadOnly refuses changes by pages in a browser.
	ReadOnly bool
	// AllowEdit allows to write scenario files, in the folders of ScenarioFiles, which are what was read at start.
	AllowEdit     bool
	ScenarioFiles []string
	// Done ends streams when the mock stops; nil means never.
	Done <-chan struct{}
}

// Served is what a mock serves at a point in time.
type Served struct {
	verify.Evidence
	Scenarios *scenario.Set
	Coverage  *coverage.Coverage
	Catalog   *Catalog
	Findings  []exchange.Finding // on the document, the scenarios and the data
	LoadedAt  time.Time
	Reload    *Reload // the last one, if it failed; else nil
	Items     *resources.Set
}

// Memory is the state of a session beside its items. It is safe for concurrent use.
type Memory struct {
	Scenarios *scenario.Session
	Replies   *resources.Replies
	Logins    *logins.Store
	Clock     *state.Clock
	Replayed  *replay.Session
	// Base replaces the mock's initial items if the session was seeded; nil otherwise.
	Base *state.View
}

// Serve answers one request. It refuses requests that a browser sends for a page of another origin, because any site
// can make a browser send them.
func (h *Handler) Serve(r *exchange.Request) httpserver.Answer {
	if reason := h.foreign(r.Header); reason != "" {
		return problem(403, reason)
	}
	if r.Path != Prefix+"health" {
		if h.Off {
			return problem(404, "the control API is off (option control)")
		}
		if page := h.console(r); page != nil {
			return httpserver.Answer{Response: page}
		}
		if !origin.Authorized(r.Header, h.Token) {
			a := problem(401, "the control API needs the token of the option control-token, as Authorization: Bearer TOKEN")
			a.Header.Set("WWW-Authenticate", "Bearer")
			return a
		}
	}
	if h.ReadOnly && r.Method != http.MethodGet && r.Method != http.MethodHead && isFromPage(r.Header) {
		return problem(403, "pages in a browser can only read (option read-only-console)")
	}
	if handler := h.Handlers[strings.TrimPrefix(r.Path, Prefix)]; handler != nil {
		return httpserver.Handle(handler, r)
	}
	return h.dispatch(r)
}

// console returns a file of the console, nil if the request is for something else. The files are the same for everybody
// and need no token; the console sends one with its requests.
func (h *Handler) console(r *exchange.Request) *exchange.Response {
	if r.Path == Prefix && WantsPage(r) {
		return console.Serve(r, "", h.MockOrigin)
	}
	if name, ok := strings.CutPrefix(r.Path, Prefix+"console/"); ok && name != "" {
		return console.Serve(r, name, h.MockOrigin)
	}
	return nil
}

// WantsPage reports whether a browser requests a page.
func WantsPage(r *exchange.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		strings.Contains(strings.ToLower(strings.Join(r.Header.Values("Accept"), ",")), "text/html")
}

// Elsewhere answers on a port that serves only the health endpoint.
func (h *Handler) Elsewhere(r *exchange.Request) httpserver.Answer {
	if r.Path == Prefix+"health" || h.foreign(r.Header) != "" {
		return h.Serve(r)
	}
	return problem(404, "the control API has a port of its own (option control-port)")
}

// Unreadable answers bytes that could not be read as a request.
func Unreadable(status int) httpserver.Answer {
	if status == http.StatusMisdirectedRequest {
		return problem(status, "use localhost or an address, or allow the host with the option allowed-host")
	}
	return problem(status, "the request could not be read: "+strings.ToLower(http.StatusText(status)))
}

// foreign returns the reason why a request comes from another origin, "" if it does not.
func (h *Handler) foreign(header exchange.Header) string {
	return origin.Foreign(header, h.Hosts, "the control API")
}

// isFromPage reports whether a browser's page sends a request. Browsers add one of these fields to each request that
// is not GET or HEAD, and pages can remove neither.
func isFromPage(header exchange.Header) bool {
	_, origin := header.Get("Origin")
	_, site := header.Get("Sec-Fetch-Site")
	return origin || site
}

// Failure is the reason why a request fails.
type Failure = callbacks.Failure

func invalid(status int, findings ...exchange.Finding) *Failure {
	return &Failure{Status: status, Findings: findings}
}

func refusal(f *Failure) httpserver.Answer {
	if len(f.Findings) == 0 {
		return problem(f.Status, f.Detail)
	}
	errors := make([]client.Finding, len(f.Findings))
	for i, found := range f.Findings {
		e := client.Finding{Code: found.Code, Detail: found.String()}
		switch {
		case found.In == exchange.InBody:
			e.Pointer = "#" + found.Pointer
		case found.Name != "":
			e.Parameter = found.Name
		case found.In == "" && found.Document.Line > 0:
			e.File, e.Line, e.Column = found.Document.File, found.Document.Line, found.Document.Column
		}
		errors[i] = e
	}
	return problemWith(f.Status, exchange.Join(f.Findings), map[string]any{"errors": errors})
}

func problem(status int, detail string) httpserver.Answer {
	return problemWith(status, detail, map[string]any{})
}

// problemWith adds the standard members to others.
func problemWith(status int, detail string, members map[string]any) httpserver.Answer {
	members["type"], members["title"] = "about:blank", http.StatusText(status)
	members["status"], members["detail"] = status, detail
	a := written("application/problem+json", marshal(members))
	a.Status = status
	return a
}

// written returns a text response that is safe to show in a terminal.
func written(mediaType string, body []byte) httpserver.Answer {
	header := exchange.Header{
		{Name: "Content-Type", Value: mediaType}, {Name: "X-Content-Type-Options", Value: "nosniff"},
	}
	return httpserver.Answer{Response: &exchange.Response{Status: 200, Header: header, Body: visible.Bytes(body)}}
}

// marshal returns a value as one line of JSON, without HTML escapes.
func marshal(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return marshal(err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
