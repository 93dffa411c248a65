package report

import (
	"fmt"
	"strings"
)

// The colours of a terminal (ECMA-48 section 8.3.117).
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

// paint colours a text where that is asked for.
func (t *text) paint(colour, text string) string {
	if !t.Colour || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// labels is how wide the names of a finding's fields are.
const labels = 8

// field writes one fact about a finding. Lines of its own stand below each
// other.
func (t *text) field(label, value string) {
	if value == "" {
		return
	}
	fmt.Fprintf(t, "   %s %s\n", t.paint(dim, fmt.Sprintf("%-*s", labels, label)), value)
}

// labelled writes one fact about the run.
func (t *text) labelled(label, value string) {
	fmt.Fprintf(t, "%s: %s\n\n", label, value)
}

// wrap writes a text in lines that are no longer than the width, as far as its
// words allow.
func (t *text) wrap(indent, text string) {
	at := 0
	for word := range strings.FieldsSeq(text) {
		n := len([]rune(word))
		switch {
		case at == 0:
			t.WriteString(indent)
			at = len(indent)
		case at+1+n > t.Width:
			t.WriteString("\n" + indent)
			at = len(indent)
		default:
			t.WriteByte(' ')
			at++
		}
		t.WriteString(word)
		at += n
	}
	t.WriteByte('\n')
}
