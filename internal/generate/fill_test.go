package generate_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// TestFill: a case is a schema, what the request sent, and what the answer
// must be; "?" in the answer stands for any value.
func TestFill(t *testing.T) {
	files := schemas(t, "testdata/fill.txtar")
	for i := 0; i < len(files); i += 3 {
		t.Run(files[i].Name, func(t *testing.T) { tryFill(t, files[i:i+3]) })
	}
}

func tryFill(t *testing.T, files []txtar.File) {
	decoded := func(f txtar.File) any {
		v, err := jsontext.Decode(string(f.Data))
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		return v
	}
	s := compile(t, string(files[0].Data))
	g := generate.New(s, generate.Options{})
	for i := range uint64(20) {
		v, err := g.Fill(generate.NewKey(i), decoded(files[1]).(map[string]any), "unsent")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Keywords.Validate(v); err != nil {
			t.Fatalf("%s: %v", bytes(v), err)
		}
		if !like(v, decoded(files[2])) {
			t.Fatalf("got %s, want %s", bytes(v), bytes(decoded(files[2])))
		}
	}
}

func like(got, want any) bool {
	switch want := want.(type) {
	case string:
		return want == "?" || got == want
	case []any:
		got, ok := got.([]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for i := range want {
			if !like(got[i], want[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok || len(got) != len(want) {
			return false
		}
		for name := range want {
			v, ok := got[name]
			if !ok || !like(v, want[name]) {
				return false
			}
		}
		return true
	}
	return got == want
}
