package itempool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// maxKeys bounds the keys that are remembered of a resource.
const maxKeys = 20_000

// keys are the keys of a resource's items that the backend has shown.
type keys struct {
	shown   map[string]bool // in lower case
	before  map[string]bool // of these, before the run created anything
	largest int64           // of those that are numbers
	bound   int64           // above which no item of others is expected; 0 before Settle
	numeric bool            // some are
	listed  bool            // a list was seen
	// empty says that the list had no items when the run began, so that all there are were created by it.
	empty bool
}

func (p *Pool) keysOf(r *resource.Resource) *keys {
	if p.known == nil {
		p.known = map[*resource.Resource]*keys{}
	}
	k := p.known[r]
	if k == nil {
		k = &keys{shown: map[string]bool{}, before: map[string]bool{}}
		p.known[r] = k
	}
	return k
}

// identify returns what tells an item from others of its resource.
func identify(r *resource.Resource, key string, scope map[string]string) string {
	if r.Scoped {
		key = fmt.Sprint(slices.Sorted(maps.Values(scope))) + "\n" + key
	}
	return strings.ToLower(key)
}

func (k *keys) show(id, key string) {
	if len(k.shown) < maxKeys {
		k.shown[strings.Clone(id)] = true // without the body that it stands in
	}
	if n, err := strconv.ParseInt(key, 10, 64); err == nil {
		k.numeric, k.largest = true, max(k.largest, n)
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

// Settle notes that the run has created an item of each kind: what has a greater key than these is its own.
func (p *Pool) Settle() {
	p.seeing.Lock()
	defer p.seeing.Unlock()
	for _, k := range p.known {
		k.bound = roundedUp(k.largest)
	}
}

// roundedUp returns the next power of 16, so that a few items more or less make no difference.
func roundedUp(n int64) int64 {
	for at := int64(16); at < math.MaxInt64/16; at *= 16 {
		if n <= at {
			return at
		}
	}
	return n
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
				k.show(identify(b.Resource, key, scope), key)
			}
		}
	case creates && !b.Resource.Singleton:
		if item := Created(b, x, scope); item != nil {
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
	if k.show(id, item.Key); !k.before[id] && len(p.created) < maxKeys {
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

var (
	// leading finds the number that a lenient reader takes from the beginning of a text.
	leading = lazyregexp.New(`^[\s"'+\[(]*(-?[0-9]+)`)
	// wholeNumber is a text that is a number and nothing else.
	wholeNumber = lazyregexp.New(`^-?[0-9]+$`)
)

// farAway is from where on no item is expected of which nothing is known.
const farAway = 1_000_000_000

// IsAbsent reports whether certainly no item has a key, as a path has it, percent-encoded: it may be sent with
// requests that would change the item. Numbers must be above all that the backend has shown, or negative; zero
// only if lists show no such item.
func (p *Pool) IsAbsent(r *resource.Resource, o *spec.Operation, variable, encoded string) bool {
	text, err := url.PathUnescape(encoded)
	text = strings.TrimSpace(text)
	if err != nil || strings.Trim(text, "./\\") == "" || strings.ContainsAny(text, "/\\*%,") {
		return false
	}
	p.seeing.Lock()
	defer p.seeing.Unlock()
	k := &keys{}
	if r != nil {
		k = p.keysOf(r)
	}
	for id := range k.shown {
		if _, key, scoped := strings.Cut(id, "\n"); id == strings.ToLower(text) || scoped && key == strings.ToLower(text) {
			return false
		}
	}
	builder := p.Builder(o)
	isNumber := k.numeric || wholeNumber.Get().MatchString(text) ||
		builder != nil && builder.Takes(variable, json.Number("1"))
	found := leading.Get().FindStringSubmatch(text)
	if found == nil || !isNumber || len(k.shown) > 0 && !k.numeric {
		return true
	}
	n, err := strconv.ParseInt(found[1], 10, 64)
	switch {
	case err != nil, n < 0:
		return true
	case n == 0:
		return k.listed
	case k.numeric:
		return n > cmp.Or(k.bound, roundedUp(k.largest))
	}
	return n >= farAway
}

// Absent returns a key that certainly no item has, percent-encoded; "" if the variable takes none.
func (p *Pool) Absent(r *resource.Resource, o *spec.Operation, variable string) string {
	candidates := []string{"2147480000", "00000000-0000-4000-8000-0c01df4a3e00", "coldframe-none", "999999", "9999"}
	if r != nil {
		p.seeing.Lock()
		if k := p.keysOf(r); k.numeric && k.largest < math.MaxInt64-1_000_000 {
			candidates = append(candidates, fmt.Sprint(k.largest+100_000), fmt.Sprint(k.largest+1_000))
		}
		p.seeing.Unlock()
	}
	for _, text := range candidates {
		if p.fits(o, variable, text) && p.IsAbsent(r, o, variable, text) {
			return text
		}
	}
	return ""
}

// Own returns the key of an item that the run created, for a case that changes it, in the form of another key; nil
// if there is none.
func (p *Pool) Own(ctx context.Context, r *resource.Resource, c *cases.Case, like any) any {
	item := p.take(ctx, r, nil, wanted{owner: ownerOf(c) + " in its body", own: true})
	if item == nil {
		return nil
	}
	if _, isNumber := like.(json.Number); isNumber && wholeNumber.Get().MatchString(item.Key) {
		return json.Number(item.Key)
	}
	return item.Key
}

// PathVariables returns the values of a path's variables, of segments that are one variable each.
func PathVariables(x *checks.Exchange) map[string]string {
	values := map[string]string{}
	parts, segments := strings.Split(x.Case.Operation.Path, "/"), strings.Split(x.Request.Path, "/")
	for i, part := range parts[:min(len(parts), len(segments))] {
		if strings.HasPrefix(part, "{") && strings.HasSuffix(part, "}") {
			if text, err := url.PathUnescape(segments[i]); err == nil {
				values[part[1:len(part)-1]] = text
			}
		}
	}
	return values
}

// Changes reports whether a request replaces, changes or deletes what its path names.
func Changes(c *cases.Case) bool {
	method := c.Operation.Method
	if c.Request != nil {
		method = c.Request.Method
	}
	return method == "PUT" || method == "PATCH" || method == "DELETE"
}
