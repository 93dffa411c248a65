package diff

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	formats "github.com/coldframe/coldframe/internal/report"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/visible"
)

// Report is the result of a comparison.
type Report struct {
	Old, New Version
	Changes  []Change
	Step     Step   // what the next version needs
	Next     string // the next version after the old document's; "" if that is not semantic
}

// Version is one of the documents.
type Version struct {
	Document string // its name
	Prefix   string // what precedes the names of its files if they are in a Git revision: "main:"
	Number   string // info.version
}

// NewReport compares two documents. They have the given names.
func NewReport(ctx context.Context, old, new *spec.Bundle, oldName, newName Version) (*Report, error) {
	changes, err := Compare(ctx, old, new)
	if err != nil {
		return nil, err
	}
	r := &Report{Old: oldName, New: newName, Changes: changes, Step: StepOf(changes)}
	r.Old.Number, r.New.Number = old.Version, new.Version
	r.Next = Next(old.Version, r.Step)
	return r, nil
}

// Formats are the names of the formats of a Report; the first is for people.
func Formats() []string {
	var names []string
	for _, f := range writers {
		names = append(names, f.name)
	}
	return names
}

// Write writes the report in a format.
func (r *Report) Write(w io.Writer, format string, o formats.Options) error {
	i := slices.Index(Formats(), format)
	return writers[i].write(w, r, o)
}

var writers = []struct {
	name  string
	write func(io.Writer, *Report, formats.Options) error
}{
	{"text", writeText},
	{"json", writeJSON},
	{"markdown", writeMarkdown},
	{"github", writeGitHub},
	{"sarif", writeSARIF},
}

// Word returns the word for a severity: "error", "warning" or "info".
func Word(s exchange.Severity) string {
	if s == exchange.Info {
		return "info"
	}
	return s.String()
}

// Operation names the operation of a change: "GET /plants", "" for a change of the whole document.
func (c Change) Operation() string { return strings.TrimSpace(c.Method + " " + c.Path) }

// counts returns the number of changes of each severity.
func (r *Report) counts() (counts [exchange.Info + 1]int) {
	for _, c := range r.Changes {
		counts[c.Severity]++
	}
	return counts
}

// Totals returns the changes in one line.
func (r *Report) Totals() string {
	if len(r.Changes) == 0 {
		return "No change of requests or responses"
	}
	var parts []string
	for severity, n := range r.counts() {
		if n > 0 {
			parts = append(parts, []string{exchange.Count(n, "error"), exchange.Count(n, "warning"),
				strconv.Itoa(n) + " for information"}[severity])
		}
	}
	return exchange.Count(len(r.Changes), "change") + ": " + strings.Join(parts, ", ")
}

// Versions says in one line what the next version is, and whether the new document's version is lower.
func (r *Report) Versions() string {
	if r.Next == "" {
		return fmt.Sprintf("Next version: a new %s version; the old one, %s, is no semantic version", r.Step,
			exchange.Quote(r.Old.Number))
	}
	text := fmt.Sprintf("Next version: %s (%s after %s)", r.Next, r.Step, r.Old.Number)
	if len(r.Changes) == 0 {
		return text
	}
	switch {
	case Below(r.New.Number, r.Next):
		text += "; the new document's version, " + r.New.Number + ", is lower"
	case Next(r.New.Number, Patch) == "":
		text += "; the new document's version, " + exchange.Quote(r.New.Number) + ", is no semantic version"
	}
	return text
}

