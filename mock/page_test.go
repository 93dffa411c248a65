package mock

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// TestConsole tests who gets the console and its files, and with which policy.
func TestConsole(t *testing.T) {
	t.Parallel()
	const document = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {/plants: {get: {responses: {'200': {description: ok}}}}}\n"
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	get := func(s *Server, path string, header ...string) (*http.Response, string) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+path, nil)
		r.Header.Set("Accept", browser)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		response, err := s.Transport().RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		return response, string(text)
	}
	s := start(t, Options{Document: write(t, "openapi.yaml", document)})
	page, text := get(s, "/__coldframe/")
	policy := page.Header.Get("Content-Security-Policy")
	if page.StatusCode != 200 || !strings.Contains(text, "<noscript>") || strings.Contains(text, "MOCK") {
		t.Error(page.Status, text)
	}
	for _, want := range []string{
		"default-src 'none'", "script-src 'self';", "connect-src 'self';", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
	} {
		if !strings.Contains(policy, want) || strings.Contains(policy, "unsafe") {
			t.Errorf("policy %q, want %s", policy, want)
		}
	}
	if strings.Contains(text, "<style") || strings.Contains(text, "<script>") || strings.Contains(text, "style=") {
		t.Error("the page has inline parts:", text)
	}
	script, plain := get(s, "/__coldframe/console/app.js")
	packed, bytesOf := get(s, "/__coldframe/console/app.js", "Accept-Encoding", "br, gzip")
	reader, err := gzip.NewReader(strings.NewReader(bytesOf))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, _ := io.ReadAll(reader); !bytes.Equal(unpacked, []byte(plain)) || packed.Header.Get("Content-Encoding") != "gzip" {
		t.Error("gzip differs", packed.Header)
	}
	if script.Header.Get("X-Content-Type-Options") != "nosniff" || script.Header.Get("Content-Encoding") != "" {
		t.Error(script.Header)
	}
	if _, text := get(s, "/__coldframe/console/app.js", "Accept-Encoding", "gzip;q=0"); text != plain {
		t.Error("gzip;q=0 is refused")
	}
	if again, text := get(s, "/__coldframe/console/app.js", "If-None-Match", script.Header.Get("ETag")); again.StatusCode != 304 || text != "" {
		t.Error("the same tag:", again.Status)
	}
	for _, path := range []string{"/__coldframe/console/", "/__coldframe/console/index.js", "/__coldframe/console/..%2fconsole.go"} {
		if response, _ := get(s, path); response.StatusCode != 404 {
			t.Error(path, response.Status)
		}
	}
	if other, _ := get(s, "/__coldframe/", "Sec-Fetch-Site", "cross-site"); other.StatusCode != 403 {
		t.Error("from another origin:", other.Status)
	}

	// A browser is led from / to it, other clients are not.
	if root, _ := get(s, "/"); root.StatusCode != 307 || root.Header.Get("Location") != "__coldframe/" {
		t.Error("/:", root.Status, root.Header)
	}
	if root, _ := get(s, "/", "Accept", "*/*"); root.StatusCode != 404 {
		t.Error("/ for another client:", root.Status)
	}
	own := start(t, Options{Document: write(t, "openapi.yaml", strings.Replace(document, "/plants:", "/:", 1))})
	if root, _ := get(own, "/"); root.StatusCode != 200 || root.Header.Get("Content-Security-Policy") != "" {
		t.Error("the document's own path:", root.Status, root.Header)
	}
	off := start(t, Options{Document: write(t, "openapi.yaml", document), Control: ControlOptions{Mode: "off"}})
	for _, path := range []string{"/", "/__coldframe/", "/__coldframe/console/app.js"} {
		if response, _ := get(off, path); response.StatusCode != 404 {
			t.Error("off:", path, response.Status)
		}
	}
	secret := start(t, Options{Document: write(t, "openapi.yaml", document), Control: ControlOptions{Token: "secret"}})
	if response, _ := get(secret, "/__coldframe/"); response.StatusCode != 200 {
		t.Error("its files need no token:", response.Status)
	}
	if response, _ := get(secret, "/__coldframe/requests"); response.StatusCode != 401 {
		t.Error("what it shows needs one:", response.Status)
	}

	// With a port of its own the control API is the only one with a console, which may call the mock.
	apart := start(t, Options{Document: write(t, "openapi.yaml", document), Control: ControlOptions{Port: -1}})
	if root, _ := get(apart, "/"); root.Header.Get("Location") != apart.ControlURL()+"/__coldframe/" {
		t.Error("/:", root.Status, root.Header)
	}
	if response, _ := get(apart, "/__coldframe/console/app.js"); response.StatusCode != 404 {
		t.Error("on the mock's port:", response.Status)
	}
	answer := apart.control.Serve(&exchange.Request{Method: "GET", Path: "/__coldframe/", Header: exchange.Header{{Name: "Accept", Value: browser}}})
	if policy, _ := answer.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'self' "+apart.URL()+";") {
		t.Error(policy)
	}
	if !strings.Contains(string(answer.Body), `content="`+apart.URL()+`"`) {
		t.Error(string(answer.Body))
	}
}
