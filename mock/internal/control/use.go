package control

import (
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// useSession makes the browser send a session's name in its cookie, and redirects it to a path of the mock.
func useSession(h *Handler, c *call) (any, error) {
	name, target := c.path("name"), "/"
	if to, given := c.Query["to"].(string); given {
		target = to
	}
	if err := state.CheckName(name); err != nil {
		return nil, &Failure{Status: 400, Detail: err.Error()}
	}
	u, err := url.Parse(target)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(target, "/") ||
		strings.HasPrefix(target, "//") || strings.ContainsAny(target, "\\\t\r\n") {
		return nil, invalid(400, exchange.Finding{
			Code: "foreign-target", Message: "must be a path of the mock, such as /plants", In: exchange.InQuery, Name: "to",
		})
	}
	if strings.ContainsAny(name, `;,"\`) { // RFC 6265 section 4.1.1
		return nil, &Failure{Status: 400, Detail: "no cookie can have the name of this session; send it in a field"}
	}
	cookie := h.SessionCookie + "=" + name + "; Path=/; HttpOnly; SameSite=Lax"
	if name == state.Default {
		cookie = h.SessionCookie + "=; Path=/; Max-Age=0"
	}
	return httpserver.Answer{Response: &exchange.Response{Status: http.StatusSeeOther, Header: exchange.Header{
		{Name: "Location", Value: h.mockOrigin(c) + u.String()},
		{Name: "Set-Cookie", Value: cookie},
		{Name: "Cache-Control", Value: "no-store"},
	}}}, nil
}

// mockOrigin returns the origin of the mock for a client of the control API, by the host that the client uses; "" if
// the origins are the same.
func (h *Handler) mockOrigin(c *call) string {
	mock, err := url.Parse(h.URL())
	host, _ := c.request.Header.Get("Host")
	if err != nil || h.ControlURL() == h.URL() || host == "" {
		return ""
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return mock.Scheme + "://" + net.JoinHostPort(strings.Trim(host, "[]"), mock.Port())
}
