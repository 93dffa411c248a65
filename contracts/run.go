package contracts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/rules"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// The reasons why a run ends early. Report.Ended has the text.
var (
	errOutOfTime = errors.New("the time was up (Options.MaxTime)")
	errStopped   = errors.New("the run was stopped")
)

// Run tests a backend: phase by phase it makes the cases of every operation, sends them, and checks the responses. An
// error says why nothing could be tested: the document, the options or the backend cannot be used. Faults of the
// backend are findings in the report. The report is complete even if the context or the backend ends during the run.
func Run(ctx context.Context, o Options) (*Report, error) {
	o.setDefaults()
	p, err := prepare(ctx, &o)
	if err != nil {
		return nil, err
	}
	defer p.client.Close()

	budget := runner.NewBudget(o.MaxCases, o.Rate, runner.Clock{Now: o.Clock, Sleep: o.sleep})
	present := credentials.NewPresenter(p.Contract, p.keyring, o.Insecure)
	collector := findings.NewCollector(findings.Options{
		Contract: p.Contract, Operations: p.operations, Constraints: true, Clock: o.Clock,
		Show:   func(x *checks.Exchange) findings.Sent { return present.Show(p.client.Base(), x) },
		HideIn: present.HideIn, Hide: p.keyring.Hide, Rules: p.Rules,
	})
	began := o.Clock()
	ctx, cancel := context.WithTimeoutCause(ctx, o.MaxTime, errOutOfTime)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	transport := &runner.Transport{
		Client: p.client, Keyring: p.keyring, Budget: budget, Workers: o.Workers, Stop: stop,
		Restart: o.Restart,
	}
	p.Transport, p.Collector = transport, collector
	p.Checker.Until(ctx.Done())
	tester := runner.New(p.operations, p.Options)
	defer reportProgress(&o, began, tester)()

	if err := tester.Locate(ctx); err != nil {
		return nil, &AccessError{o.URL + " cannot be tested: " + p.keyring.Hide(err.Error())}
	}
	tester.Introduce(ctx)
	if collector.AllUnauthorized() {
		return nil, &AccessError{o.URL + " answers every request with 401 or 403: " +
			"give credentials that it takes with Options.Token, Options.User or Options.APIKeys"}
	}
	runPhases(ctx, tester, p.phases)
	if tester.LastRound() {
		tester.Introduce(ctx)
		runPhases(ctx, tester, p.phases)
	}
	tester.Undo(ctx, o.Cleanup)
	for _, t := range tester.Targets {
		collector.SetResult(t.Operation, t.Accepted, t.Skipped)
	}
	tester.ReportRefused()
	return collector.Finish(&Report{
		URL: o.URL, Seed: o.Seed, Began: began, Requests: budget.Sent(), Ended: endedReason(context.Cause(ctx)),
		Insufficient: o.insufficient(ctx, tester),
	}, findings.BaselineUse{Baseline: o.Baseline, Uses: p.Checker.Uses, RanAll: len(p.phases) == len(Phases())}), nil
}

// runPhases runs the phases of a round.
func runPhases(ctx context.Context, tester *runner.Tester, phases []*Phase) {
	for _, phase := range phases {
		if ctx.Err() != nil {
			tester.Collector.Skip(Skipped{Phase: phase.ID, Reason: "the run ended before the phase began"})
			continue
		}
		tester.Run(ctx, phase)
		if ctx.Err() != nil {
			tester.Collector.Skip(Skipped{Phase: phase.ID, Reason: "the run ended before the phase did"})
		}
	}
}

// insufficient returns the reason why too little was tested: too few operations have accepted a request, or none has.
// It returns "" if enough was tested, or if somebody stopped the run.
func (o *Options) insufficient(ctx context.Context, tester *runner.Tester) string {
	n := tester.Tested()
	switch {
	case n.Asked == 0 || errors.Is(context.Cause(ctx), context.Canceled),
		n.Accepted > 0 && float64(n.Accepted)*100 >= o.MinTested*float64(n.Asked):
		return ""
	}
	text := fmt.Sprintf("too little was tested: %d of %d operations accepted a request, and %v %% must "+
		"(Options.MinTested)", n.Accepted, n.Asked, o.MinTested)
	if n.Accepted == 0 {
		text = fmt.Sprintf("too little was tested: none of %d operations accepted a request", n.Asked)
	}
	if n.Lost > 0 {
		text += fmt.Sprintf("; %d accepted some at first, and then refused all", n.Lost)
	}
	if n.Spared > 0 {
		text += fmt.Sprintf("; %d were spared, for what they could do (see what was skipped)", n.Spared)
	}
	return text
}

