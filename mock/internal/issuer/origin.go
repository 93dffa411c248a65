package issuer

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// allowed reports whether a redirect may lead to a URI: to this machine, to an allowed host, or to a registered URI.
// The port of loopback addresses is free (RFC 8252 section 7.3).
func (i *Issuer) allowed(uri string) bool {
	if slices.Contains(i.options.RedirectURIs, uri) {
		return true
	}
	scheme, host := hostOf(uri)
	if scheme != "http" && scheme != "https" || strings.Contains(uri, "#") { // RFC 6749 section 3.1.2
		return false
	}
	return isLoopback(host) || i.options.AllowHost(host)
}

// isOwn reports whether an audience means the mock: it is in the options, or an address of this machine or of an
// allowed host.
func (i *Issuer) isOwn(audience string) bool {
	if slices.Contains(i.options.Audiences, audience) {
		return true
	}
	_, host := hostOf(audience)
	return host != "" && (isLoopback(host) || i.options.AllowHost(host))
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// hostOf returns the scheme and the host of a URI; "" if RFC 3986 and browsers (https://url.spec.whatwg.org) could
// read them differently. Browsers read a backslash as a slash, ignore white space, map U+FF0F to a slash, and read
// 0x7f.1 as an address.
func hostOf(uri string) (scheme, host string) {
	unlike := func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\\\"<>^`{|}", r) }
	u, err := url.Parse(uri)
	if err != nil || u.User != nil || strings.ContainsFunc(uri, unlike) {
		return "", ""
	}
	rest, ok := strings.CutPrefix(uri[len(u.Scheme):], "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	if host = u.Hostname(); !ok || rest != u.Host || !isHostName(host) {
		return "", ""
	}
	return u.Scheme, host
}

// isHostName reports whether a host is an IP address without a zone, or a name of letters, digits, hyphens and
// underscores whose last label is not a number.
func isHostName(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Zone() == ""
	}
	labels := strings.Split(host, ".")
	for _, label := range labels {
		other := func(r rune) bool {
			return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '-' || r == '_')
		}
		if label == "" || strings.ContainsFunc(label, other) {
			return false
		}
	}
	last := labels[len(labels)-1]
	return last[0] < '0' || last[0] > '9'
}

// crossesOrigin reports whether a browser sends a request for a page of another origin. Other programs send neither
// Sec-Fetch-Site nor Origin.
func (c *call) crossesOrigin() bool {
	_, host, _ := strings.Cut(strings.TrimSuffix(c.url, Prefix), "://")
	r := &http.Request{Method: http.MethodPost, Host: host, Header: http.Header{}} // its check accepts every GET
	for _, name := range []string{"Sec-Fetch-Site", "Origin"} {
		if values := c.Header.Values(name); len(values) > 0 {
			r.Header[name] = values
		}
	}
	return http.NewCrossOriginProtection().Check(r) != nil
}
