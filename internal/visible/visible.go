// Package visible writes text for terminals, logs and reports. Documents, requests and answers may be meant to deceive
// whoever reads it: control characters move a terminal's cursor, line feeds forge lines, and directional characters
// turn text around. They are written as escapes.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || r&0xFFFE == 0xFFFE
}
