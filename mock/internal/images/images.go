// Package images serves the pictures that URLs in generated values point to. A picture depends only on its URL and is
// public: it shows nothing of the mock's state.
package images

import (
	"cmp"
	"hash/fnv"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// IsFor reports whether a path is a picture's.
func IsFor(path string) bool { return strings.HasPrefix(path, samplefile.ImagePath) }

// drawing limits concurrent drawing: each picture takes up to 10 MB.
var drawing = make(chan struct{}, 4)

const (
	maxName  = 100 // in characters
	lifetime = "public, max-age=86400"
)

// Serve answers a request for a picture: /__coldframe/images/NAME.EXTENSION?size=320x240, or with separate width and
// height, or with one size for both sides.
func Serve(r *exchange.Request) httpserver.Answer {
	a := httpserver.Answer{Response: &exchange.Response{Status: http.StatusNotFound, Header: exchange.Header{
		{Name: "Access-Control-Allow-Origin", Value: "*"},
		{Name: "Cross-Origin-Resource-Policy", Value: "cross-origin"},
	}}}
	name, extension, _ := strings.Cut(strings.TrimPrefix(r.Path, samplefile.ImagePath), ".")
	name, err := url.PathUnescape(name)
	kind := samplefile.OfExtension(extension)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		a.Header.Set("Allow", "GET, HEAD")
		a.Status = http.StatusMethodNotAllowed
		return a
	case err != nil || name == "" || len(name) > maxName || kind == nil || !kind.IsPicture():
		return a
	}
	c := samplefile.Content{Name: name}
	c.Width, c.Height = sides(r.Query)
	hash := fnv.New64a()
	hash.Write([]byte(name))
	c.Key = hash.Sum64()
	width, height := c.Sides()
	tag := `"` + strconv.FormatUint(c.Key, 36) + "-" + strconv.Itoa(width) + "x" + strconv.Itoa(height) + `"`
	a.Header.Set("Cache-Control", lifetime)
	a.Header.Set("ETag", tag)
	if known, _ := r.Header.Get("If-None-Match"); strings.Contains(known, tag) || strings.TrimSpace(known) == "*" {
		a.Status = http.StatusNotModified
		return a
	}
	drawing <- struct{}{}
	a.Body = kind.Make(c)
	<-drawing
	a.Status = http.StatusOK
	a.Header.Set("Content-Type", kind.Type())
	a.Header.Set("Accept-Ranges", "bytes")
	asked, _ := r.Header.Get("Range")
	size := strconv.Itoa(len(a.Body))
	switch first, last, ok := exchange.ByteRange(asked, len(a.Body)); {
	case !ok || r.Method != http.MethodGet:
	case first > last:
		a.Status, a.Body = http.StatusRequestedRangeNotSatisfiable, nil
		a.Header.Set("Content-Range", "bytes */"+size)
	default:
		a.Status, a.Body = http.StatusPartialContent, a.Body[first:last+1]
		a.Header.Set("Content-Range", "bytes "+strconv.Itoa(first)+"-"+strconv.Itoa(last)+"/"+size)
	}
	return a
}

func sides(query string) (width, height int) {
	q, _ := url.ParseQuery(query) // the readable part
	w, h, _ := strings.Cut(strings.ToLower(q.Get("size")), "x")
	width, _ = strconv.Atoi(cmp.Or(q.Get("width"), q.Get("w"), w))
	height, _ = strconv.Atoi(cmp.Or(q.Get("height"), q.Get("h"), h))
	return width, height
}

// isHost reports whether a Host field has only characters that no body format escapes.
func isHost(host string) bool {
	return host != "" && strings.IndexFunc(host, func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || strings.ContainsRune(".-_:[]", r))
	}) < 0
}