func writeText(w io.Writer, r *Report, _ formats.Options) error {
	var b strings.Builder
	for i, c := range r.Changes {
		head := strings.TrimSpace(Word(c.Severity) + " " + c.ID + "  " + c.Operation())
		fmt.Fprintf(&b, "%d. %s\n   %s\n", i+1, visible.Line(head), visible.Line(c.Text))
		if c.Comment != "" {
			fmt.Fprintf(&b, "   %s\n", visible.Line(c.Comment))
		}
		for _, side := range []struct {
			name string
			at   exchange.Place
		}{{"old", c.Old}, {"new", c.New}} {
			if side.at.File != "" {
				fmt.Fprintf(&b, "   %s  %s\n", side.name, visible.Line(side.at.String()))
			}
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s\n%s\n", r.Totals(), visible.Line(r.Versions()))
	_, err := io.WriteString(w, b.String())
	return err
}

type (
	jsonReport struct {
		Form    int            `json:"form"` // of this report; it changes if readers could no longer read it
		Program jsonProgram    `json:"program"`
		Old     jsonDocument   `json:"old"`
		New     jsonDocument   `json:"new"`
		Next    jsonNext       `json:"next"`
		Totals  map[string]int `json:"totals"`
		Changes []jsonChange   `json:"changes"`
	}
	jsonProgram struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	jsonDocument struct {
		Document string `json:"document"`
		Version  string `json:"version"`
	}
	jsonNext struct {
		Step    Step   `json:"step"`
		Version string `json:"version,omitempty"`
		Lower   bool   `json:"newIsLower"` // the new document's version is lower than Version
	}
	jsonChange struct {
		ID          string          `json:"id"`
		Severity    string          `json:"severity"`
		Method      string          `json:"method,omitempty"`
		Path        string          `json:"path,omitempty"`
		Text        string          `json:"text"`
		Comment     string          `json:"comment,omitempty"`
		Old         *exchange.Place `json:"old,omitempty"`
		New         *exchange.Place `json:"new,omitempty"`
		Fingerprint string          `json:"fingerprint"`
	}
)

func writeJSON(w io.Writer, r *Report, o formats.Options) error {
	counts := r.counts()
	out := jsonReport{Form: 1, Program: jsonProgram{"coldframe", o.Version},
		Old: jsonDocument{r.Old.Document, r.Old.Number}, New: jsonDocument{r.New.Document, r.New.Number},
		Next: jsonNext{r.Step, r.Next, len(r.Changes) > 0 && Below(r.New.Number, r.Next)},
		Totals: map[string]int{"errors": counts[exchange.Error], "warnings": counts[exchange.Warning],
			"infos": counts[exchange.Info]},
		Changes: []jsonChange{}}
	place := func(at exchange.Place) *exchange.Place {
		if at.File == "" {
			return nil
		}
		return &at
	}
	for _, c := range r.Changes {
		out.Changes = append(out.Changes, jsonChange{c.ID, Word(c.Severity), c.Method, c.Path, c.Text, c.Comment,
			place(c.Old), place(c.New), c.Fingerprint})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

// maxShown limits the changes in Markdown: the summary of a step holds 1 MiB.
const maxShown = 500

func writeMarkdown(w io.Writer, r *Report, _ formats.Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s → %s\n\n%s  \n%s\n", formats.Inline(r.Old.Document), formats.Inline(r.New.Document),
		formats.Inline(r.Totals()), formats.Inline(r.Versions()))
	if len(r.Changes) > 0 {
		b.WriteString("\n| severity | operation | change | old | new |\n|---|---|---|---|---|\n")
	}
	for _, c := range r.Changes[:min(len(r.Changes), maxShown)] {
		fmt.Fprintf(&b, "| %s | %s | %s (%s) | %s | %s |\n", Word(c.Severity), formats.Inline(visible.Line(c.Operation())),
			formats.Inline(visible.Line(strings.TrimSpace(c.Text+" "+c.Comment))), c.ID,
			formats.Inline(visible.Line(c.Old.String())), formats.Inline(visible.Line(c.New.String())))
	}
	if more := len(r.Changes) - maxShown; more > 0 {
		fmt.Fprintf(&b, "\nand %s\n", exchange.Count(more, "more change"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotated returns the place in the new document that a change concerns, as a file of the working tree: the document
// itself if it does not have what changed.
func (r *Report) annotated(c Change) exchange.Place {
	at := c.New
	if at.File == "" {
		at = exchange.Place{File: r.New.Document}
	}
	at.File = strings.TrimPrefix(at.File, r.New.Prefix)
	return at
}

// maxAnnotations is how many changes are annotated: GitHub shows ten errors and ten warnings of a step.
const maxAnnotations = 10

func writeGitHub(w io.Writer, r *Report, o formats.Options) error {
	var b strings.Builder
	levels := map[exchange.Severity]string{exchange.Error: "error", exchange.Warning: "warning", exchange.Info: "notice"}
	for _, c := range r.Changes[:min(len(r.Changes), maxAnnotations)] {
		text := strings.TrimSpace(c.Text + " " + c.Comment)
		if old := c.Old.String(); old != "" {
			text += "\nold: " + old
		}
		title := strings.TrimSuffix(c.ID+": "+c.Operation(), ": ")
		b.WriteString(o.Annotation(levels[c.Severity], r.annotated(c), title, text))
	}
	if more := len(r.Changes) - maxAnnotations; more > 0 {
		b.WriteString(o.Annotation("notice", exchange.Place{}, "coldframe", "and "+exchange.Count(more, "more change")+
			"; the other formats have them"))
	}
	b.WriteString(o.Annotation("notice", exchange.Place{}, "coldframe", r.Totals()+". "+r.Versions()))
	_, err := io.WriteString(w, b.String())
	return err
}

func writeSARIF(w io.Writer, r *Report, o formats.Options) error {
	rules, results, index := []any{}, []any{}, map[string]int{}
	for _, c := range r.Changes {
		i, ok := index[c.ID]
		if !ok {
			i = len(rules)
			index[c.ID] = i
			rules = append(rules, map[string]any{"id": c.ID,
				"shortDescription":     map[string]any{"text": strings.ReplaceAll(c.ID, "-", " ")},
				"defaultConfiguration": map[string]any{"level": c.Severity},
				"properties":           map[string]any{"tags": []any{"openapi", "breaking-change"}}})
		}
		text := strings.TrimSpace(c.Text + " " + c.Comment)
		if operation := c.Operation(); operation != "" {
			text = operation + ": " + text
		}
		result := map[string]any{"ruleId": c.ID, "ruleIndex": i, "level": c.Severity,
			"message":             map[string]any{"text": visible.Line(text)},
			"locations":           []any{o.SARIFLocation(r.annotated(c), visible.Line(c.Operation()))},
			"partialFingerprints": map[string]any{"coldframe-diff/v1": c.Fingerprint}}
		if old := c.Old.String(); old != "" {
			result["message"] = map[string]any{"text": visible.Line(text + " (old: " + old + ")")}
		}
		results = append(results, result)
	}
	run := o.SARIFRun(rules, results)
	run["properties"] = map[string]any{"old": r.Old.Document, "new": r.New.Document, "step": r.Step, "next": r.Next,
		"changes": strconv.Itoa(len(r.Changes))}
	return formats.EncodeSARIF(w, run)
}
