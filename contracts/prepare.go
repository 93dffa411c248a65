package contracts

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/coldframe/coldframe/contracts/cases"
	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/contracts/supply"
	"github.com/coldframe/coldframe/contracts/wire"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// prepare checks the options, loads the document and makes what a run needs.
func prepare(ctx context.Context, o *Options) (*run, error) {
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
	c := o.Contract
	if c == nil {
		var err error
		if c, err = spec.Load(ctx, o.Document, spec.Options{Text: o.Text, AllowExternal: o.AllowExternalRefs}); err != nil {
			return nil, err
		}
	}
	target, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("the backend's URL: %w", err)
	}
	client, err := wire.New(wire.Options{URL: target, Timeout: o.Timeout, Insecure: o.Insecure, Idle: 2 * o.Workers})
	if err != nil {
		return nil, fmt.Errorf("the backend's URL: %w", err)
	}
	plan, findings := resource.Infer(c, o.Resources)
	if len(findings) > 0 {
		return nil, errors.New(findings[0].String())
	}
	r := &run{options: o, contract: c, plan: plan, client: client, keyring: newKeyring(o)}
	r.judge = checks.New(c, checks.Options{Limit: o.MaxResponseTime})
	r.tally = newTally(r)
	r.budget = newBudget(o)
	r.supply = supply.New(plan, r.exchange)
	for i, op := range c.Operations {
		r.subjects = append(r.subjects, &subject{Operation: op, index: i, maker: cases.New(op, o.Seed)})
	}
	return r, nil
}

// phases gives those that run.
func (r *run) phases() []*Phase { return phases }

// reach finds out whether there is a backend at all.
func (r *run) reach(ctx context.Context) error { return nil }
