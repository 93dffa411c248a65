package main

import (
	"bytes"
	"os"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/coldframe/coldframe/contracts"
)

// TestProgressBar says when there is one: on a terminal that somebody looks at.
func TestProgressBar(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for _, c := range []struct {
		name, ci, term string
		quiet, want    bool
	}{
		{"a terminal", "", "xterm", false, true},
		{"CI", "true", "xterm", false, false},
		{"a dumb terminal", "", "dumb", false, false},
		{"--quiet", "", "xterm", true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("CI", c.ci)
			t.Setenv("TERM", c.term)
			p := &program{stderr: screen(terminal)}
			if got := p.progressBar(c.quiet) != nil; got != c.want {
				t.Errorf("there is one: %t, want %t", got, c.want)
			}
		})
	}
	none := (&program{stderr: screen(&bytes.Buffer{})}).progressBar(false)
	none.show(contracts.Progress{})
	none.clear()
	if none != nil {
		t.Error("a buffer is taken for a terminal")
	}
}

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		at   contracts.Progress
		want string
	}{
		{contracts.Progress{Phase: "plain", Operations: 3}, "plain    ░░░░░░░░ 0/3 operations, 0 cases, 0 findings, none left"},
		{contracts.Progress{Phase: "coverage", Operations: 12, Operation: 6, Cases: 4711, Findings: 1, Left: 250400 * time.Millisecond}, "coverage ████░░░░ 6/12 operations, 4711 cases, 1 finding, 4m10s left"},
		{contracts.Progress{Phase: "stateful", Operations: 1000, Operation: 1000, Cases: 50000, Findings: 2000, Left: 90 * time.Minute}, "stateful ████████ 1000/1000 operations, 50000 cases, 2000 findings, 1h30m left"},
	} {
		got := progressLine(c.at)
		if got != c.want || utf8.RuneCountInString(got) >= 80 {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}
