package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

// writeGitHub writes workflow commands, which the runner turns into annotations.
// It shows ten errors and ten warnings of a step, so errors come first, and what
// the baseline knows does not come at all.
func writeGitHub(w io.Writer, r *findings.Report, o Options) error {
	var b strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		kind := outcome(f)
		if kind == "known" {
			continue
		}
		properties := ""
		if f.Place.File != "" && !strings.Contains(f.Place.File, "://") {
			properties = "file=" + escapeProperty(o.relative(f.Place.File)) + ","
			if f.Place.Line > 0 {
				properties += fmt.Sprintf("line=%d,", f.Place.Line)
				if f.Place.Column > 0 {
					properties += fmt.Sprintf("col=%d,", f.Place.Column)
				}
			}
		}
		text := message(f)
		if n := len(f.Sent); n > 0 {
			text += "\n" + cut(lines(f.Sent[n-1].Curl), mostCommand, "…") + "\n" + answer(&f.Sent[n-1])
		}
		if also := others(f); len(also) > 0 {
			text += "\nalso in " + someOf(also, mostNamed)
		}
		title := line(f.Check) + ": " + where(f)
		fmt.Fprintf(&b, "::%s %stitle=%s::%s\n", kind, properties, escapeProperty(title), escapeData(text))
	}
	if r.Ended != "" {
		fmt.Fprintf(&b, "::error title=coldframe::%s\n", escapeData("ended early: "+line(r.Ended)))
	}
	if text := untestable(r); text != "" {
		fmt.Fprintf(&b, "::warning title=coldframe::%s\n", escapeData(text))
	}
	fmt.Fprintf(&b, "::notice title=coldframe::%s\n", escapeData(totals(r)))
	_, err := io.WriteString(w, b.String())
	return err
}

// Workflow commands are escaped as by the runner's own toolkit
// (actions/toolkit, packages/core/src/command.ts).
var (
	dataEscaper     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscaper = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func escapeData(text string) string     { return dataEscaper.Replace(text) }
func escapeProperty(text string) string { return propertyEscaper.Replace(text) }
