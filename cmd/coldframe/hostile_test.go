package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/visible"
)

// hostile has a title of terminals, C1 controls, directions, separators and a forged line.
const hostile = "\x1b]0;title\x07\u009b31m\x7f\u0085\u202e\u2066\u200e\u200f\u061c\u2028\u2029\U000e0041\r\nFORGED"

// ciCommands has commands that CI systems obey in the output of a step.
const ciCommands = "::stop-commands::x ##[set-output name=a]b ##vso[task.setvariable variable=a]b\n\u3000::error::x\n ##teamcity[buildStop]"

// hostileTexts are what documents, backends and recordings may have wherever they have text.
var hostileTexts = map[string]string{"hidden": hostile, "commands": ciCommands}

// hostileDocument has a hostile text wherever a document may have text.
func hostileDocument(hostile string) []byte {
	text, _ := json.Marshal(hostile)
	return []byte(strings.ReplaceAll(`{
  "openapi": "3.1.0",
  "info": {"title": "H", "version": "H", "description": "H", "contact": {"url": "H"}},
  "servers": [{"url": "http://localhost/H"}],
  "tags": [{"name": "H"}],
  "H": "unknown",
  "paths": {
    "/H/{H}": {
      "H": {},
      "GET\u001b": {"responses": {}},
      "get": {"operationId": "readH", "summary": "H", "tags": ["H"], "x-coldframe-resource": {"name": "H", "role": "H"},
        "parameters": [
          {"name": "H", "in": "path", "required": true, "schema": {"type": "string", "pattern": "H("}},
          {"name": "qH", "in": "query", "schema": {"enum": ["H"], "default": 1}},
          {"name": "X-H", "in": "header", "schema": {"$ref": "#/H"}}],
        "responses": {"200": {"description": "H", "headers": {"X-H": {"schema": {"const": "H"}}},
          "content": {"application/jsonH": {"schema": {"type": "string"}},
            "application/json": {"schema": {"$ref": "#/components/schemas/H"}, "example": {"H": 7}}}},
          "4H": {"description": "H"}}}},
    "/things": {
      "get": {"operationId": "listH", "security": [{"H": []}], "responses": {"200": {"description": "H", "content":
        {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/H"}}}}}}},
      "post": {"operationId": "makeH", "requestBody": {"required": true, "content":
        {"application/json": {"schema": {"$ref": "#/components/schemas/H"}}}},
        "responses": {"201": {"description": "H", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/H"}}}}}}},
    "/things/{id}": {"get": {"operationId": "oneH", "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "responses": {"200": {"description": "H", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/H"}}}}}}}
  },
  "components": {
    "securitySchemes": {"H": {"type": "apiKey", "in": "header", "name": "X-H"}},
    "schemas": {"H": {"type": "object", "title": "H", "required": ["H", "id"], "properties": {
      "H": {"type": "string", "enum": ["H"], "example": "H", "format": "H"}, "id": {"type": "string"},
      "n": {"type": "numberH"}, "r": {"$ref": "H.json"}}, "additionalProperties": false}}
  }
}`, "H", string(bytes.Trim(text, `"`))))
}

// misbehave answers everything with a hostile text.
func misbehave(w http.ResponseWriter, hostile string) {
	w.Header()["X-\u202e"] = []string{"\u009b\u202e"}
	w.Header().Set("Content-Type", "application/\u202e\u009b")
	w.Header().Set("Location", "http://\u202e/\u0085")
	w.WriteHeader(299)
	text, _ := json.Marshal(map[string]any{hostile: hostile})
	w.Write(visible.Bytes(text)[:40])
	io.WriteString(w, hostile)
}

func TestNothingHidden(t *testing.T) {
	for name, text := range hostileTexts {
		t.Run(name, func(t *testing.T) { testNothingHidden(t, text) })
	}
}

