package mock

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

const pageDocument = `
openapi: 3.1.0
info: {title: "<script>alert(1)</script>", version: "1"}
servers: [{url: /v1}]
paths:
  /plants: {get: {summary: 'all <b>plants</b>', responses: {"200": {description: ok}}}}
  //evil.example/x: {get: {responses: {"200": {description: ok}}}}
`

// TestPage holds what a browser gets if the document has nothing, and that nothing of the document is more than
// text in it.
func TestPage(t *testing.T) {
	t.Parallel()
	get := func(s *Server, path, accept string) (int, http.Header, string) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost"+path, nil)
		r.Header.Set("Accept", accept)
		response, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		return response.StatusCode, response.Header, string(text)
	}
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	rules := write(t, "slow.yaml", "rules: [ { on: '*', delay: 1ms } ]")
	s := start(t, Options{Document: write(t, "openapi.yaml", pageDocument), Scenarios: []string{rules}})
	for _, path := range []string{"/", "/__coldframe/"} {
		status, header, text := get(s, path, browser)
		policy := header.Get("Content-Security-Policy")
		style := text[strings.Index(text, "<style>")+len("<style>") : strings.Index(text, "</style>")]
		if status != 200 || !strings.Contains(policy, "default-src 'none'; style-src 'sha256-"+digest(style)+"'") {
			t.Error(path, status, policy)
		}
		for _, want := range []string{
			"&lt;script&gt;", "&lt;b&gt;", `href="/plants"`, s.URL() + "/v1", "<li>slow</li>", "default: 0 items",
			`href="/__coldframe/requests"`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not have %q: %s", path, want, text)
			}
		}
		for _, never := range []string{"<script", "<b>plants", `href="//`, "http://evil"} {
			if strings.Contains(text, never) {
				t.Errorf("%s has %q", path, never)
			}
		}
	}
	if status, _, _ := get(s, "/", "*/*"); status != 404 {
		t.Error("another client:", status)
	}
	own := start(t, Options{Document: write(t, "openapi.yaml", strings.Replace(pageDocument, "/plants:", "/:", 1)), Control: ControlOptions{Mode: "off"}})
	if _, header, text := get(own, "/", browser); header.Get("Content-Security-Policy") != "" {
		t.Error("the document's own path:", text)
	}
	off := start(t, Options{Document: write(t, "openapi.yaml", pageDocument), Control: ControlOptions{Token: "secret"}})
	if status, _, text := get(off, "/", browser); status != 200 || strings.Contains(text, "Sessions") {
		t.Error("without the token:", text)
	}
	if status, _, _ := get(off, "/__coldframe/", browser); status != 401 {
		t.Error("without the token:", status)
	}
}
