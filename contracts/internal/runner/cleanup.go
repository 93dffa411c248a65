package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// grace is how long a run that was ended may take to undo what it did.
const grace = 15 * time.Second

// Undo restores what the run changed. With cleanup it deletes what the run created, the last first. It runs also
// if the context has ended, and then has a grace.
func (t *Tester) Undo(ctx context.Context, cleanup bool) {
	reportOutages(ctx, t)
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
	}
	if t.guard.LockedOut() {
		return
	}
	t.guard.Finish()
	t.guard.Restore(ctx)
	if !cleanup {
		return
	}
	left := 0
	for _, item := range t.pool.Left() {
		if !remove(ctx, t, item) {
			left++
		}
	}
	if left > 0 {
		t.Collector.Skip(report.Skipped{Phase: itempool.Phase,
			Reason: fmt.Sprintf("%d items that the run created could not be deleted", left)})
	}
}

// remove deletes an item; false if that is impossible.
func remove(ctx context.Context, t *Tester, item *itempool.Item) bool {
	for _, b := range item.Resource.Bindings {
		if b.Role != resource.Delete || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
			continue
		}
		c, err := t.builder(b.Operation).Plain(0, nil)
		if err != nil {
			continue
		}
		c.Phase, c.Title, c.As = itempool.Phase, "delete what the run created", item.As
		values := itempool.ScopeFor(b, item.Scope)
		values[b.Variable] = item.Key
		t.pool.FillPath(c, values)
		x := t.send(ctx, c)
		return x.Succeeded() || x.Status() == 404 || x.Status() == 410
	}
	return false
}

// Tested is how many operations were tested of those that were asked for.
type Tested struct {
	Asked    int // without those that a rule skips
	Accepted int // that accepted a request
	Weak     int // of these, operations with a part that no accepted request had
	Lost     int // that did, and refused all in the end
	Spared   int // that got few requests or none, for what they could do
}

// maxRefused is after how many refusals without a success an operation counts as lost.
const maxRefused = 10

// Tested counts the operations that were tested. weak is what Collector.Weak returns.
func (t *Tester) Tested(weak map[*spec.Operation][]string) (n Tested) {
	for _, target := range t.Targets {
		if t.Rules.Skipped(target.Operation) != "" {
			continue
		}
		n.Asked++
		if len(weak[target.Operation]) > 0 {
			n.Weak++
		}
		succeeded, _ := t.Collector.Succeeded(target.Operation)
		switch {
		case t.guard.EndedAccess(target.Operation):
			n.Accepted++
		case succeeded && target.refused.Load() >= maxRefused:
			n.Lost++
		case succeeded:
			n.Accepted++
		case target.spared.Load():
			n.Spared++
		}
	}
	return n
}