func testNothingHidden(t *testing.T, hostile string) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name string, text []byte) {
		t.Helper()
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { misbehave(w, hostile) }))
	defer backend.Close()
	write("openapi.json", hostileDocument(hostile))
	quoted, _ := json.Marshal(hostile)
	har := strings.ReplaceAll(`{"log": {"entries": [{"time": 1, "request": {"method": "GETH", "url": "http://localhost/things?qH=1", "headers": [{"name": "X-H", "value": "H"}]},
	  "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/jsonH"}, {"name": "xH", "value": "H"}], "content": {"size": 4, "mimeType": "H", "text": "H"}}},
	 {"time": 1, "request": {"method": "GET", "url": "http://localhost/thingsH", "headers": []},
	  "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"}], "content": {"size": 4, "mimeType": "H", "text": "[{\"id\": \"H\"}]"}}},
	 {"time": 1, "request": {"method": "GET", "url": "http://localhost/things", "headers": []},
	  "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"}, {"name": "xH", "value": "H"}], "content": {"size": 4, "mimeType": "H", "text": "[{\"id\": \"H\"}]"}}}]}}`,
		"H", string(bytes.Trim(quoted, `"`)))
	write("traffic.har", []byte(har))
	scenario := strings.ReplaceAll(`{"name": "aH", "description": "H", "H": 1, "rules": [{"when": {"operation": "H"}, "respond": {"status": 200, "body": "H"}}]}`,
		"H", string(bytes.Trim(quoted, `"`)))
	write("bad.yaml", []byte(scenario))
	write("good.yaml", []byte(strings.ReplaceAll(`{"description": "H", "rules": [{"when": {"operation": "GET /things"}, "respond": {"status": 200, "body": [{"H": "H", "id": "1"}]}}]}`,
		"H", string(bytes.Trim(quoted, `"`)))))
	folder := "hidden\u202e\x1b[31m"
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	write(folder+"/openapi.json", hostileDocument(hostile))
	write(folder+"/coldframe.yaml", []byte("{"+string(quoted)+": 1, seed: "+string(quoted)+", resources: {"+string(quoted)+": "+string(quoted)+"}}"))

	const refs = "--ignore-unreadable-refs"
	hostile, _, _ = strings.Cut(strings.TrimSuffix(hostile, "\r\nFORGED"), "\n") // who runs the program may write lines
	commands := [][]string{
		{"lint", "openapi.json"}, {"lint", "openapi.json", "--json"},
		{"plan", "openapi.json", refs}, {"plan", "openapi.json", "--json", refs}, {"plan", "openapi.json", "--explain", refs},
		{"plan", "openapi.json"}, {"openapi.json"}, {"lint", folder}, {"plan", folder}, {"mock", folder}, {"test", folder, backend.URL},
		{"scenario", "check", "bad.yaml"}, {"scenario", "check", "bad.yaml", "--json"}, {"scenario", "list", "bad.yaml", "good.yaml"},
		{"scenario", "new", "GET /things", "200"}, {"scenario", "new", hostile, "200"},
		{"test", "openapi.json", "http://" + hostile}, {"test", "openapi.json", hostile}, {"test", "openapi.json", backend.URL},
		{"check", "traffic.har", "openapi.json"}, {"check", hostile}, {"health", "http://" + hostile}, {"health", backend.URL},
		{hostile}, {"mock", hostile}, {"lint", "./" + hostile}, {"help", hostile}, {"mock", "--" + hostile}, {"mock", "--log", hostile},
		{"mock", "--scenario", hostile}, {"mock", "--scenario", "bad.yaml", refs}, {"mock", "--data", hostile},
		{"mock", "--host", hostile}, {"mock", "--callbacks", hostile}, {"mock", "--allowed-host", hostile}, {"mock", "--coverage", hostile},
		{"test", "--phase", hostile, backend.URL}, {"test", "--operation", hostile, backend.URL},
		{"test", "openapi.json", backend.URL, "--auth-command", "printf '\\033[2J\\302\\233' >&2; exit 1", refs},
		{"test", "openapi.json", backend.URL, "--setup", hostile},
	}
	for _, format := range contracts.ReportFormats() {
		for _, to := range []string{"-", "report." + format.Name} {
			report := format.Name + "=" + to
			commands = append(commands,
				[]string{"test", "openapi.json", backend.URL, refs, "--strict", "--max-cases", "60", "--verbose", "--report", report},
				[]string{"check", "traffic.har", "openapi.json", refs, "--strict", "--report", report})
		}
	}
	for _, args := range commands {
		t.Run(strings.ToValidUTF8(visible.Line(strings.Join(args, " ")), ""), func(t *testing.T) {
			var out, errors bytes.Buffer
			code := run(t.Context(), args, strings.NewReader(""), &out, &errors)
			if out.Len()+errors.Len() == 0 {
				t.Errorf("it ended with %d and said nothing", code)
			}
			checkHidden(t, "standard output", out.String())
			checkHidden(t, "standard error", errors.String())
			for _, format := range contracts.ReportFormats() {
				if text, err := os.ReadFile("report." + format.Name); err == nil {
					checkHidden(t, "the report", string(text))
					os.Remove("report." + format.Name)
				}
			}
			if last := args[len(args)-1]; last == "--json" || strings.HasSuffix(last, "json=-") || strings.HasSuffix(last, "sarif=-") {
				for lines := json.NewDecoder(&out); lines.More(); {
					var value any
					if err := lines.Decode(&value); err != nil {
						t.Fatal(err)
					}
				}
			}
		})
	}
}

