package mock

import (
	"hash/fnv"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// pageTypes are the media types of files in Options.Pages by extension; other files are not served.
var pageTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp",
	".ico": "image/vnd.microsoft.icon", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
}

const pagePolicy = "default-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'"

// pageFile answers with a file of Options.Pages. It returns nil if none or the document has the path.
func pageFile(s *Server, r *exchange.Request) *httpserver.Answer {
	if s.options.Pages == nil || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil
	}
	name := strings.TrimPrefix(r.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	mediaType := pageTypes[path.Ext(name)]
	var match route.Match
	if _, result := s.current.Load().find(r, &match); mediaType == "" || result != route.NotFound {
		return nil
	}
	text, err := fs.ReadFile(s.options.Pages, name) // fs refuses names with ".."
	if err != nil {
		return nil
	}
	hash := fnv.New64a()
	hash.Write(text)
	a := &httpserver.Answer{Response: &exchange.Response{Status: http.StatusOK, Body: text, Header: exchange.Header{
		{Name: "Content-Type", Value: mediaType},
		{Name: "Content-Security-Policy", Value: pagePolicy},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
		{Name: "Cache-Control", Value: "no-cache"},
		{Name: "ETag", Value: strconv.Quote(strconv.FormatUint(hash.Sum64(), 36))},
	}}}
	tag, _ := a.Header.Get("ETag")
	if known, _ := r.Header.Get("If-None-Match"); strings.Contains(known, tag) {
		a.Status, a.Body = http.StatusNotModified, nil
	}
	return a
}

// startPage redirects a browser from / to the console, unless the document has this path. It returns nil for other
// requests.
func startPage(s *Server, r *exchange.Request) *httpserver.Answer {
	var match route.Match
	if r.Path != "/" || s.control.Off || !control.WantsPage(r) {
		return nil
	}
	if _, result := s.current.Load().find(r, &match); result != route.NotFound {
		return nil
	}
	to := strings.TrimPrefix(control.Prefix, "/")
	if s.apart != nil {
		to = s.ControlURL() + control.Prefix
	}
	header := exchange.Header{
		{Name: "Location", Value: to}, {Name: "Vary", Value: "Accept"}, {Name: "Cache-Control", Value: "no-store"},
	}
	return &httpserver.Answer{Response: &exchange.Response{Status: http.StatusTemporaryRedirect, Header: header}}
}
