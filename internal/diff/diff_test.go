package diff

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestPairs compares the old/ and new/ documents of the files in testdata. The first words of each file say what is
// true of the pair; the section "changes" has what is reported.
func TestPairs(t *testing.T) {
	golden.Cases(t, filepath.Join("testdata", "*.txtar"), func(t *testing.T, archive *txtar.Archive) {
		folder := t.TempDir()
		files := map[string]string{}
		at := -1
		for i, f := range archive.Files {
			if f.Name == "changes" {
				at = i
				continue
			}
			name := filepath.Join(folder, f.Name)
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
			if side := filepath.Dir(f.Name); files[side] == "" {
				files[side] = f.Name
			}
		}
		old, new := load(t, filepath.Join(folder, files["old"])), load(t, filepath.Join(folder, files["new"]))
		changes, err := Compare(t.Context(), old, new)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		shown := func(at exchange.Place) string { return strings.TrimPrefix(at.String(), folder+"/") }
		for _, c := range changes {
			fmt.Fprintf(&got, "%v %s %s\n", c.Severity, c.ID, strings.TrimSpace(c.Method+" "+c.Path))
			fmt.Fprintf(&got, "    %s\n    %s -> %s\n", c.Text, shown(c.Old), shown(c.New))
		}
		if truth, _, _ := strings.Cut(string(archive.Comment), ":"); verdict(changes) != truth {
			t.Errorf("the truth is %q, got %q:\n%s", truth, verdict(changes), got.String())
		}
		if golden.Update() {
			if at < 0 {
				at, archive.Files = len(archive.Files), append(archive.Files, txtar.File{Name: "changes"})
			}
			archive.Files[at].Data = []byte(got.String())
		} else if want := string(archive.Files[at].Data); want != got.String() {
			t.Error(cmp.Diff(want, got.String()))
		}
	})
}

func load(t *testing.T, name string) *spec.Bundle {
	t.Helper()
	bundle, err := spec.LoadBundle(t.Context(), name, spec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return bundle
}

// verdict says what changes mean for clients.
func verdict(changes []Change) string {
	if len(changes) == 0 {
		return "no change"
	}
	return map[exchange.Severity]string{exchange.Error: "breaking", exchange.Warning: "may break",
		exchange.Info: "not breaking"}[changes[0].Severity]
}

func TestDocumentEqualsItself(t *testing.T) {
	for _, d := range corpus.Test(t) {
		t.Run(d.Name, func(t *testing.T) {
			bundle := load(t, d.Path)
			changes, err := Compare(t.Context(), bundle, bundle)
			if err != nil || len(changes) > 0 {
				t.Errorf("%v %v", changes, err)
			}
		})
	}
}

// TestDoubling compares documents of a few lines in which the number of ways to a schema doubles with each level.
func TestDoubling(t *testing.T) {
	for name, level := range map[string]string{
		"references": `    S%d: {properties: {a: {$ref: "#/components/schemas/S%[2]d"}, b: {$ref: "#/components/schemas/S%[2]d"}}}`,
		"parts": `    S%d: {properties: {a: {allOf: [{$ref: "#/components/schemas/S%[2]d"}, {minProperties: 1}]}, ` +
			`b: {allOf: [{$ref: "#/components/schemas/S%[2]d"}, {minProperties: 2}]}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			bundle := func(leaf string) *spec.Bundle {
				text := "openapi: 3.1.0\ninfo: {title: Doubling, version: 1.0.0}\npaths: {/a: {get: {responses: {\"200\": {description: OK., " +
					"content: {application/json: {schema: {$ref: \"#/components/schemas/S0\"}}}}}}}}\ncomponents:\n  schemas:\n"
				for i := range 40 {
					text += fmt.Sprintf(level+"\n", i, i+1)
				}
				text += "    S40: {properties: {x: {type: " + leaf + "}}}\n"
				b, err := spec.LoadBundle(t.Context(), "doubling.yaml", spec.Options{Text: []byte(text)})
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			changes, err := Compare(t.Context(), bundle("string"), bundle("integer"))
			if err != nil || len(changes) == 0 {
				t.Error(changes, err)
			}
		})
	}
}
