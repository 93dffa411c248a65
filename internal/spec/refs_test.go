package spec

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestMissingReference ends quickly if an "id" makes the loader look for a
// missing reference in more than one way.
func TestMissingReference(t *testing.T) {
	const document = `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get:
      responses:
        '200':
          description: d
          content:
            application/json:
              schema: {$ref: '#/components/schemas/a'}
components:
  schemas:
    a: {$ref: '#/components/schemas/b/properties/c', example: {id: x}}
    b: {properties: {d: {$ref: '#/components/schemas/a/properties/e'}}}
`
	c, err := Load(t.Context(), "openapi.yaml", Options{Text: []byte(document)})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Findings) == 0 || c.Findings[0].Code != "dangling-reference" {
		t.Fatal(c.Findings)
	}
}

// TestReferencesEnd loads documents of references that lead anywhere: to schemas, into them, nowhere, round in circles,
// by pointer, by $id and by id. Each is looked up in a number of steps that does not double with the depth.
func TestReferencesEnd(t *testing.T) {
	const schemas = 40
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		ref := func() string {
			target := fmt.Sprintf("#/components/schemas/s%d", r.IntN(schemas+4)) // the last four are missing
			for range r.IntN(5) {
				target += []string{"/properties/a", "/items", "/properties/missing", "/allOf/0"}[r.IntN(4)]
			}
			if r.IntN(6) == 0 {
				target = fmt.Sprintf("id%d", r.IntN(schemas)) + []string{"", "#/items"}[r.IntN(2)]
			}
			return fmt.Sprintf("{$ref: '%s'}", target)
		}
		var b strings.Builder
		b.WriteString("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n")
		for i := range schemas {
			id := []string{"", "example: {id: '7'}, ", fmt.Sprintf("id: id%d, ", i), fmt.Sprintf("$id: id%d, ", i)}[r.IntN(4)]
			fmt.Fprintf(&b, "    s%d: {%sproperties: {a: %s}, items: %s, allOf: [%s], $ref: '#/components/schemas/s%d'}\n",
				i, id, ref(), ref(), ref(), r.IntN(schemas+2))
		}
		done := make(chan error, 1)
		go func() {
			_, err := Load(t.Context(), "openapi.yaml", Options{Text: []byte(b.String()), IgnoreUnreadable: true})
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("seed %d does not end:\n%s", seed, b.String())
		}
	}
}

// TestLoadEnds returns when the context is done, whatever is left to do.
func TestLoadEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	text := []byte("openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\nx-values: [" + strings.Repeat("[],", 100_000) + "]\n")
	if _, err := Load(ctx, "openapi.yaml", Options{Text: text}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	text = append(text, strings.Repeat("# ,,,,,,,\n", 400_000)...)
	if _, err := Load(t.Context(), "openapi.yaml", Options{Text: text}); err == nil || !strings.Contains(err.Error(), "values") {
		t.Error(err)
	}
}
