package nearest

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("x", maxBytes)
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"rose", "rose", 0}, {"rose", "rosa", 1}, {"rose", "roses", 1},
		{"rose", "orse", 1}, {"rose", "eros", 2}, {"abc", "ca", 3}, {"kitten", "sitting", 3}, {"naïve", "naive", 2},
		{long, long[1:], 1}, {long, "", maxBytes}, {long, strings.Repeat("y", maxBytes), maxBytes},
		{long + "x", long, maxBytes + 1}, {long + "x", long + "x", 0},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%.20q to %.20q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Distance(c.b, c.a); got != c.want {
			t.Errorf("%.20q to %.20q: %d, want %d", c.b, c.a, got, c.want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { Distance("monstera", "fern") }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestWord(t *testing.T) {
	words := []string{"status", "headers", "body", "Body2"}
	for _, c := range []struct {
		word string
		most int
		want string
	}{
		{"stauts", 1, "status"}, {"STATUS", 0, "status"}, {"bodyy", 1, "body"}, {"body2", 0, "Body2"},
		{"colour", 2, ""}, {"", 3, ""}, {"", 4, "body"}, {strings.Repeat("b", 300), 100, ""},
	} {
		if got := Word(c.word, words, c.most); got != c.want {
			t.Errorf("%.20q within %d: %q, want %q", c.word, c.most, got, c.want)
		}
	}
}

// FuzzDistance checks the properties of a distance.
func FuzzDistance(f *testing.F) {
	f.Add("rose", "eros")
	f.Add("", "ü")
	f.Fuzz(func(t *testing.T, a, b string) {
		d := Distance(a, b)
		if d != Distance(b, a) || d > max(len(a), len(b)) || (d == 0) != (a == b) {
			t.Errorf("%q to %q: %d", a, b, d)
		}
		if len(a) <= maxBytes && len(b) <= maxBytes && d < max(len(a), len(b))-min(len(a), len(b)) {
			t.Errorf("%q to %q: only %d", a, b, d)
		}
	})
}
