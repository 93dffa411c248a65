package mock

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// unmade is a generated item: nobody has created it, as a list shows it.
type unmade struct {
	key   string
	value map[string]any
}

// opening is what a list of generated items show before anything is made in it:
// the items that the mock would read by the keys of a generated list. They stand
// before what is kept, and each goes for good when it is deleted.
type opening struct {
	items    []unmade
	examples bool // they are the document's
}

// opening gives what the list of the operation's collection begins with; nothing
// where unknown items are refused, or where the collection began with items.
func (x *visit) opening(collection string) *opening {
	k := x.operation.keeps
	lister := x.lister()
	if lister == nil || collection == "" || x.closed() || x.options.Dynamic || x.sessions.Base().Known(collection) {
		return &opening{}
	}
	if len(lister.Scope) > 0 {
		return x.opens(lister, collection)
	}
	if known, ok := k.openings.Load(lister); ok {
		return known.(*opening)
	}
	made, _ := k.openings.LoadOrStore(lister, x.opens(lister, collection))
	return made.(*opening)
}

// lister gives the list whose items the collection begins with: one for all
// lists of the same items.
func (x *visit) lister() *resource.Binding {
	b, k := x.operation.binding, x.operation.keeps
	fits := func(l *resource.Binding) bool {
		return l.Role == resource.List && x.in.operations[l.Operation].keeps == k && l.List != nil && l.Media != nil && l.Media.Schema != nil &&
			len(l.Scope) == len(b.Scope) && strings.Count(l.Operation.Path, "{") == len(l.Scope) && len(l.Scope) <= len(x.match.Values)
	}
	if len(k.extra[b]) > 0 { // whose items they are is said by the path alone
		if fits(b) {
			return b
		}
		return nil
	}
	at := slices.IndexFunc(k.Bindings, func(l *resource.Binding) bool { return fits(l) && !l.Subset })
	if at < 0 {
		at = slices.IndexFunc(k.Bindings, fits)
	}
	if at < 0 {
		return nil
	}
	return k.Bindings[at]
}

// opens makes the items of an opening.
func (x *visit) opens(lister *resource.Binding, collection string) *opening {
	k := x.operation.keeps
	listing := x.listing(lister, x.match.Values[:len(lister.Scope)])
	body, examples := listing.alone(lister)
	elements, ok := lister.List.Items.Items(body)
	if !ok {
		return &opening{}
	}
	o := &opening{examples: examples}
	taken := map[string]bool{}
	for i, element := range elements {
		shown, ok := element.(map[string]any)
		if !ok {
			return &opening{}
		}
		key := ""
		if k.Key != nil && k.Key.Property != nil {
			value, _ := resource.Get(shown, k.Key.Property)
			key, _ = jsonvalue.Text(value)
		}
		if key == "" {
			key = k.keyFor(x.options.Seed, collection, i+1)
		}
		if taken[key] {
			continue
		}
		taken[key] = true
		item := maps.Clone(listing.unseen(collection, key))
		if examples || k.reader != nil && k.reader.Media != nil && len(k.reader.Media.Examples) > 0 {
			maps.Copy(item, shown)
		}
		if len(k.extra[x.operation.binding]) > 0 {
			item = x.withScope(item)
		}
		o.items = append(o.items, unmade{key, item})
	}
	return o
}

// keyFor makes the key of an item whose list does not show it.
func (k *keeping) keyFor(seed uint64, collection string, n int) string {
	text := strconv.Itoa(n)
	if k.keys == nil {
		return text
	}
	value, err := k.keys().Value(generate.NewKey(seed, "unmade", k.Name, collection, text))
	if key, ok := jsonvalue.Text(value); err == nil && ok && key != "" {
		return key
	}
	return text
}

// listing is a request to a list that prefers nothing: what a collection begins
// with does not depend on who asks first.
func (x *visit) listing(lister *resource.Binding, values []string) *visit {
	l := &visit{Server: x.Server, in: x.in, request: &exchange.Request{Method: "GET"}, operation: x.in.operations[lister.Operation]}
	l.match.Values = values
	l.values.Path = map[string]any{}
	for i, v := range lister.Scope {
		l.values.Path[v.Name] = x.values.Path[x.operation.binding.Scope[i].Name]
	}
	l.ask = &respond.Request{
		Request: l.request, Operation: l.operation.Operation, Variables: values, Values: l.values,
		Seed: x.options.Seed, Dynamic: x.options.Dynamic, Secrets: x.in.secrets,
	}
	l.preferences = &l.ask.Preferences
	return l
}

