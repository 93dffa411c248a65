package credentials

import (
	"bytes"
	"strings"
	"testing"
)

// FuzzEscapes compares what the first bytes of escapes say of a text with what the expression finds in it.
func FuzzEscapes(f *testing.F) {
	for _, text := range []string{"", "fern", "%2F", `\u002f`, `\x2f`, `\"`, "&#47;", "&#x2f;", "&amp;", "100 %", "a & b", `\`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if escape.Get().Match(text) && !bytes.ContainsAny(text, escapes) {
			t.Errorf("%q has an escape", text)
		}
	})
}

// BenchmarkHide looks for a token in a body of 3 KB that does not have it.
func BenchmarkHide(b *testing.B) {
	body := []byte(strings.Repeat(`{"name":"Fern","height":20,"place":"north window"},`, 60))
	h := newHider(Given{Token: "ghp-0123456789abcdef"})
	for b.Loop() {
		h.hide(body, len(body))
	}
}
