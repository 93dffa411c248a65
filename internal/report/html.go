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

	"github.com/coldframe/coldframe/internal/coverage"
)

//go:embed page.html
var pageTemplate string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

func page() *template.Template {
	functions := template.FuncMap{"number": number, "first": first, "duration": duration, "lineAll": lineAll}
	return template.Must(template.New("page").Funcs(functions).Parse(pageTemplate))
}

// htmlPage is what the page shows. The template escapes all of it but the style
// and the script, which are the program's own.
type htmlPage struct {
	*model
	Style   template.CSS
	Script  template.JS
	Policy  string // Content-Security-Policy: nothing but that style and that script
	Program string
	Verdict string
	Figures []htmlFigure
	Facts   []struct{ Name, Value string }
	Checks  []string // of the findings
	Faulty  []string // the operations that have findings
}

type htmlFigure struct{ Number, Name, Mood string }

const (
	maxPageBody = 8_000 // characters of a body on the page
	maxMissing  = 60    // what of an operation is named as not exercised, and as never tried
)

func writeHTML(w io.Writer, m *model) error {
	p := htmlPage{
		model: m, Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy: "default-src 'none'; img-src data:; style-src " + hash(pageStyle) + "; script-src " + hash(pageScript) +
			"; base-uri 'none'; form-action 'none'",
		Program: strings.TrimSpace("coldframe " + m.Options.Version), Verdict: "The backend conforms to its document",
		Facts: []struct{ Name, Value string }{
			{"Document", line(m.Document)}, {"Backend", line(m.URL)}, {"Seed", fmt.Sprint(m.Seed)},
			{"Began", m.Began.UTC().Format("2006-01-02 15:04:05 UTC")},
		},
	}
	switch {
	case len(m.New()) > 0:
		p.Verdict = "The backend violates its document"
	case m.Ended != "":
		p.Verdict = "The run ended early"
	case len(m.Findings) > 0:
		p.Verdict = "Nothing new was found"
	}
	p.figures()
	for _, check := range m.checks() {
		p.Checks = append(p.Checks, check.ID)
	}
	for _, o := range withOrphans(m) {
		if slices.ContainsFunc(m.Findings, func(f *finding) bool { return f.of(&o) }) {
			p.Faulty = append(p.Faulty, o.Name)
		}
	}
	return page().Execute(w, p)
}

// hash names an inline style or script in a policy (CSP 3 section 2.3.1).
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (p *htmlPage) figures() {
	for _, f := range []struct {
		n          int
		name, mood string
		plural     string
		always     bool
	}{
		{p.Errors, "error", "bad", "s", true}, {p.Warnings, "warning", "fair", "s", true},
		{p.Notes, "note", "", "s", false}, {p.Known, "known", "fair", "", false},
		{len(p.Resolved), "resolved", "good", "", false}, {p.tested(), "operation", "", "s", true},
		{p.Requests, "request", "", "s", true},
	} {
		if f.n == 0 && !f.always {
			continue
		}
		if f.n == 0 {
			f.mood = ""
		}
		if f.n != 1 {
			f.name += f.plural
		}
		p.Figures = append(p.Figures, htmlFigure{number(f.n), f.name, f.mood})
	}
	if p.Coverage != nil {
		p.Figures = append(p.Figures, htmlFigure{fmt.Sprintf("%.1f %%", p.Coverage.Percent), "exercised", ""})
	}
	p.Figures = append(p.Figures, htmlFigure{duration(p.Took), "taken", ""})
}

// Label names a step: "Sent, 1 of 2".
func (f *finding) Label(i int) string {
	if n := len(f.Steps); n > 1 {
		return fmt.Sprintf("Sent, %d of %d", i+1, n)
	}
	return "Sent"
}

// Block returns the answer's body in lines.
func (s *step) Block() string {
	if s.response == nil {
		return ""
	}
	return shown(s.response.Body, s.size, maxPageBody, true)
}

// NotExercised returns what of an operation was not exercised but its constraints, which Untried has.
func (o *operationRow) NotExercised() []string {
	isConstraint := func(what string) bool { return strings.HasPrefix(what, coverage.KindConstraint+" ") }
	return slices.DeleteFunc(slices.Clone(o.Missing), isConstraint)
}

// first returns as many as the page lists, and a line that counts the rest.
func first(all []string) []string {
	if n := len(all) - maxMissing; n > 0 {
		return append(slices.Clip(all[:maxMissing]), "and "+number(n)+" more")
	}
	return all
}
