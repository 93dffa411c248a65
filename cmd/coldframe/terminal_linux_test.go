package main

import (
	"bytes"
	"os"
	"testing"
)

// TestIsTerminal says when there are colours: on a terminal, where nobody
// objects.
func TestIsTerminal(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for _, c := range []struct {
		name, noColor, term string
		want                bool
	}{
		{"a terminal", "", "xterm", true},
		{"NO_COLOR", "1", "xterm", false},
		{"a dumb terminal", "", "dumb", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", c.noColor)
			t.Setenv("TERM", c.term)
			if got := isTerminal(terminal); got != c.want {
				t.Errorf("isTerminal = %t, want %t", got, c.want)
			}
		})
	}
	if isTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is taken for a terminal")
	}
}
