// Package jsontext reads and writes JSON text (RFC 8259) strictly and within limits. It replaces encoding/json
// because a mock must report what encoding/json ignores (duplicate names, invalid UTF-8, the place of a fault), keep
// numbers beyond 64 bits, and decode every request's body.
package jsontext

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"

	"github.com/coldframe/coldframe/internal/exchange"
)

// MaxDepth limits the nesting of arrays and objects.
const MaxDepth = 128

// maxExponent limits the exponent of a number: 1e400 is kept as written, but 1e1000000 would need a megabyte for
// every comparison.
const maxExponent = 1000

// The codes of a SyntaxError.
const (
	CodeSyntax       = "malformed-json"
	CodeTrailing     = "trailing-data"
	CodeDuplicate    = "duplicate-key"
	CodeUTF8         = "invalid-utf8"
	CodeSurrogate    = "lone-surrogate"
	CodeDepth        = "too-deep"
	CodeNumberTooBig = "number-out-of-range"
)

// SyntaxError says where and why a text is not acceptable JSON.
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

// Scanner reads a text value by value. Strings and numbers without escapes are substrings of the text, so the text
// must not change while its values are in use.
type Scanner struct {
	text  string
	pos   int
	depth int
	most  int // limit of depth
}

// NewScanner reads text from its start.
func NewScanner(text string) *Scanner { return NewDeepScanner(text, MaxDepth) }

// NewDeepScanner is NewScanner with another limit of nesting.
func NewDeepScanner(text string, most int) *Scanner { return &Scanner{text: text, most: most} }

// Skip skips a value with a known length.
func (s *Scanner) Skip(bytes int) { s.pos += bytes }

// SkipValue skips a value of a text that is known to be valid JSON, without checking it.
func (s *Scanner) SkipValue() {
	s.space()
	rest := s.text[s.pos:]
	s.pos += length(unsafe.Slice(unsafe.StringData(rest), len(rest)))
}

// Offset returns the offset of the next byte; after Peek it is the first byte of a value.
func (s *Scanner) Offset() int { return s.pos }

