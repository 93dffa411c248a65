package resources

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Collection is a collection of items that the control API shows and edits.
type Collection struct {
	Name     string // as state.Below writes it; "" if it depends on parents, and none has items
	Template string // its name with the variables of parents in braces; "" if the document describes no items
	Count    int
	Item     *spec.Schema // of its items as responses show them; nil if the document describes none

	runtime *Runtime
	values  map[string]any // of the variables
}

// Collections returns the collections with items, and those that may have some, in the order of the document.
func (s *Set) Collections(view *state.View) (all []Collection) {
	names := view.Collections()
	for _, r := range s.Resources {
		k := s.runtimes[r]
		if k == nil {
			continue
		}
		found := false
		for i := 0; i < len(names); i++ {
			c := k.collectionOf(names[i])
			if c == nil {
				continue
			}
			c.Count, found = view.Len(c.Name), true
			all = append(all, *c)
			names = slices.Delete(names, i, i+1)
			i--
		}
		if template := k.template(); !found {
			c := Collection{Template: template, Item: k.Item}
			if !strings.Contains(template, "{") {
				c.Name = template
			}
			all = append(all, c)
		}
	}
	for _, name := range names {
		all = append(all, Collection{Name: name, Count: view.Len(name)})
	}
	return all
}

// Collection returns the collection of a name. It reports false if there can be none.
func (s *Set) Collection(view *state.View, name string) (*Collection, bool) {
	for _, r := range s.Resources {
		if k := s.runtimes[r]; k != nil {
			if c := k.collectionOf(name); c != nil {
				c.Count = view.Len(name)
				return c, true
			}
		}
	}
	return &Collection{Name: name, Count: view.Len(name)}, view.Known(name)
}

// naming returns the binding that names the collections of a resource: the one that names items, or the first.
func (k *Runtime) naming() *resource.Binding {
	if k.named != nil || len(k.Bindings) == 0 {
		return k.named
	}
	return k.Bindings[0]
}

// template returns the name of a resource's collections with the variables of parents in braces.
func (k *Runtime) template() string {
	b := k.naming()
	if !k.Scoped || b == nil {
		return "/" + k.Name
	}
	return k.collectionBelow(b, len(b.Scope), k.Name, func(v string) string { return "{" + v + "}" })
}

// collectionOf returns the collection of the resource that has a name; nil if none can.
func (k *Runtime) collectionOf(name string) *Collection {
	c := &Collection{Name: name, Template: k.template(), Item: k.Item, runtime: k, values: map[string]any{}}
	want, have := strings.Split(c.Template, "/"), strings.Split(name, "/")
	if len(want) != len(have) {
		return nil
	}
	for i, segment := range want {
		variable, isVariable := strings.CutPrefix(segment, "{")
		switch value, err := url.PathUnescape(have[i]); {
		case !isVariable && segment != have[i], err != nil:
			return nil
		case isVariable && value == "":
			return nil
		case isVariable:
			c.values[strings.TrimSuffix(variable, "}")] = value
		}
	}
	return c
}

// Edit is a change of a collection that is no request of the API.
type Edit struct {
	Collection *Collection
	Key        string         // of the item; "" for a new one
	Value      map[string]any // as bodies have it; nil deletes the item
	Try        bool           // validates and changes nothing
}

// What an Edit may find.
var (
	ErrNoItem = errors.New("there is no such item")
	ErrNoKey  = errors.New("no key can be made for the item")
)

// Edit changes an item as requests do: with the items that count it or belong to it, completely or not at all. The
// findings say why the item is invalid, and then nothing is changed. Other errors are the State's.
func (s *Set) Edit(in *state.State, work *exchange.Work, e Edit) (*state.Item, []exchange.Finding, error) {
	if e.Try { // without counting its memory
		in = state.NewFrom(in.View(), state.Limits{Clock: in.Clock})
	}
	if e.Collection.runtime == nil {
		return editFree(in, e)
	}
	q := s.editing(in, work, e.Collection)
	if e.Value == nil {
		before, _ := in.Get(q.collection, e.Key)
		if before == nil {
			return nil, nil, ErrNoItem
		}
		_, err := q.deleteItem(itemOf(before), state.Any)
		return before, nil, err
	}
	for range changeAttempts {
		item, findings, err := q.edit(e)
		if !errors.Is(err, state.ErrVersion) {
			return item, findings, err
		}
	}
	return nil, nil, state.ErrVersion
}

