package generate_test

import (
	"errors"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/testbench/sample"
)

const keys = 100

func schemas(t testing.TB, file string) []txtar.File {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return archive.Files
}

// TestConforming: values conform to their schema whatever the key, and depend
// on the key alone.
func TestConforming(t *testing.T) {
	keys := uint64(keys / sample.Every(4, 10))
	for _, f := range schemas(t, "testdata/conforming.txtar") {
		t.Run(f.Name, func(t *testing.T) {
			for _, o := range []generate.Options{{}, {Fill: "required"}, {Examples: true}} {
				s := compile(t, string(f.Data))
				g, other := generate.New(s, o), generate.New(s, o)
				first := map[uint64]string{}
				for i := range keys {
					v, err := g.Value(generate.NewKey(i))
					if err != nil {
						t.Fatalf("%+v, key %d: %v", o, i, err)
					}
					if err := s.Keywords.Validate(v); err != nil {
						t.Fatalf("%+v, key %d: %s: %v", o, i, bytes(v), err)
					}
					first[i] = bytes(v)
				}
				for i := keys; i > 0; i-- { // in another order, by another generator
					v, err := other.Value(generate.NewKey(i - 1))
					if err != nil {
						t.Fatal(err)
					}
					if got := bytes(v); got != first[i-1] {
						t.Fatalf("%+v, key %d gives %s and %s", o, i-1, first[i-1], got)
					}
				}
			}
		})
	}
}

func TestUnsatisfiable(t *testing.T) {
	for _, f := range schemas(t, "testdata/unsatisfiable.txtar") {
		t.Run(f.Name, func(t *testing.T) {
			v, err := generate.New(compile(t, string(f.Data)), generate.Options{}).Value(generate.NewKey(1))
			if err == nil {
				t.Fatalf("made %s", bytes(v))
			}
			if e := (*generate.Error)(nil); !errors.As(err, &e) {
				t.Fatalf("%T is no *generate.Error", err)
			}
			t.Log(err)
		})
	}
}
