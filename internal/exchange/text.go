package exchange

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/visible"
)

// MaxQuoted is the number of characters of a name or a value that a message shows.
const MaxQuoted = 80

// Quote returns a name for a message, in double quotes and shortened, without the password of a URL.
func Quote(name string) string {
	return strconv.Quote(Shorten(visible.WithoutUserinfo(name), MaxQuoted))
}

// Shorten returns at most so many characters of a text; if it is cut, the last one is "…".
func Shorten(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// Count counts things: 1 finding, 2 findings, 2 properties.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ok := strings.CutSuffix(thing, "ty"); ok {
		return strconv.Itoa(n) + " " + stem + "ties"
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// IsBodiless reports whether responses with a status never have a body (RFC 9110 section 6.4.1). Responses to HEAD
// have none either.
func IsBodiless(status int) bool { return status < 200 || status == 204 || status == 304 }

// SplitQuoted splits a field's value at each of the separators outside quoted
// strings (RFC 9110 section 5.6.4).
func SplitQuoted(text, separators string) iter.Seq[string] {
	return func(yield func(string) bool) {
		quoted, start := false, 0
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case c == '"':
				quoted = !quoted
			case c == '\\' && quoted:
				i++
			case !quoted && strings.IndexByte(separators, c) >= 0:
				if !yield(text[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(text[start:])
	}
}
