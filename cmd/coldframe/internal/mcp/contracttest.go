package mcp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

const (
	maxRuns         = 4               // of contract tests, whose findings can be rerun
	defaultTestTime = 1 * time.Minute // clients give up on longer calls
)

// run is a contract test that has ended.
type run struct {
	options contracts.Options
	report  *report.Report
}

type testIn struct {
	ofDocument
	URL        string   `json:"url" jsonschema:"of the backend"`
	Operations []string `json:"operations,omitempty" jsonschema:"a path, METHOD path, operationId or tag:NAME, * for any text; default all"`
	Phases     []string `json:"phases,omitempty" jsonschema:"such as examples, coverage, stateful or fuzz; default all"`
	ReadOnly   bool     `json:"readOnly,omitempty" jsonschema:"send GET and HEAD only"`
	MaxTime    string   `json:"maxTime,omitempty" jsonschema:"longest time, default 1m"`
	Seed       uint64   `json:"seed,omitempty" jsonschema:"selects the cases"`
}

func runContractTest(ctx context.Context, c *call, in testIn) (answer, error) {
	d, err := c.agent.document(ctx, in.Document)
	if err != nil {
		return answer{}, err
	}
	if err := c.agent.mayTest(in.URL); err != nil {
		return answer{}, err
	}
	o := c.agent.options.Test
	o.Document, o.Text, o.Resources = d.Mock.Document, d.Mock.Text, contracts.ResourceOverrides(d.overrides())
	o.Load, o.Rules = contracts.LoadOptions(d.Mock.Load), d.Rules
	o.URL, o.Seed = in.URL, in.Seed
	o.Select = contracts.Selection{Operations: in.Operations, Phases: in.Phases, ReadOnly: in.ReadOnly}
	o.Limits.MaxTime = defaultTestTime
	if in.MaxTime != "" {
		if o.Limits.MaxTime, err = time.ParseDuration(in.MaxTime); err != nil || o.Limits.MaxTime <= 0 {
			return answer{}, saying("maxTime is no time such as 30s or 5m.")
		}
	}
	tested, err := c.test(ctx, o)
	if err != nil {
		return answer{}, err
	}
	a := c.agent
	a.mutex.Lock()
	a.runs = append(a.runs, tested)
	a.runs = slices.Delete(a.runs, 0, max(0, len(a.runs)-maxRuns))
	a.mutex.Unlock()
	r := tested.report
	accepted := 0
	for _, o := range r.Operations {
		if o.Accepted {
			accepted++
		}
	}
	return answer{
		summary: fmt.Sprintf("%d new errors in %s, after %s; %d of %s accepted a request.", len(r.New()),
			exchange.Count(len(r.Findings), "finding"), exchange.Count(r.Requests, "request"), accepted,
			exchange.Count(len(r.Operations), "operation")),
		next: []string{"rerun_finding"},
		untrusted: map[string]any{"findings": faultsOf(r.Findings), "flaky": faultsOf(r.Flaky), "skipped": r.Skipped,
			"ended": r.Ended, "insufficient": r.Insufficient, "incomplete": r.Incomplete},
	}, nil
}

// mayTest returns an error if a backend is neither on this machine nor on an allowed host.
func (a *agent) mayTest(backend string) error {
	u, err := url.Parse(backend)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return saying("url is no URL of a backend, such as http://localhost:8080.")
	}
	host := u.Hostname()
	if host == "localhost" || net.ParseIP(host).IsLoopback() || slices.Contains(a.options.AllowedHosts, host) {
		return nil
	}
	return saying("Contract tests go to this machine only; the user can allow another host with --allow-host NAME.")
}

// test runs a contract test, and sends its progress to the client if it asked for that.
func (c *call) test(ctx context.Context, o contracts.Options) (*run, error) {
	sent := -1
	if token := c.request.Params.GetProgressToken(); token != nil {
		o.Progress = func(p contracts.Progress) {
			if p.Cases <= sent {
				return
			}
			sent = p.Cases
			c.request.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token,
				Progress: float64(sent), Message: fmt.Sprintf("%s: %d of %d operations, %s", p.Phase, p.Operation,
					p.Operations, exchange.Count(p.Findings, "finding"))})
		}
	}
	r, err := contracts.Run(ctx, o)
	if err == nil && ctx.Err() != nil {
		err = errors.New("the test was cancelled")
	}
	return &run{o, r}, err
}

// fault is a finding of a contract test as tools return it.
type fault struct {
	Finding   string   `json:"finding"` // fingerprint
	Severity  string   `json:"severity"`
	Check     string   `json:"check"`
	Operation string   `json:"operation"`
	Message   string   `json:"message"`
	Document  string   `json:"document,omitempty"`
	Line      string   `json:"line,omitempty"`
	Source    string   `json:"source,omitempty"`
	Curl      []string `json:"curl,omitempty"`
}

func faultsOf(all []report.Finding) []fault {
	shown := []fault{}
	for _, f := range all {
		one := fault{Finding: f.Fingerprint, Severity: f.Severity.String(), Check: f.Check, Operation: f.Operation,
			Message: f.Message, Document: f.Place.String(), Line: f.Excerpt, Source: f.Source}
		for _, s := range f.Sent {
			one.Curl = append(one.Curl, s.Curl)
		}
		shown = append(shown, one)
	}
	return shown
}

type rerunIn struct {
	Finding string `json:"finding" jsonschema:"as run_contract_test has returned it"`
}

// rerunFinding repeats the part of a contract test that has led to a finding: its operations, phase and check.
func rerunFinding(ctx context.Context, c *call, in rerunIn) (answer, error) {
	a := c.agent
	a.mutex.Lock()
	runs := slices.Clone(a.runs)
	a.mutex.Unlock()
	for _, earlier := range slices.Backward(runs) {
		for _, f := range slices.Concat(earlier.report.Findings, earlier.report.Flaky) {
			if f.Fingerprint != in.Finding {
				continue
			}
			o := earlier.options
			o.Select.Operations, o.Select.Checks = f.Operations, []string{f.Check}
			isPhase := func(p contracts.Phase) bool { return p.ID == f.Phase }
			if slices.ContainsFunc(contracts.Phases(), isPhase) { // the plain requests at the start are none
				o.Select.Phases = []string{f.Phase}
			}
			again, err := c.test(ctx, o)
			if err != nil {
				return answer{}, err
			}
			left := slices.DeleteFunc(slices.Clone(again.report.Findings), func(other report.Finding) bool {
				return other.Check != f.Check || !strings.EqualFold(other.About, f.About)
			})
			rerun := answer{summary: "The finding is gone.", untrusted: map[string]any{"findings": faultsOf(left)}}
			switch {
			case len(left) > 0:
				rerun.summary = "The finding is still there."
			case again.report.Ended != "":
				return answer{}, errors.New(again.report.Ended)
			}
			return rerun, nil
		}
	}
	return answer{}, saying("No contract test of this client has a finding of this name; call run_contract_test.")
}
