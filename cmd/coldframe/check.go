package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/footprint"
	"github.com/coldframe/coldframe/internal/nearest"
	formats "github.com/coldframe/coldframe/internal/report"
	"github.com/coldframe/coldframe/report"
)

func (p *program) checkCommand() *cobra.Command {
	o, j := contracts.CheckOptions{}, judging{}
	command := &cobra.Command{
		Use:         "check RECORDING [DOCUMENT]",
		Short:       "Check recorded traffic against its document",
		Annotations: map[string]string{readsConfig: "check"},
		Long: "Check the requests and responses of RECORDING against the OpenAPI document\n" +
			"DOCUMENT: a file, a folder that has one, an http(s) URL or \"-\" for standard input.\n" +
			"DOCUMENT defaults to ./openapi.yaml (or .yml, .json, swagger.*), and to the built-in\n" +
			"Plant Store if there is none.\n\n" +
			"RECORDING is a HAR file, as browsers and proxies save them, or the journal of a\n" +
			"mock, as GET /__coldframe/requests returns it; \"-\" reads it from standard input.\n\n" +
			"The exit code is 0 without findings, 1 with findings, 2 if nothing could be checked,\n" +
			"130 if it was interrupted before it found anything.",
		Example: "  coldframe check traffic.har openapi.yaml\n" +
			"  curl http://localhost:4010/__coldframe/requests | coldframe check - openapi.yaml",
		Args: takes(1, 2, "a recording and a document"),
		RunE: func(command *cobra.Command, args []string) error {
			return p.check(command.Context(), o, &j, append(args, "")[:2])
		},
	}
	f := command.Flags()
	f.SortFlags = false
	f.StringVar(&o.URL, "url", "", "`URL` of the backend; requests to others are skipped (default any)")
	checkFlags(f, &o.Checks, &o.Strict, &o.MaxResponseTime, &o.Operations)
	j.outputFlags(f)
	documentFlags(f, &o.Load.AllowExternalRefs, &o.Load.RefsRoot, &o.Load.IgnoreUnreadableRefs, &o.Load.Timeout,
		&o.Load.MaxDocument)
	return command
}

func (p *program) check(ctx context.Context, o contracts.CheckOptions, j *judging, args []string) (err error) {
	recording, document := args[0], args[1]
	if recording == "-" && document == "-" {
		return errors.New("standard input is either the recording or the document")
	}
	if o.Baseline, err = j.prepare(p); err != nil {
		return err
	}
	if o.Document, o.Text, err = p.givenDocument(ctx, document, o.Load.MaxDocument, o.Load.Timeout); err != nil {
		return err
	}
	o.File = recording
	if recording == "-" {
		o.File, o.Traffic = standardInput, p.stdin
	}
	footprint.Begin()
	result, err := contracts.Check(ctx, o)
	switch {
	case err != nil:
		return err
	}
	p.orderly.Store(true)
	return j.finish(ctx, p, result)
}

// judging has the settings that `coldframe test` and `coldframe check` share: which checks run, and what happens to
// the findings.
type judging struct {
	failOn   string
	baseline string
	reports  []formats.Output
	least    float64
	quiet    bool
	verbose  bool
}

func checkFlags(f *pflag.FlagSet, checks *[]string, strict *bool, slowest *time.Duration, operations *[]string) {
	f.Var(names(checks, "CHECK,...", checkIDs()), "check",
		"checks to run; !CHECK excludes; see coldframe test --list")
	f.BoolVar(strict, "strict", false, "also run checks of good practice that no document requires")
	f.Var(timeout(slowest), "max-response-time", "longest time for a response (default no limit)")
	add := func(pattern string) error {
		*operations = append(*operations, pattern)
		return nil
	}
	f.Var(repeated("PATTERN", add), "operation",
		"operations to check: a path, METHOD path, METHOD, operationId or tag:NAME, * for any text; "+
			"!PATTERN excludes; may be given several times")
}

// outputFlags adds the flags for coverage, reports, baseline and exit code.
func (j *judging) outputFlags(f *pflag.FlagSet) {
	f.Var(percent(&j.least), "min-coverage", "exit with 1 if less of the document was exercised")
	j.findingFlags(f)
}

// findingFlags adds the flags for reports, baseline and exit code.
func (j *judging) findingFlags(f *pflag.FlagSet) {
	f.Var(choice(&j.failOn, "error", "warning", "none"), "fail-on", "least severity of findings that lead to exit code 1")
	f.StringVar(&j.baseline, "baseline", "", "JSON report `FILE` of known findings, which do not count")
	f.Var(reportList(&j.reports), "report",
		"reports to write: "+strings.Join(reportFormats(), ", ")+"; - for standard output")
	f.BoolVarP(&j.quiet, "quiet", "q", false, "print findings only, and no progress")
	f.BoolVar(&j.verbose, "verbose", false, "print each operation, whole requests and everything that was skipped")
}

// prepare finds before the start what would fail at the end, and returns the findings that are known.
func (j *judging) prepare(p *program) (*report.Baseline, error) {
	if err := j.checkReports(p.origin("report")); err != nil {
		return nil, err
	}
	if j.baseline == "" {
		return nil, nil
	}
	known, err := contracts.LoadBaseline(j.baseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no baseline %q%s; write one with --report json=%[1]s",
			j.baseline, nearest.File(j.baseline))
	}
	return known, err
}

// finish prints and writes what was found, and returns the exit code.
func (j *judging) finish(ctx context.Context, p *program, result *report.Report) error {
	result.Ended = flagNames(result.Ended)
	for i := range result.Skipped {
		result.Skipped[i].Reason = flagNames(result.Skipped[i].Reason)
	}
	if err := j.writeReports(p, result); err != nil {
		return err
	}
	err := p.reaches(result.Coverage, j.least)
	switch {
	case err != nil || slices.ContainsFunc(result.Findings, j.counts):
		return exitError(exitFindings)
	case ctx.Err() != nil:
		return exitError(exitInterrupted)
	}
	return nil
}

func (j *judging) counts(f report.Finding) bool {
	least := map[string]exchange.Severity{"warning": exchange.Warning, "error": exchange.Error}
	worst, some := least[j.failOn]
	return !f.Known && some && f.Severity <= worst
}

func each[T any](rows []T, text func(T) string) []string {
	var texts []string
	for _, row := range rows {
		texts = append(texts, text(row))
	}
	return texts
}

func phaseIDs() []string {
	return each(contracts.Phases(), func(p contracts.Phase) string { return p.ID })
}

func checkIDs() []string {
	return each(contracts.Checks(), func(c report.Check) string { return c.ID })
}
