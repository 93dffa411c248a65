package main

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

// TestExit says with which code a test ends.
func TestExit(t *testing.T) {
	fault := report.Finding{Check: "body"}
	doubt := report.Finding{Check: "in-time", Severity: exchange.Warning}
	known := report.Finding{Check: "body", Known: true}
	for _, c := range []struct {
		name        string
		failOn      string
		interrupted bool
		least       float64
		findings    []report.Finding
		want        int
	}{
		{name: "nothing", failOn: "warning", want: exitFine},
		{name: "a fault", failOn: "error", findings: []report.Finding{fault}, want: exitFindings},
		{name: "a fault, warnings count", failOn: "warning", findings: []report.Finding{fault}, want: exitFindings},
		{name: "a fault, nothing counts", failOn: "none", findings: []report.Finding{fault}, want: exitFine},
		{name: "a warning", failOn: "error", findings: []report.Finding{doubt}, want: exitFine},
		{name: "a warning, warnings count", failOn: "warning", findings: []report.Finding{doubt}, want: exitFindings},
		{name: "a known fault", failOn: "error", findings: []report.Finding{known}, want: exitFine},
		{name: "a known and a new one", failOn: "error", findings: []report.Finding{known, fault}, want: exitFindings},
		{name: "interrupted", failOn: "error", interrupted: true, want: exitInterrupted},
		{name: "interrupted after a fault", failOn: "error", interrupted: true, findings: []report.Finding{fault}, want: exitFindings},
		{name: "too little", failOn: "error", least: 50, want: exitFindings},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.interrupted {
				cancel()
			}
			var out bytes.Buffer
			j := &judging{failOn: c.failOn, least: c.least}
			err := j.finish(ctx, &program{stdout: screen(&out), stderr: screen(&out)}, &report.Report{Findings: c.findings, Coverage: &coverage.Report{Summary: coverage.Summary{Covered: 2, Total: 5, Percent: 40}}})
			exit := exitError(exitFine)
			if err != nil && !errors.As(err, &exit) || int(exit) != c.want {
				t.Errorf("got %v, want %d", err, c.want)
			}
		})
	}
}
