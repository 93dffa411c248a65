package exchange

import (
	"strconv"
	"unicode/utf8"
)

// maxQuoted is how many characters of a name a message shows.
const maxQuoted = 80

// Quote gives a name for a message, in double quotes and shortened.
func Quote(name string) string { return strconv.Quote(Shorten(name, maxQuoted)) }

// Shorten gives at most so many characters of a text, the last of them "…" where
// it is cut.
func Shorten(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// IsBodiless reports whether responses with a status never have a body
// (RFC 9110 section 6.4.1). Those to HEAD have none either.
func IsBodiless(status int) bool { return status < 200 || status == 204 || status == 304 }