// TestNothingHiddenOfAMock looks at everything that a mock of a hostile document prints, logs and answers.
func TestNothingHiddenOfAMock(t *testing.T) {
	for name, text := range hostileTexts {
		t.Run(name, func(t *testing.T) { testNothingHiddenOfAMock(t, text) })
	}
}

func testNothingHiddenOfAMock(t *testing.T, hostile string) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("openapi.json", hostileDocument(hostile), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"text", "json"} {
		t.Run(form, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			out, errors, ended := output{more: make(chan struct{})}, output{more: make(chan struct{})}, make(chan int, 1)
			args := []string{"openapi.json", "--port", "0", "--log", form, "--ignore-unreadable-refs"}
			for _, name := range []string{"-", "c.json", "c.info", "c.txt"} {
				args = append(args, "--coverage", name)
			}
			go func() { ended <- run(ctx, args, strings.NewReader(""), &out, &errors) }()
			url := ""
			for url == "" {
				text, more := out.read()
				if form == "json" {
					text, more = errors.read()
				}
				if url = urlPattern.FindString(text); url == "" {
					select {
					case <-more:
					case <-ended:
						t.Fatal(text)
					}
				}
			}
			for _, request := range []string{
				"GET /things HTTP/1.1\r\nHost: localhost\r\nX-A: \u202e\u009b\r\nPrefer: code=\u202e, example=\u009b\r\n",
				"GET /things/%1B%5B2J%C2%9B%E2%80%AE%0D%0AFORGED?q=%E2%80%AE HTTP/1.1\r\nHost: localhost\r\n",
				"GET /\u202e\u009b?\u2028 HTTP/1.1\r\nHost: localhost\r\n",
				"POST /things HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/\u202e\r\nContent-Length: 0\r\n",
				"PO\u202eST /things HTTP/1.1\r\nHost: localhost\r\n",
				"GET /things/a##vso[task.complete]b?##[error] HTTP/1.1\r\nHost: localhost\r\nPrefer: session=##[error]\r\n",
				"GET /things/a%23%23vso[task.complete]b?a=::error:: HTTP/1.1\r\nHost: localhost\r\n",
			} {
				send(t, strings.TrimPrefix(url, "http://"), request)
			}
			for _, path := range []string{"requests", "coverage", "plan", "operations", "findings", "state", "scenarios", "requests?path=\u202e", "\u202e"} {
				response, err := http.Get(url + "/__coldframe/" + path)
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil {
					t.Fatal(err)
				}
				checkHidden(t, path, string(text))
			}
			stop()
			if code := <-ended; code != exitFine {
				t.Error(code)
			}
			files := map[string]string{}
			files["standard output"], _ = out.read()
			files["standard error"], _ = errors.read()
			for _, name := range []string{"c.json", "c.info", "c.txt"} {
				text, err := os.ReadFile(filepath.Join(".", name))
				if err != nil {
					t.Fatal(err)
				}
				files[name] = string(text)
			}
			for name, text := range files {
				checkHidden(t, name, text)
			}
			if n := strings.Count(files["standard output"], "things"); n < 3 {
				t.Errorf("%d requests are logged: %s", n, files["standard output"])
			}
		})
	}
}

// githubAnnotation is a line of a report for GitHub, whose message is the last group.
var githubAnnotation = regexp.MustCompile(`^::(?:error|warning|notice) [^:]*::(.*)$`)

var commandInside = regexp.MustCompile(`##\w*\[`)

// checkHidden reports what a terminal or a CI system would act on, and lines that somebody else has written.
func checkHidden(t *testing.T, name, text string) {
	t.Helper()
	for i, r := range text {
		if r != '\n' && r != '\t' && visible.Hidden(r) {
			t.Errorf("%s has %U: %q", name, r, text[max(0, i-120):min(len(text), i+60)])
			break
		}
	}
	for line := range strings.Lines(text) {
		if annotation := githubAnnotation.FindStringSubmatch(strings.TrimRight(line, "\n")); annotation != nil {
			line = annotation[1]
		}
		if strings.HasPrefix(strings.TrimSpace(line), "::") || commandInside.MatchString(line) {
			t.Errorf("%s has a line that CI obeys: %q", name, line[:min(len(line), 200)])
		}
	}
	if i := strings.Index("\n"+text, "\nFORGED"); i >= 0 {
		t.Errorf("%s has a forged line: %q", name, text[max(0, i-200):min(len(text), i+60)])
	}
}

// send sends the raw beginning of a request, and waits for the answer's end.
func send(t *testing.T, address, request string) {
	t.Helper()
	connection, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := fmt.Fprint(connection, request+"Connection: close\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, connection)
}
