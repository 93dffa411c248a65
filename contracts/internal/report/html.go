package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/internal/coverage"
)

//go:embed page.html
var pageTemplate string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"number": number}).Parse(pageTemplate))

// htmlPage is what the page shows. All of it is text that the template escapes,
// but for the style and the script, which are the program's own.
type htmlPage struct {
	*findings.Report
	Style   template.CSS
	Script  template.JS
	Policy  string // Content-Security-Policy: nothing but that style and that script
	Heading string
	Program string
	Failed  bool
	Verdict string
	// Untested says how many operations accepted nothing.
	Untested string
	Figures  []htmlFigure
	Facts    []htmlFact
	Found    []htmlFinding
	Checks   []string // of the findings
	Tested   []htmlOperation
	Kinds    []coverage.KindReport
	Ran      []htmlPhase
	Out      []string // left out
	Gone     []string // healed
}

type htmlFigure struct{ Number, Name, Mood string }

type htmlFact struct{ Name, Value string }

type htmlFinding struct {
	Number                                         int
	Outcome, Check, Operation, About               string
	Message, Place, Excerpt, Source, Meaning, Seen string
	Fingerprint                                    string
	Count                                          int
	Also                                           []string // operations besides
	Follows                                        []string
	Steps                                          []htmlStep
}

type htmlStep struct{ Label, Curl, Answer, Header, Body string }

type htmlOperation struct {
	Name, Tags, Verdict, Note, Statuses, Place string
	Cases, Findings                            int
	Percent                                    float64
	Covered, Total                             int
	Missing                                    []string
	MoreMissing                                int
	Untried                                    []string
	MoreUntried                                int
}

type htmlPhase struct {
	ID, Meaning, Took string
	Cases, Findings   int
}

const (
	mostBody    = 8_000 // characters of a body on the page
	mostMissing = 60    // points of an operation that are named as not exercised, and as never tried
)

func writeHTML(w io.Writer, r *findings.Report, o Options) error {
	c := count(r)
	p := htmlPage{
		Report: r, Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy:  "default-src 'none'; img-src data:; style-src " + hash(pageStyle) + "; script-src " + hash(pageScript) + "; base-uri 'none'; form-action 'none'",
		Heading: heading(r), Program: strings.TrimSpace("coldframe " + o.Version),
		Failed: len(r.New()) > 0 || r.Ended != "", Out: leftOut(r), Gone: clean(r.Resolved),
	}
	switch {
	case len(r.New()) > 0:
		p.Verdict = "The backend does not hold to its document"
	case r.Ended != "":
		p.Verdict = "The run did not reach its end"
	case len(r.Findings) > 0:
		p.Verdict = "Nothing new was found"
	default:
		p.Verdict = "The backend holds to its document"
	}
	p.figures(c)
	p.facts(o)
	for i := range r.Findings {
		p.Found = append(p.Found, htmlFindingOf(i+1, &r.Findings[i]))
	}
	seen := map[string]bool{}
	for _, check := range checks.All() {
		for i := range r.Findings {
			if id := r.Findings[i].Check; id == check.ID && !seen[id] {
				seen[id] = true
				p.Checks = append(p.Checks, id)
			}
		}
	}
	p.Untested = untestable(r)
	p.operations()
	for _, ran := range r.Phases {
		p.Ran = append(p.Ran, htmlPhase{line(ran.ID), ran.Meaning, took(ran.Took), ran.Cases, ran.Findings})
	}
	return page.Execute(w, p)
}

// hash names an inline style or script in a policy (CSP 3 section 2.3.1).
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func clean(all []string) []string {
	var cleaned []string
	for _, one := range all {
		cleaned = append(cleaned, line(one))
	}
	return cleaned
}

