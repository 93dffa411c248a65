package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/internal/exchange"
)

// TextOptions say how the report for people looks.
type TextOptions struct {
	// Colour writes ANSI escapes.
	Colour bool
	// Width is the columns that there are. Default 100. Commands are never broken.
	Width int
	// Verbose lists every operation, and shows whole requests and answers.
	Verbose bool
}

const (
	defaultWidth  = 100
	mostListed    = 30   // operations of which those without findings are listed as well
	mostCommand   = 4000 // characters of a command that are shown
	mostLeftOut   = 10   // lines about what was left out
	mostShownText = 300  // characters of an answer's body
	mostNamed     = 5    // operations that a finding was seen in as well
	mostFollows   = 3    // what a finding leads to
)

// text is a report that is being written.
type text struct {
	strings.Builder
	TextOptions
}

func writeText(w io.Writer, r *findings.Report, o Options) error { return Text(w, r, o.Text) }

// Text writes a report for people.
func Text(w io.Writer, r *findings.Report, o TextOptions) error {
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	t := &text{TextOptions: o}
	t.head(r)
	t.operations(r)
	for i := range r.Findings {
		t.finding(i+1, &r.Findings[i])
	}
	t.healed(r)
	t.leftOut(r)
	if r.Ended != "" {
		t.labelled("Ended early", t.paint(yellow, line(r.Ended)))
	}
	if text := untestable(r); text != "" {
		t.WriteString(t.paint(yellow, text) + "\n")
	}
	t.WriteString(t.total(r))
	_, err := io.WriteString(w, t.String())
	return err
}

func (t *text) head(r *findings.Report) {
	t.WriteString(t.paint(bold, heading(r)))
	if r.URL != "" {
		t.WriteString(" at " + line(r.URL))
	}
	t.WriteByte('\n')
	if r.Document != "" {
		t.WriteString(t.paint(dim, line(r.Document)) + "\n")
	}
	t.WriteByte('\n')
}

// heading names the API.
func heading(r *findings.Report) string {
	title := line(r.Title)
	if title == "" {
		title = line(r.Document)
	}
	return strings.TrimSpace(title + " " + line(r.Version))
}

// operations lists the operations, of many only those with something to say.
func (t *text) operations(r *findings.Report) {
	width, silent := 0, 0
	var listed []*findings.OperationReport
	for _, o := range r.Operations {
		if len(r.Operations) > mostListed && !t.Verbose && verdictOn(o) == good {
			silent++
			continue
		}
		listed = append(listed, o)
		width = max(width, len([]rune(line(o.Name))))
	}
	width = min(width, 60)
	never := map[string][]string{}
	if t.Verbose && r.Coverage != nil {
		for i := range r.Coverage.Operations {
			if o := &r.Coverage.Operations[i]; o.Hits > 0 {
				never[o.Method+" "+o.Path] = untried(o)
			}
		}
	}
	for _, o := range listed {
		verdict := verdictOn(o)
		fmt.Fprintf(t, "  %s  %-*s  %s\n", t.paint(colours[verdict], fmt.Sprintf("%-4s", verdict)), width, line(o.Name), t.paint(dim, t.summary(o)))
		for _, constraint := range never[o.Name] {
			fmt.Fprintf(t, "        %s\n", t.paint(dim, "never tried: "+line(constraint)))
		}
	}
	if silent > 0 {
		fmt.Fprintf(t, "  %s  %s\n", t.paint(colours[good], fmt.Sprintf("%-4s", good)), t.paint(dim, plural(silent, "more operation")+" without findings"))
	}
	if len(r.Operations) > 0 {
		t.WriteByte('\n')
	}
}

// The verdicts on an operation.
const (
	good    = "ok"
	bad     = "FAIL"
	skipped = "skip"
	weak    = "weak" // nothing conforming was accepted, so that refusals prove little
)

var colours = map[string]string{good: green, bad: red, skipped: yellow, weak: yellow}

func verdictOn(o *findings.OperationReport) string {
	switch {
	case o.Skipped != "":
		return skipped
	case o.Findings > 0:
		return bad
	case !o.Accepted && o.Cases > 0:
		return weak
	}
	return good
}

func (t *text) summary(o *findings.OperationReport) string {
	if o.Skipped != "" {
		return cut(line(o.Skipped), t.Width, "…")
	}
	text := plural(o.Cases, "case")
	if o.Findings > 0 {
		text += ", " + plural(o.Findings, "finding")
	}
	if !o.Accepted && o.Cases > 0 {
		text += "; " + refused(o)
	}
	if t.Verbose || !o.Accepted && o.Cases > 0 && len(o.Plain) == 0 {
		text += ": " + statuses(o.Statuses)
	}
	return text
}

// statuses tells how often each status came.
func statuses(by map[int]int) string {
	var all []string
	for _, status := range slices.Sorted(maps.Keys(by)) {
		all = append(all, fmt.Sprintf("%s × %s", number(by[status]), statusName(status)))
	}
	return strings.Join(all, ", ")
}

