package resource

import (
	"slices"
	"testing"
)

func TestNamedUnique(t *testing.T) {
	properties := []Property{{Name: "assetTag"}, {Name: "floor"}, {Name: "number"}, {Name: "name"}}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Add a copy; a book has no two copies with the same asset tag (409)", []string{"assetTag"}},
		{"Answers 409 where `assetTag` is in use. The name is any.", nil},
		{"Answers 409 where `assetTag` is\nalready in use. The name is any.", []string{"assetTag"}},
		{"No two rooms have the same floor and number (409).", nil}, // together, not each alone
		{"The number need not be unique (409 is for other conflicts).", nil},
		{"The name must be unique.", []string{"name"}},
		{"A conflict is answered 409. All are of the same name.", nil},
	} {
		if got := namedUnique(c.text, properties); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
