package contracts

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// OptionError says which option cannot be.
type OptionError struct{ Option, Message string }

func (e *OptionError) Error() string { return e.Option + ": " + e.Message }

// prepare checks the options, loads the document and makes what a run needs.
func prepare(ctx context.Context, o *Options) (*run, error) {
	o.defaults()
	if o.Shard != 0 && (o.Shard < 1 || o.Shard > o.Shards) {
		return nil, &OptionError{"shard", fmt.Sprintf("%d of %d: the parts are 1 to %d", o.Shard, o.Shards, o.Shards)}
	}
	c := o.Contract
	if c == nil {
		var err error
		if c, err = spec.Load(ctx, o.Document, spec.Options{Text: o.Text, AllowExternal: o.AllowExternalRefs}); err != nil {
			return nil, err
		}
	}
	target, err := url.Parse(o.URL)
	if err != nil {
		return nil, &OptionError{"URL", err.Error()}
	}
	client, err := wire.New(wire.Options{URL: target, Timeout: o.Timeout, Insecure: o.Insecure, Idle: 2 * o.Workers})
	if err != nil {
		return nil, &OptionError{"URL", err.Error()}
	}
	plan, findings := resource.Infer(c, o.Resources)
	if len(findings) > 0 {
		return nil, errors.New(findings[0].String())
	}
	r := &run{options: o, contract: c, plan: plan, client: client, budget: newBudget(o)}
	r.makers.of = map[*spec.Operation]*cases.Builder{}
	if r.phases, err = o.phases(); err != nil {
		return nil, err
	}
	only, err := o.checks()
	if err != nil {
		return nil, err
	}
	r.judge = checks.New(c, checks.Options{Only: only, Limit: o.MaxResponseTime, Origin: target.Scheme + "://" + target.Host})
	if err := r.choose(); err != nil {
		return nil, err
	}
	if r.keyring, err = newKeyring(ctx, o); err != nil {
		return nil, err
	}
	r.keyring.schemes = schemesOf(c)
	for o, m := range r.makers.of {
		m.Prefer(r.keyring.prefer(o))
	}
	r.supply = itempool.New(plan, itempool.Options{
		Builder: r.maker, ReadOnly: o.ReadOnly,
		Send: func(ctx context.Context, c *cases.Case) *checks.Exchange { return r.exchange(ctx, c, false) },
	})
	r.stories = r.storyOptions()
	r.tally = newTally(client.Base, newCommands(c, o.Headers, r.keyring.given, o.Insecure), newCover(c, r.subjects, true), o.Clock)
	for _, s := range r.subjects {
		r.tally.subject(s)
	}
	return r, nil
}

func (o *Options) defaults() {
	if o.MaxCases <= 0 {
		o.MaxCases = defaultMaxCases
	}
	if o.MaxTime <= 0 {
		o.MaxTime = defaultMaxTime
	}
	if o.FuzzCases <= 0 {
		o.FuzzCases = defaultFuzzCases
	}
	if o.Workers <= 0 {
		o.Workers = defaultWorkers
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.sleep == nil {
		o.sleep = sleep
	}
}

// phases gives those that run.
func (o *Options) phases() ([]*Phase, error) {
	if len(o.Phases) == 0 {
		return phases, nil
	}
	var ids []string
	for _, p := range phases {
		ids = append(ids, p.ID)
	}
	for _, id := range o.Phases {
		if !slices.Contains(ids, id) {
			return nil, &OptionError{"phase", fmt.Sprintf("%q is none of %s", id, strings.Join(ids, ", "))}
		}
	}
	return slices.DeleteFunc(slices.Clone(phases), func(p *Phase) bool { return !slices.Contains(o.Phases, p.ID) }), nil
}

// checks gives those that judge: the ones that are named, or all that are not
// strict; "!" leaves one out.
func (o *Options) checks() (func(*checks.Check) bool, error) {
	var ids, named, not []string
	for _, c := range checks.All() {
		ids = append(ids, c.ID)
	}
	for _, text := range o.Checks {
		id, exclude := strings.CutPrefix(text, "!")
		if !slices.Contains(ids, id) {
			return nil, &OptionError{"check", fmt.Sprintf("%q is none of %s", id, strings.Join(ids, ", "))}
		}
		if exclude {
			not = append(not, id)
		} else {
			named = append(named, id)
		}
	}
	return func(c *checks.Check) bool {
		if slices.Contains(not, c.ID) {
			return false
		}
		return slices.Contains(named, c.ID) || len(named) == 0 && (!c.Strict || o.Strict)
	}, nil
}

// choose takes the operations that are tested.
func (r *run) choose() error {
	o := r.options
	wanted, err := newChoice(o.Operations)
	if err != nil {
		return &OptionError{"operation", err.Error()}
	}
	r.of = make(map[*spec.Operation]*subject, len(r.contract.Operations))
	n := 0
	for _, op := range r.contract.Operations {
		if !wanted.takes(op) || o.ReadOnly && op.Method != "GET" && op.Method != "HEAD" {
			continue
		}
		if n++; o.Shard != 0 && n%o.Shards != o.Shard-1 {
			continue
		}
		r.of[op] = &subject{Operation: op, name: nameOf(op), maker: r.maker(op)}
		r.subjects = append(r.subjects, r.of[op])
	}
	if n == 0 && len(r.contract.Operations) > 0 {
		return &OptionError{"operation", "no operation of the document is chosen"}
	}
	return nil
}

// maker gives what makes an operation's cases. Operations that are not chosen
// make items for those that are, but for what ReadOnly forbids.
func (r *run) maker(o *spec.Operation) *cases.Builder {
	r.makers.Lock()
	defer r.makers.Unlock()
	m := r.makers.of[o]
	if m == nil {
		m = cases.New(o, r.options.Seed)
		m.Hint(hintsOf(r.plan.Of(o)))
		if r.keyring != nil {
			m.Prefer(r.keyring.prefer(o))
		}
		r.makers.of[o] = m
	}
	return m
}

// hintsOf says of an operation's parameters what its part in a resource tells.
func hintsOf(b *resource.Binding) cases.Hints {
	if b == nil {
		return cases.Hints{}
	}
	h := b.Headers
	hints := cases.Hints{Unique: h.IdempotencyKey}
	for _, name := range []string{h.IfMatch, h.IfNoneMatch, h.IfModifiedSince, h.IfUnmodifiedSince} {
		if name != "" {
			hints.Opaque = append(hints.Opaque, name)
		}
	}
	if b.List == nil {
		return hints
	}
	for _, p := range b.List.Params {
		if p.Role == resource.Cursor || p.Role == resource.CursorBefore {
			hints.Opaque = append(hints.Opaque, p.Parameter.Name)
		}
	}
	return hints
}

// start begins the run's time and its reports of progress.
func (r *run) start(ctx context.Context) (context.Context, func()) {
	r.began = r.options.Clock()
	ctx, done := r.budget.start(ctx)
	ctx, stop := context.WithCancelCause(ctx)
	r.stop = stop
	told := r.tell()
	return ctx, func() { told(); stop(nil); done() }
}
