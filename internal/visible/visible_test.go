package visible

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestWriter escapes what is hidden so that JSON texts keep their values, and lets colours of its own through.
func TestWriter(t *testing.T) {
	for text, want := range map[string]string{
		"é 日本\n\t": "é 日本\n\t", "\x1b[2J\u009b\x7f": `\u001b[2J\u009b\u007f`, "\xff\u202e\xe2": "\ufffd\\u202e\ufffd",
		"\x1b[1;31mred\x1b[0m": "\x1b[1;31mred\x1b[0m", "\x1b[31": `\u001b[31`, "\x1b[3K": `\u001b[3K`, "": "",
	} {
		var b bytes.Buffer
		n, err := Writer{&b, true}.Write([]byte(text))
		if b.String() != want || n != len(text) || err != nil {
			t.Errorf("%q: %q, %d, %v", text, b.String(), n, err)
		}
	}
	var plain bytes.Buffer
	if (Writer{To: &plain}).Write([]byte("\x1b[1m")); plain.String() != `\u001b[1m` {
		t.Errorf("%q", plain.String())
	}
	const value = "\u0085\u061c\u200e\u2028\u2066\ufeff\U000e0041\x7f"
	var read string
	if err := json.Unmarshal(Bytes([]byte(`"`+value+`"`)), &read); err != nil || read != value {
		t.Errorf("%q, %v", read, err)
	}
}

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
