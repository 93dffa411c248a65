package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts"
)

// TestNoPassword looks for the passwords of URLs in all that commands print and write.
func TestNoPassword(t *testing.T) {
	t.Chdir(t.TempDir())
	const name, password = "visitor77", "p4ssw0rd"
	document := `{"openapi": "3.1.0", "info": {"title": "a", "version": "1"},
  "servers": [{"url": "https://visitor77:p4ssw0rd@example.com/{x}"}, {"url": "https://visitor77:p4ssw0rd@[/"}],
  "paths": {"/hooks": {
    "post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["url"], "properties": {"url": {"type": "string"}}}}}},
      "responses": {"201": {"description": "a", "content": {"application/json": {"schema": {"$ref": "parts.json#/a"}}}}},
      "callbacks": {
        "one": {"{$request.body#/url}": {"post": {"responses": {"200": {"description": "a"}}}}},
        "two": {"http://visitor77:p4ssw0rd@127.0.0.1:1/": {"post": {"responses": {"200": {"description": "a"}}}}}}},
    "get": {"servers": [{"url": "https://visitor77:p4ssw0rd@example.com"}], "responses": {"200": {"description": "a", "content": {"application/json": {"schema": {"$ref": "http://visitor77:p4ssw0rd@127.0.0.1:1/b.json"}}}}},
      "parameters": [{"name": "q", "in": "query", "schema": {"type": "nothing", "default": "http://visitor77:p4ssw0rd@host/"}}]}}}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch got, secret, _ := r.BasicAuth(); {
		case got != name || secret != password:
			w.WriteHeader(401)
		case strings.HasSuffix(r.URL.Path, "openapi.json"):
			io.WriteString(w, document)
		case strings.HasSuffix(r.URL.Path, "parts.json"):
			io.WriteString(w, `{"a": {"type": "integer", "minimum": "x"}}`)
		case strings.HasSuffix(r.URL.Path, "broken.json"):
			io.WriteString(w, `{"a": `)
		default:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"you": %q}`, r.Header.Get("Authorization"))
		}
	}))
	defer server.Close()
	at := strings.Replace(server.URL, "://", "://"+name+":"+password+"@", 1)
	if err := os.WriteFile("traffic.har", []byte(`{"log": {"entries": [{"request": {"method": "GET", "url": "`+at+`/hooks", "headers": []},
	  "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "text/html"}], "content": {"size": 0}}}
	 ]}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("relative.har", []byte(`{"log": {"entries": [{"request": {"method": "GET", "url": "//visitor77:p4ssw0rd@host/hooks"}}]}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	const refs = "--ignore-unreadable-refs"
	commands := [][]string{
		{"lint", at + "/openapi.json"}, {"lint", at + "/openapi.json", "--json"}, {"lint", at + "/broken.json"}, {"lint", at + "/none\x7f"},
		{"lint", "http://visitor77:p4ssw0rd@127.0.0.1:1/"}, {"lint", "http://visitor77:p4ssw0rd/x@127.0.0.1:1/"},
		{"lint", "redis://visitor77:p4ssw0rd@host"}, {"plan", at + "/openapi.json"}, {at + "/broken.json"},
		{"plan", at + "/openapi.json", refs}, {"plan", at + "/openapi.json", refs, "--json"}, {"plan", at + "/openapi.json", refs, "--explain"},
		{"health", at}, {"health", "http://visitor77:p4ssw0rd@[/"}, {"mock", "--host", "http://visitor77:p4ssw0rd@host"},
		{"mock", "--callbacks", "visitor77:p4ssw0rd@host"}, {"mock", "--callbacks", "http://visitor77:p4ssw0rd@host"},
		{"mock", "--control-port", "http://visitor77:p4ssw0rd@host"},
		{"test", "ftp://visitor77:p4ssw0rd@host"}, {"test", "http://visitor77:p4ssw0rd/@host"}, {"test", "http://visitor77:p4ssw0rd@[/"},
		{"test", "http://visitor77:p4ssw0rd@127.0.0.1:1/", "--max-time", "1ms"}, {"test", at + "/openapi.json", at},
		{"check", "traffic.har", "--url", "ftp://visitor77:p4ssw0rd@host"}, {"check", "traffic.har", at + "/openapi.json", refs, "--url", at},
		{"check", "relative.har", at + "/openapi.json", refs}, {"health", "http://visitor77:p4ssw0rd/@host"},
		{"scenario", "check", "--document", at + "/openapi.json", "traffic.har"}, {"scenario", "new", "--document", at + "/openapi.json", "GET /hooks", "200"},
	}
	for _, format := range contracts.ReportFormats() {
		report := []string{"--max-cases", "40", "--verbose", "--report", format.Name + "=-", refs}
		commands = append(commands, append([]string{"test", at + "/openapi.json", at}, report...),
			append([]string{"check", "traffic.har", at + "/openapi.json"}, report[2:]...))
	}
	for _, args := range commands {
		var out bytes.Buffer
		run(t.Context(), args, strings.NewReader(""), &out, &out)
		if text := out.String(); text == "" || strings.Contains(text, name) || strings.Contains(text, password) {
			t.Errorf("%q: %s", args, text)
		}
	}

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, ended := output{more: make(chan struct{})}, make(chan int, 1)
	args := []string{at + "/openapi.json", "--port", "0", refs, "--callbacks", "loopback", "--coverage", "-"}
	go func() { ended <- run(ctx, args, strings.NewReader(""), &out, &out) }()
	url := ""
	for url == "" {
		text, more := out.read()
		if url = urlPattern.FindString(text); url == "" {
			select {
			case <-more:
			case <-ended:
				t.Fatal(text)
			}
		}
	}
	for path, body := range map[string]string{
		"/hooks": `{"url": "` + at + `/hook"}`, "/hooks?q=" + at: `{"url": "//visitor77:p4ssw0rd@host"}`,
		"/__coldframe/webhooks/a": `{"url": "` + at + `"}`, "/hooks?q=http%3A%2F%2Fvisitor77%3Ap4ssw0rd%40host": `{"url": "http://visitor77:p4ssw0rd/@host"}`,
	} {
		response, err := http.Post(url+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	stop()
	<-ended
	if text, _ := out.read(); strings.Contains(text, name) || strings.Contains(text, password) || !strings.Contains(text, "callback one") {
		t.Error(text)
	}
}
