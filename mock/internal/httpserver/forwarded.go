package httpserver

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// forwarded returns the scheme and the host by which a client reached a proxy, from Forwarded (RFC 7239 section 4),
// else from X-Forwarded-Proto and X-Forwarded-Host. With several proxies it uses the first, which is nearest to the
// client. Missing and invalid parts are "".
func forwarded(h exchange.Header) (scheme, host string) {
	if field := strings.Join(h.Values("Forwarded"), ","); field != "" {
		for _, pair := range split(first(field), ';') {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			switch strings.ToLower(name) {
			case "proto":
				scheme = unquoted(value)
			case "host":
				host = unquoted(value)
			}
		}
	} else {
		protocol, _ := h.Get("X-Forwarded-Proto")
		name, _ := h.Get("X-Forwarded-Host")
		scheme, host = strings.TrimSpace(first(protocol)), strings.TrimSpace(first(name))
	}
	if scheme = strings.ToLower(scheme); scheme != "http" && scheme != "https" {
		scheme = ""
	}
	if u, err := url.Parse("http://" + host); err != nil || u.Host != host || strings.ContainsAny(host, `"'<>&\`) {
		host = ""
	}
	return scheme, host
}

func first(list string) string { return split(list, ',')[0] }

// split splits a text at a character outside of quoted strings (RFC 9110 section 5.6.4).
func split(text string, at rune) []string {
	quoted, escaped := false, false
	parts := strings.FieldsFunc(text, func(r rune) bool {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = quoted
		case r == '"':
			quoted = !quoted
		}
		return r == at && !quoted
	})
	return append(parts, "")
}

func unquoted(value string) string {
	value = strings.TrimSpace(value)
	if inner, ok := strings.CutPrefix(value, `"`); ok {
		return strings.TrimSuffix(inner, `"`) // no host has an escape
	}
	return value
}

// ForwardedOrigin returns the scheme and the host by which the client reached a trusted proxy, "" if the proxy does
// not say. Missing parts come from server, the server's own address.
func ForwardedOrigin(h exchange.Header, server string) string {
	scheme, host := forwarded(h)
	if scheme == "" && host == "" {
		return ""
	}
	own, address, _ := strings.Cut(server, "://")
	sent, _ := h.Get("Host")
	return cmp.Or(scheme, own) + "://" + cmp.Or(host, sent, address)
}
