package tree

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encodings recognizes texts that are not UTF-8 by their first bytes: a byte order mark, or an ASCII character
// between zeros (YAML 1.2.2 section 5.2). The 32-bit encodings come first, because their marks begin like 16-bit
// ones.
var encodings = []struct {
	order binary.ByteOrder
	width int // bytes per unit
	marks [2]string
}{
	{binary.BigEndian, 4, [2]string{"\x00\x00\xfe\xff", "\x00\x00\x00?"}},
	{binary.LittleEndian, 4, [2]string{"\xff\xfe\x00\x00", "?\x00\x00\x00"}},
	{binary.BigEndian, 2, [2]string{"\xfe\xff", "\x00?"}},
	{binary.LittleEndian, 2, [2]string{"\xff\xfe", "?\x00"}},
}

// UTF8 returns a text in UTF-8, without a byte order mark. Texts in UTF-16 and UTF-32, which Windows' shells write,
// are converted.
func UTF8(text string) string {
	for _, e := range encodings {
		if begins(text, e.marks[0]) || begins(text, e.marks[1]) {
			return strings.TrimPrefix(string(decoded([]byte(text), e.order, e.width)), "\ufeff")
		}
	}
	return strings.TrimPrefix(text, "\ufeff")
}

// begins reports whether a text begins with a mark; in the mark, ? matches any byte but 0.
func begins(text, mark string) bool {
	if len(text) < len(mark) {
		return false
	}
	for i := range len(mark) {
		if text[i] != mark[i] && (mark[i] != '?' || text[i] == 0) {
			return false
		}
	}
	return true
}

// decoded returns the characters of a text of units. It ignores half a unit at the end.
func decoded(text []byte, order binary.ByteOrder, width int) []byte {
	utf := make([]byte, 0, len(text))
	for ; len(text) >= width; text = text[width:] {
		if width == 4 {
			utf = utf8.AppendRune(utf, rune(order.Uint32(text)))
			continue
		}
		r := rune(order.Uint16(text))
		if utf16.IsSurrogate(r) && len(text) >= 2*width {
			if pair := utf16.DecodeRune(r, rune(order.Uint16(text[width:]))); pair != utf8.RuneError {
				r, text = pair, text[width:]
			}
		}
		utf = utf8.AppendRune(utf, r)
	}
	return utf
}
