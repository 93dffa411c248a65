package main

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/mock"
)

// mostShown is how many operations and findings are listed at start.
const mostShown = 20

// announcement says what is served at url, and how to try it. The document is
// as it was named, "" for the one that is built in.
func announcement(info mock.Info, url, document string) string {
	var b strings.Builder
	origin := document
	if document == "" {
		origin = "built in: there is no ./" + defaultDocument
	}
	fmt.Fprintf(&b, "%s %s (%s)\n", cmp.Or(info.Title, "API without a title"), info.Version, origin)
	for i, o := range info.Operations {
		if i == mostShown {
			fmt.Fprintf(&b, "  … and %d more operations\n", len(info.Operations)-mostShown)
			break
		}
		fmt.Fprintf(&b, "  %-7s %s%s\n", o.Method, url, o.Path)
	}
	if len(info.Operations) == 0 {
		fmt.Fprintf(&b, "  %s: the document has no operations, every path is answered with 404\n", url)
	}
	if len(info.Scenarios) > 0 {
		fmt.Fprintf(&b, "scenarios: %s\n", strings.Join(info.Scenarios, ", "))
	}
	for i, f := range info.Findings {
		if i == mostShown {
			fmt.Fprintf(&b, "… and %d more findings", len(info.Findings)-mostShown)
			if document != standardInput {
				fmt.Fprintf(&b, "; see all with: coldframe lint %s", document)
			}
			b.WriteByte('\n')
			break
		}
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, f)
	}
	if len(info.Operations) > 0 {
		fmt.Fprintf(&b, "try: %s\n", info.Operations[0].Curl(url))
	}
	return printable(b.String())
}

// controlLine says where the control API is, where that is another port.
func controlLine(server *mock.Server) string {
	if server.ControlURL() == server.URL() {
		return ""
	}
	return "control API: " + server.ControlURL() + "/__coldframe/\n"
}

// printable keeps a document from sending control characters to the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
