package spec

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestDocuments loads the documents of testdata/documents. A file there holds
// the cases of one family, each a folder: its first file is the document, ask
// holds questions about the contract, want what is found on loading and the
// answers.
func TestDocuments(t *testing.T) {
	golden.Cases(t, "testdata/documents/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		for _, name := range cases(archive) {
			t.Run(name, func(t *testing.T) { runCase(t, archive, name) })
		}
	})
}

// cases returns the names of the folders in an archive.
func cases(archive *txtar.Archive) []string {
	var names []string
	for _, f := range archive.Files {
		if name, _, _ := strings.Cut(f.Name, "/"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func runCase(t *testing.T, archive *txtar.Archive, name string) {
	directory := t.TempDir()
	main, ask, want := "", "", -1
	for i, f := range archive.Files {
		base, ok := strings.CutPrefix(f.Name, name+"/")
		switch {
		case !ok:
		case base == "ask":
			ask = string(f.Data)
		case base == "want":
			want = i
		default:
			if main == "" {
				main = base
			}
			path := filepath.Join(directory, base)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			text := strings.TrimSuffix(string(f.Data), "\n")
			if target, ok := strings.CutPrefix(text, "symlink "); ok {
				if err := os.Symlink(target, path); err != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	var b strings.Builder
	contract, err := Load(context.Background(), filepath.Join(directory, main), Options{IgnoreUnreadable: true})
	if err != nil {
		fmt.Fprintln(&b, "error:", err)
	} else {
		for _, f := range contract.Findings {
			fmt.Fprintf(&b, "%s: %s: %s [%s]\n", f.Document, f.Severity, f.Message, f.Code)
		}
		for question := range strings.Lines(ask) {
			fmt.Fprintf(&b, "> %s", question)
			answer(&b, contract, strings.TrimSpace(question))
		}
	}
	got := strings.ReplaceAll(b.String(), directory+"/", "")
	if golden.Update() {
		if want < 0 {
			at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, name+"/") })
			for at < len(archive.Files) && strings.HasPrefix(archive.Files[at].Name, name+"/") {
				at++
			}
			archive.Files = slices.Insert(archive.Files, at, txtar.File{Name: name + "/want", Data: []byte(got)})
			return
		}
		archive.Files[want].Data = []byte(got)
		return
	}
	if want < 0 || got != string(archive.Files[want].Data) {
		t.Errorf("got\n%s", got)
	}
}

// answer writes what the contract says to a question of a case.
func answer(b *strings.Builder, c *Contract, question string) {
	words := strings.SplitN(question, " ", 4)
	if words[0] == "operations" {
		for _, o := range c.Operations {
			fmt.Fprintf(b, "%s %s id %q tags %q at %q\n", o.Method, o.Path, o.ID, o.Tags, o.BasePaths)
		}
		return
	}
	o := c.Operation(words[1] + " " + words[2])
	if o == nil {
		fmt.Fprintln(b, "no such operation")
		return
	}
	switch words[0] {
	case "parameters":
		for _, p := range o.Parameters {
			fmt.Fprintf(b, "%s %q required %t style %s explode %t schema %t content %t\n", p.In, p.Name, p.Required, p.Style, p.Explode, p.Schema != nil, p.Content != nil)
		}
	case "security":
		for _, requirement := range o.Security {
			fmt.Fprint(b, "-")
			for _, need := range requirement {
				fmt.Fprintf(b, " %s (%s) %q", need.Scheme.Key, need.Scheme.Type, need.Scopes)
			}
			fmt.Fprintln(b)
		}
	case "responses":
		for _, r := range o.Responses {
			fmt.Fprintf(b, "%s %q", r.Status, r.Description)
			for _, h := range r.Headers {
				fmt.Fprintf(b, " header %s", h.Name)
			}
			for _, m := range r.Content {
				fmt.Fprintf(b, " %s", m.Range)
			}
			fmt.Fprintln(b)
		}
	case "examples":
		for _, m := range o.Body.Content {
			for _, e := range m.Examples {
				fmt.Fprintf(b, "%s %q broken %t\n", m.Range, e.Name, e.Broken != nil)
			}
		}
	case "body":
		checkAnswer(b, o.Body.Content[0].Schema, words[3])
	case "reply":
		checkAnswer(b, o.Responses[0].Content[0].Schema, words[3])
	}
}

func checkAnswer(b *strings.Builder, s *Schema, text string) {
	value, wrong := jsontext.Decode(text)
	if wrong != nil {
		fmt.Fprintln(b, wrong)
		return
	}
	findings := s.Check(value, exchange.InBody, "")
	if findings == nil {
		fmt.Fprintln(b, "conforms")
	}
	for _, f := range findings {
		fmt.Fprintf(b, "%s [%s] %s %s\n", f, f.Code, f.Document, f.Document.Pointer)
	}
}
