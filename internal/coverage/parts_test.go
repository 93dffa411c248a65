package coverage_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestParts counts lists whose items were counted before: for the same session, for another one, and for one that was
// forgotten. A body that does not consist of the parts is read directly.
func TestParts(t *testing.T) {
	c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(`
openapi: 3.1.0
info: {title: Parts, version: "1"}
paths:
  /items:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {properties: {a: {}, b: {}, c: {}, d: {}}}}}}}}}
`)})
	if err != nil {
		t.Fatal(err)
	}
	counts := coverage.New(c)
	var parts []*coverage.Part
	for _, text := range []string{`{"a":1}`, `{"b":{"a":[]}}`} {
		parts = append(parts, &coverage.Part{JSON: []byte(text)})
	}
	for i, step := range []struct{ session, body, want string }{
		{"one", `[{"a":1}]`, "a"},
		{"one", `[{"a":1},{"b":{"a":[]}}]`, "a b"},
		{"one", `[{"a":1},{"b":{"a":[]}}]`, "a b"},
		{"two", `[{"a":1},{"b":{"a":[]}}]`, "a b"},
		{"one", `[{"a":1},{"b":{"a":[]}},{"c":0}]`, "a b c"},
		{"one", `[{"d":1},{"b":{"a":[]}}]`, "a b c d"},
		{"forget one", "", ""},
		{"one", `[{"a":1},{"b":{"a":[]}}]`, "a b"},
	} {
		if name, ok := strings.CutPrefix(step.session, "forget "); ok {
			counts.Forget(func(session string) bool { return session == name })
			continue
		}
		response := &exchange.Response{Status: 200, Body: []byte(step.body)}
		response.Header.Set("Content-Type", "application/json")
		counts.Count(coverage.Use{Operation: c.Operations[0], Session: step.session, Response: response, Parts: parts})
		var got []string
		for _, p := range counts.Session(step.session).Operations[0].Points {
			if name, ok := strings.CutPrefix(p.Name, "200[]."); ok && p.Hits > 0 {
				got = append(got, name)
			}
		}
		if text := strings.Join(got, " "); text != step.want {
			t.Errorf("step %d, %s: %q", i, fmt.Sprint(step), text)
		}
	}
}
