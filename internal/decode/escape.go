package decode

import (
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// escaping says how text is encoded where it stands.
type escaping uint8

const (
	raw     escaping = iota // as it is: header fields, the style cookie
	percent                 // percent-encoding: path, cookies of style form
	plus                    // percent-encoding where "+" is a space: query, urlencoded forms
)

// decode undoes the escaping of text. What it gives is valid UTF-8.
func (e escaping) decode(text string) (string, *fault) {
	decoded := text
	if e != raw && (strings.IndexByte(text, '%') >= 0 || e == plus && strings.IndexByte(text, '+') >= 0) {
		b := make([]byte, 0, len(text))
		for i := 0; i < len(text); i++ {
			switch c := text[i]; {
			case c == '%':
				if i+2 >= len(text) || unhex(text[i+1]) > 15 || unhex(text[i+2]) > 15 {
					return "", &fault{code: CodePercentEncoding,
						message: quote("%s is no percent-encoding, a percent sign itself is written %%25", text[i:min(i+3, len(text))])}
				}
				b = append(b, unhex(text[i+1])<<4|unhex(text[i+2]))
				i += 2
			case c == '+' && e == plus:
				b = append(b, ' ')
			default:
				b = append(b, c)
			}
		}
		decoded = string(b)
	}
	if !utf8.ValidString(decoded) {
		return "", &fault{code: jsontext.CodeUTF8, message: "invalid UTF-8"}
	}
	return decoded, nil
}

// unhex gives the value of a hexadecimal digit, more than 15 for others.
func unhex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 16
}

// encode is the inverse of decode; with reserved, RFC 3986's reserved
// characters pass, but for those in keep-out, which would end the value.
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
	return isLetterOrDigit(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

func isLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
