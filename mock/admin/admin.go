// Package admin is the mock's control API: what clients use to look at the
// mock itself.
package admin

import (
	"encoding/json"
	"net"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/state"
)

// Prefix is what the paths of the control API begin with.
const Prefix = "/__coldframe/"

// Handler answers the requests of the control API. It is safe for concurrent
// use.
type Handler struct {
	store    *state.State
	Webhooks *Webhooks // nil: there are none
}

// New makes the control API of a mock that keeps its items in store.
func New(store *state.State) *Handler { return &Handler{store: store} }

// Serve answers one request. Those that a page of another origin makes a
// browser send are refused: the mock answers to its user, not to every site
// that is open beside it.
func (h *Handler) Serve(r *exchange.Request) *exchange.Response {
	if reason := foreign(r.Header); reason != "" {
		return problem(403, "Forbidden", reason)
	}
	switch strings.TrimPrefix(r.Path, Prefix) {
	case "health":
		return h.only(r, map[string]func() *exchange.Response{"GET": func() *exchange.Response {
			return answer(map[string]any{"status": "ok"})
		}})
	case "state":
		return h.only(r, map[string]func() *exchange.Response{"GET": h.state, "DELETE": func() *exchange.Response {
			h.store.ClearAll()
			return &exchange.Response{Status: 204}
		}})
	}
	if name, ok := strings.CutPrefix(r.Path, Prefix+"webhooks"); ok && h.Webhooks != nil && (name == "" || name[0] == '/') {
		return h.webhooks(strings.TrimPrefix(name, "/"), r)
	}
	return problem(404, "Not Found", "the control API has health, state and webhooks below "+Prefix)
}

// only answers with the handler of the method, or says which there are.
func (h *Handler) only(r *exchange.Request, methods map[string]func() *exchange.Response) *exchange.Response {
	method := r.Method
	if method == "HEAD" {
		method = "GET"
	}
	if handle := methods[method]; handle != nil {
		return handle()
	}
	allow := "GET, HEAD"
	if methods["DELETE"] != nil {
		allow = "DELETE, GET, HEAD"
	}
	response := problem(405, "Method Not Allowed", "the method "+r.Method+" is not for this path; use "+allow)
	response.Header.Set("Allow", allow)
	return response
}

// state lists what is kept, by the path it was created under, oldest first.
func (h *Handler) state() *exchange.Response {
	view := h.store.View()
	var collections []string
	bodies := map[string][]byte{}
	for item := range view.All() {
		text, known := bodies[item.Collection]
		if !known {
			collections = append(collections, item.Collection)
		} else {
			text = append(text, ',')
		}
		bodies[item.Collection] = append(text, item.JSON...)
	}
	body := append([]byte(`{"items":`), jsontext.Append(nil, view.Total())...)
	body = append(body, `,"collections":{`...)
	for i, name := range collections {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(jsontext.AppendString(body, name), ':', '[')
		body = append(append(body, bodies[name]...), ']')
	}
	return &exchange.Response{Status: 200, Header: jsonField(), Body: append(body, "}}"...)}
}

// foreign says why a request comes from elsewhere, "" where it does not. A
// browser tells its page's origin in Origin or Sec-Fetch-Site; a name that
// resolves to this machine for an attacker's purposes shows in Host.
func foreign(h exchange.Header) string {
	if site, ok := h.Get("Sec-Fetch-Site"); ok && site != "same-origin" && site != "none" {
		return "the control API is not for pages of other origins"
	}
	host, _ := h.Get("Host")
	if origin, ok := h.Get("Origin"); ok {
		u, err := url.Parse(origin)
		if err != nil || u.Host != host {
			return "the control API is not for pages of other origins"
		}
	}
	name := host
	if bare, _, err := net.SplitHostPort(host); err == nil {
		name = bare
	}
	if net.ParseIP(strings.Trim(name, "[]")) == nil && strings.Contains(name, ".") && !strings.HasSuffix(name, ".localhost") {
		return "the control API is reached by an address, as localhost or by a name without dots, not as " + host
	}
	return ""
}

func jsonField() exchange.Header {
	return exchange.Header{{Name: "Content-Type", Value: "application/json"}}
}

func answer(value any) *exchange.Response {
	return &exchange.Response{Status: 200, Header: jsonField(), Body: jsontext.Append(nil, value)}
}

// problem answers with problem details (RFC 9457).
func problem(status int, title, detail string) *exchange.Response {
	body, _ := json.Marshal(map[string]any{"type": "about:blank", "title": title, "status": status, "detail": detail})
	return &exchange.Response{
		Status: status,
		Header: exchange.Header{{Name: "Content-Type", Value: "application/problem+json"}},
		Body:   body,
	}
}
