package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// grace is how long a run that was ended may take to undo what it did.
const grace = 15 * time.Second

// Undo restores what the run changed. With cleanup it deletes what the run created, the last first. It runs also
// where the context has ended, and then has a grace.
func (t *Tester) Undo(ctx context.Context, cleanup bool) {
	reportOutages(ctx, t)
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
	}
	if t.hasEnded() {
		return
	}
	restore(ctx, t)
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
		t.Collector.Skip(findings.Skipped{Phase: itempool.Phase,
			Reason: fmt.Sprintf("%d items that the run created could not be deleted", left)})
	}
}

// remove deletes an item; false where that is impossible.
func remove(ctx context.Context, t *Tester, item *itempool.Item) bool {
	for _, b := range item.Resource.Bindings {
		if b.Role != resource.Delete || b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
			continue
		}
		c, err := t.builder(b.Operation).Plain(0, nil)
		if err != nil {
			continue
		}
		c.Phase, c.Title = itempool.Phase, "delete what the run created"
		values := itempool.ScopeFor(b, item.Scope)
		values[b.Variable] = item.Key
		t.pool.FillPath(c, values)
		x := t.send(ctx, c)
		return x.Succeeded() || x.Status() == 404 || x.Status() == 410
	}
	return false
}

// Tested counts the operations that requests were sent to, and those of them that accepted one. What was spared does
// not count.
func (t *Tester) Tested() (accepted, tested int) {
	for _, target := range t.Targets {
		switch succeeded, sent := t.Collector.Succeeded(target.Operation); {
		case succeeded:
			accepted++
			tested++
		case sent && target.isTested():
			tested++
		}
	}
	return accepted, tested
}
