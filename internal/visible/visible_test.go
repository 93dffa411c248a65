package visible

import "testing"

// TestLine escapes what moves a cursor, forges lines or turns text around.
func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"plain é 日本": "plain é 日本", "\x1b[2J\x07": `\x1b[2J\x07`, "a\r\nb\t": `a\r\nb\t`, "\u009b31m\x7f": `\x9b31m\x7f`,
		"\u202egnp\u2066": `\u202egnp\u2066`, "a\u200bb\u2028\ufeff": `a\u200bb\u2028\ufeff`, "\xff\ufffd": "\\xff\ufffd", "\U000e0041": `\U000e0041`,
	} {
		if got := Line(text); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	if got := Lines("a\n\tb\r\x1b"); got != "a\n\tb\\r\\x1b" {
		t.Errorf("%q", got)
	}
}