func (t *text) finding(n int, f *findings.Finding) {
	what := outcome(f)
	colour := red
	if what != "error" {
		colour = yellow
	}
	fmt.Fprintf(t, "%s %s  %s\n", t.paint(colour, fmt.Sprintf("%d. %s", n, what)), t.paint(bold, line(f.Check)), t.paint(bold, line(f.Operation)))
	t.wrap("   ", message(f))
	if also := others(f); len(also) > 0 {
		most := mostNamed
		if t.Verbose {
			most = len(also)
		}
		t.field("also in", someOf(also, most))
	}
	t.field("document", strings.TrimSpace(place(f.Place)+pointer(f.Place)+"  "+t.paint(dim, line(f.Excerpt))))
	for i := range f.Sent {
		t.sent(&f.Sent[i], i < len(f.Sent)-1)
	}
	t.field("seen", seen(f))
	most := mostFollows
	if t.Verbose {
		most = len(f.Consequences)
	}
	for i, text := range follows(f, most) {
		label := ""
		if i == 0 {
			label = "with it"
		}
		t.field(label, t.paint(dim, text))
	}
	if t.Verbose {
		t.field("source", line(f.Source))
		t.field("finding", line(f.Fingerprint))
	}
	t.WriteByte('\n')
}

// message says what is wrong, and with what.
func message(f *findings.Finding) string {
	if f.About == "" || strings.Contains(f.Message, f.About) {
		return line(f.Message)
	}
	return line(f.About) + ": " + line(f.Message)
}

// others names the operations besides the first that a finding was seen in.
func others(f *findings.Finding) []string {
	var all []string
	for _, o := range f.Operations {
		if o != f.Operation {
			all = append(all, line(o))
		}
	}
	return all
}

// someOf names the first of several: "a, b and 3 more".
func someOf(all []string, most int) string {
	if len(all) <= most+1 {
		most = len(all)
	}
	text := strings.Join(all[:most], ", ")
	if n := len(all) - most; n > 0 {
		text += fmt.Sprintf(" and %s more", number(n))
	}
	return text
}

// follows says what a finding leads to, in a line for each.
func follows(f *findings.Finding, most int) []string {
	if len(f.Consequences) <= most+1 {
		most = len(f.Consequences)
	}
	var all []string
	for i := range f.Consequences[:most] {
		w := &f.Consequences[i]
		var in []string
		for _, o := range w.Operations {
			in = append(in, line(o))
		}
		all = append(all, fmt.Sprintf("%s in %s: %s (%s)", line(w.Check), someOf(in, mostNamed), line(w.Message), plural(w.Count, "time")))
	}
	if n := len(f.Consequences) - most; n > 0 {
		all = append(all, "and "+number(n)+" more")
	}
	return all
}

// seen says how often a finding was seen, and in which case it is shown.
func seen(f *findings.Finding) string {
	text := plural(f.Count, "time") + "; here in the phase " + line(f.Phase)
	if f.Title != "" {
		text += ": " + line(f.Title)
	}
	return text
}

// pointer names the place within the document where there is no line to go to.
func pointer(p exchange.Place) string {
	if p.Line > 0 || p.Pointer == "" || p.File == "" {
		return ""
	}
	return "#" + line(p.Pointer)
}

// sent shows one request and its answer; before says that more follow.
func (t *text) sent(s *findings.Sent, before bool) {
	most := mostCommand
	if t.Verbose {
		most = 0
	}
	label, came := "sent", "came"
	if before {
		label = "first"
	}
	t.field(label, cut(lines(s.Curl), most, fmt.Sprintf("… (%d characters; the JSON report has all)", len(s.Curl))))
	t.field(came, t.paint(dim, answer(s)))
	if s.Response == nil {
		return
	}
	most = mostShownText
	if t.Verbose {
		most = 0
		for _, h := range s.Response.Header {
			t.field("", t.paint(dim, line(h.Name)+": "+line(h.Value)))
		}
	}
	if shown := body(s.Response.Body, max(s.ResponseSize, len(s.Response.Body)), most); shown != "" {
		t.field("", t.paint(dim, shown))
	}
}

// healed names what the baseline knows and this run did not see.
func (t *text) healed(r *findings.Report) {
	for i, h := range r.Resolved {
		if i == 0 {
			t.WriteString(t.paint(green, "Healed") + ": known to the baseline, and not seen in this run\n")
		}
		fmt.Fprintf(t, "  %s\n", line(h))
	}
	if len(r.Resolved) > 0 {
		t.WriteByte('\n')
	}
}

func (t *text) leftOut(r *findings.Report) {
	if len(r.Skipped) == 0 {
		return
	}
	t.WriteString(t.paint(yellow, "Left out") + "\n")
	groups := leftOut(r)
	shown := groups
	if !t.Verbose {
		shown = groups[:min(len(groups), mostLeftOut)]
	}
	for _, g := range shown {
		fmt.Fprintf(t, "  %s\n", g)
	}
	if n := len(groups) - len(shown); n > 0 {
		fmt.Fprintf(t, "  and %s\n", plural(n, "more reason"))
	}
	t.WriteByte('\n')
}

// total is the last line.
func (t *text) total(r *findings.Report) string {
	colour := green
	if len(r.New()) > 0 || r.Ended != "" {
		colour = red
	}
	return t.paint(colour, totals(r)) + "\n"
}
