package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/exchange"
)

// exitInterrupted is how a test ends that was interrupted before it found
// anything, as shells say it of SIGINT.
const exitInterrupted = 130

// judging is what `coldframe test` and `coldframe check` do alike: which checks
// judge, and what becomes of what was found.
type judging struct {
	checks     []string
	strict     bool
	operations []string
	slowest    time.Duration
	external   bool

	failOn   string
	baseline string
	reports  outputs
	least    float64
	quiet    bool
	verbose  bool
}

// checkFlags are those that say what is judged.
func (j *judging) checkFlags(f *pflag.FlagSet) {
	f.Var(&named{to: &j.checks, form: "CHECK,...", known: checkIDs()}, "check",
		"checks that judge; !CHECK leaves out; see coldframe test --list")
	f.BoolVar(&j.strict, "strict", false, "also find what is sensible but asked for by no document")
	f.Var(timeout(&j.slowest), "max-response-time", "longest time that an answer may take (default no bound)")
	f.Var(&repeated{to: &j.operations, form: "PATTERN"}, "operation",
		"what is checked: a path, METHOD path, METHOD, operationId or tag:NAME, * for any text; "+
			"!PATTERN leaves out; may be given several times")
}

// outputFlags are those that say what becomes of the findings.
func (j *judging) outputFlags(f *pflag.FlagSet) {
	j.failOn = exchange.Error.String()
	f.Var(choice(&j.failOn, "error", "warning", "none"), "fail-on", "least severity of findings that end with 1")
	f.StringVar(&j.baseline, "baseline", "", "JSON report `FILE` whose findings are known and do not count")
	f.Var(&j.reports, "report", "reports to write: "+formatNames()+"; - for standard output")
	f.Var(percent(&j.least), "min-coverage", "end with 1 where less of the document was exercised")
	f.BoolVarP(&j.quiet, "quiet", "q", false, "print findings only, and no progress")
	f.BoolVar(&j.verbose, "verbose", false, "print each operation, whole requests and all that was skipped")
	f.BoolVar(&j.external, "allow-external-refs", false, "let $refs leave the document's directory")
}

// prepare finds before the start what would fail at the end, and gives the
// findings that are known.
func (j *judging) prepare(p *program) (*contracts.Baseline, error) {
	if err := j.reports.check(p.origin("report")); err != nil {
		return nil, err
	}
	if j.baseline == "" {
		return nil, nil
	}
	known, err := contracts.LoadBaseline(j.baseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no baseline %q; write one with --report json=%[1]s", j.baseline)
	}
	return known, err
}

// finish prints and writes what was found, and gives the exit code.
func (j *judging) finish(ctx context.Context, p *program, report *contracts.Report) error {
	report.Ended = flagNames(report.Ended)
	for i := range report.Skipped {
		report.Skipped[i].Reason = flagNames(report.Skipped[i].Reason)
	}
	if err := j.reports.write(p, j, report); err != nil {
		return err
	}
	covered := report.Coverage.Reaches(j.least)
	if !covered {
		fmt.Fprintln(p.stderr, "coldframe: "+printable(shortfall(report.Coverage, j.least)))
	}
	switch {
	case j.failed(report.Findings), !covered:
		return exitError(exitFindings)
	case ctx.Err() != nil:
		return exitError(exitInterrupted)
	}
	return nil
}

// failed reports whether any finding counts.
func (j *judging) failed(findings []contracts.Finding) bool {
	for _, f := range findings {
		if !f.Known && (j.failOn == "warning" || j.failOn == "error" && f.Severity == exchange.Error) {
			return true
		}
	}
	return false
}

func phaseIDs() []string {
	var ids []string
	for _, p := range contracts.Phases() {
		ids = append(ids, p.ID)
	}
	return ids
}

func checkIDs() []string {
	var ids []string
	for _, c := range contracts.Checks() {
		ids = append(ids, c.ID)
	}
	return ids
}