// editFree edits a collection of what the document does not describe.
func editFree(in *state.State, e Edit) (item *state.Item, findings []exchange.Finding, err error) {
	name := e.Collection.Name
	text, isShallow := EncodeItem(e.Value)
	switch before, _ := in.Get(name, e.Key); {
	case !isShallow:
		return nil, nil, state.ErrTooLarge
	case e.Key != "" && before == nil:
		return nil, nil, ErrNoItem
	case e.Key == "":
		item, err = in.Append(name, text, 0)
	case e.Value == nil:
		item, _, err = in.Delete(name, e.Key, state.Any)
	default:
		item, _, err = in.Put(name, e.Key, text, before.Flags, state.Any)
	}
	return item, nil, err
}

// editing returns a request that names nothing but a collection.
func (s *Set) editing(in *state.State, work *exchange.Work, c *Collection) *Request {
	acting := *c.runtime.naming()
	acting.Role = resource.Upsert
	q := &respond.Request{
		Request:   &exchange.Request{Work: work},
		Operation: s.responder.Operation(acting.Operation), Preferences: prefer.None(),
	}
	q.Values.Path = c.values
	return &Request{
		Request: q, Session: in, set: s, op: &Operation{Binding: &acting, runtime: c.runtime}, collection: c.Name,
	}
}

func (q *Request) edit(e Edit) (*state.Item, []exchange.Finding, error) {
	k, key := q.op.runtime, e.Key
	value, _ := k.Nesting.Flat(e.Value).(map[string]any)
	own := k.keyOf(value)
	before, old := (*state.Item)(nil), map[string]any(nil)
	switch {
	case k.Singleton:
		key = SingletonKey
	case key == "" && own != "" && len(own) <= longestKey:
		if key = own; q.exists(key) {
			return nil, nil, state.ErrExists
		}
	case key == "":
		if key, value = q.newKey(value); key == "" {
			return nil, nil, ErrNoKey
		}
	case own == "":
		value = k.setTypedKey(value, key)
	case own != key:
		return nil, []exchange.Finding{{
			Code: "key", Message: "is the key " + quote(own) + ", and the item has the key " + quote(key),
			In: exchange.InBody, Pointer: resource.Pointer(k.KeyProperty()),
		}}, nil
	}
	match, flags := state.Any, state.ByClient
	if before, _ = q.get(q.collection, key); before != nil {
		match, flags, old = state.Match(before.Version), before.Flags, DecodeItem(before)
	}
	value = withParents(q, value)
	if before == nil {
		q.set.CompleteFixture(k, q.Session, q.collection, key, value)
	}
	if findings := q.checkEdited(key, value); len(findings) > 0 {
		return nil, findings, nil
	}
	value = k.withoutSecrets(value)
	text, isShallow := EncodeItem(value)
	if !isShallow {
		return nil, nil, state.ErrTooLarge
	}
	item, _, err := q.put(q.collection, key, text, flags, match)
	if err == nil {
		q.countBelow(q.collection, old, value)
	}
	return item, nil, err
}

func (q *Request) exists(key string) bool {
	item, _ := q.get(q.collection, key)
	return item != nil
}

// newKey returns a key that no item has, and the item with it; "" if none can be made.
func (q *Request) newKey(item map[string]any) (string, map[string]any) {
	k := q.op.runtime
	for range KeyAttempts {
		value, key := k.NewKey(q.Session, q.set.options.Seed, q.collection)
		if !q.exists(key) {
			return key, k.SetKey(item, value)
		}
	}
	return "", nil
}

// checkEdited says what is wrong with an item.
func (q *Request) checkEdited(key string, item map[string]any) (findings []exchange.Finding) {
	k := q.op.runtime
	if k.Item != nil {
		findings = k.Item.Check(WithoutHidden(item), exchange.InBody, "")
	}
	for _, name := range k.Unique {
		if value := item[name]; value != nil && hasValue(q.view(), q.collection, key, name, value) {
			findings = append(findings, exchange.Finding{
				Code: "duplicate-value", Message: "there is an item with this value in " + k.Name + " already",
				In: exchange.InBody, Pointer: resource.Pointer([]string{name}),
			})
		}
	}
	return exchange.Sort(findings)
}
