package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/internal/exchange"
)

// What a backend answers may be meant to deceive whoever reads the report:
// control characters move a terminal's cursor, and those of direction turn text
// around. They are written as escapes.

// line makes a text one line in which every character is seen.
func line(text string) string { return visible(text, "") }

// lines is line, but keeps line feeds and tabs.
func lines(text string) string { return visible(text, "\n\t") }

func visible(text, keep string) string {
	clean := func(r rune) bool {
		return r != utf8.RuneError && (!hidden(r) || strings.ContainsRune(keep, r))
	}
	if strings.IndexFunc(text, func(r rune) bool { return !clean(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r == '\n' && keep == "":
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t' && keep == "":
			b.WriteString(`\t`)
		case clean(r) || r == utf8.RuneError:
			b.WriteRune(r)
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

// hidden reports whether a character is not seen, or moves others: controls,
// directions, zero widths, line separators, noncharacters.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || r&0xFFFE == 0xFFFE
}

// body gives a message's body in one line of at most so many characters. size is
// how many bytes there were, of which b may be the beginning.
func body(b []byte, size, most int) string {
	if size == 0 {
		return ""
	}
	text, ok := readable(b, size)
	if !ok {
		return fmt.Sprintf("(%d bytes that are no text: % x%s)", size, b[:min(len(b), 16)], more(size > 16))
	}
	var compact bytes.Buffer
	if size == len(b) && json.Compact(&compact, b) == nil {
		text = compact.String()
	}
	return cut(line(text), most, fmt.Sprintf("… (%d bytes)", size))
}

// block is body in lines, JSON with the indentation that people read.
func block(b []byte, size, most int) string {
	text, ok := readable(b, size)
	if !ok || size == 0 {
		return body(b, size, most)
	}
	var indented bytes.Buffer
	if size == len(b) && json.Indent(&indented, bytes.TrimSpace(b), "", "  ") == nil {
		text = indented.String()
	}
	return cut(lines(strings.TrimRight(text, "\n")), most, fmt.Sprintf("… (%d bytes)", size))
}

// readable gives a body as text; ok is false where it is none. Of a body that
// was cut, the character at the cut is left out.
func readable(b []byte, size int) (text string, ok bool) {
	if size > len(b) {
		for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
			if r := b[len(b)-n:]; utf8.RuneStart(r[0]) {
				if !utf8.FullRune(r) {
					b = b[:len(b)-n]
				}
				break
			}
		}
	}
	return string(b), utf8.Valid(b)
}

func more(cut bool) string {
	if cut {
		return " …"
	}
	return ""
}

// cut shortens a text to so many characters, with a note in place of the rest.
func cut(text string, most int, note string) string {
	if most <= 0 || len(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n == most {
			return text[:i] + note
		}
		n++
	}
	return text
}

// plural counts things: "1 finding", "2 findings".
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + one + "s"
}

// number writes a number with its thousands apart: 12,345.
func number(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// answer says in a few words what came back.
func answer(s *findings.Sent) string {
	if s.Response == nil {
		return line(s.Fault)
	}
	text := fmt.Sprint(s.Response.Status)
	if kind, ok := s.Response.Header.Get("Content-Type"); ok {
		text += " " + line(kind)
	}
	if s.Fault != "" {
		text += " (" + line(s.Fault) + ")"
	}
	return text
}

// outcome is what a finding means for the run.
func outcome(f *findings.Finding) string {
	switch {
	case f.Known:
		return "known"
	case f.Severity == exchange.Warning:
		return "warning"
	}
	return "error"
}

// place names a place in the document for people: openapi.yaml:12:3.
func place(p exchange.Place) string {
	if p.File == "" {
		return line(p.Pointer)
	}
	return line(p.String())
}

// where names the operations of a finding in a few words.
func where(f *findings.Finding) string {
	text := line(f.Operation)
	if n := len(others(f)); n > 0 {
		text += fmt.Sprintf(" (and %s)", plural(n, "more operation"))
	}
	return text
}
