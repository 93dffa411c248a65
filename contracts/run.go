package contracts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// The reasons why a run ends early. Report.Ended has the text.
var (
	errOutOfTime = errors.New("the time was up (Options.Limits.MaxTime)")
	errStopped   = errors.New("the run was stopped")
)

// Run tests a backend: phase by phase it makes the cases of every operation, sends them, and checks the
// responses. An error says that nothing could be tested: the document, the options or the backend cannot be
// used. Faults of the backend are findings of the report, which is also complete if the end of the
// context, or of the backend, cuts the run short.
func Run(ctx context.Context, o Options) (*report.Report, error) {
	o.setDefaults()
	p, err := prepare(ctx, &o)
	if err != nil {
		return nil, err
	}
	defer p.client.Close()

	budget := runner.NewBudget(o.Limits.MaxCases, o.Limits.Rate, runner.Clock{Now: o.Clock, Sleep: o.sleep})
	present := credentials.NewPresenter(p.Contract, p.keyring, o.Insecure)
	collector := findings.NewCollector(findings.Options{
		Contract: p.Contract, Operations: p.operations, Constraints: true, Clock: o.Clock,
		Show: func(x *checks.Exchange) report.Sent {
			return present.Show(p.client.Base(p.Transport.Prefix(x.Case.Operation)), x)
		},
		HideIn: present.HideIn, Hide: p.keyring.Hide, Rules: p.Rules,
	})
	began := o.Clock()
	ctx, cancel := context.WithTimeoutCause(ctx, o.Limits.MaxTime, errOutOfTime)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	transport := &runner.Transport{
		Client: p.client, Keyring: p.keyring, Budget: budget, Workers: o.Limits.Workers, Stop: stop,
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
			"give credentials that it takes with Options.Credentials.Token, Options.Credentials.User or " +
			"Options.Credentials.APIKeys"}
	}
	cut := runPhases(ctx, tester, p.phases)
	if tester.LastRound() {
		tester.Introduce(ctx)
		cut = append(cut, runPhases(ctx, tester, p.phases)...)
	}
	tester.Undo(ctx, o.Cleanup)
	weak := collector.Weak(p.operations)
	for _, t := range tester.Targets {
		collector.SetResult(t.Operation, t.Accepted, t.Skipped, weak[t.Operation])
	}
	tester.ReportRefused()
	return collector.Finish(&report.Report{
		URL: o.URL, Seed: o.Seed, Began: began, Requests: budget.Sent(), Ended: endedReason(context.Cause(ctx)),
		Insufficient: o.insufficient(ctx, tester.Tested(weak)), Incomplete: incomplete(cut),
	}, findings.BaselineUse{
		Baseline: o.Baseline, Uses: p.Checker.Uses, RanAll: len(p.phases) == len(runner.Phases()),
	}), nil
}

// runPhases runs the phases of a round. It returns the ids of those that did not begin, or not end although they do.
func runPhases(ctx context.Context, tester *runner.Tester, phases []*runner.Phase) (cut []string) {
	for _, phase := range phases {
		if ctx.Err() != nil {
			tester.Collector.Skip(report.Skipped{Phase: phase.ID, Reason: "the run ended before the phase began"})
			cut = append(cut, phase.ID)
			continue
		}
		tester.Run(ctx, phase)
		if ctx.Err() != nil {
			tester.Collector.Skip(report.Skipped{Phase: phase.ID, Reason: "the run ended before the phase did"})
			if !phase.Endless {
				cut = append(cut, phase.ID)
			}
		}
	}
	return cut
}

// incomplete names the phases that were cut; "" if all ran.
func incomplete(cut []string) string {
	if len(cut) == 0 {
		return ""
	}
	slices.Sort(cut)
	return "the run is incomplete: these phases did not run to their end: " + strings.Join(slices.Compact(cut), ", ")
}

