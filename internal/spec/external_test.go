package spec

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFetched loads a document from a server: references stay on its host and
// in its folder, also if the server answers with a redirect.
func TestFetched(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("type: integer\n"))
	}))
	defer elsewhere.Close()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	documents := map[string]string{
		"inside":                      "schemas/a.yaml",
		"with a query":                "schemas/a.yaml?v=1",
		"in the parent folder":        "../secret.yaml",
		"escaped":                     "%2e%2e/secret.yaml",
		"a name that begins the same": "/api-secret/a.yaml",
		"on another host":             elsewhere.URL + "/a.yaml",
		"redirected inside":           "moved.yaml",
		"redirected away":             "away.yaml",
		"redirected up":               "up.yaml",
		"a file":                      "file:///etc/hostname",
	}
	serve := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(text)) })
	}
	serve("/api/schemas/a.yaml", "type: integer\n")
	serve("/secret.yaml", "type: integer\n")
	serve("/api-secret/a.yaml", "type: integer\n")
	mux.Handle("/api/moved.yaml", http.RedirectHandler("schemas/a.yaml", http.StatusFound))
	mux.Handle("/api/away.yaml", http.RedirectHandler(elsewhere.URL+"/a.yaml", http.StatusFound))
	mux.Handle("/api/up.yaml", http.RedirectHandler("/secret.yaml", http.StatusFound))
	mux.HandleFunc("/api/openapi.yaml", func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /x:\n    post:\n      requestBody: {content: {application/json: {schema: {$ref: '" +
			documents[r.URL.Query().Get("case")] + "'}}}}\n      responses: {'200': {description: ok}}\n"))
	})
	for name := range documents {
		t.Run(name, func(t *testing.T) {
			location := server.URL + "/api/openapi.yaml?case=" + strings.ReplaceAll(name, " ", "+")
			c, err := Load(t.Context(), location, Options{IgnoreUnreadable: true})
			if err != nil {
				t.Fatal(err)
			}
			refused := c.Operations[0].Body.Content[0].Schema.Check("a", "body", "") == nil
			inside := name == "inside" || name == "with a query" || name == "redirected inside"
			if refused == inside || refused != (len(c.Findings) == 1) {
				t.Fatalf("refused %t, findings %v", refused, c.Findings)
			}
		})
	}
}
