// Package origin decides which requests a local server answers: those to its own names, from its own pages or from
// programs, with its token. Any site can make a browser send requests to this machine.
//
//	if reason := origin.Foreign(r.Header, hosts, "the control API"); reason != "" { … } // 403
//	if !origin.Authorized(r.Header, token) { … } // 401
package origin

import (
	"crypto/subtle"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Hosts are names under which a server answers, beside localhost, its subdomains and addresses: names,
// "*.example.com" for all subdomains, and "*" for any. Another name may belong to a web page that resolves it to this
// machine (DNS rebinding).
type Hosts []string

// Allow reports whether a server answers to the value of a Host field.
func (h Hosts) Allow(host string) bool {
	name := host
	if bare, _, err := net.SplitHostPort(host); err == nil {
		name = bare
	}
	name = strings.ToLower(name)
	if name == "" || name == "localhost" || strings.HasSuffix(name, ".localhost") ||
		net.ParseIP(strings.Trim(name, "[]")) != nil {
		return true
	}
	return slices.ContainsFunc(h, func(allowed string) bool {
		allowed = strings.ToLower(allowed)
		parent, wild := strings.CutPrefix(allowed, "*")
		return allowed == name || wild && strings.HasSuffix(name, parent)
	})
}

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

// Foreign returns the reason why what is not for a request, which comes from another origin; "" if it does not. A
// browser sends its page's origin in Origin or Sec-Fetch-Site: null and cross-site for pages in a sandbox. Host shows
// a name of an attacker that resolves to this machine.
func Foreign(header exchange.Header, hosts Hosts, what string) string {
	reason := what + " is not for pages of other origins"
	for _, site := range header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return reason
		}
	}
	if dest, _ := header.Get("Sec-Fetch-Dest"); dest == "report" { // a field of any response can make a browser send one
		return reason
	}
	named := header.Values("Host")
	for _, origin := range header.Values("Origin") {
		u, err := url.Parse(origin)
		if err != nil || len(named) == 0 || !strings.EqualFold(u.Host, named[0]) {
			return reason
		}
	}
	for _, host := range named {
		if !hosts.Allow(host) {
			return what + " is reached as localhost, by an address or by an allowed name, not as " + host
		}
	}
	return ""
}

// Authorized reports whether a request has the token, as Authorization: Bearer TOKEN. "" needs none.
func Authorized(header exchange.Header, token string) bool {
	if token == "" {
		return true
	}
	sent, _ := header.Get("Authorization")
	scheme, given, _ := strings.Cut(sent, " ")
	return strings.EqualFold(scheme, "Bearer") &&
		subtle.ConstantTimeCompare([]byte(strings.TrimSpace(given)), []byte(token)) == 1
}
