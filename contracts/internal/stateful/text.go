package stateful

import (
	"bytes"
	"net/url"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// maxText is how much of a value messages show.
const maxText = 60

// text writes a value for messages.
func text(value any) string {
	b := []rune(string(jsontext.Append(nil, value)))
	if len(b) > maxText {
		return string(b[:maxText]) + "…"
	}
	return string(b)
}

// equal reports whether two values are written alike, whole.
func equal(a, b any) bool {
	return bytes.Equal(jsontext.Append(nil, a), jsontext.Append(nil, b))
}

func unescape(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
