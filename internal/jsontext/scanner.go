// Package jsontext reads and writes JSON text (RFC 8259) strictly and within
// limits. It is own code because a mock must tell what encoding/json keeps
// quiet about: duplicate names, invalid UTF-8, the place of a fault, numbers
// that no machine word holds; and because it decodes every request's body.
package jsontext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how deep arrays and objects may nest.
const MaxDepth = 128

// maxExponent bounds the exponent of a number: 1e400 is kept as it was
// written, 1e1000000 would need a megabyte for every comparison.
const maxExponent = 1000

// The codes of a SyntaxError.
const (
	CodeSyntax       = "malformed-json"
	CodeTrailing     = "trailing-data"
	CodeDuplicate    = "duplicate-key"
	CodeUTF8         = "invalid-utf8"
	CodeDepth        = "too-deep"
	CodeNumberTooBig = "number-out-of-range"
)

// SyntaxError says where a text stops being acceptable JSON.
type SyntaxError struct {
	Code    string
	Offset  int    // in bytes from the start of the text
	Line    int    // from 1
	Column  int    // in characters from 1
	Pointer string // JSON Pointer of the innermost value being read
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at line %d, column %d", e.Message, e.Line, e.Column)
}

// Scanner reads a text value by value. Strings and numbers without escapes are
// substrings of the text, so a text must not change while its values live.
type Scanner struct {
	text  string
	pos   int
	depth int
}

// NewScanner reads text from its start.
func NewScanner(text string) *Scanner { return &Scanner{text: text} }

// Offset is the place of the next byte, which after Peek is the first of a
// value.
func (s *Scanner) Offset() int { return s.pos }

// End refuses data after the value.
func (s *Scanner) End() *SyntaxError {
	if s.Peek() != 0 || s.pos < len(s.text) {
		return s.Fail(CodeTrailing, s.pos, "unexpected data after the JSON value")
	}
	return nil
}

func (s *Scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// Peek gives the next byte after white space, 0 at the end.
func (s *Scanner) Peek() byte {
	s.space()
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// Fail makes an error of the given code at an offset. Its pointer is that of
// the value being read once Object and Array have returned it.
func (s *Scanner) Fail(code string, offset int, format string, args ...any) *SyntaxError {
	line, column := Position(s.text, offset)
	return &SyntaxError{code, offset, line, column, "", fmt.Sprintf(format, args...)}
}

// within puts the token of an object or array before the error's pointer, so
// that only errors pay for pointers.
func (e *SyntaxError) within(token string) *SyntaxError {
	e.Pointer = "/" + strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1") + e.Pointer
	return e
}

func (s *Scanner) unexpected(want string) *SyntaxError {
	if s.pos >= len(s.text) {
		return s.Fail(CodeSyntax, s.pos, "unexpected end of JSON, want %s", want)
	}
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	if r == utf8.RuneError && size == 1 {
		return s.Fail(CodeUTF8, s.pos, "invalid UTF-8")
	}
	return s.Fail(CodeSyntax, s.pos, "unexpected %s, want %s", strconv.QuoteRune(r), want)
}

// Position gives the line and column, both from 1, of a byte offset. Columns
// count characters.
func Position(text string, offset int) (line, column int) {
	offset = min(offset, len(text))
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return strings.Count(text[:start], "\n") + 1, utf8.RuneCountInString(text[start:offset]) + 1
}

func (s *Scanner) enter() *SyntaxError {
	if s.depth++; s.depth > MaxDepth {
		return s.Fail(CodeDepth, s.pos, "nested more than %d deep", MaxDepth)
	}
	return nil
}

// Literal reads true, false or null.
func (s *Scanner) Literal(word string) *SyntaxError {
	if !strings.HasPrefix(s.text[s.pos:], word) {
		return s.unexpected("a JSON value")
	}
	s.pos += len(word)
	return nil
}

// Number reads a number and gives its text as it stands.
func (s *Scanner) Number() (string, *SyntaxError) {
	start := s.pos
	if s.pos < len(s.text) && s.text[s.pos] == '-' {
		s.pos++
	}
	switch {
	case s.pos < len(s.text) && s.text[s.pos] == '0':
		s.pos++
	case s.digits() == 0:
		return "", s.unexpected("a digit")
	}
	if s.pos < len(s.text) && s.text[s.pos] == '.' {
		s.pos++
		if s.digits() == 0 {
			return "", s.unexpected("a digit")
		}
	}
	if s.pos < len(s.text) && (s.text[s.pos] == 'e' || s.text[s.pos] == 'E') {
		s.pos++
		if s.pos < len(s.text) && (s.text[s.pos] == '+' || s.text[s.pos] == '-') {
			s.pos++
		}
		first := s.pos
		if s.digits() == 0 {
			return "", s.unexpected("a digit")
		}
		exponent, err := strconv.Atoi(s.text[first:s.pos])
		if err != nil || exponent > maxExponent {
			return "", s.Fail(CodeNumberTooBig, start, "exponent of %s is over %d", shorten(s.text[start:s.pos]), maxExponent)
		}
	}
	if s.pos-start > maxExponent {
		return "", s.Fail(CodeNumberTooBig, start, "number %s has over %d digits", shorten(s.text[start:s.pos]), maxExponent)
	}
	return s.text[start:s.pos], nil
}

func shorten(s string) string {
	if len(s) > 24 {
		return strings.ToValidUTF8(s[:20], "") + "…"
	}
	return s
}

func (s *Scanner) digits() int {
	start := s.pos
	for s.pos < len(s.text) && '0' <= s.text[s.pos] && s.text[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - start
}

// String reads a string, its opening quote being the next byte.
func (s *Scanner) String() (string, *SyntaxError) {
	start := s.pos
	s.pos++
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '"':
			value := s.text[start+1 : s.pos]
			s.pos++
			return value, nil
		case c == '\\':
			return s.escaped(start)
		case c < ' ':
			return "", s.Fail(CodeSyntax, s.pos, "control character %q in a string must be escaped", rune(c))
		case c < utf8.RuneSelf:
			s.pos++
		default:
			if err := s.rune(); err != nil {
				return "", err
			}
		}
	}
	return "", s.Fail(CodeSyntax, start, "string is not closed")
}

// rune steps over one multi-byte character.
func (s *Scanner) rune() *SyntaxError {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	if r == utf8.RuneError && size == 1 {
		return s.Fail(CodeUTF8, s.pos, "invalid UTF-8")
	}
	s.pos += size
	return nil
}

// escaped reads on from the first backslash of the string that began at start.
func (s *Scanner) escaped(start int) (string, *SyntaxError) {
	value := []byte(s.text[start+1 : s.pos])
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == '"':
			s.pos++
			return string(value), nil
		case c < ' ':
			return "", s.Fail(CodeSyntax, s.pos, "control character %q in a string must be escaped", rune(c))
		case c == '\\':
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			value = utf8.AppendRune(value, r)
		case c < utf8.RuneSelf:
			value = append(value, c)
			s.pos++
		default:
			first := s.pos
			if err := s.rune(); err != nil {
				return "", err
			}
			value = append(value, s.text[first:s.pos]...)
		}
	}
	return "", s.Fail(CodeSyntax, start, "string is not closed")
}

