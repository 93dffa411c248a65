package cases

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestCoverage runs testdata/coverage/*.txtar: openapi.yaml, then for each
// operation a file named for it with the cases that coverage makes. A line is
// what is wanted, the title, and what is broken; below it stands the request
// where the title does not say it.
func TestCoverage(t *testing.T) {
	golden.Cases(t, "testdata/coverage/*.txtar", runCoverage)
}

func runCoverage(t *testing.T, archive *txtar.Archive) {
	contract, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: archive.Files[0].Data})
	if err != nil {
		t.Fatal(err)
	}
	if golden.Update() {
		archive.Files = archive.Files[:1]
	}
	for i, o := range contract.Operations {
		var got strings.Builder
		for c := range New(o, 1).Coverage(t.Context(), nil, 0) {
			fmt.Fprintf(&got, "%s%s: %s\n", c.Expected, certainty(c), c.Title)
			if c.Violation != nil {
				fmt.Fprintf(&got, "  breaks %s: %s [%s]\n", c.Violation.Where(), c.Violation.Message, c.Violation.Code)
			}
			fmt.Fprintf(&got, "  %s\n", wireOf(c))
		}
		if golden.Update() {
			archive.Files = append(archive.Files, txtar.File{Name: o.Method + " " + o.Path, Data: []byte(got.String())})
			continue
		}
		if i+1 >= len(archive.Files) {
			t.Fatalf("%s %s: no cases are expected", o.Method, o.Path)
		}
		if want := string(archive.Files[i+1].Data); got.String() != want {
			t.Errorf("%s %s: got\n%swant\n%s", o.Method, o.Path, got.String(), want)
		}
	}
}

// certainty says on what it rests that a backend must do as is expected.
func certainty(c *Case) string {
	switch {
	case c.Lenient:
		return ", unless readers take more"
	case c.Expected == Accepted && c.Basis == Own:
		return ", unless prose says otherwise"
	case c.Basis != Own:
		return ", being " + string(c.Basis)
	}
	return ""
}

// wireOf returns the request in a line.
func wireOf(c *Case) string {
	r := c.Request
	path := r.Path
	for name, text := range c.Path {
		path = strings.ReplaceAll(path, "{"+name+"}", text)
	}
	line := r.Method + " " + path
	if r.Query != "" {
		line += "?" + r.Query
	}
	for _, f := range r.Header {
		if f.Name != "Content-Type" || f.Value != "application/json" {
			line += " " + f.Name + "=" + f.Value
		}
	}
	if r.Body != nil {
		body := fmt.Sprintf("%.200q", r.Body)
		line += " " + strings.ReplaceAll(body[1:len(body)-1], `\"`, `"`)
	}
	return line
}
