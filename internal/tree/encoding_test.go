package tree_test

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/coldframe/coldframe/internal/tree"
)

// TestEncodings checks that texts in UTF-16 and UTF-32, with and without a byte order mark, are read like UTF-8.
func TestEncodings(t *testing.T) {
	const text = "title: añ€😀\nplace: here\n"
	for _, mark := range []string{"", "\ufeff"} {
		texts := map[string][]byte{"UTF-8": []byte(mark + text)}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			var two, four []byte
			for _, unit := range utf16.Encode([]rune(mark + text)) {
				two = order.AppendUint16(two, unit)
			}
			for _, r := range mark + text {
				four = order.AppendUint32(four, uint32(r))
			}
			texts["UTF-16 "+order.String()], texts["UTF-32 "+order.String()] = two, four
		}
		for name, encoded := range texts {
			root, findings, err := tree.Read("f.yaml", encoded)
			if err != nil || len(findings) > 0 || root.Get("title").Str() != "añ€😀" {
				t.Errorf("%s with %q: %v %v", name, mark, findings, err)
			} else if place := root.PlaceOf("place"); place.Line != 2 || place.Column != 1 {
				t.Errorf("%s with %q: %v", name, mark, place)
			}
		}
	}
	for _, text := range []string{"\xff\xfe", "\xff\xfea", "\xfe\xff\xd8\x00", "\xff\xfe\x00\xd8a\x00b", "\xff\xfe\x00\x00\xff\xff\xff\xff", "\x00"} {
		tree.Read("f.yaml", []byte(text)) // it does not panic
	}
}