// escape reads one escape sequence; a lone surrogate is refused, since no
// UTF-8 text can hold it.
func (s *Scanner) escape() (rune, *SyntaxError) {
	start := s.pos
	if s.pos+1 >= len(s.text) {
		return 0, s.Fail(CodeSyntax, start, "string is not closed")
	}
	c := s.text[s.pos+1]
	s.pos += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, ok := s.hex4()
		if !ok {
			return 0, s.Fail(CodeSyntax, start, `\u must be followed by four hexadecimal digits`)
		}
		if !utf16.IsSurrogate(r) {
			return r, nil
		}
		if strings.HasPrefix(s.text[s.pos:], `\u`) {
			s.pos += 2
			low, ok := s.hex4()
			if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
				return pair, nil
			}
		}
		return 0, s.Fail(CodeUTF8, start, "lone surrogate in a string")
	}
	s.pos = start + 1
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	if r == utf8.RuneError && size == 1 {
		return 0, s.Fail(CodeUTF8, s.pos, "invalid UTF-8")
	}
	return 0, s.Fail(CodeSyntax, start, "unknown escape %q in a string", `\`+string(r))
}

func (s *Scanner) hex4() (rune, bool) {
	if s.pos+4 > len(s.text) {
		return 0, false
	}
	n, err := strconv.ParseUint(s.text[s.pos:s.pos+4], 16, 16)
	if err != nil {
		return 0, false
	}
	s.pos += 4
	return rune(n), true
}

// Object reads an object, its opening brace being the next byte. member is
// called with each name and its offset, the next byte being the value's first,
// and must read the value.
func (s *Scanner) Object(member func(name string, offset int) *SyntaxError) *SyntaxError {
	if err := s.enter(); err != nil {
		return err
	}
	s.pos++
	if s.Peek() == '}' {
		s.pos++
		s.depth--
		return nil
	}
	for {
		if s.Peek() != '"' {
			return s.unexpected(`a name in double quotes`)
		}
		offset := s.pos
		name, err := s.String()
		if err != nil {
			return err
		}
		if s.Peek() != ':' {
			return s.unexpected(`":"`).within(name)
		}
		s.pos++
		s.space()
		if err := member(name, offset); err != nil {
			return err.within(name)
		}
		switch s.Peek() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			s.depth--
			return nil
		default:
			return s.unexpected(`"," or "}"`)
		}
	}
}

// Array reads an array, its opening bracket being the next byte. element must
// read the value at hand.
func (s *Scanner) Array(element func() *SyntaxError) *SyntaxError {
	if err := s.enter(); err != nil {
		return err
	}
	s.pos++
	if s.Peek() == ']' {
		s.pos++
		s.depth--
		return nil
	}
	for i := 0; ; i++ {
		s.space()
		if err := element(); err != nil {
			return err.within(strconv.Itoa(i))
		}
		switch s.Peek() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			s.depth--
			return nil
		default:
			return s.unexpected(`"," or "]"`)
		}
	}
}