// alone gives the body with which a list answers where nothing is kept.
func (x *visit) alone(lister *resource.Binding) (body any, example bool) {
	if e := x.in.responder.Body(lister.Media).Example(); e != nil {
		body, _ = x.below(lister.Media, e.Value)
		return body, true
	}
	body, err := x.generated(x.in.responder.Body(lister.Media), x.key(x.operation.Success, lister.Media))
	if err != nil {
		return nil, false
	}
	body, _ = x.below(lister.Media, body)
	return body, false
}

// isUnmade reports whether a key is that of an item that is generated and shows in
// a list and that is in nobody's way but its own.
func (x *visit) isUnmade(collection, key string) bool {
	if len(x.operation.binding.Scope) > 0 {
		return false // one key in a million is not worth the making of the list
	}
	return x.isListed(collection, key)
}

// isListed reports whether a list shows an item of that key that nobody has made.
func (x *visit) isListed(collection, key string) bool {
	return slices.ContainsFunc(x.opening(collection).items, func(u unmade) bool { return u.key == key })
}

// shelf is what a list shows: what it opens with, as far as that is still there,
// and then what is kept.
type shelf struct {
	view       *state.View
	collection string
	front      []unmade
	apart      []int // places in the collection of the kept items that stand in front, rising
}

func newShelf(view *state.View, collection string, o *opening) *shelf {
	s := &shelf{view: view, collection: collection}
	for _, u := range o.items {
		item, gone := view.Get(collection, u.key)
		if gone {
			continue
		}
		if item != nil {
			s.apart = append(s.apart, view.Place(item))
			if value := decodeItem(item); value != nil {
				u.value = value
			}
		}
		s.front = append(s.front, u)
	}
	slices.Sort(s.apart)
	return s
}

func (s *shelf) len() int { return len(s.front) + s.view.Len(s.collection) - len(s.apart) }

// window gives count items from an offset on.
func (s *shelf) window(offset, count int) []unmade {
	var list []unmade
	if offset < len(s.front) {
		list = append(list, s.front[offset:min(len(s.front), offset+count)]...)
	}
	from := max(0, offset-len(s.front))
	for _, place := range s.apart {
		if place <= from {
			from++
		}
	}
	for item := range s.view.Items(s.collection, from) {
		if len(list) >= count {
			break
		}
		if s.isFront(item.Key) {
			continue
		}
		if value := decodeItem(item); value != nil {
			list = append(list, unmade{item.Key, value})
		}
	}
	return list
}

// index gives the place of an item, -1 where there is none.
func (s *shelf) index(key string) int {
	for i, u := range s.front {
		if u.key == key {
			return i
		}
	}
	item, _ := s.view.Get(s.collection, key)
	if item == nil {
		return -1
	}
	at := s.view.Place(item)
	before, _ := slices.BinarySearch(s.apart, at)
	return len(s.front) + at - before
}

func (s *shelf) isFront(key string) bool {
	return len(s.apart) > 0 && slices.ContainsFunc(s.front, func(u unmade) bool { return u.key == key })
}

// named gives a body that shows an item that nobody has made with the keys that
// the path has, its own and its parents', as the item is shown once it is kept. It
// reports whether that changes the body.
func (x *visit) named(media *spec.MediaType, body any) (any, bool) {
	b, k := x.operation.binding, x.operation.keeps
	if k == nil || k.Singleton || b.KeyIn != resource.InPath || b.Response == nil || media != b.Media {
		return body, false
	}
	switch b.Role {
	case resource.Read, resource.Replace, resource.Update, resource.Upsert:
	case resource.Action:
		if !b.Reads {
			return body, false
		}
	default:
		return body, false
	}
	shown, _ := b.Response.Item(body)
	item, ok := shown.(map[string]any)
	if !ok {
		return body, false
	}
	changed := false
	put := func(property []string, variable string) {
		if property == nil {
			return
		}
		have, ok := resource.Get(item, property)
		typed, fits := k.typed(property, x.values.Path[variable])
		if !ok || !fits || jsonvalue.Same(have, typed) {
			return
		}
		if with := resource.Set(item, property, typed).(map[string]any); media.Conforms(b.Response.Put(body, with)) {
			item, changed = with, true
		}
	}
	for _, v := range b.Scope {
		put(v.Property, v.Name)
	}
	switch {
	case b.Lookup != nil:
		put(b.Lookup, b.Variable)
	case k.Key != nil:
		put(k.Key.Property, b.Variable)
	}
	if !changed {
		return body, false
	}
	return b.Response.Put(body, item), true
}
