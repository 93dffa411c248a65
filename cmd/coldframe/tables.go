package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/coldframe/coldframe/contracts"
)

// tables gives what `coldframe test --list` prints.
func tables() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "Phases, in the order in which they run:")
	for _, p := range contracts.Phases() {
		fmt.Fprintf(w, "  %s\t%s\n", p.ID, p.Meaning)
	}
	w.Flush()
	fmt.Fprintln(w, "\nTests of the phase stateful:")
	for _, s := range contracts.StatefulTests() {
		fmt.Fprintf(w, "  %s\t%s\n", s.ID, s.Meaning)
	}
	w.Flush()
	fmt.Fprintln(w, "\nChecks:")
	for _, c := range contracts.Checks() {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", c.ID, severityOf(c), c.Meaning, c.Source)
	}
	w.Flush()
	return b.String()
}

// severityOf gives the severity of a check's findings, and whether they need
// --strict.
func severityOf(c *contracts.CheckInfo) string {
	if c.Strict {
		return c.Severity.String() + ", strict"
	}
	return c.Severity.String()
}
