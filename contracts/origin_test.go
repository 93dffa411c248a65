package contracts_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/notes"
)

// TestOneOrigin counts the connections to another host that the document and all answers name.
func TestOneOrigin(t *testing.T) {
	far, document, connections := notes.Elsewhere(t)
	t.Setenv("HTTP_PROXY", far)
	t.Setenv("HTTPS_PROXY", far)
	var asked atomic.Int32
	redirects := []int{0, 0, 301, 302, 303, 307, 308, 300, 201, 0}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := asked.Add(1)
		h := w.Header()
		h.Set("Location", far+"/items/7")
		h.Set("Content-Location", far+"/items/7")
		h.Set("Link", "<"+far+"/items?page=2>; rel=next")
		h.Set("Refresh", "0; url="+far)
		h.Set("Alt-Svc", fmt.Sprintf("h2=%q", strings.TrimPrefix(far, "http://")))
		h.Set("WWW-Authenticate", fmt.Sprintf("Bearer authorization_uri=%q", far))
		h.Set("Content-Type", "application/json")
		switch status := redirects[int(n)%len(redirects)]; {
		case status > 0:
			w.WriteHeader(status)
		case r.Method == "POST":
			w.WriteHeader(201)
		case r.Method == "DELETE":
			w.WriteHeader(204)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/items") && r.Method == "GET" {
			fmt.Fprintf(w, `{"items": [{"id": "7"}, {"id": "8"}], "next": "%s/items?page=2", "_links": {"next": {"href": "%[1]s"}}}`, far)
			return
		}
		fmt.Fprintf(w, `{"id": "7", "callbackUrl": "%s/called", "href": "%[1]s/items/7"}`, far)
	}))
	defer backend.Close()
	report, err := contracts.Run(t.Context(), contracts.Options{
		Document: "elsewhere.yaml", Text: document, URL: backend.URL, Credentials: contracts.Credentials{Token: "secret"},
		Load: contracts.LoadOptions{IgnoreUnreadableRefs: true}, Limits: contracts.Limits{MaxCases: 400, FuzzCases: 20}, Select: contracts.Selection{Strict: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Requests < 100 || len(report.Findings) == 0 {
		t.Errorf("%d requests, %d findings", report.Requests, len(report.Findings))
	}
	if n := connections.Load(); n > 0 {
		t.Errorf("%d connections went elsewhere", n)
	}
}
