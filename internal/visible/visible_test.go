package visible

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// TestWithoutUserinfo hides user and password, and no other text with an @.
func TestWithoutUserinfo(t *testing.T) {
	for text, want := range map[string]string{
		"https://me:secret@host:1/a@b": "https://***@host:1/a@b", "a redis://:secret@host, http://token@[::1]:80/": "a redis://***@host, http://***@[::1]:80/",
		"http://localhost:8080/users/@me": "http://localhost:8080/users/@me", "http://[::1]:8080/@me": "http://[::1]:8080/@me",
		"http://me:se/cr#et@host/": "http://***@host/", "http://me:p@s@host/": "http://***@host/", "http://host/?mail=a@b": "http://host/?mail=a@b",
		"/a?to=http%3A%2F%2Fme%3Asecret%40host%2F": "/a?to=http%3A%2F%2F***@host%2F", "//host, me@host //me@host //me:secret@host": "//host, me@host //me@host //***@host",
		"?to=http%3A%2F%2Fhost%2F%3Fmail%3Da%40b": "?to=http%3A%2F%2Fhost%2F%3Fmail%3Da%40b",
		"http://me:p'&w@host":                     "http://***@host", "%3A%2F%2Fhost&mail=a@b": "%3A%2F%2Fhost&mail=a@b",
		"http://émile@host/": "http://***@host/", "http://émile:12@host": "http://***@host", "//émile:secret@host": "//***@host",
		"http://日本:秘密@例え.jp/パス@x": "http://***@例え.jp/パス@x", "http://👩\u200d💻@münchen.example": "http://***@münchen.example",
		`http://👩\u200d💻:p@host`: "http://***@host", `http://me:s/\xe9\U000e0041@host`: "http://***@host",
		"to=http%3A%2F%2Fémile%3Asecret%40host": "to=http%3A%2F%2F***@host", "http://e\u0301mile@[::1]/": "http://***@[::1]/",
		"http://é.example/ä/@me": "http://é.example/ä/@me", "http://é.example, é@b": "http://é.example, é@b", "http://é.example?mail=é@b": "http://é.example?mail=é@b",
		"http://a/, http://me:secret@b": "http://a/, http://***@b", `{"a":"http://a","b":"c@d"}`: `{"a":"http://a","b":"c@d"}`,
	} {
		if got := WithoutUserinfo(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestWriter escapes what is hidden so that JSON texts keep their values, and lets colours of its own through.
func TestWriter(t *testing.T) {
	for text, want := range map[string]string{
		"é 日本\n\t": "é 日本\n\t", "\x1b[2J\u009b\x7f": `\u001b[2J\u009b\u007f`, "\xff\u202e\xe2": "\ufffd\\u202e\ufffd",
		"\x1b[1;31mred\x1b[0m": "\x1b[1;31mred\x1b[0m", "\x1b[31": `\u001b[31`, "\x1b[3K": `\u001b[3K`, "": "",
	} {
		var b bytes.Buffer
		n, err := Writer{To: &b, Colours: true}.Write([]byte(text))
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

// TestCommands breaks what CI systems obey in the output of a step, and nothing else. JSON texts keep their values.
func TestCommands(t *testing.T) {
	for text, want := range map[string]string{
		"::error::x":                           `\u003a:error::x`,
		"a\n \t\u00a0\u3000::stop-commands::x": "a\n \t\u00a0\u3000" + `\u003a:stop-commands::x`,
		"a ::error::x":                         "a ::error::x",
		"std::string, http://[::1]:80/ :x":     "std::string, http://[::1]:80/ :x",
		":::error::":                           `\u003a::error::`,
		"a ##[set-output name=a]b":             `a \u0023#[set-output name=a]b`,
		"###[error]":                           `#\u0023#[error]`,
		"a##vso[task.setvariable a]b":          `a\u0023#vso[task.setvariable a]b`,
		"##teamcity[buildStop]":                `\u0023#teamcity[buildStop]`,
		"##vso-1.2[a]":                         `\u0023#vso-1.2[a]`,
		"## Title [a](b) ##":                   "## Title [a](b) ##",
		"##a b[c] #[d] ##":                     "##a b[c] #[d] ##",
		"\x1b[1m::error::\x1b[0m":              `\u001b[1m::error::\u001b[0m`,
	} {
		got := Text(text)
		if got != want || Text(got) != got {
			t.Errorf("%q: %q, again %q", text, got, Text(got))
		}
		quoted, _ := json.Marshal(text)
		var read string
		if err := json.Unmarshal(Bytes(quoted), &read); err != nil || read != text {
			t.Errorf("%q is read as %q, %v", text, read, err)
		}
		var b bytes.Buffer
		if (Writer{To: &b, Commands: true}).Write([]byte(text)); !strings.HasPrefix(text, "\x1b") && b.String() != text {
			t.Errorf("%q of commands: %q", text, b.String())
		}
	}
	var b bytes.Buffer
	Writer{To: &b, Colours: true}.Write([]byte("\x1b[1m::error::\x1b[0m"))
	if want := "\x1b[1m" + `\u003a:error::` + "\x1b[0m"; b.String() != want {
		t.Errorf("with colours: %q", b.String())
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

// BenchmarkBytes reads a text without anything to escape, as a large item of the control API is.
func BenchmarkBytes(b *testing.B) {
	text := []byte(strings.Repeat(`{"name":"Boston Fern","tags":["shade","indoor"]},`, 10_000))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Bytes(text)
	}
}
