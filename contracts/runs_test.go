package contracts

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/testbench/scripted"
)

// TestRuns has a run for each of testdata/runs/*.txtar, with the files openapi.yaml and
//
//	backend      the script of the backend (see package scripted)
//	credentials  lines "PATH NAME: VALUE": requests to that path without the field get a 401
//	options      lines "token T", "user N:P", "header NAME: VALUE", "api-key NAME=VALUE", "phases A,B", "destructive"
//	setup.yaml   the setup
//	never        requests that must not be sent, "METHOD TARGET BODY" with * for any text
//	sent         requests that must be sent and be accepted
//	hidden       a text that the report must not have
//	weak         operations of which "want" has the parts that no accepted request had
//	want         the findings, unless they do not matter, and, for operations in "skipped", why cases were skipped
func TestRuns(t *testing.T) {
	names, err := filepath.Glob("testdata/runs/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			got := runOf(t, files)
			if golden.Update() {
				for i := range archive.Files {
					if archive.Files[i].Name == "want" {
						archive.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if want, has := files["want"]; has && got != want {
				t.Errorf("got\n%s\nwant\n%s", got, files["want"])
			}
		})
	}
}

// runOf makes the run of one file, and returns what it found.
func runOf(t *testing.T, files map[string]string) string {
	script, err := scripted.Parse(files["backend"])
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for line := range strings.Lines(files["credentials"]) {
			path, field, _ := strings.Cut(strings.TrimSpace(line), " ")
			name, value, _ := strings.Cut(field, ": ")
			if strings.HasPrefix(r.URL.Path, path) && r.Header.Get(name) != value {
				w.Header().Set("WWW-Authenticate", "x")
				w.WriteHeader(401)
				return
			}
		}
		body, _ := io.ReadAll(r.Body)
		answer := script.Answer(&exchange.Request{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Body: body})
		for _, f := range answer.Header {
			if w.Header().Get(f.Name) == "" {
				w.Header().Set(f.Name, f.Value)
			}
		}
		w.WriteHeader(answer.Status)
		w.Write(answer.Body)
		if w.Header().Get("Content-Type") == "text/event-stream" {
			io.WriteString(w, "\n\n")
		}
	}))
	defer server.Close()
	o := Options{Document: "openapi.yaml", Text: []byte(files["openapi.yaml"]), URL: server.URL, Limits: Limits{FuzzCases: 30}}
	o.Credentials.Headers, o.Credentials.APIKeys = http.Header{}, map[string]string{}
	if files["setup.yaml"] != "" {
		o.SetupFile = filepath.Join(t.TempDir(), "setup.yaml")
		if err := os.WriteFile(o.SetupFile, []byte(files["setup.yaml"]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(files["options"]) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), " "); name {
		case "token":
			o.Credentials.Token = value
		case "user":
			o.Credentials.User = value
		case "header":
			field, text, _ := strings.Cut(value, ": ")
			o.Credentials.Headers.Add(field, text)
		case "api-key":
			key, text, _ := strings.Cut(value, "=")
			o.Credentials.APIKeys[key] = text
		case "phases":
			o.Select.Phases = strings.Split(value, ",")
		case "destructive":
			o.Select.Destructive = true
		case "":
		default:
			t.Fatalf("%q is no option", name)
		}
	}
	result := mustRun(t, t.Context(), o)
	asked := script.Asked()
	matches := func(pattern string) (all []string) {
		is := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(pattern)), `\*`, "(?s:.*)") + "$")
		for _, line := range asked {
			if is.MatchString(line) {
				all = append(all, line)
			}
		}
		return all
	}
	for line := range strings.Lines(files["never"]) {
		if all := matches(strings.TrimSpace(line) + " -> *"); len(all) > 0 {
			t.Errorf("%d requests like %s", len(all), all[0])
		}
	}
	for line := range strings.Lines(files["sent"]) {
		if len(matches(strings.TrimSpace(line)+" -> 2*")) == 0 {
			t.Errorf("no request %s was accepted", line)
		}
	}
	for _, f := range result.Findings {
		last := f.Sent[len(f.Sent)-1]
		shown := f.Message + last.Curl
		if last.Response != nil {
			shown += string(last.Response.Body)
		}
		if text := strings.TrimSpace(files["hidden"]); text != "" && strings.Contains(shown, text) {
			t.Errorf("the report has %s: %s", text, shown)
		}
	}
	var b strings.Builder
	for _, f := range result.Findings {
		fmt.Fprintf(&b, "%s %s %s: %s\n", f.Severity, f.Check, f.Operation, f.Message)
	}
	for _, s := range result.Skipped {
		if files["skipped"] != "" && strings.Contains(files["skipped"], s.Operation+"\n") && s.Operation != "" {
			fmt.Fprintf(&b, "skipped %s %s: %s\n", s.Phase, s.Operation, s.Reason)
		}
	}
	for _, o := range result.Operations {
		for _, place := range o.Weak {
			if strings.Contains(files["weak"], o.Name+"\n") {
				fmt.Fprintf(&b, "weak %s: %s\n", o.Name, place)
			}
		}
	}
	if result.Insufficient != "" {
		fmt.Fprintf(&b, "%s\n", result.Insufficient)
	}
	return b.String()
}
