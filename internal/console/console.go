// Package console is the page at /__coldframe/, from which people inspect and change a mock: its traffic, scenarios,
// state and document. The source is in ui; ui/build.mjs writes the files in dist, and .ci/console compares them. The
// page reads and changes the mock through the control API only.
package console

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
)

//go:embed dist
var dist embed.FS

// policy lets the page load its own files and call the control API and the mock. Text that became markup could run
// nothing.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src MOCK; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types 'none'"

var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// file is one file of dist.
type file struct {
	text, packed []byte // packed is gzip
	tag          string // of text
}

// files are the files of dist, by name, compressed at the first request.
var files = sync.OnceValue(func() map[string]file {
	all := map[string]file{}
	entries, err := dist.ReadDir("dist")
	if err != nil {
		panic(err) // dist is embedded
	}
	for _, entry := range entries {
		text, err := dist.ReadFile("dist/" + entry.Name())
		if err != nil {
			panic(err)
		}
		var packed bytes.Buffer
		w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		w.Write(text) // a bytes.Buffer takes everything
		w.Close()
		sum := sha256.Sum256(text)
		all[entry.Name()] = file{text, packed.Bytes(), base64.RawURLEncoding.EncodeToString(sum[:9])}
	}
	return all
})

// Serve returns the response with a file of the page, and nil if there is no such file. The name "" means the page
// itself. mock is the origin of the mock if the page has another, else "".
func Serve(r *exchange.Request, name, mock string) *exchange.Response {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil
	}
	f, ok := files()[cmp.Or(name, "index.html")]
	if !ok {
		return nil
	}
	sources := "'self'"
	if mock != "" {
		sources += " " + mock
	}
	response := &exchange.Response{Status: http.StatusOK, Body: f.text, Header: exchange.Header{
		{Name: "Content-Type", Value: mediaTypes[path.Ext(cmp.Or(name, ".html"))]},
		{Name: "Content-Security-Policy", Value: strings.Replace(policy, "MOCK", sources, 1)},
		{Name: "X-Content-Type-Options", Value: "nosniff"},
		{Name: "Referrer-Policy", Value: "no-referrer"},
		{Name: "Cross-Origin-Opener-Policy", Value: "same-origin"},
		{Name: "Cross-Origin-Resource-Policy", Value: "same-origin"},
		{Name: "Cache-Control", Value: "no-cache"},
		{Name: "Vary", Value: "Accept, Accept-Encoding"},
	}}
	if name == "" {
		response.Body = bytes.Replace(f.text, []byte("MOCK"), []byte(html.EscapeString(mock)), 1)
		return response
	}
	response.Header.Set("ETag", `W/"`+f.tag+`"`) // of both encodings
	switch known, _ := r.Header.Get("If-None-Match"); {
	case strings.Contains(known, f.tag):
		response.Status, response.Body = http.StatusNotModified, nil
	case acceptsGzip(r):
		response.Body = f.packed
		response.Header.Set("Content-Encoding", "gzip")
	}
	return response
}

// acceptsGzip reports whether Accept-Encoding has gzip with a weight above 0.
func acceptsGzip(r *exchange.Request) bool {
	for coding := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(coding, ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			return strings.Trim(strings.TrimPrefix(strings.TrimSpace(weight), "q="), "0.") != "" || weight == ""
		}
	}
	return false
}
