package contracts

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	formats "github.com/coldframe/coldframe/internal/report"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/report"
)

// ReportFormat is one form in which a report is written: one row of the table that ReportFormats returns.
type ReportFormat struct {
	Name      string // text, json, junit, sarif, github, markdown, html or lcov
	Meaning   string // what the form is for
	Extension string // the usual one of a file, with its dot: ".xml"

	format *formats.Format
}

// ReportOptions are what a report cannot know from the run. The zero value works.
type ReportOptions struct {
	// Text is for the format "text".
	Text TextOptions
	// Version of the program that has made the run, for the formats that name it. Default: not named.
	Version string
	// Root is the folder from which annotations and SARIF name files. Default: files have the names of the run.
	Root string
}

// TextOptions say how the report for people looks. The zero value works.
type TextOptions struct {
	// Colour writes ANSI escapes.
	Colour bool
	// Width is the number of columns. Default 100. Commands are never broken.
	Width int
	// Verbose lists every operation, and shows whole requests and responses.
	Verbose bool
}

// ReportFormats returns the table of report formats.
func ReportFormats() []ReportFormat {
	var all []ReportFormat
	for _, f := range formats.Formats() {
		all = append(all, ReportFormat{Name: f.Name, Meaning: f.Meaning, Extension: f.Extension, format: f})
	}
	return all
}

// FindReportFormat returns the format of a name: FindReportFormat("junit"). The error names all formats.
func FindReportFormat(name string) (ReportFormat, error) {
	known := func(f ReportFormat) string { return f.Name }
	if err := requireKnown("format", []string{name}, ReportFormats(), known); err != nil {
		return ReportFormat{}, err
	}
	f := formats.Find(name)
	return ReportFormat{Name: f.Name, Meaning: f.Meaning, Extension: f.Extension, format: f}, nil
}

// Write writes a report in this format. Text that a backend sent cannot act on a terminal, a page or a CI system that
// shows it.
func (f ReportFormat) Write(w io.Writer, r *report.Report, o ReportOptions) error {
	return f.format.Write(w, r, formats.Options{Text: formats.TextOptions(o.Text), Version: o.Version, Root: o.Root})
}

// WriteText writes a report in the format "text", for people.
func WriteText(w io.Writer, r *report.Report, o TextOptions) error {
	return formats.Text(w, r, formats.TextOptions(o))
}

// SuggestSetup returns a setup file (Options.SetupFile) for the operations of a report that accepted no request: their
// responses, and the values that would help, as comments. It loads unchanged.
func SuggestSetup(r *report.Report) []byte { return formats.SuggestSetup(r) }

// LoadBaseline reads a report in the format "json", whose findings are then known: see Options.Baseline.
func LoadBaseline(file string) (*report.Baseline, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	b := &report.Baseline{}
	if err := json.Unmarshal([]byte(tree.UTF8(string(text))), b); err != nil {
		return nil, fmt.Errorf("%s is no JSON report: %w", file, err)
	}
	return b, nil
}

// Checks returns the table of checks, in the order in which they are listed. Options.Select.Checks chooses among their
// ids.
func Checks() []report.Check {
	var all []report.Check
	for _, c := range checks.All() {
		all = append(all, c.Described())
	}
	return all
}

// Phase is a family of cases: one row of the table that Phases returns.
type Phase struct {
	ID      string // coverage
	Meaning string // what it sends
}

// Phases returns the table of phases, in the order in which they run. Options.Select.Phases chooses among their ids.
func Phases() []Phase {
	var all []Phase
	for _, p := range runner.Phases() {
		all = append(all, Phase{p.ID, p.Meaning})
	}
	return all
}

// StatefulTest is a sequence of requests about one resource, of the phase "stateful": one row of the table that
// StatefulTests returns.
type StatefulTest struct {
	ID      string // lifecycle
	Meaning string // what it sends, or what must hold
}

// StatefulTests returns the table of stateful tests, in the order in which they run.
func StatefulTests() []StatefulTest {
	var all []StatefulTest
	for _, t := range stateful.Tests() {
		all = append(all, StatefulTest{t.ID, t.Meaning})
	}
	return all
}
