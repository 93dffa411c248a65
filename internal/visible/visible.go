// Package visible writes text for terminals, logs and reports. Documents, requests and responses may try to deceive
// readers: control characters move a terminal's cursor, line feeds forge lines, directional characters reorder text,
// and CI systems execute commands in the output of a step. This package writes them as escapes.
package visible

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// Writer writes to a terminal or a file, and escapes like Bytes. Each Write must have whole characters, and counts as
// the beginning of a line.
type Writer struct {
	To io.Writer
	// Colours allows ECMA-48 SGR sequences, the program's own colours.
	Colours bool
	// Private removes names and passwords from URLs. Use it for text that no program reads back: logs, messages.
	Private bool
	// Commands allows commands of CI systems. Use it for text that consists of commands and quotes other text with
	// Text.
	Commands bool
}

func (w Writer) Write(text []byte) (int, error) {
	shown := escaped(text, w.Colours, w.Commands)
	if w.Private {
		shown = []byte(WithoutUserinfo(string(shown)))
	}
	if _, err := w.To.Write(shown); err != nil {
		return 0, err
	}
	return len(text), nil
}

// userinfo matches the name and password of a URL (RFC 3986 section 3.2.1) or an IRI (RFC 3987). It also matches if
// the URL cannot be parsed because the password contains a delimiter, and URLs without a scheme or percent-encoded
// within another. Non-ASCII characters other than spaces may be in it, also as escapes of hidden characters.
var userinfo = lazyregexp.New(`(?i)(://)(?:` +
	`(?:[\w\-.~!$&'()*+,;=%:@\x{A1}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{2FFF}\x{3001}-\x{10FFFF}]|\\[uUx][0-9a-f])*` +
	`|(?:[^\s"'<>\\/?#@:[]|\\[uUx][0-9a-f])*:[0-9]*(?:[^\s"'<>\\/?#@0-9]|\\[uUx][0-9a-f])` +
	`(?:[^\s"'<>\\]|\\[uUx][0-9a-f])*)@` +
	`|(//)(?:[\w\-.~!$&'()*+,;=%\x{A1}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{2FFF}\x{3001}-\x{10FFFF}]|\\[uUx][0-9a-f])*:` +
	`(?:[\w\-.~!$&'()*+,;=%:@\x{A1}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{2FFF}\x{3001}-\x{10FFFF}]|\\[uUx][0-9a-f])*@` +
	`|(%3a%2f%2f)(?:[\w\-.~!$'()*+,;=:\x{A1}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{2FFF}\x{3001}-\x{10FFFF}]` +
	`|\\[uUx][0-9a-f]|%[013-9a-f][0-9a-f]|%2[0-9a-e])*?(?:%40|@)`)

// WithoutUserinfo replaces the names and passwords of URLs in a text by ***.
func WithoutUserinfo(text string) string {
	if !strings.Contains(text, "@") && !strings.Contains(text, "%40") {
		return text
	}
	return userinfo.Get().ReplaceAllString(text, "$1$2$3***@")
}

// Bytes escapes hidden characters in a text as \uXXXX, except line feeds and tabs, and the first character of
// commands that CI systems execute. In strings of a JSON text the value stays the same. Invalid UTF-8 becomes U+FFFD.
func Bytes(text []byte) []byte { return escaped(text, false, false) }

// Text is Bytes for a string.
func Text(text string) string { return string(Bytes([]byte(text))) }

func escaped(text []byte, colours, commands bool) []byte {
	var out []byte
	end := 0           // end of the part of text that is in out
	lineBegins := true // the line before text[i] has nothing visible
	for i, size := 0, 0; i < len(text); i += size {
		r := rune(text[i])
		if size = 1; ' ' < r && r < 0x7f && r != ':' && r != '#' { // most characters of most texts
			lineBegins = false
			continue
		}
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		invalid := r == utf8.RuneError && size == 1
		if r == '\n' || r == '\t' || !invalid && !Hidden(r) {
			isCommand := !commands && beginsCommand(text[i:], lineBegins)
			lineBegins = r == '\n' || lineBegins && unicode.IsSpace(r)
			if !isCommand {
				continue
			}
		} else if n := colour(text[i:]); colours && n > 0 {
			size = n
			continue
		}
		lineBegins = false
		out = append(out, text[end:i]...)
		end = i + size
		high, low := utf16.EncodeRune(r)
		switch {
		case invalid:
			out = utf8.AppendRune(out, utf8.RuneError)
		case r > 0xFFFF:
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	if end == 0 {
		return text
	}
	return append(out, text[end:]...)
}

// colour returns the length of the colour sequence at the beginning of a text; 0 if none.
func colour(text []byte) int {
	if len(text) < 2 || text[0] != 0x1b || text[1] != '[' {
		return 0
	}
	for i, c := range text[2:min(len(text), 16)] {
		if c == 'm' {
			return i + 3
		} else if c != ';' && (c < '0' || c > '9') {
			break
		}
	}
	return 0
}

// Line returns a text as one line of visible characters.
func Line(text string) string { return shown(text, "") }

// Lines is Line, but keeps line feeds and tabs.
func Lines(text string) string { return shown(text, "\n\t") }

func shown(text, keep string) string {
	clean := func(r rune) bool {
		return r != utf8.RuneError && (!Hidden(r) || strings.ContainsRune(keep, r))
	}
	if strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case clean(r) || r == utf8.RuneError:
			b.WriteRune(r)
		case strings.ContainsRune("\n\r\t", r):
			b.WriteString(map[rune]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}[r])
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Hidden reports whether a character is invisible, or moves others: controls, directional characters, zero widths,
// line separators, noncharacters.
func Hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || r&0xFFFE == 0xFFFE
}
