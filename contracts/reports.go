package contracts

import (
	"io"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/report"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
)

type (
	// ReportFormat is one form of report.
	ReportFormat = report.Format
	// ReportOptions say what reports cannot know from the run.
	ReportOptions = report.Options
	// ReportOutput is one report to write.
	ReportOutput = report.Output
	// TextOptions are those of the text format.
	TextOptions = report.TextOptions
	// CheckInfo is one row of the table of checks.
	CheckInfo = checks.Check
	// StatefulTest is one row of the table of stateful tests.
	StatefulTest = stateful.Test
)

// ReportFormats gives the table of report formats.
func ReportFormats() []*ReportFormat { return report.Formats() }

// ParseReports reads a list of outputs: "junit=results.xml,html=report.html".
func ParseReports(spec string) ([]ReportOutput, error) { return report.Parse(spec) }

// WriteText writes a report in the text format.
func WriteText(w io.Writer, r *Report, o TextOptions) error { return report.Text(w, r, o) }

// Checks gives the table of checks.
func Checks() []*CheckInfo { return checks.All() }

// StatefulTests gives the table of stateful tests, in the order in which they run.
func StatefulTests() []*StatefulTest { return stateful.Tests() }
