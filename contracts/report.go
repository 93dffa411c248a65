package contracts

import (
	"io"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/report"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
)

type (
	// Report is the result of a run: Findings, with errors first and causes before their consequences; Operations and
	// Phases with their counts; Skipped with reasons; Coverage of the document; and Ended, the reason why the run
	// ended early. New returns the errors that the baseline does not know.
	Report = findings.Report
	// Finding is one fault of the backend, however often it was seen: the Check that found it, its Message, the
	// Operations, the Place in the document, the requests that show it (Sent), its Consequences, and a Fingerprint
	// that is the same in every run.
	Finding = findings.Finding
	// Consequence is a consequence of a finding.
	Consequence = findings.Consequence
	// Sent is one request and its response, with credentials redacted, and a Curl command that sends it.
	Sent = findings.Sent
	// OperationReport has the results of one operation.
	OperationReport = findings.OperationReport
	// Refused describes an operation that accepted no request: its responses (Refusal), and the values that would
	// help (Need).
	Refused = findings.Refused
	Refusal = findings.Refusal
	Need    = findings.Need
	// PhaseReport has the results of one phase.
	PhaseReport = findings.PhaseReport
	// Skipped describes cases that were not sent, and why.
	Skipped = findings.Skipped
	// Coverage reports which parts of the tested operations were exercised.
	Coverage = findings.Coverage
	// Baseline has the findings of an earlier report, which count as known.
	Baseline = findings.Baseline

	// ReportFormat is a row of the table of report formats; Write writes a report.
	ReportFormat = report.Format
	// ReportOptions are settings of reports that do not come from the run.
	ReportOptions = report.Options
	// ReportOutput is one report to write, to a file or standard output.
	ReportOutput = report.Output
	// TextOptions are the options of the text format.
	TextOptions = report.TextOptions

	// CheckInfo is a row of the table of checks.
	CheckInfo = checks.Check
	// StatefulTest is a row of the table of stateful tests.
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

// SuggestSetup returns a setup file for the operations of a report that accepted no request: their responses, and the
// values that would help, as comments. The file loads unchanged.
func SuggestSetup(r *Report) []byte { return report.SuggestSetup(r) }

// Checks returns the table of checks.
func Checks() []*CheckInfo { return checks.All() }

// StatefulTests returns the table of stateful tests, in the order in which they run.
func StatefulTests() []*StatefulTest { return stateful.Tests() }