func (p *htmlPage) figures(c counts) {
	add := func(n int, name, mood string) {
		if n == 0 {
			mood = ""
		}
		if n != 1 {
			name += "s"
		}
		p.Figures = append(p.Figures, htmlFigure{number(n), name, mood})
	}
	add(c.errors, "error", "bad")
	add(c.warnings, "warning", "fair")
	if c.known > 0 {
		p.Figures = append(p.Figures, htmlFigure{number(c.known), "known", "fair"})
	}
	if len(p.Gone) > 0 {
		p.Figures = append(p.Figures, htmlFigure{number(len(p.Gone)), "healed", "good"})
	}
	add(len(p.Operations)-c.skipped, "operation", "")
	add(p.Requests, "request", "")
	if p.Coverage != nil {
		p.Kinds = p.Coverage.Kinds
		p.Figures = append(p.Figures, htmlFigure{fmt.Sprintf("%.1f %%", p.Coverage.Percent), "exercised", ""})
	}
	p.Figures = append(p.Figures, htmlFigure{took(p.Took), "taken", ""})
}

func (p *htmlPage) facts(o Options) {
	for _, f := range []htmlFact{
		{"Document", line(p.Document)}, {"Backend", line(p.URL)}, {"Seed", fmt.Sprint(p.Seed)},
		{"Began", p.Began.UTC().Format("2006-01-02 15:04:05 UTC")},
	} {
		if f.Value != "" {
			p.Facts = append(p.Facts, f)
		}
	}
}

func htmlFindingOf(n int, f *findings.Finding) htmlFinding {
	out := htmlFinding{
		Number: n, Outcome: outcome(f), Check: line(f.Check), Operation: line(f.Operation), About: line(f.About),
		Message: message(f), Place: place(f.Place) + pointer(f.Place), Excerpt: line(f.Excerpt), Source: line(f.Source), Meaning: meaningOfCheck(f.Check),
		Seen: seen(f), Fingerprint: line(f.Fingerprint), Count: f.Count,
		Also: others(f), Follows: follows(f, mostMissing),
	}
	for i := range f.Sent {
		s := &f.Sent[i]
		step := htmlStep{Label: "Sent", Curl: lines(s.Curl), Answer: answer(s)}
		if len(f.Sent) > 1 {
			step.Label = fmt.Sprintf("Sent, %d of %d", i+1, len(f.Sent))
		}
		if s.Response != nil {
			var header []string
			for _, field := range s.Response.Header {
				header = append(header, line(field.Name)+": "+line(field.Value))
			}
			step.Header = strings.Join(header, "\n")
			step.Body = block(s.Response.Body, max(s.ResponseSize, len(s.Response.Body)), mostBody)
		}
		out.Steps = append(out.Steps, step)
	}
	return out
}

func (p *htmlPage) operations() {
	covered := map[string]*coverage.OperationReport{}
	if p.Coverage != nil {
		for i := range p.Coverage.Operations {
			o := &p.Coverage.Operations[i]
			covered[o.Method+" "+o.Path] = o
		}
	}
	for _, o := range p.Report.Operations {
		out := htmlOperation{
			Name: line(o.Name), Tags: line(strings.Join(o.Tags, ", ")), Verdict: verdictOn(o), Statuses: statuses(o.Statuses), Place: place(o.Place),
			Cases: o.Cases, Findings: o.Findings,
		}
		switch out.Verdict {
		case skipped:
			out.Note = line(o.Skipped)
		case weak:
			out.Note = refused(o)
		}
		if c := covered[o.Name]; c != nil {
			out.Percent, out.Covered, out.Total = c.Percent, c.Covered, c.Total
			out.Missing, out.MoreMissing = shortened(slices.DeleteFunc(missing(c), func(what string) bool { return strings.HasPrefix(what, coverage.KindConstraint+" ") }))
			if c.Hits > 0 {
				out.Untried, out.MoreUntried = shortened(untried(c))
			}
		}
		p.Tested = append(p.Tested, out)
	}
}

// shortened gives as many as the page shows, and how many more there are.
func shortened(all []string) (shown []string, more int) {
	shown = clean(all[:min(len(all), mostMissing)])
	return shown, len(all) - len(shown)
}

func meaningOfCheck(id string) string {
	for _, c := range checks.All() {
		if c.ID == id {
			return c.Meaning
		}
	}
	return ""
}
