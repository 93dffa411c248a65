package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// TextOptions say how the report for people looks.
type TextOptions struct {
	// Colour writes ANSI escapes.
	Colour bool
	// Width is the number of columns. Default 100. Commands are never broken.
	Width int
	// Verbose lists every operation, and shows whole requests and answers.
	Verbose bool
}

// Limits of what the formats for people show.
const (
	defaultWidth    = 100
	maxListed       = 30   // operations, above which those without findings are not listed
	maxCommand      = 500  // characters of a command, beyond which its middle is left out
	maxLongCommand  = 4000 // likewise, if programs show it
	maxUnindexed    = 5    // findings, above which a list of them comes first
	maxSkippedLines = 10
	maxBodyText     = 300 // characters of an answer's body
	maxNamed        = 5   // operations that a finding was seen in as well
	maxConsequences = 3
	maxColumn       = 200 // of a place in the document, beyond which its pointer is shown
	minBrief        = 50  // characters of a finding in their list, even if the line gets too long
	maxSaid         = 160 // characters of what the backend said
	maxExcerpt      = 100 // characters of such a line
)

type text struct {
	strings.Builder
	TextOptions
	shortened bool // a command was
}

func writeText(w io.Writer, m *model) error {
	t := &text{TextOptions: m.Text}
	if t.Width <= 0 {
		t.Width = defaultWidth
	}
	t.WriteString(t.paint(bold, m.Heading))
	if m.URL != "" {
		t.WriteString(" at " + line(m.URL))
	}
	t.WriteByte('\n')
	if m.Document != "" {
		t.WriteString(t.paint(dim, line(m.Document)) + "\n")
	}
	t.WriteByte('\n')
	t.refused(m)
	t.operations(m.Operations)
	t.index(m)
	for _, f := range m.Findings {
		t.finding(f)
	}
	if t.shortened {
		fmt.Fprintf(t, "Commands of more than %d characters lack their middle (…): "+
			"the JSON and HTML reports have them whole.\n\n", maxCommand)
	}
	t.list(t.paint(green, "Resolved")+": known to the baseline, and not seen in this run", m.Resolved, len(m.Resolved), "")
	t.list(t.paint(yellow, "Flaky")+": did not come again when the same was sent alone", m.FlakyLines(),
		maxSkippedLines, "more")
	t.list(t.paint(yellow, "Waived")+": found, and not counted", m.WaivedLines(), maxSkippedLines, "more finding")
	t.list(t.paint(yellow, "Rules and waivers")+" to look at", m.Stale, len(m.Stale), "")
	t.list(t.paint(yellow, "Weak")+": no request with these was accepted", m.WeakLines(), maxSkippedLines,
		"more operation")
	t.list(t.paint(yellow, "Never seen")+": refusals that the document has, and no request led to", m.UnseenLines(),
		maxSkippedLines, "more")
	t.list(t.paint(yellow, "Skipped"), m.Skipped, maxSkippedLines, "more reason")
	if m.Ended != "" {
		t.WriteString("Ended early: " + t.paint(yellow, m.Ended) + "\n\n")
	}
	if m.Untestable != "" {
		t.WriteString(t.paint(yellow, m.Untestable) + "\n")
	}
	colour := green
	if m.Failed {
		colour = red
	}
	t.WriteString(t.paint(colour, m.Totals) + "\n")
	_, err := io.WriteString(w, t.String())
	return err
}

// The colours of a terminal (ECMA-48 section 8.3.117).
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

var colours = map[string]string{passed: green, failed: red, skipped: yellow, weak: yellow,
	"error": red, "warning": yellow, "note": dim, "known": yellow}

