package formats_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/spec"
)

// compile returns the schema {"format": name} as a response of a document has it.
func compile(t *testing.T, name string) *spec.Keywords {
	t.Helper()
	text := fmt.Sprintf(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/":{"get":{"responses":{"200":{"description":"",
		"content":{"application/json":{"schema":{"format":%q}}}}}}}}}`, name)
	c, err := spec.Load(context.Background(), "openapi.json", spec.Options{Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return c.Operations[0].Responses[0].Content[0].Schema.Keywords
}

// tolerated are wrong values that jsonschema/v6 takes for valid. The contract
// tester drops such cases.
var tolerated = map[string]bool{"@example.com": true, "https://example.com/{}": true}

// TestRows validates the values of every row by a compiled schema.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range formats.All {
		t.Run(f.Name, func(t *testing.T) {
			if seen[f.Name] || f.Source == "" || f.Generate == nil && !f.IsNumeric() {
				t.Fatal("a row needs a name of its own, a source, and values")
			}
			seen[f.Name] = true
			k := compile(t, f.Name)
			valid := func(what string, v any) {
				if text, ok := v.(string); ok && f.Contradicts(length(text), length(text), nil, nil) {
					t.Errorf("%s %q is not as long as the format asks for", what, v)
				}
				if err := k.Validate(v); err != nil {
					t.Errorf("%s %q: %v", what, v, err)
				}
			}
			refused := func(v any) {
				if k.Validate(v) == nil {
					t.Errorf("wrong value %q is valid", v)
				}
			}
			if f.Generate != nil {
				for seed := range uint64(50) {
					v := f.Generate(formats.NewFaker().Seed(seed))
					valid("generated", v)
					if again := f.Generate(formats.NewFaker().Seed(seed)); again != v {
						t.Errorf("seed %d gives %q and %q", seed, v, again)
					}
				}
			}
			if f.Shortest != "" {
				valid("shortest", strings.ReplaceAll(f.Shortest, "?", "a"))
			}
			for _, v := range f.Boundary {
				valid("boundary", v)
			}
			for _, v := range f.Rare {
				valid("rare", v)
			}
			for _, v := range f.Wrong {
				if !tolerated[v] {
					refused(v)
				}
			}
			for _, n := range f.WrongNumbers {
				refused(json.Number(n.Value))
			}
			if formats.Lookup(f.Name) == nil {
				t.Error("not found by its name")
			}
		})
	}
}

// TestLengthened lengthens strings within what the formats allow.
func TestLengthened(t *testing.T) {
	for _, name := range []string{"email", "idn-email", "hostname", "date-time", "byte", "uri", "password"} {
		f, k := formats.Lookup(name), compile(t, name)
		s := f.Generate(formats.NewFaker().Seed(1))
		for _, missing := range []int{0, 1, 2, 30, 61, 62, 90, 123} {
			long := f.Lengthened(s, missing)
			if n := utf8.RuneCountInString(long); n < len(s)+missing {
				t.Errorf("%s: %q has %d characters", name, long, n)
			}
			if err := k.Validate(long); err != nil {
				t.Errorf("%s: %q: %v", name, long, err)
			}
		}
	}
}

func length(text string) *big.Rat { return big.NewRat(int64(utf8.RuneCountInString(text)), 1) }
