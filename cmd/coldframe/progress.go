package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/coldframe/coldframe/contracts"
)

// bar is the line that shows how far a run is; nil shows nothing.
type bar struct{ to io.Writer }

// progressBar gives the bar of a run: on a terminal where somebody looks at it, not in CI.
func (p *program) progressBar(quiet bool) *bar {
	if quiet || os.Getenv("CI") != "" || !isScreen(p.stderr) {
		return nil
	}
	return &bar{p.stderr}
}

const clearLine = "\r\x1b[K" // of a terminal (ECMA-48 EL)

func (b *bar) show(at contracts.Progress) {
	if b != nil {
		io.WriteString(b.to, clearLine+progressLine(at))
	}
}

func (b *bar) clear() {
	if b != nil {
		io.WriteString(b.to, clearLine)
	}
}

// barWidth is how many characters wide the bar itself is: with the texts beside
// it the line stays below the 80 columns of the smallest terminals.
const barWidth = 8

// progressLine says how far a run is. The time left is what --max-time leaves.
func progressLine(at contracts.Progress) string {
	done := 0
	if at.Operations > 0 {
		done = min(max(at.Operation, 0), at.Operations) * barWidth / at.Operations
	}
	left := "none"
	if s := at.Left.Round(time.Second); s > 0 {
		left = shortDuration(s)
	}
	return fmt.Sprintf("%-8s %s%s %d/%s, %s, %s, %s left", at.Phase, strings.Repeat("█", done),
		strings.Repeat("░", barWidth-done),
		at.Operation, several(at.Operations, "operation"), several(at.Cases, "case"), several(at.Findings, "finding"), left)
}

func several(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// isScreen reports whether w is a terminal that can move its cursor.
func isScreen(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && isatty.IsTerminal(f.Fd())
}

// isTerminal reports whether colours make sense on w (https://no-color.org).
func isTerminal(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && isScreen(w) }
