package jsontext

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// FuzzOrder writes objects whose names are parts of a text, and compares with sorted names.
func FuzzOrder(f *testing.F) {
	for _, text := range []string{
		"", "a", "b,a", "stargazers_url,stargazers_count,star,stargaz", "a\x00,a", "é,e,ee,\xff,abcdefgh,abcdefghi",
		strings.Repeat("a,aa,b,abcdefghij,abcdefghi", 20), strings.Join(strings.Split("zyxwvutsrqponmlkjihgfedcba", ""), ","),
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object := map[string]any{}
		for name := range strings.SplitSeq(text, ",") {
			object[name] = name
		}
		want := []byte{'{'}
		for i, name := range slices.Sorted(maps.Keys(object)) {
			if i > 0 {
				want = append(want, ',')
			}
			want = AppendString(append(AppendString(want, name), ':'), name)
		}
		if got := Append(nil, object); string(got) != string(want)+"}" {
			t.Errorf("%s, want %s}", got, want)
		}
	})
}
