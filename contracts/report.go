package contracts

import (
	"io"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/report"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
)

type (
	// Report is what a run found: Findings, with errors first and causes before what they lead to; Operations
	// and Phases with their counts; what was Skipped and why; Coverage of the document; and Ended, which says
	// why the run ended early. New gives the errors that the baseline does not know.
	Report = findings.Report
	// Finding is one fault of the backend, however often it was seen: the Check that found it, its Message,
	// the Operations, the Place in the document, the requests that show it (Sent), its Consequences, and a
	// Fingerprint that is the same in every run.
	Finding = findings.Finding
	// Consequence is what a finding leads to.
	Consequence = findings.Consequence
	// Sent is one request and its answer, with credentials redacted, and a Curl command that sends it.
	Sent = findings.Sent
	// OperationReport is what was done with one operation.
	OperationReport = findings.OperationReport
	// Refused is what is known of an operation that accepted no request: its answers (Refusal), and the values that
	// would help (Need).
	Refused = findings.Refused
	Refusal = findings.Refusal
	Need    = findings.Need
	// PhaseReport is what one phase did.
	PhaseReport = findings.PhaseReport
	// Skipped is what was not sent, and why.
	Skipped = findings.Skipped
	// Coverage says what of the tested operations was exercised.
	Coverage = findings.Coverage
	// Baseline is the findings of an earlier report, which are known.
	Baseline = findings.Baseline

	// ReportFormat is one row of the table of report formats; Write writes a report.
	ReportFormat = report.Format
	// ReportOptions are what a report cannot know from the run.
	ReportOptions = report.Options
	// ReportOutput is one report to write, to a file or standard output.
	ReportOutput = report.Output
	// TextOptions are those of the text format.
	TextOptions = report.TextOptions

	// CheckInfo is one row of the table of checks.
	CheckInfo = checks.Check
	// StatefulTest is one row of the table of stateful tests.
	StatefulTest = stateful.Test
)

// LoadBaseline reads the findings of a JSON report.
func LoadBaseline(file string) (*Baseline, error) { return findings.LoadBaseline(file) }

// ReportFormats returns the table of report formats.
func ReportFormats() []*ReportFormat { return report.Formats() }

// ParseReports reads a list of outputs: "junit=results.xml,html=report.html". A
// format alone goes to standard output.
func ParseReports(list string) ([]ReportOutput, error) { return report.Parse(list) }

// WriteText writes a report in the text format.
func WriteText(w io.Writer, r *Report, o TextOptions) error { return report.Text(w, r, o) }

// SuggestSetup returns a setup file for the operations of a report that accepted no request: their answers, and the
// values that would help, as comments. It loads as it is.
func SuggestSetup(r *Report) []byte { return report.SuggestSetup(r) }

// Checks returns the table of checks.
func Checks() []*CheckInfo { return checks.All() }

// StatefulTests returns the table of stateful tests, in the order in which they run.
func StatefulTests() []*StatefulTest { return stateful.Tests() }
