package coverage_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// TestConstraints holds what is laid out of a document to the file "all", and
// what requests are counted for to "requests": a target, a body and the
// constraint that it breaks, none for a good one.
func TestConstraints(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "constraints", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := map[string]string{}
			for _, f := range archive.Files {
				text[f.Name] = string(f.Data)
			}
			c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(text["openapi.yaml"])})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(constraints(counting(c).Empty(""), false), "\n") + "\n"; got != text["all"] {
				t.Errorf("got\n%swant\n%s", got, text["all"])
			}
			for line := range strings.SplitSeq(strings.TrimSpace(text["requests"]), "\n") {
				tryConstraint(t, c, line)
			}
		})
	}
}

func counting(c *spec.Contract) *coverage.Coverage {
	counts := coverage.New(c)
	counts.Constraints()
	return counts
}

func tryConstraint(t *testing.T, c *spec.Contract, line string) {
	t.Helper()
	target, rest, _ := strings.Cut(line, " ")
	body, want, _ := strings.Cut(rest, " ")
	path, query, _ := strings.Cut(target, "?")
	o := c.Operations[0]
	r := &exchange.Request{Method: o.Method, Path: path, Query: query, Body: []byte(body)}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	values, findings := validate.New(o).Request(r, []string{path[strings.LastIndexByte(path, '/')+1:]})
	use := coverage.Use{Operation: o, Values: &values, Response: &exchange.Response{Status: 400}}
	if len(findings) > 0 {
		use.Broken = &findings[0]
	}
	counts := counting(c)
	counts.Count(use)
	if got := strings.Join(constraints(counts.Report(), true), ", "); got != want {
		t.Errorf("%s: %v: counts for %q, want %q", line, findings, got, want)
	}
}

// constraints returns the names of those that were tried, or of all.
func constraints(r *coverage.Report, tried bool) []string {
	var names []string
	for _, o := range r.Operations {
		for _, p := range o.Points {
			if p.Kind == coverage.KindConstraint && (!tried || p.Hits > 0) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// TestConsumersBreakNothing leaves constraints out if nobody asks for them.
func TestConsumersBreakNothing(t *testing.T) {
	c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/a: {get: {parameters: [{name: n, in: query, required: true, schema: {type: integer}}], responses: {"200": {description: d}}}}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	r := coverage.New(c).Report()
	if len(constraints(r, false)) > 0 || slices.ContainsFunc(r.Kinds, func(k coverage.KindReport) bool { return k.Kind == coverage.KindConstraint }) {
		t.Error("constraints are counted")
	}
}
