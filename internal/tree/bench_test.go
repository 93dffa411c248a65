package tree_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/tree"
)

// BenchmarkRead reads objects as documents have them: small ones, nested, with short strings.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("{")
	for i := range 10_000 {
		fmt.Fprintf(&text, `"property%d": {"type": ["string", "null"], "example": "some text", "minLength": %d}, `, i, i)
	}
	text.WriteString(`"last": {}}`)
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := tree.Read("document.json", []byte(text.String())); err != nil {
			b.Fatal(err)
		}
	}
}
