package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/visible"
)

// line makes a text one line of visible characters.
func line(text string) string { return visible.Line(text) }

// lines is line, but keeps line feeds and tabs.
func lines(text string) string { return visible.Lines(text) }

func lineAll(all []string) []string {
	var cleaned []string
	for _, text := range all {
		cleaned = append(cleaned, line(text))
	}
	return cleaned
}

// shown returns a body in at most so many characters, 0 means no limit: in one line, or in several with JSON indented.
// b may be the beginning of a body of size bytes.
func shown(b []byte, size, limit int, inLines bool) string {
	if size == 0 {
		return ""
	}
	text, ok := readable(b, size)
	if !ok {
		more := ""
		if size > 16 {
			more = " …"
		}
		return fmt.Sprintf("(%d bytes that are no text: % x%s)", size, b[:min(len(b), 16)], more)
	}
	clean, format := line, json.Compact
	if inLines {
		text, clean = strings.TrimRight(text, "\n"), lines
		format = func(out *bytes.Buffer, b []byte) error { return json.Indent(out, bytes.TrimSpace(b), "", "  ") }
	}
	var formatted bytes.Buffer
	if size == len(b) && format(&formatted, b) == nil {
		text = formatted.String()
	}
	return cut(clean(text), limit, fmt.Sprintf("… (%d bytes)", size))
}

// readable returns a body as text; ok is false if the body is not text. A body that is cut may end with an incomplete
// character, which is dropped.
func readable(b []byte, size int) (text string, ok bool) {
	if size > len(b) {
		for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
			if last := b[len(b)-n:]; utf8.RuneStart(last[0]) {
				if !utf8.FullRune(last) {
					b = b[:len(b)-n]
				}
				break
			}
		}
	}
	return string(b), utf8.Valid(b)
}

// cut shortens a text to so many characters, with a note in place of the rest; 0 means no limit.
func cut(text string, limit int, note string) string {
	if limit <= 0 || len(text) <= limit {
		return text
	}
	n := 0
	for i := range text {
		if n == limit {
			return text[:i] + note
		}
		n++
	}
	return text
}

// middleOut shortens a text to so many characters by leaving out its middle, with a note there; 0 means no limit.
func middleOut(text string, limit int) string {
	all := []rune(text)
	if limit <= 0 || len(all) <= limit {
		return text
	}
	head, tail := limit*2/3, limit/3
	return fmt.Sprintf("%s…(%s left out)…%s", string(all[:head]), plural(len(all)-head-tail, "character"),
		string(all[len(all)-tail:]))
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

// duration writes a duration for people: 850ms, 3.2s, 2m10s.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// someOf names the first of several: "a, b and 3 more".
func someOf(all []string, limit int) string {
	if len(all) <= limit+1 {
		limit = len(all)
	}
	text := strings.Join(all[:limit], ", ")
	if n := len(all) - limit; n > 0 {
		text += " and " + number(n) + " more"
	}
	return text
}

// place names a place in the document: openapi.yaml:12:3.
func place(p exchange.Place) string {
	if p.File == "" {
		return line(p.Pointer)
	}
	return line(p.String())
}
