package proxy

import (
	"context"
	"hash/fnv"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// modifyResponse rewrites the head of a response, and lets the steps see it.
func modifyResponse(r *http.Response) error {
	f := of(r.Request)
	p := f.proxy
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	head := &Head{Path: f.path, Status: r.StatusCode, Header: r.Header.Clone(), Answer: r.Header, Request: f.request}
	head.response = r
	head.Streams = r.StatusCode == http.StatusSwitchingProtocols || kind == "text/event-stream"
	for _, name := range []string{"Location", "Content-Location"} {
		if values := r.Header[name]; len(values) == 1 {
			r.Header.Set(name, p.clientURL(values[0], f))
		}
	}
	if cookies := r.Header["Set-Cookie"]; cookies != nil {
		rewritten := make([]string, len(cookies)) // head.Header shares cookies
		for i, cookie := range cookies {
			rewritten[i] = p.clientCookie(cookie, f)
		}
		r.Header["Set-Cookie"] = rewritten
	}
	for _, name := range ofOrigin {
		r.Header.Del(name)
	}
	if r.StatusCode == http.StatusSwitchingProtocols {
		head.Body = &Tap{ended: true} // the connection has no end and no form
	} else {
		head.Body = NewTap(r.Body, r.ContentLength, p.options.MaxBody, p.options.Bodies)
		r.Body = head.Body
	}
	if f.head = head; f.steps.Head != nil {
		if err := f.steps.Head(head); err != nil {
			return err
		}
	}
	if head.Streams && f.steps.Stopped != nil {
		f.stop = context.AfterFunc(f.steps.Stopped, f.cancel)
	}
	if isEmpty(r) || head.Body.isOver() {
		head.Body.Read(nil) // the head, which is sent at once, is the last piece
	}
	return nil
}

// isEmpty reports whether a response has no body (RFC 9110 section 6.4.1).
func isEmpty(r *http.Response) bool {
	return r.ContentLength == 0 || r.StatusCode == http.StatusNoContent || r.StatusCode == http.StatusNotModified ||
		r.Request.Method == http.MethodHead
}

// aboutBody are fields that say something of the bytes of a body, or of parts of it.
var aboutBody = []string{
	"Content-Encoding", "Content-Length", "Content-Md5", "Digest", "Content-Digest", "Repr-Digest", "Accept-Ranges",
	"Content-Range", "Last-Modified", "Etag", "Trailer",
}

// Replace sends another body to the client in place of one that Hold has read to its end. ifNoneMatch is the field of
// the request: a client that has the body gets a 304. Entity tags are the upstream's, with a hash of the body.
func (h *Head) Replace(body []byte, ifNoneMatch string) {
	tag := h.Answer.Get("Etag")
	for _, name := range aboutBody {
		h.Answer.Del(name)
	}
	h.response.Trailer = nil
	if opaque, ok := strings.CutSuffix(tag, `"`); ok {
		sum := fnv.New64a()
		sum.Write(body)
		tag = opaque + tagMark + strconv.FormatUint(sum.Sum64(), 36) + `"`
		h.Answer.Set("Etag", tag)
		if slices.ContainsFunc(strings.Split(ifNoneMatch, ","), func(known string) bool {
			return strings.TrimPrefix(strings.TrimSpace(known), "W/") == strings.TrimPrefix(tag, "W/")
		}) {
			h.response.StatusCode, h.response.Status = http.StatusNotModified, ""
			body = []byte{}
			h.Answer.Del("Content-Type")
		}
	}
	if h.response.StatusCode != http.StatusNotModified {
		h.Answer.Set("Content-Length", strconv.Itoa(len(body)))
	}
	h.response.ContentLength = int64(len(body))
	h.Body.replace(body)
}

// tagMark begins what Replace adds to an entity tag of the upstream.
const tagMark = "--coldframe-"

// upstreamTags returns a list of entity tags as the upstream made them.
func upstreamTags(field string) string {
	for {
		before, rest, found := strings.Cut(field, tagMark)
		end := strings.IndexByte(rest, '"')
		if !found || end < 0 {
			return field
		}
		field = before + rest[end:]
	}
}

// ofOrigin are fields about the upstream's host and port, which would change how a browser reaches the proxy
// (RFC 6797, RFC 7838).
var ofOrigin = []string{"Strict-Transport-Security", "Alt-Svc"}

// clientURL returns the URL by which the client reaches a URL of the upstream. Others are returned unchanged.
func (p *Proxy) clientURL(location string, f *forwarding) string {
	u, err := url.Parse(location)
	upstream := p.options.Upstream
	if err != nil || u.Opaque != "" || u.Host == "" && !strings.HasPrefix(u.Path, "/") {
		return location
	}
	if u.Host != "" {
		if !strings.EqualFold(u.Host, upstream.Host) || u.Scheme != "" && u.Scheme != upstream.Scheme {
			return location
		}
		u.Host = f.host
		if u.Scheme != "" {
			u.Scheme = map[bool]string{true: "http", false: "https"}[f.plain]
		}
	}
	path := p.clientPath(u.EscapedPath(), f.steps)
	if u.Path, err = url.PathUnescape(path); err != nil {
		return location
	}
	u.RawPath = path
	return u.String()
}

// clientPath undoes upstreamPath.
func (p *Proxy) clientPath(path string, steps Steps) string {
	base := p.options.Upstream.EscapedPath()
	ours, theirs := steps.Base, strings.TrimSuffix(base, "/")
	if base == "" {
		ours, theirs = "", steps.MissingBase
	}
	rest, below := strings.CutPrefix(path, theirs)
	if !below || rest != "" && rest[0] != '/' {
		return path
	}
	if ours+rest == "" {
		return "/"
	}
	return ours + rest
}

// Names of cookies with these prefixes require Secure (RFC 6265bis section 4.1.3), which a client that came over http
// does not get.
var securePrefixes = []string{"__Host-", "__Secure-"}

// plainPrefix stands before the names of such cookies instead of their underscores.
const plainPrefix = "coldframe"

// clientCookie makes a cookie of the upstream usable at the proxy: for its host, below its paths, and over http if the
// client came so.
func (p *Proxy) clientCookie(cookie string, f *forwarding) string {
	parts := strings.Split(cookie, ";")
	kept := parts[:1]
	if f.plain {
		for _, prefix := range securePrefixes {
			if strings.HasPrefix(strings.TrimLeft(parts[0], " \t"), prefix) {
				parts[0] = plainPrefix + strings.TrimLeft(parts[0], " \t")
			}
		}
	}
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "domain":
			if p.isUpstreamDomain(strings.TrimSpace(value)) {
				continue // so that it is the host by which the client knows the proxy
			}
		case "path":
			if path := strings.TrimSpace(value); strings.HasPrefix(path, "/") {
				part = " Path=" + p.clientPath(path, f.steps)
			}
		case "secure":
			if f.plain {
				continue
			}
		case "samesite":
			if f.plain && strings.EqualFold(strings.TrimSpace(value), "none") {
				continue // which requires Secure
			}
		}
		kept = append(kept, part)
	}
	return strings.Join(kept, ";")
}

// isUpstreamDomain reports whether the upstream's host is a domain, or below it (RFC 6265 section 5.1.3).
func (p *Proxy) isUpstreamDomain(domain string) bool {
	domain = strings.ToLower(strings.TrimPrefix(domain, "."))
	host := strings.ToLower(p.options.Upstream.Hostname())
	return domain != "" && (host == domain || strings.HasSuffix(host, "."+domain) && net.ParseIP(host) == nil)
}

// restoreCookieNames undoes what clientCookie did to the names of a client's cookies.
func restoreCookieNames(h http.Header) {
	for i, field := range h["Cookie"] {
		if !strings.Contains(field, plainPrefix+"__") {
			continue
		}
		pairs := strings.Split(field, ";")
		for k, pair := range pairs {
			bare := strings.TrimLeft(pair, " \t")
			for _, prefix := range securePrefixes {
				if strings.HasPrefix(bare, plainPrefix+prefix) {
					pairs[k] = pair[:len(pair)-len(bare)] + strings.TrimPrefix(bare, plainPrefix)
				}
			}
		}
		h["Cookie"][i] = strings.Join(pairs, ";")
	}
}
