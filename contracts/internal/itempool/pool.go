package itempool

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/coldframe/coldframe/internal/resource"
)

// pool is the items that one operation's requests are about, below one parent.
type pool struct {
	mu     sync.Mutex
	items  []*Item
	made   int
	failed int // attempts in a row that gave nothing
}

// item gives an item of a resource below the given scope: one that is kept for
// the owner, or a new one; nil where there is none to be had. consumes takes it
// out of the pool.
func (s *Supply) item(ctx context.Context, r *resource.Resource, scope map[string]string, owner string, consumes bool) *Item {
	if r.Singleton && !r.Has(resource.Delete) {
		return &Item{Resource: r, Scope: scope}
	}
	chain := chainOf(ctx)
	if slices.Contains(chain, r) {
		return nil
	}
	p := s.pool(owner + "\n" + r.Name + "\n" + fmt.Sprint(scope))
	switch {
	case owner != "":
		p.mu.Lock()
		defer p.mu.Unlock()
	case len(chain) == 0:
		s.shared.Lock()
		defer s.shared.Unlock()
	}
	if owner == "" {
		ctx = context.WithValue(ctx, chainKey{}, append(slices.Clip(chain), r))
	}
	if len(p.items) == 0 {
		if p.failed >= maxFailed {
			return nil
		}
		p.made++
		item := s.make(ctx, r, scope, owner, p.made)
		if item == nil && !consumes {
			item = s.listed(ctx, r, scope)
		}
		if item == nil {
			p.failed++
			return nil
		}
		p.failed = 0
		p.items = append(p.items, item)
	}
	item := p.items[len(p.items)-1]
	if consumes {
		p.items = p.items[:len(p.items)-1]
	}
	return item
}

// chainKey is the key of the shared resources that are being made, the outermost
// first: what needs itself cannot be made.
type chainKey struct{}

func chainOf(ctx context.Context) []*resource.Resource {
	chain, _ := ctx.Value(chainKey{}).([]*resource.Resource)
	return chain
}