// End refuses data after the value.
func (s *Scanner) End() *SyntaxError {
	if s.Peek() != 0 || s.pos < len(s.text) {
		return s.fail(CodeTrailing, s.pos, "unexpected data after the JSON value")
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

// Peek returns the next byte after white space, 0 at the end.
func (s *Scanner) Peek() byte {
	s.space()
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// fail returns an error with a code at an offset. Its pointer names the value being read once Object and Array have
// returned it.
func (s *Scanner) fail(code string, offset int, format string, args ...any) *SyntaxError {
	line, column := Position(s.text, offset)
	return &SyntaxError{code, offset, line, column, "", fmt.Sprintf(format, args...)}
}

// within prepends the token of an object or array to the error's pointer, so that only errors cost pointers.
func (e *SyntaxError) within(token string) *SyntaxError {
	e.Pointer = "/" + exchange.EscapePointer(token) + e.Pointer
	return e
}

func (s *Scanner) unexpected(want string) *SyntaxError {
	if s.pos >= len(s.text) {
		return s.fail(CodeSyntax, s.pos, "unexpected end of JSON, want %s", want)
	}
	if s.runeLength() == 0 {
		return s.fail(CodeUTF8, s.pos, "invalid UTF-8")
	}
	r, _ := utf8.DecodeRuneInString(s.text[s.pos:])
	return s.fail(CodeSyntax, s.pos, "unexpected %q, want %s", r, want)
}

// Position returns the line and column, both from 1, of a byte offset. Columns count characters.
func Position(text string, offset int) (line, column int) {
	offset = min(offset, len(text))
	start := strings.LastIndexByte(text[:offset], '\n') + 1
	return strings.Count(text[:start], "\n") + 1, utf8.RuneCountInString(text[start:offset]) + 1
}

// Literal reads true, false or null.
func (s *Scanner) Literal(word string) *SyntaxError {
	if !strings.HasPrefix(s.text[s.pos:], word) {
		return s.unexpected("a JSON value")
	}
	s.pos += len(word)
	return nil
}

// Number reads a number and returns its text.
func (s *Scanner) Number() (string, *SyntaxError) {
	start := s.pos
	s.accept('-')
	if !s.accept('0') && !s.digits() {
		return "", s.unexpected("a digit")
	}
	if s.accept('.') && !s.digits() {
		return "", s.unexpected("a digit")
	}
	if s.accept('e') || s.accept('E') {
		if !s.accept('+') {
			s.accept('-')
		}
		first := s.pos
		if !s.digits() {
			return "", s.unexpected("a digit")
		}
		exponent, err := strconv.Atoi(s.text[first:s.pos])
		if err != nil || exponent > maxExponent {
			return "", s.fail(CodeNumberTooBig, start, "exponent of %s is over %d", shorten(s.text[start:s.pos]), maxExponent)
		}
	}
	if s.pos-start > maxExponent {
		return "", s.fail(CodeNumberTooBig, start, "number %s has over %d digits", shorten(s.text[start:s.pos]), maxExponent)
	}
	return s.text[start:s.pos], nil
}

func (s *Scanner) accept(c byte) bool {
	ok := s.pos < len(s.text) && s.text[s.pos] == c
	if ok {
		s.pos++
	}
	return ok
}

// digits skips digits and reports whether there were any.
func (s *Scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.text) && '0' <= s.text[s.pos] && s.text[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}

func shorten(s string) string {
	if len(s) > 24 {
		return strings.ToValidUTF8(s[:20], "") + "…"
	}
	return s
}

// String reads a string; the next byte is its opening quote.
func (s *Scanner) String() (string, *SyntaxError) {
	start := s.pos
	s.pos++
	var unescaped []byte // the text before from; nil if there were no escapes
	from := s.pos
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '"':
			rest := s.text[from:s.pos]
			s.pos++
			if unescaped == nil {
				return rest, nil
			}
			return string(append(unescaped, rest...)), nil
		case c == '\\':
			unescaped = append(unescaped, s.text[from:s.pos]...)
			r, err := s.escape()
			if err != nil {
				return "", err
			}
			unescaped, from = utf8.AppendRune(unescaped, r), s.pos
		case c < ' ':
			return "", s.fail(CodeSyntax, s.pos, "control character %q in a string must be escaped", rune(c))
		case c < utf8.RuneSelf:
			s.pos++
		default:
			size := s.runeLength()
			if size == 0 {
				return "", s.fail(CodeUTF8, s.pos, "invalid UTF-8")
			}
			s.pos += size
		}
	}
	return "", s.fail(CodeSyntax, start, "string is not closed")
}

// runeLength returns the bytes of the next character, 0 if it is invalid UTF-8.
func (s *Scanner) runeLength() int {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	if r == utf8.RuneError && size == 1 {
		return 0
	}
	return size
}

// escapes are the characters allowed after a backslash, and unescaped their meanings.
const escapes, unescaped = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// escape reads one escape sequence; a lone surrogate is refused, because UTF-8 cannot represent it.
func (s *Scanner) escape() (rune, *SyntaxError) {
	start := s.pos
	if s.pos++; s.pos == len(s.text) {
		return 0, s.fail(CodeSyntax, start, "string is not closed")
	}
	c := s.text[s.pos]
	if i := strings.IndexByte(escapes, c); i >= 0 {
		s.pos++
		return rune(unescaped[i]), nil
	}
	if c != 'u' {
		size := s.runeLength()
		if size == 0 {
			return 0, s.fail(CodeUTF8, s.pos, "invalid UTF-8")
		}
		return 0, s.fail(CodeSyntax, start, "unknown escape %q in a string", s.text[start:s.pos+size])
	}
	s.pos++
	r, ok := s.hex4()
	if !ok {
		return 0, s.fail(CodeSyntax, start, `\u must be followed by four hexadecimal digits`)
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
	return 0, s.fail(CodeSurrogate, start, "lone surrogate in a string")
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

// Object reads an object; the next byte is its opening brace. It calls member with each name and its offset, at the
// first byte of the value. member must read the value.
func (s *Scanner) Object(member func(name string, offset int) *SyntaxError) *SyntaxError {
	return s.list('}', `"," or "}"`, func(int) *SyntaxError {
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
		return nil
	})
}

// Array reads an array; the next byte is its opening bracket. element must read the current value.
func (s *Scanner) Array(element func() *SyntaxError) *SyntaxError {
	return s.list(']', `"," or "]"`, func(i int) *SyntaxError {
		s.space()
		if err := element(); err != nil {
			return err.within(strconv.Itoa(i))
		}
		return nil
	})
}

// list reads parts separated by commas. want says what may follow a part.
func (s *Scanner) list(end byte, want string, part func(i int) *SyntaxError) *SyntaxError {
	if s.depth++; s.depth > s.most {
		return s.fail(CodeDepth, s.pos, "nested more than %d deep", s.most)
	}
	s.pos++
	for i := 0; i > 0 || s.Peek() != end; i++ {
		if err := part(i); err != nil {
			return err
		}
		if c := s.Peek(); c == end {
			break
		} else if c != ',' {
			return s.unexpected(want)
		}
		s.pos++
	}
	s.pos++
	s.depth--
	return nil
}

// NestsAtMost reports whether arrays and objects in valid JSON nest at most so deep. It first counts opening
// brackets, because a text seldom has more of them than the limit: with a full scan, a creation of 20 kB takes 4 %
// more time (BenchmarkLargeAnswer).
func NestsAtMost(text []byte, most int) bool {
	if bytes.Count(text, []byte{'{'})+bytes.Count(text, []byte{'['}) <= most {
		return true
	}
	level, deepest := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = closingQuote(text, i)
		case '{', '[':
			level++
			deepest = max(deepest, level)
		case '}', ']':
			level--
		}
	}
	return deepest <= most
}
