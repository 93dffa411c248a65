package decode

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// escaping is the encoding of text in a place of the message.
type escaping uint8

const (
	raw     escaping = iota // none: header fields, the style cookie
	percent                 // percent-encoding: path, cookies of style form
	plus                    // percent-encoding if "+" is a space: query, urlencoded forms
)

// decode undoes the escaping. The result is valid UTF-8.
func (e escaping) decode(text string) (string, *fault) {
	var err error
	switch e {
	case percent:
		text, err = url.PathUnescape(text)
	case plus:
		text, err = url.QueryUnescape(text)
	}
	if err != nil {
		wrong, _ := err.(url.EscapeError) // always this type
		return "", &fault{code: CodePercentEncoding,
			message: quote("%s is no percent-encoding, a percent sign itself is written %%25", string(wrong))}
	}
	if !utf8.ValidString(text) {
		return "", &fault{code: jsontext.CodeUTF8, message: "invalid UTF-8"}
	}
	return text, nil
}

// encode is the inverse of decode. With reserved, it keeps RFC 3986's reserved characters, except delimiters, which
// would end the value.
func (e escaping) encode(text string, reserved bool, delimiters string) string {
	if e == raw {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if unreserved(c) || reserved && strings.IndexByte(":/?#[]@!$&'()*+,;=", c) >= 0 &&
			strings.IndexByte(delimiters, c) < 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte("0123456789ABCDEF"[c>>4])
		b.WriteByte("0123456789ABCDEF"[c&15])
	}
	return b.String()
}

// unreserved are the characters that need no encoding (RFC 3986 section 2.3).
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '.' || c == '_' || c == '~'
}
