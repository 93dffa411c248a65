package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/mock"
)

// share is how many of some steps went as they should.
type share struct{ good, all int }

func (s share) String() string {
	if s.all == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", s.good, s.all)
}

// stage is a part of a round trip.
type stage uint8

const (
	creating stage = iota
	reading
	keyListBody
	updating
	deleting
	afterDeletion // what was deleted is neither read nor listed
	stages
)

func (s stage) String() string {
	return [...]string{"create", "read", "list", "update", "delete", "deleted"}[s]
}

// skipReason is why a step cannot be asked for: the document's doing.
type skipReason string

// result is what was measured on one document.
type result struct {
	Name       string
	Resources  int
	Lifecycles share // all of their steps held
	Stages     [stages]share
	Skipped    map[skipReason][]string // steps that were left out
	Failures   []string
}

func newResult(name string) *result {
	return &result{Name: name, Skipped: map[skipReason][]string{}}
}

func (r *result) row() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %d | %v |", r.Name, r.Resources, r.Lifecycles)
	var steps share
	for _, s := range r.Stages {
		fmt.Fprintf(&b, " %v |", s)
		steps.good += s.good
		steps.all += s.all
	}
	held := "–"
	if steps.all > 0 {
		held = fmt.Sprintf("%.1f %%", 100*float64(steps.good)/float64(steps.all))
	}
	return b.String() + " " + held + " |"
}

func (r *result) add(o *result) {
	r.Resources += o.Resources
	r.Lifecycles.good += o.Lifecycles.good
	r.Lifecycles.all += o.Lifecycles.all
	for i := range r.Stages {
		r.Stages[i].good += o.Stages[i].good
		r.Stages[i].all += o.Stages[i].all
	}
	for e, places := range o.Skipped {
		for _, place := range places {
			r.Skipped[e] = append(r.Skipped[e], o.Name+": "+place)
		}
	}
	r.Failures = append(r.Failures, o.Failures...)
}

// measure sends the resources of a document on their round trips, with unknown items generated and refused,
// with all that can be sent and with what must be.
func measure(ctx context.Context, d corpus.Document) (*result, error) {
	r := newResult(d.Name)
	contract, err := spec.Load(ctx, d.Path, spec.Options{})
	if err != nil {
		return r, err
	}
	plan, _ := resource.Infer(contract, resource.Overrides{})
	for _, unknownItems := range []string{"generate", "refuse"} {
		server, err := mock.New(ctx, mock.Options{Document: d.Path, State: mock.StateOptions{UnknownItems: unknownItems},
			Listen:  mock.ListenOptions{NoListener: true},
			Control: mock.ControlOptions{Journal: -1}, Auth: mock.AuthOptions{MutualTLS: "assume"}})
		if err != nil {
			return r, err
		}
		s := newMockServer(server.Transport(), unknownItems)
		for _, singleChange := range plan.Resources {
			for _, fill := range []string{"all", "required"} {
				for i, creator := range creators(singleChange) {
					r.run(s, singleChange, creator, fill)
					if unknownItems == "generate" && fill == "all" && i == 0 {
						r.Resources++
					}
				}
			}
		}
		if err := server.Close(); err != nil {
			return r, err
		}
	}
	return r, nil
}

// creators returns the operations that make a resource's items, nil if
// nothing else can be done with them.
func creators(r *resource.Resource) []*resource.Binding {
	var generateValue []*resource.Binding
	for _, b := range r.Bindings {
		if b.Role == resource.Create || b.Role == resource.Upsert {
			generateValue = append(generateValue, b)
		}
	}
	for _, role := range []resource.Role{resource.Read, resource.List, resource.Update, resource.Replace,
		resource.Delete} {
		if r.Has(role) {
			return generateValue
		}
	}
	return nil
}

// run takes one item through its life.
func (r *result) run(s *mockServer, singleChange *resource.Resource, creator *resource.Binding, fill string) {
	t := &lifecycle{mockServer: s, resource: singleChange, fill: fill, variables: map[string]any{},
		keys: map[*resource.Resource]any{}, result: r}
	t.session()
	t.runAll(creator)
	if t.steps > 0 {
		r.Lifecycles.all++
		if !t.failed {
			r.Lifecycles.good++
		}
	}
}

func (t *lifecycle) fail(variables stage, b *resource.Binding, format string, args ...any) {
	t.failed = true
	t.result.Failures = append(t.result.Failures, fmt.Sprintf("unknown items %s, %s of %s, %s: %s %s: %s",
		t.unknownItems, t.fill, t.resource.Name, variables, b.Operation.Method, b.Operation.Path,
		fmt.Sprintf(format, args...)))
}

func (t *lifecycle) skip(e skipReason, b *resource.Binding) {
	t.result.Skipped[e] = append(t.result.Skipped[e], b.Operation.Method+" "+b.Operation.Path)
}

// step counts a step; why is empty where it held.
func (t *lifecycle) step(variables stage, b *resource.Binding, why string) bool {
	t.steps++
	t.result.Stages[variables].all++
	if why == "" {
		t.result.Stages[variables].good++
		return true
	}
	t.fail(variables, b, "%s", why)
	return false
}
