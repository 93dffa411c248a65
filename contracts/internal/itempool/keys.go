package itempool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/resource"
)

// maxKeys bounds the keys that are remembered of a resource.
const maxKeys = 20_000

// keys are the keys of a resource's items that the backend has shown, in lower case.
type keys struct {
	shown  map[string]bool
	before map[string]bool // shown before the run created anything
	own    map[string]bool // of items that the run created, also if it has deleted them since
	listed bool            // a list was seen
	// empty says that the list had no items when the run began, so that the run created all that there are.
	empty bool
}

func (p *Pool) keysOf(r *resource.Resource) *keys {
	if p.known == nil {
		p.known = map[*resource.Resource]*keys{}
	}
	k := p.known[r]
	if k == nil {
		k = &keys{shown: map[string]bool{}, before: map[string]bool{}, own: map[string]bool{}}
		p.known[r] = k
	}
	return k
}

// identify returns what identifies an item among others of its resource.
func identify(r *resource.Resource, key string, scope map[string]string) string {
	if r.Scoped {
		key = fmt.Sprint(slices.Sorted(maps.Values(scope))) + "\n" + key
	}
	return strings.ToLower(key)
}

func (k *keys) show(id string) {
	if len(k.shown) < maxKeys {
		k.shown[strings.Clone(id)] = true // without the body that it stands in
	}
}

// Survey looks what exists before the run creates anything, in the lists of all items of a resource.
func (p *Pool) Survey(ctx context.Context, r *resource.Resource) {
	for _, b := range r.Bindings {
		builder := p.Builder(b.Operation)
		if b.Role != resource.List || b.List == nil || b.Subset || len(b.Scope) > 0 || builder == nil {
			continue
		}
		c, err := builder.Plain(0, nil)
		if err != nil {
			continue
		}
		c.Phase, c.Title = Phase, "a list of what exists before the run"
		x := p.Send(ctx, c)
		if !x.Succeeded() {
			continue
		}
		items, ok := b.List.Items.Items(Body(x))
		p.seeing.Lock()
		k := p.keysOf(r)
		k.empty, k.before = ok && len(items) == 0, maps.Clone(k.shown)
		p.seeing.Unlock()
		return
	}
}

// IsOwn reports whether all items of a resource are known to be those that the run created.
func (p *Pool) IsOwn(r *resource.Resource) bool {
	p.seeing.Lock()
	defer p.seeing.Unlock()
	return r != nil && p.keysOf(r).empty
}

// See notes the keys that an answer shows, and what the request created or deleted.
func (p *Pool) See(x *checks.Exchange) {
	b := p.Plan.Of(x.Case.Operation)
	if b == nil || b.Resource == nil || !x.Succeeded() || x.Request.Method != x.Case.Operation.Method {
		return
	}
	variables, scope := PathVariables(x), map[string]string{}
	for _, v := range b.Scope {
		scope[v.Name] = variables[v.Name]
	}
	p.seeing.Lock()
	defer p.seeing.Unlock()
	k := p.keysOf(b.Resource)
	creates := b.Role == resource.Create ||
		(b.Role == resource.Upsert || b.Role == resource.Replace) && x.Status() == 201
	switch {
	case b.Role == resource.List && b.List != nil && KeyOf(b.Resource) != nil:
		k.listed = true
		items, _ := b.List.Items.Items(Body(x))
		for _, item := range items {
			if key := keyAt(item, KeyOf(b.Resource)); key != "" {
				k.show(identify(b.Resource, key, scope))
			}
		}
	case creates && !b.Resource.Singleton:
		if item := Created(b, x, scope); item != nil {
			item.As = x.Case.As
			p.noteCreated(k, item)
			p.noteOrigin(item, x)
		}
	case b.Role == resource.Delete && b.KeyIn == resource.InPath:
		id := identify(b.Resource, variables[b.Variable], scope)
		p.created = slices.DeleteFunc(p.created, func(i *Item) bool {
			return i.Resource == b.Resource && identify(i.Resource, i.Key, i.Scope) == id
		})
	}
}

func (p *Pool) noteCreated(k *keys, item *Item) {
	id := identify(item.Resource, item.Key, item.Scope)
	if k.show(id); !k.before[id] && len(p.created) < maxKeys {
		k.own[id] = true
		p.created = append(p.created, item)
	}
}

// Left returns the items that the run created and has not deleted, the last first.
func (p *Pool) Left() []*Item {
	p.seeing.Lock()
	defer p.seeing.Unlock()
	left := slices.Clone(p.created)
	slices.Reverse(left)
	return left
}

// wasThere reports whether an item was shown before the run created anything.
func (p *Pool) wasThere(item *Item) bool {
	p.seeing.Lock()
	defer p.seeing.Unlock()
	return p.keysOf(item.Resource).before[identify(item.Resource, item.Key, item.Scope)]
}

// Own returns the key of an item that the run created, for a case that changes it, in the form of another key; nil
// if none.
func (p *Pool) Own(ctx context.Context, r *resource.Resource, c *cases.Case, like any) any {
	item := p.take(ctx, r, nil, wanted{owner: ownerOf(c) + " in its body", own: true})
	if item == nil {
		return nil
	}
	if _, isNumber := like.(json.Number); isNumber && strings.Trim(item.Key, "0123456789") == "" {
		return json.Number(item.Key)
	}
	return item.Key
}

// Changes reports whether a request replaces, changes or deletes what its path names.
func Changes(c *cases.Case) bool {
	method := c.Operation.Method
	if c.Request != nil {
		method = c.Request.Method
	}
	return method == "PUT" || method == "PATCH" || method == "DELETE"
}

// IsSafe reports whether a method changes nothing (RFC 9110 section 9.2.1).
func IsSafe(method string) bool { return method == "GET" || method == "HEAD" || method == "OPTIONS" }
