package httpserver

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// AllowOrigin reports whether a page's origin has an allowed host.
func (h Hosts) AllowOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && h.Allow(u.Host)
}

// Trusts reports whether the pages of an origin may read responses that may be private: pages of this machine, of
// allowed hosts, and of the address in the request's Host field.
func (h Hosts) Trusts(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if ip := net.ParseIP(u.Hostname()); ip != nil {
		own, _, err := net.SplitHostPort(host)
		if err != nil {
			own = host
		}
		return ip.IsLoopback() || ip.Equal(net.ParseIP(own))
	}
	return h.Allow(u.Host)
}

// AllowOrigin lets pages of the request's origin read the response. Pages of this machine and of allowed hosts may
// also do so if the browser adds cookies or certificates to the request.
func AllowOrigin(r *exchange.Request, answer *exchange.Response, hosts Hosts) {
	origin, ok := r.Header.Get("Origin")
	if !ok {
		return
	}
	var exposed []string
	for _, f := range answer.Header {
		if f.Name != "Content-Type" && !strings.HasPrefix(f.Name, "Access-Control-") {
			exposed = append(exposed, f.Name)
		}
	}
	answer.Header.Set("Access-Control-Allow-Origin", origin) // also if the document has the field
	if hosts.AllowOrigin(origin) {
		answer.Header.Set("Access-Control-Allow-Credentials", "true")
	}
	answer.Header = append(answer.Header, exchange.Field{Name: "Vary", Value: "Origin"})
	if len(exposed) > 0 {
		answer.Header.Set("Access-Control-Expose-Headers", strings.Join(exposed, ", "))
	}
}

// AllowOriginOf lets pages of the request's origin read a response, whatever the upstream allows.
func AllowOriginOf(r *exchange.Request, answer http.Header, hosts Hosts) {
	for name := range answer {
		if strings.HasPrefix(name, "Access-Control-") {
			answer.Del(name)
		}
	}
	response := exchange.Response{Header: Fields(answer)}
	AllowOrigin(r, &response, hosts)
	for _, f := range response.Header {
		if strings.HasPrefix(f.Name, "Access-Control-") {
			answer.Set(f.Name, f.Value)
		}
	}
	if !slices.Contains(answer.Values("Vary"), "Origin") {
		answer.Add("Vary", "Origin")
	}
}
