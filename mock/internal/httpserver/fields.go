package httpserver

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// fields returns the sendable part of a header, whatever a document, a scenario or a request has put into it: names
// are tokens (RFC 9110 section 5.1), and control characters in values become spaces (section 5.5).
func fields(h exchange.Header) exchange.Header {
	bad := func(f exchange.Field) bool { return f.Name == "" || !exchange.IsToken(f.Name) }
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }
	unfit := func(f exchange.Field) bool { return bad(f) || strings.ContainsFunc(f.Value, control) }
	if !slices.ContainsFunc(h, unfit) {
		return h
	}
	sent := slices.DeleteFunc(slices.Clone(h), bad)
	for i, f := range sent {
		sent[i].Value = strings.Map(func(r rune) rune {
			if control(r) {
				return ' '
			}
			return r
		}, f.Value)
	}
	return sent
}

// serveHost answers a request to an allowed host, and refuses others with 421 (RFC 9110 section 15.5.20).
func (c *Core) serveHost(r *exchange.Request) Answer {
	for i := range r.Header {
		if f := &r.Header[i]; strings.EqualFold(f.Name, "Host") && !c.Hosts.Allow(f.Value) {
			return c.Unread(r, 421)
		}
	}
	return c.Serve(r)
}
