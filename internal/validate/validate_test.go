package validate

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestCases runs testdata/*.txtar: openapi.yaml, then pairs of an exchange and
// its findings. An exchange begins with the name of its operation, then
// "request VALUE…" with the path's values or "response STATUS", then "Name:
// value" lines, "?query", and after an empty line the body.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", runCases)
}

func runCases(t *testing.T, archive *txtar.Archive) {
	c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: archive.Files[0].Data})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i+1 < len(archive.Files); i += 2 {
		name := archive.Files[i].Name
		var got strings.Builder
		for _, f := range findings(t, c, string(archive.Files[i].Data)) {
			fmt.Fprintf(&got, "%s [%s] %s:%d\n", f, f.Code, f.Document.Pointer, f.Document.Line)
		}
		if golden.Update() {
			archive.Files[i+1].Data = []byte(got.String())
			continue
		}
		if want := string(archive.Files[i+1].Data); got.String() != want {
			t.Errorf("%s: got\n%swant\n%s", name, got.String(), want)
		}
	}
}

func findings(t *testing.T, c *spec.Contract, text string) []exchange.Finding {
	head, body, hasBody := strings.Cut(text, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	o := c.Operation(lines[0])
	if o == nil {
		t.Fatalf("no operation %q", lines[0])
	}
	words := strings.Fields(lines[1])
	request := &exchange.Request{Method: o.Method}
	for _, line := range lines[2:] {
		if query, ok := strings.CutPrefix(line, "?"); ok {
			request.Query = query
			continue
		}
		name, value, _ := strings.Cut(line, ": ")
		request.Header = append(request.Header, exchange.Field{Name: name, Value: value})
	}
	if hasBody {
		request.Body = []byte(strings.TrimSuffix(body, "\n"))
	}
	v := New(o)
	if words[0] == "request" {
		_, found := v.Request(request, words[1:])
		return found
	}
	status, err := strconv.Atoi(words[1])
	if err != nil {
		t.Fatal(err)
	}
	return v.Response(o.Method, &exchange.Response{Status: status, Header: request.Header, Body: request.Body})
}