// insufficient returns the reason why too little was tested: too few operations have accepted a request, or none has.
// It returns "" if enough was tested, or if somebody stopped the run.
func (o *Options) insufficient(ctx context.Context, n runner.Tested) string {
	switch {
	case n.Asked == 0 || errors.Is(context.Cause(ctx), context.Canceled),
		n.Accepted > 0 && (float64(n.Accepted)-float64(n.Weak)/2)*100 >= o.Limits.MinTested*float64(n.Asked):
		return ""
	}
	text := fmt.Sprintf("too little was tested: %d of %d operations accepted a request, and %v %% must "+
		"(Options.Limits.MinTested)", n.Accepted, n.Asked, o.Limits.MinTested)
	if n.Accepted == 0 {
		text = fmt.Sprintf("too little was tested: none of %d operations accepted a request", n.Asked)
	}
	if n.Weak > 0 {
		text += fmt.Sprintf("; %d have parts that no accepted request had, and count half", n.Weak)
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
	phases     []*runner.Phase
	client     *wire.Client
	keyring    *credentials.Keyring
}

func prepare(ctx context.Context, o *Options) (*prepared, error) {
	if part, of := o.Select.Shard, o.Select.Shards; part != 0 && (part < 1 || part > of) {
		return nil, &OptionError{"Select.Shard", fmt.Sprintf("%d of %d: the parts are 1 to %d", part, of, of)}
	}
	c, err := spec.Load(ctx, o.Document, o.Load.options(o.Text))
	if err != nil {
		return nil, err
	}
	p := &prepared{Options: runner.Options{
		Contract: c, Headers: o.Credentials.Headers, Seed: o.Seed, FuzzCases: o.Limits.FuzzCases,
		Workers: o.Limits.Workers, Settle: o.Limits.Settle, ReadOnly: o.Select.ReadOnly, Destructive: o.Select.Destructive,
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
		o.Credentials.User = cmp.Or(o.Credentials.User, target.User.Username()+":"+password)
		target.User = nil
		o.URL = target.String()
	}
	if err == nil {
		p.client, err = wire.New(wire.Options{
			URL: target, Timeout: o.Limits.Timeout, Insecure: o.Insecure, Idle: 2 * o.Limits.Workers,
		})
	}
	if err != nil {
		return nil, &OptionError{"URL", err.Error()}
	}
	plan, found := resource.Infer(c, resource.Overrides(o.Resources))
	if len(found) > 0 {
		return nil, errors.New(found[0].String())
	}
	p.Plan = plan
	if p.phases, err = chosenPhases(o.Select.Phases); err != nil {
		return nil, err
	}
	only, err := chosenChecks("Select.Checks", o.Select.Checks, o.Select.Strict)
	if err != nil {
		return nil, err
	}
	p.Checker = checks.New(c, checks.Options{Only: only, Strict: isStrict(o.Select.Checks, o.Select.Strict),
		Limit: o.Limits.MaxResponseTime, Origin: target.Scheme + "://" + target.Host})
	selection := runner.Selection{Patterns: o.Select.Operations, ReadOnly: o.Select.ReadOnly, Shard: o.Select.Shard,
		Shards: o.Select.Shards}
	if p.operations, err = runner.Select(c, selection); err != nil {
		return nil, &OptionError{"Select.Operations", err.Error()}
	}
	if p.Rules, err = o.Rules.bind(c, o.Clock()); err != nil {
		return nil, err
	}
	if p.Setup, err = o.setup(c); err != nil {
		return nil, err
	}
	given := credentials.Given(o.Credentials)
	if p.Private, err = o.private(c); err != nil {
		return nil, err
	}
	p.keyring, err = o.newKeyring(ctx, given, c)
	return p, err
}

func (o *Options) newKeyring(ctx context.Context, given credentials.Given, c *spec.Contract) (*credentials.Keyring,
	error) {
	if len(o.Identities) == 0 {
		return credentials.New(ctx, given, c)
	}
	var identities []credentials.Identity
	for _, i := range o.Identities {
		isKnown := func(other credentials.Identity) bool { return other.Name == i.Name }
		if i.Name == "" || slices.ContainsFunc(identities, isKnown) {
			return nil, &OptionError{"Identities", fmt.Sprintf("each needs a name of its own, and %q is none", i.Name)}
		}
		identities = append(identities, credentials.Identity(i))
	}
	if len(identities) == 1 {
		return nil, &OptionError{"Identities", "one user alone sees nothing of others; name two"}
	}
	return credentials.NewFor(ctx, identities, given, c)
}

// private returns which operations Select.Private selects; nil if it is empty.
func (o *Options) private(c *spec.Contract) (func(*spec.Operation) bool, error) {
	if len(o.Select.Private) == 0 {
		return nil, nil
	}
	selected, err := runner.Select(c, runner.Selection{Patterns: o.Select.Private})
	if err != nil {
		return nil, &OptionError{"Select.Private", err.Error()}
	}
	return func(o *spec.Operation) bool { return slices.Contains(selected, o) }, nil
}

// setup returns the values of SetupFile, else Setup.
func (o *Options) setup(c *spec.Contract) (*runner.Setup, error) {
	if o.SetupFile == "" {
		return o.Setup.values(), nil
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
	tell := func() {
		at := t.Collector.Progress()
		o.Progress(Progress{Phase: at.Phase, Document: t.Contract.Size, Operations: len(t.Targets), Operation: t.Done(),
			Cases: at.Cases, Findings: at.Found, Left: max(0, o.Limits.MaxTime-o.Clock().Sub(began)),
			News: at.News, Tested: at.Tested})
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(progressInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				tell()
			case <-end:
				tell()
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}
