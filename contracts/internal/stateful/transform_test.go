package stateful

import (
	"encoding/json"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// TestContradicts has what documents say of a value, what was sent and what is shown, and whether no reading of the
// words makes one of the other.
func TestContradicts(t *testing.T) {
	for _, c := range []struct {
		said, sent, shown string
		want              bool
	}{
		{"White space around the title is removed.", `"Ada"`, `"Ad"`, true},
		{"White space around the title is removed; one of nothing else becomes Untitled.", `"Ada"`, `"Ad"`, true},
		{"White space around the title is removed.", `" Ada"`, `"Ad"`, false}, // no ordinary value
		{"White space around the title is removed. Unknown titles become Untitled.", `"Ada"`, `"Untitled"`, false},
		{"White space is removed, and the title is cut.", `"Ada"`, `"Ad"`, false},
		{"Trimmed, and normalised.", `"Ada"`, `"Eve"`, false},
		{"The name of a thing. Trimmed by the server.", `"Ada"`, `"Ad"`, false},
		{"Tags in small letters.", `["A", "b"]`, `["a"]`, true},
		{"Tags in small letters.", `["A", "b"]`, `["b", "a"]`, false},
		{"Tags in small letters.", `["A", "a"]`, `["a"]`, false},
		{"At most three tags, in small letters.", `["A", "b"]`, `["a"]`, false},
		{"Kept in capitals.", `"Ada"`, `"ADA"`, false},
		{"Kept in capitals.", `"Ada"`, `"EVA"`, true},
		{"Kept in capitals, without vowels.", `"Ada"`, `"D"`, false},
		{"The names are kept in small letters.", `{"A": "b"}`, `{"a": "b"}`, false},
		{"Only the first 30 characters are kept.", `"Ada"`, `""`, true},
		{"Only the first 30 characters are kept.", `"Ada"`, `"A"`, false},
		{"The first characters in capitals.", `"ada"`, `"AD"`, false},
		{"The first three are kept.", `["a", "b"]`, `["a"]`, false},
		{"In hours, rounded to one decimal.", `2.25`, `5.5`, true},
		{"In hours, rounded to one decimal.", `2.25`, `3`, false},
		{"In hours, rounded up.", `2.25`, `15`, false},
		{"Kept in UTC, in whole seconds.", `"2026-03-01T10:00:00+01:00"`, `"2026-03-01T09:00:00Z"`, false},
		{"Kept in UTC, in whole seconds.", `"2026-03-01T10:00:00+01:00"`, `"2026-03-01T10:00:00Z"`, true},
		{"Kept in UTC, set by the service.", `"2026-03-01T10:00:00+01:00"`, `"2026-03-01T10:00:00Z"`, false},
		{"A set: kept in alphabetical order, each tag once.", `["b", "a"]`, `["a", "b", "c"]`, true},
		{"A set: kept in alphabetical order, each tag once.", `["b", "a", "a"]`, `["a", "b"]`, false},
		{"A number.", `1`, `2`, false},
	} {
		sent, _ := jsontext.Decode(c.sent)
		shown, _ := jsontext.Decode(c.shown)
		if got := contradicts(proseOf(c.said), nil, sent, shown); got != c.want {
			t.Errorf("%q: %s is shown as %s: got %v, want %v", c.said, c.sent, c.shown, got, c.want)
		}
	}
	if contradicts(proseOf("Kept in capitals."), proseOf("The code is assigned by the server."), "Ada", "EVA") {
		t.Error("what is said elsewhere does not count")
	}
	if contradicts(nil, nil, json.Number("1"), json.Number("2")) {
		t.Error("nothing is said, and a value is judged")
	}
}
