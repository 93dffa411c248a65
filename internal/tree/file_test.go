package tree

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPlaces counts columns in code points also where lines are long.
func TestPlaces(t *testing.T) {
	text := "short\n" + strings.Repeat("añ€😀", 1000) + "\nend"
	f := newFile("f", text)
	line, begin := 1, 0
	for i, r := range text {
		if got, want := f.Place(int32(i)), utf8.RuneCountInString(text[begin:i])+1; got.Line != line || got.Column != want {
			t.Fatalf("offset %d: %d:%d, want %d:%d", i, got.Line, got.Column, line, want)
		}
		if r == '\n' {
			line, begin = line+1, i+1
		}
	}
	if got := f.Place(int32(len(text))); got.Line != 3 || got.Column != 4 {
		t.Errorf("the end: %+v", got)
	}
}
