package itempool

import (
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// Bounds of the creations that are remembered, and of how many parents of an item are followed.
const (
	maxOrigins     = 5_000
	maxOriginDepth = 3
)

// origin is an item that the run created.
type origin struct {
	resource *resource.Resource
	id       string // of identify
}

func (p *Pool) noteOrigin(item *Item, x *checks.Exchange) {
	if p.origins == nil {
		p.origins = map[origin]*checks.Exchange{}
	}
	id := origin{item.Resource, identify(item.Resource, item.Key, item.Scope)}
	if p.origins[id] == nil && len(p.origins) < maxOrigins {
		p.origins[id] = x.Kept()
	}
}

// Origins returns the requests with which the run created the items that a request names in its path and in its body,
// parents first.
func (p *Pool) Origins(x *checks.Exchange) []*checks.Exchange {
	p.seeing.Lock()
	defer p.seeing.Unlock()
	var all []*checks.Exchange
	p.addOrigins(x, &all, 0)
	return all
}

func (p *Pool) addOrigins(x *checks.Exchange, all *[]*checks.Exchange, depth int) {
	if depth == maxOriginDepth {
		return
	}
	add := func(r *resource.Resource, key string, scope map[string]string) {
		by := p.origins[origin{r, identify(r, key, scope)}]
		if by != nil && !by.Is(x) && !slices.ContainsFunc(*all, by.Is) {
			p.addOrigins(by, all, depth+1)
			*all = append(*all, by)
		}
	}
	if b := p.Plan.Of(x.Case.Operation); b != nil && b.Resource != nil {
		variables, scope := PathVariables(x), map[string]string{}
		for _, v := range b.Scope {
			if v.Parent != nil {
				add(v.Parent, variables[v.Name], scope)
			}
			scope[v.Name] = variables[v.Name]
		}
		if b.KeyIn == resource.InPath {
			add(b.Resource, variables[b.Variable], scope)
		}
	}
	body, _ := Sent(x).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if r := p.Plan.Referred(name); r != nil {
			add(r, Text(body[name]), nil)
		}
	}
}
