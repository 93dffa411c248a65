package proxy

import (
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
)

// rewrite makes the request to the upstream from the client's.
func (p *Proxy) rewrite(r *httputil.ProxyRequest) {
	f := of(r.In)
	u := p.options.Upstream
	f.path = p.upstreamPath(rawPath(r.In), f.steps)
	r.Out.URL = target(u, f.path)
	r.Out.URL.RawQuery, r.Out.URL.ForceQuery = r.In.URL.RawQuery, r.In.URL.ForceQuery // which ReverseProxy would clean
	r.Out.Host = ""
	if match := r.Out.Header.Get("If-Match"); match != "" {
		r.Out.Header.Set("If-Match", upstreamTags(match))
	}
	if f.steps.Whole {
		r.Out.Method = http.MethodGet // net/http sends no body in answer to HEAD
		for _, name := range partial {
			r.Out.Header.Del(name)
		}
	}
	if p.options.TrustProxy {
		for _, name := range []string{"X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"} {
			if values, has := r.In.Header[name]; has {
				r.Out.Header[name] = values
			}
		}
	}
	forwardedBy(r.In, r.Out.Header, p.options.TrustProxy)
	for name := range r.Out.Header {
		if strings.HasPrefix(name, "Coldframe-") {
			r.Out.Header.Del(name) // for the proxy
		}
	}
	r.Out.Header.Add("Via", strings.TrimPrefix(r.In.Proto, "HTTP/")+" "+p.via) // RFC 9110 section 7.6.3
	if f.plain {
		restoreCookieNames(r.Out.Header)
	}
	for name, values := range p.options.Header {
		if name == "Host" {
			r.Out.Host = values[0]
			continue
		}
		r.Out.Header[name] = values
	}
}

// partial are the fields of requests for less than a representation.
var partial = []string{"Range", "If-Range", "If-None-Match", "If-Modified-Since"}

// rawPath returns the path of a request as it was sent, still percent-encoded.
func rawPath(r *http.Request) string {
	if strings.HasPrefix(r.RequestURI, "/") {
		path, _, _ := strings.Cut(r.RequestURI, "?")
		return path
	}
	if r.URL.Path == "*" {
		return "*"
	}
	return r.URL.EscapedPath()
}

// upstreamPath maps a path of the proxy to one of the upstream. An upstream without a path has the document's base
// paths.
func (p *Proxy) upstreamPath(path string, steps Steps) string {
	base := p.options.Upstream.EscapedPath()
	if path == "*" {
		return path
	}
	if base == "" {
		return steps.MissingBase + path
	}
	return strings.TrimSuffix(base, "/") + strings.TrimPrefix(path, steps.Base)
}

// target returns the URL of a path of the upstream, which is sent unchanged.
func target(u *url.URL, path string) *url.URL {
	to := &url.URL{Scheme: u.Scheme, Host: u.Host}
	if path == "*" || path == "" || strings.HasPrefix(path, "//") { // which url.URL takes for a host
		to.Path, _ = url.PathUnescape(path)
		to.RawPath = path
		return to
	}
	to.Opaque = path
	return to
}

// forwardedBy adds the client of this proxy to X-Forwarded-* and Forwarded (RFC 7239).
func forwardedBy(in *http.Request, out http.Header, trusted bool) {
	scheme := "http"
	if in.TLS != nil {
		scheme = "https"
	}
	host, _, err := net.SplitHostPort(in.RemoteAddr)
	if err != nil {
		host = in.RemoteAddr
	}
	set := func(name, value string) {
		if trusted && out.Get(name) != "" {
			return // by the proxy that is nearer to the client
		}
		out.Set(name, value)
	}
	before := ""
	if values := out.Values("X-Forwarded-For"); len(values) > 0 {
		before = strings.Join(values, ", ") + ", "
	}
	out.Set("X-Forwarded-For", before+host)
	set("X-Forwarded-Host", in.Host)
	set("X-Forwarded-Proto", scheme)
	node := host
	if strings.Contains(node, ":") {
		node = `"[` + node + `]"`
	}
	pair := "for=" + node + ";host=" + quoted(in.Host) + ";proto=" + scheme
	if values := out.Values("Forwarded"); len(values) > 0 {
		pair = strings.Join(values, ", ") + ", " + pair
	}
	out.Set("Forwarded", pair)
}

// quoted quotes a value that is no token (RFC 7239 section 4).
func quoted(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
}