// endedReason returns the reason why a run ended early; "" if it was complete.
func endedReason(cause error) string {
	switch {
	case cause == nil:
		return ""
	case errors.Is(cause, context.Canceled):
		return errStopped.Error()
	}
	return cause.Error()
}

// prepared has the results of the options: the options of the runner, and the phases to run.
type prepared struct {
	runner.Options
	operations []*spec.Operation
	phases     []*Phase
	client     *wire.Client
	keyring    *credentials.Keyring
}

func prepare(ctx context.Context, o *Options) (*prepared, error) {
	if o.Shard != 0 && (o.Shard < 1 || o.Shard > o.Shards) {
		return nil, &OptionError{"Shard", fmt.Sprintf("%d of %d: the parts are 1 to %d", o.Shard, o.Shards, o.Shards)}
	}
	c, err := spec.Load(ctx, o.Document, spec.Options{Text: o.Text, AllowExternal: o.AllowExternalRefs,
		Root: o.RefsRoot, IgnoreUnreadable: o.IgnoreUnreadableRefs, MaxBytes: o.MaxDocument, Timeout: o.LoadTimeout})
	if err != nil {
		return nil, err
	}
	p := &prepared{Options: runner.Options{
		Contract: c, Headers: o.Headers, Seed: o.Seed, FuzzCases: o.FuzzCases, Workers: o.Workers, ReadOnly: o.ReadOnly,
	}}
	target, err := url.Parse(o.URL)
	if parsing, ok := errors.AsType[*url.Error](err); ok {
		err = parsing.Err // without the URL, which may contain a password
		if strings.Contains(o.URL, "@") {
			err = errors.New("it is no URL; is its password percent-encoded?")
		}
	}
	if err == nil && target.User != nil { // RFC 3986 section 3.2.1
		password, _ := target.User.Password()
		o.User = cmp.Or(o.User, target.User.Username()+":"+password)
		target.User = nil
		o.URL = target.String()
	}
	if err == nil {
		p.client, err = wire.New(wire.Options{URL: target, Timeout: o.Timeout, Insecure: o.Insecure, Idle: 2 * o.Workers})
	}
	if err != nil {
		return nil, &OptionError{"URL", err.Error()}
	}
	plan, found := resource.Infer(c, o.Resources)
	if len(found) > 0 {
		return nil, errors.New(found[0].String())
	}
	p.Plan = plan
	if p.phases, err = chosenPhases(o.Phases); err != nil {
		return nil, err
	}
	only, err := chosenChecks(o.Checks, o.Strict)
	if err != nil {
		return nil, err
	}
	p.Checker = checks.New(c, checks.Options{Only: only, Limit: o.MaxResponseTime,
		Origin: target.Scheme + "://" + target.Host})
	selection := runner.Selection{Patterns: o.Operations, ReadOnly: o.ReadOnly, Shard: o.Shard, Shards: o.Shards}
	if p.operations, err = runner.Select(c, selection); err != nil {
		return nil, &OptionError{"Operations", err.Error()}
	}
	if p.Rules, err = rules.New(c, o.Rules, o.Clock()); err != nil {
		return nil, err
	}
	if p.Setup, err = o.setup(c); err != nil {
		return nil, err
	}
	given := credentials.Given{Token: o.Token, User: o.User, APIKeys: o.APIKeys, Headers: o.Headers,
		Refresh: o.RefreshToken}
	p.keyring, err = credentials.New(ctx, given, c)
	return p, err
}

// setup returns the values in SetupFile, else Setup.
func (o *Options) setup(c *spec.Contract) (*Setup, error) {
	if o.SetupFile == "" {
		return o.Setup, nil
	}
	setup, found, err := runner.LoadSetup(o.SetupFile, c, o.Clock())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no setup file %q%s", o.SetupFile, nearest.File(o.SetupFile))
	case len(found) > 0:
		return nil, &SetupError{found}
	}
	return setup, err
}

// progressInterval is the time between reports of progress.
const progressInterval = 100 * time.Millisecond

// reportProgress reports progress from one goroutine until done is called, and then once more.
func reportProgress(o *Options, began time.Time, t *runner.Tester) (done func()) {
	if o.Progress == nil {
		return func() {}
	}
	report := func() {
		p := Progress{Document: t.Contract.Size, Operations: len(t.Targets), Operation: t.Done(),
			Left: max(0, o.MaxTime-o.Clock().Sub(began))}
		p.Phase, p.Cases, p.Findings = t.Collector.Progress()
		o.Progress(p)
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(progressInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				report()
			case <-end:
				report()
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}
