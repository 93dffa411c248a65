// Package visible writes text for terminals, logs and reports. Documents, requests and answers may be meant to deceive
// whoever reads it: control characters move a terminal's cursor, line feeds forge lines, directional characters turn
// text around, and CI systems obey commands in the output of a step. They are written as escapes.
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

// Writer is the border to a terminal or a file. What it writes is Bytes; each Write has whole characters, and counts
// as the beginning of a line.
type Writer struct {
	To io.Writer
	// Colours lets the program's own colours through: ECMA-48 SGR sequences.
	Colours bool
	// Private leaves the names and passwords out of URLs. It is for text that nobody reads back: logs, messages.
	Private bool
	// Commands lets commands of CI systems through: the text is made of them, and what they quote is Text.
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

// userinfo is the name and password of a URL (RFC 3986 section 3.2.1) or an IRI (RFC 3987), also of one that cannot be
// read because the password has a delimiter, and of those without a scheme or percent-encoded in another. Beyond ASCII
// all but spaces may be in it, also as an escape of what is hidden.
var userinfo = lazyregexp.New(`(?i)(://)(?:` +
	`(?:[\w\-.~!$&'()*+,;=%:@\x{A1}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{2FFF}\x{3001}-\x{10FFFF}]|\\[uUx][0-9a-f])*` +
	`|(?:[^\s"'<>\\/?#@:[]|\\[uUx][0-9a-f])*:[0-9]*(?:[^\s"'<>\\/?#@0-9]|\\[uUx][0-9a-f])` +
	`(?:[^\s"'<>\\]|\\[uUx][0-9a-f])*)@` +
	`|(//)(?:[\w\-.~!$&'()*+,;=%\x{A1}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{2FFF}\x{3001}-\x{10FFFF}]|\\[uUx][0-9a-f])*:` +
	`(?:[\w\-.~!$&'()*+,;=%:@\x{A1}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{2FFF}\x{3001}-\x{10FFFF}]|\\[uUx][0-9a-f])*@` +
	`|(%3a%2f%2f)(?:[\w\-.~!$'()*+,;=:\x{A1}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{2FFF}\x{3001}-\x{10FFFF}]` +
	`|\\[uUx][0-9a-f]|%[013-9a-f][0-9a-f]|%2[0-9a-e])*?(?:%40|@)`)

// WithoutUserinfo puts *** in the place of the names and passwords of URLs in a text.
func WithoutUserinfo(text string) string {
	if !strings.Contains(text, "@") && !strings.Contains(text, "%40") {
		return text
	}
	return userinfo.Get().ReplaceAllString(text, "$1$2$3***@")
}

// Bytes writes what is hidden in a text as \uXXXX, except for line feeds and tabs, and likewise the first character of
// a command that CI systems obey. In the strings of a JSON text that is the same value. Invalid UTF-8 becomes U+FFFD.
func Bytes(text []byte) []byte { return escaped(text, false, false) }

// Text is Bytes of a string.
func Text(text string) string { return string(Bytes([]byte(text))) }

func escaped(text []byte, colours, commands bool) []byte {
	var out []byte
	end := 0           // of what out has
	lineBegins := true // before text[i] its line has nothing that is seen
	for i, size := 0, 0; i < len(text); i += size {
		r := rune(text[i])
		if size = 1; ' ' < r && r < 0x7f && r != ':' && r != '#' { // most of most texts
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

// colour returns the length of the colour that a text begins with; 0 for none.
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

// Line makes a text one line of visible characters.
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

// Hidden reports whether a character is invisible, or moves others: controls,
// directions, zero widths, line separators, noncharacters.
func Hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || r&0xFFFE == 0xFFFE
}
