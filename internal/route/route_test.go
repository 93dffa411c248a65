package route

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/routers"
	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestCases runs testdata/*.txtar. A file "operations" has lines
// "METHOD template", a line "base PATH…" has the base paths of the operations
// after it. A file "requests" has lines
//
//	METHOD target -> METHOD template name=value…
//	METHOD target -> 404 (nearest METHOD template)
//	METHOD target -> 405 METHOD…
//
// Values are as Find returns them, percent-encoded.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		var c *spec.Contract
		for _, f := range archive.Files {
			switch f.Name {
			case "operations":
				c = contract(string(f.Data))
			case "requests":
				runCases(t, New(c), string(f.Data))
			default:
				t.Fatalf("file %q is neither operations nor requests", f.Name)
			}
		}
	})
}

func contract(text string) *spec.Contract {
	c := &spec.Contract{}
	bases := []string{""}
	for line := range strings.Lines(text) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "":
		case "base":
			bases = append(strings.Fields(rest), "")
		default:
			route := &routers.Route{Method: word, Path: rest}
			c.Operations = append(c.Operations, &spec.Operation{Method: word, Path: rest, BasePaths: bases, Route: route})
		}
	}
	return c
}

func runCases(t *testing.T, r *Router, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		request, want, ok := strings.Cut(line, " -> ")
		if !ok {
			t.Fatalf("no arrow: %s", line)
		}
		method, target, _ := strings.Cut(request, " ")
		if got := outcome(r, method, target); !slices.Equal(strings.Fields(got), strings.Fields(want)) {
			t.Errorf("%s\n got %s\nwant %s", request, got, want)
		}
	}
}

func outcome(r *Router, method, target string) string {
	path, _, _ := strings.Cut(target, "?")
	var m Match
	switch r.Find(method, path, &m) {
	case NotFound:
		if op := r.Nearest(method, path); op != nil {
			return "404 (nearest " + op.Method + " " + op.Path + ")"
		}
		return "404"
	case MethodNotAllowed:
		return "405 " + strings.Join(r.Allowed(path), " ")
	}
	var b strings.Builder
	b.WriteString(m.Operation.Method + " " + m.Operation.Path)
	for i, name := range m.Names {
		b.WriteString(" " + name + "=" + m.Values[i])
	}
	if m.Alternatives != nil {
		b.WriteString(" (also")
		for _, op := range m.Alternatives {
			if op != m.Operation {
				b.WriteString(" " + op.Path)
			}
		}
		b.WriteString(")")
	}
	return b.String()
}

func TestFindDoesNotAllocate(t *testing.T) {
	r := New(contract("GET /a/b\nGET /a/{x}/c\nGET /a/{x}...{y}\nGET /a%20b/{x}"))
	m := Match{Values: make([]string, 0, 8)}
	for _, path := range []string{"/a/b", "/a/1/c", "/a/1...2", "/a/1%20...2", "/a%20b/1", "/a%20b/x%2Fy", "/none", "/a/"} {
		if n := testing.AllocsPerRun(100, func() { r.Find("GET", path, &m) }); n != 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
		if n := testing.AllocsPerRun(100, func() { var m Match; r.Find("GET", path, &m) }); n > 1 {
			t.Errorf("%s with a fresh Match: %v allocations", path, n)
		}
	}
}

// TestLongPaths has paths that would take an exponential search for ages.
func TestLongPaths(t *testing.T) {
	var operations strings.Builder
	for i := range 12 {
		operations.WriteString("GET " + strings.Repeat("/a", i) + strings.Repeat("/{x}", 24-i) + "/end\n")
		operations.WriteString("GET " + strings.Repeat("/{x}a{y}", i) + strings.Repeat("/{x}", 24-i) + "/end\n")
	}
	operations.WriteString("GET /" + strings.Repeat("{x}a", 40) + "b\n")
	r := New(contract(operations.String()))
	var m Match
	for _, path := range []string{
		strings.Repeat("/a", 24) + "/x",
		strings.Repeat("/aaa", 24) + "/x",
		strings.Repeat("/", 100_000),
		"/" + strings.Repeat("a", 100_000),
		"/" + strings.Repeat("%61", 100_000),
		strings.Repeat("/%", 50_000),
	} {
		if got := r.Find("GET", path, &m); got != NotFound {
			t.Errorf("%.40s…: %v", path, got)
		}
		r.Nearest("GET", path)
		r.Allowed(path)
	}
}