func (t *text) paint(colour, text string) string {
	if !t.Colour || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

// limit returns a limit that --verbose lifts.
func (t *text) limit(n, all int) int {
	if t.Verbose {
		return all
	}
	return n
}

// operations lists the operations; if there are many, only the ones with something to report.
func (t *text) operations(all []operationRow) {
	const row = "  %s  %-*s  %s\n"
	listed, width := all, 0
	if len(all) > maxListed && !t.Verbose {
		listed = slices.DeleteFunc(slices.Clone(all), func(o operationRow) bool { return o.Verdict == passed })
	}
	for _, o := range listed {
		width = min(60, max(width, len([]rune(o.Name))))
	}
	verdict := func(v string) string { return t.paint(colours[v], fmt.Sprintf("%-4s", v)) }
	for _, o := range listed {
		fmt.Fprintf(t, row, verdict(o.Verdict), width, o.Name, t.paint(dim, t.summary(&o)))
		for _, constraint := range o.Untried[:t.limit(0, len(o.Untried))] {
			fmt.Fprintf(t, "        %s\n", t.paint(dim, "never tried: "+constraint))
		}
	}
	if unlisted := len(all) - len(listed); unlisted > 0 {
		fmt.Fprintf(t, "  %s  %s\n", verdict(passed), t.paint(dim, plural(unlisted, "more operation")+" without findings"))
	}
	if len(all) > 0 {
		t.WriteByte('\n')
	}
}

// refused lists the operations that accepted no request.
func (t *text) refused(m *model) {
	if len(m.Refused) == 0 {
		return
	}
	t.WriteString(t.paint(red, m.RefusedTitle()) + "\n")
	shown := m.Refused[:t.limit(min(maxRefused, len(m.Refused)), len(m.Refused))]
	for _, o := range shown {
		fmt.Fprintf(t, "  %s\n", t.paint(bold, o.Name))
		for _, answer := range o.Answers[:t.limit(min(maxAnswers, len(o.Answers)), len(o.Answers))] {
			fmt.Fprintf(t, "    %s\n", answer)
		}
		if o.Setup != "" {
			fmt.Fprintf(t, "    setup  %s\n", o.Setup)
		}
	}
	if n := len(m.Refused) - len(shown); n > 0 {
		fmt.Fprintf(t, "  and %s\n", plural(n, "more operation"))
	}
	t.wrap("  ", m.RefusedHint())
	t.WriteByte('\n')
}

func (t *text) summary(o *operationRow) string {
	if o.Verdict == skipped {
		return cut(o.Note, t.Width, "…")
	}
	text := plural(o.Cases, "case")
	if o.Findings > 0 {
		text += ", " + plural(o.Findings, "finding")
	}
	refusesAll := !o.Accepted && o.Cases > 0
	if refusesAll {
		text += "; " + refusedReason(o.Operation)
	}
	if t.Verbose || refusesAll && len(o.Plain) == 0 {
		text += ": " + o.Answers
	}
	return text
}

// index lists many findings in a line each, the worst first.
func (t *text) index(m *model) {
	if len(m.Findings) <= maxUnindexed {
		return
	}
	checks, operations := 0, 0
	for _, f := range m.Findings {
		checks, operations = max(checks, len(f.Check)), min(40, max(operations, len([]rune(f.Short()))))
	}
	for _, g := range m.Groups(0) {
		fmt.Fprintf(t, "%s: %s\n", t.paint(colours[g.Outcome], g.Title), g.Checks)
		for _, f := range g.Findings {
			place := fmt.Sprintf("%4d  %-*s  %-*s  ", f.Number, checks, f.Check, operations, f.Short())
			fmt.Fprintf(t, "%s%s\n", place, cut(f.Brief(), max(minBrief, t.Width-len([]rune(place))-1), "…"))
		}
	}
	t.WriteByte('\n')
}

func (t *text) finding(f *finding) {
	title := fmt.Sprintf("%d. %s", f.Number, f.Outcome)
	fmt.Fprintf(t, "%s %s  %s\n", t.paint(colours[f.Outcome], title), t.paint(bold, f.Check), t.paint(bold, f.Operation))
	t.wrap("   ", f.Message)
	t.field("also in", someOf(f.Also, t.limit(maxNamed, len(f.Also))))
	t.field("places", someOf(lineAll(f.Places), t.limit(maxNamed, len(f.Places))))
	t.field("new in", someOf(f.NewIn(), t.limit(maxNamed, len(f.Faults))))
	t.field("document", strings.TrimSpace(f.Location+"  "+t.paint(dim, f.Excerpt)))
	for i, s := range f.Steps {
		label := "sent"
		if i < len(f.Steps)-1 {
			label = "first"
		}
		t.step(label, s)
	}
	t.field("seen", f.Seen)
	label := "leads to"
	for _, text := range f.Consequences(t.limit(maxConsequences, len(f.Finding.Consequences))) {
		t.field(label, t.paint(dim, text))
		label = ""
	}
	if t.Verbose {
		t.field("source", f.Source)
		t.field("finding", f.Fingerprint)
		t.field("waive as", waiverOf(f))
	}
	t.WriteByte('\n')
}

func (t *text) step(label string, s *step) {
	command := middleOut(s.Curl, t.limit(maxCommand, 0))
	t.shortened = t.shortened || command != s.Curl
	t.field(label, command)
	t.field("answer", t.paint(dim, s.Answer))
	for _, field := range s.Header[:t.limit(0, len(s.Header))] {
		t.field("", t.paint(dim, field))
	}
	t.field("", t.paint(dim, s.Body(t.limit(maxBodyText, 0))))
}

func (t *text) field(label, value string) {
	if value != "" {
		fmt.Fprintf(t, "   %s %s\n", t.paint(dim, fmt.Sprintf("%-8s", label)), value)
	}
}

// list writes lines below a title, and how many more there are.
func (t *text) list(title string, all []string, limit int, more string) {
	if len(all) == 0 {
		return
	}
	t.WriteString(title + "\n")
	shown := all[:min(len(all), t.limit(limit, len(all)))]
	for _, text := range shown {
		fmt.Fprintf(t, "  %s\n", text)
	}
	if n := len(all) - len(shown); n > 0 {
		fmt.Fprintf(t, "  and %s\n", plural(n, more))
	}
	t.WriteByte('\n')
}

// wrap writes a text in lines no longer than the width, unless a word is longer.
func (t *text) wrap(indent, text string) {
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
			t.WriteString(indent)
			column = len(indent)
		case column+1+n > t.Width:
			t.WriteString("\n" + indent)
			column = len(indent)
		default:
			t.WriteByte(' ')
			column++
		}
		t.WriteString(word)
		column += n
	}
	t.WriteByte('\n')
}

// waiverOf returns the waiver of a finding as coldframe.yaml has it.
func waiverOf(f *finding) string {
	all := "{check: " + f.Check
	for _, part := range []struct{ name, value string }{{"operation", f.Operation}, {"place", f.About}, {"kind", f.Kind}} {
		if part.value != "" {
			all += ", " + part.name + ": " + strconv.Quote(part.value)
		}
	}
	return all + `, reason: ""}`
}
