package mock

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/crud"
	"github.com/coldframe/coldframe/mock/state"
)

// theOne is the key of a singleton.
const theOne = "1"

// pathText gives a path variable's value as text.
func (x *visit) pathText(name string) string {
	text, _ := crud.Text(x.values.Path[name])
	return text
}

// collection names the collection that the request is about: that of the
// resource, below the items that the path names where they tell items apart.
func (x *visit) collection() string {
	return x.operation.keeps.collection(x.operation.binding, x.pathText)
}

// collection names the collection that an operation is about, where text gives
// the values of its path's variables.
func (k *keeping) collection(b *resource.Binding, text func(variable string) string) string {
	if !k.Scoped {
		return "/" + k.Name
	}
	if home := k.homes[b]; home != nil {
		return k.below(k.named, len(home), k.Name, func(variable string) string { return text(home[variable]) })
	}
	return k.below(b, len(b.Scope), k.Name, text)
}

// homeOf finds the variables of an operation's path that stand for those before
// the key in the paths that name items: home gives the operation's name for
// each of theirs, and extra are the operation's that are none of them. home is
// nil where one is missing.
func (k *keeping) homeOf(b *resource.Binding) (home map[string]string, extra []resource.Variable) {
	if !k.Scoped || k.named == nil {
		return nil, b.Scope
	}
	home = make(map[string]string, len(k.named.Scope))
	used := make([]bool, len(b.Scope))
	for i, v := range k.named.Scope {
		at := slices.IndexFunc(b.Scope, func(w resource.Variable) bool { return w.Name == v.Name || v.Parent != nil && w.Parent == v.Parent })
		if at < 0 && len(b.Scope) == len(k.named.Scope) {
			at = i
		}
		if at < 0 || used[at] {
			return nil, b.Scope
		}
		home[v.Name], used[at] = b.Scope[at].Name, true
	}
	for i, v := range b.Scope {
		if !used[i] {
			extra = append(extra, v)
		}
	}
	return home, extra
}

// below names a collection under the first so many variables of a path, whose
// values text gives.
func (k *keeping) below(b *resource.Binding, variables int, name string, text func(variable string) string) string {
	c := ""
	for i := range variables {
		parent := b.Scope[i].Parent
		if c == "" || parent != nil && !parent.Scoped {
			c = "/" + k.segment(b, i)
		}
		next := name
		if i+1 < variables {
			next = k.segment(b, i+1)
		}
		c = state.Below(c, text(b.Scope[i].Name), next)
	}
	if c == "" {
		return "/" + name
	}
	return c
}

// parents refuses a request below an item that was deleted, or that is not
// there in a closed world.
func (x *visit) parents() bool {
	b, k := x.operation.binding, x.operation.keeps
	for i, v := range b.Scope {
		parent := x.in.kept[v.Parent]
		if v.Parent == nil || parent == nil || v.Parent == k.Resource && !k.Singleton {
			continue
		}
		name := "/" + parent.Name
		if parent.Scoped {
			name = k.below(b, i, parent.Name, x.pathText)
		}
		item, gone := x.session.State.Get(name, x.pathText(v.Name))
		if gone || item == nil && x.closed() && parent.creates {
			x.refuse(noItem, []exchange.Finding{noSuch(parent, x.pathText(v.Name), gone, exchange.InPath, v.Name)})
			return false
		}
	}
	return true
}

func (x *visit) closed() bool { return x.options.World == "closed" }

// noSuch is the finding on a key that names no item.
func noSuch(k *keeping, key string, gone bool, in, name string) exchange.Finding {
	message := "there is no item " + strconv.Quote(shorten(key)) + " in " + k.Name
	if gone {
		message = "the item " + strconv.Quote(shorten(key)) + " of " + k.Name + " was deleted"
	}
	if k.Singleton {
		message = k.Name + " is not there"
	}
	return exchange.Finding{Code: "no-such-item", Message: message, In: in, Name: name}
}

// stored is an item of the store with its key and version.
type stored struct {
	key     string
	version uint64 // 0: it was never stored
	value   map[string]any
}

// decodeItem reads an item as it is kept; nil where it is no object.
func decodeItem(item *state.Item) map[string]any {
	value, err := jsontext.Decode(string(item.JSON))
	if err != nil {
		return nil
	}
	object, _ := value.(map[string]any)
	return object
}

// lookup looks for the item that the request names. Where it finds none, the
// stored has the key only, and gone says that it was deleted.
func (x *visit) lookup(collection string) (found stored, gone bool) {
	b, k := x.operation.binding, x.operation.keeps
	key, _ := x.namedKey()
	if b.Lookup != nil && key != "" {
		named := crud.Filter{Property: b.Lookup, Values: []any{key}}
		for item := range x.session.State.View().Items(collection, 0) {
			if !named.ShowsText(item.JSON) {
				continue
			}
			value := decodeItem(item)
			if have, ok := resource.Get(value, b.Lookup); ok {
				if text, ok := crud.Text(have); ok && text == key {
					return stored{item.Key, item.Version, value}, false
				}
			}
		}
		// Two paths that differ in a variable's name only are one to a router: the
		// key may be meant.
	}
	item, gone := x.session.State.Get(collection, key)
	if item == nil {
		return stored{key: key}, gone
	}
	value := decodeItem(item)
	if value == nil || !x.inScope(k, value) {
		return stored{key: key}, value != nil
	}
	return stored{key, item.Version, value}, false
}

// inScope reports whether an item belongs to the parents that the path names.
func (x *visit) inScope(k *keeping, value map[string]any) bool {
	for _, v := range k.extra[x.operation.binding] {
		if have := scopeIn(value, v); have != nil && !crud.Same(have, x.values.Path[v.Name]) {
			return false
		}
	}
	return true
}

// scopeProperty is where an item keeps the key of a parent.
func scopeProperty(v resource.Variable) []string {
	if v.Property != nil {
		return v.Property
	}
	return hiddenScope(v)
}

// scopeIn gives the key of a parent that an item has, nil where it has none.
func scopeIn(item map[string]any, v resource.Variable) any {
	if value, ok := resource.Get(item, hiddenScope(v)); ok {
		return value
	}
	if v.Property == nil {
		return nil
	}
	value, _ := resource.Get(item, v.Property)
	return value
}

// hiddenScope is where an item keeps the key of a parent for which it has no
// property, or one that cannot hold it.
func hiddenScope(v resource.Variable) []string {
	name := v.Name
	if v.Parent != nil {
		name = v.Parent.Name
	}
	return []string{hidden + name}
}

// namedKey gives the key by which the request names its item, and where that
// stands.
func (x *visit) namedKey() (key, in string) {
	b, k := x.operation.binding, x.operation.keeps
	switch {
	case k.Singleton:
		return theOne, exchange.InPath
	case b.KeyIn == resource.InPath:
		return x.pathText(b.Variable), exchange.InPath
	case b.KeyIn == resource.InQuery:
		key, _ = crud.Text(x.values.Query[b.Variable])
		return key, exchange.InQuery
	case b.KeyIn == resource.InBody && k.Key != nil && k.Key.Property != nil && b.Request != nil:
		if item, ok := b.Request.Item(x.values.Body); ok {
			value, _ := resource.Get(item, k.Key.Property)
			key, _ = crud.Text(value)
		}
	}
	return key, exchange.InBody
}

// typedAt gives a text as the property at a path of an item takes it.
func (k *keeping) typedAt(path []string, value any) any {
	typed, _ := k.typed(path, value)
	return typed
}

// typed is typedAt; it reports false where the property takes it in no way.
func (k *keeping) typed(path []string, value any) (any, bool) {
	if len(path) == 0 || k.value == nil {
		return value, true
	}
	listed := k.listed
	for i, name := range path {
		schema := listed[name]
		if schema == nil {
			return value, true
		}
		if i == len(path)-1 {
			if typed, ok := asTyped(value, schema); ok {
				return typed, true
			}
			return value, false
		}
		listed = part(k.value, schema).Properties()
	}
	return value, true
}

// itemKey is the key of an item's generated values: the same wherever it is
// shown.
func (x *visit) itemKey(k *keeping, collection, key string) generate.Key {
	return generate.NewKey(x.options.Seed, "item", k.Name, collection, key)
}

// unseen gives an item that nobody has made as the mock shows it: an open
// world has one for each key.
func (x *visit) unseen(collection, key string) map[string]any {
	k := x.operation.keeps
	if item := x.asRead(k, key); item != nil {
		return item
	}
	have := map[string]any{}
	if k.Key != nil && k.Key.Property != nil {
		if typed, fits := k.typed(k.Key.Property, x.operation.typedKey(x, key)); fits {
			have = resource.Set(have, k.Key.Property, typed).(map[string]any)
		}
	}
	if k.value == nil {
		return have
	}
	value, err := k.maker().Fill(x.itemKey(k, collection, key), have)
	if item, ok := value.(map[string]any); err == nil && ok {
		return item
	}
	return have
}

// asRead gives the item of a key as the operation that reads it generates it.
func (x *visit) asRead(k *keeping, key string) map[string]any {
	r := k.reader
	if r == nil {
		return nil
	}
	op := x.in.operations[r.Operation]
	status, _ := r.Success.Code()
	p := x.in.producer(r.Media)
	values := x.match.Values
	reading := visit{Server: x.Server, in: x.in, request: &exchange.Request{Method: "GET"}, operation: op, preferences: x.preferences, values: x.values}
	if r.Operation.Path != x.operation.Path {
		b := x.operation.binding
		if n := len(r.Scope); k.Singleton || n > 0 && n != len(b.Scope) || n > len(x.match.Values) || strings.Count(r.Operation.Path, "{") != n+1 {
			return nil
		}
		values = append(slices.Clone(x.match.Values[:len(r.Scope)]), key)
		typed, ok := jsontext.Decode(key)
		if _, number := typed.(json.Number); ok != nil || !number {
			typed = key
		}
		reading.values.Path = map[string]any{r.Variable: typed}
		for i, v := range r.Scope {
			reading.values.Path[v.Name] = x.values.Path[b.Scope[i].Name]
		}
	}
	reading.match.Values = values
	var body any
	served := false
	for _, e := range r.Media.Examples {
		if servable(e, x.options.Examples) && !x.dynamic() {
			body, served = e.Value, true
			break
		}
	}
	if !served {
		var err error
		if body, err = reading.generated(p, reading.key(status, r.Media)); err != nil {
			return nil
		}
	}
	body, _ = reading.named(r.Media, body)
	value, _ := r.Response.Item(body)
	item, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	if served && k.Key != nil && k.Key.Property != nil {
		if typed, fits := k.typed(k.Key.Property, key); fits {
			item = resource.Set(item, k.Key.Property, typed).(map[string]any)
		}
	}
	return maps.Clone(item)
}

// typedKey gives the key as the path has it: a number where it is one.
func (o *operation) typedKey(x *visit, key string) any {
	if o.binding.KeyIn == resource.InPath {
		if value, ok := x.values.Path[o.binding.Variable]; ok {
			return value
		}
	}
	return key
}

// location gives the path of an item, "" where no operation has it.
func (x *visit) location(key string) string {
	b, k := x.operation.binding, x.operation.keeps
	var to *resource.Binding
	for _, other := range k.Bindings {
		if other.KeyIn == resource.InPath && other.Lookup == nil && len(other.Scope) <= len(b.Scope) && (to == nil || other == k.reader) {
			to = other
		}
	}
	if to == nil {
		return ""
	}
	path := strings.ReplaceAll(to.Operation.Path, "{"+to.Variable+"}", url.PathEscape(key))
	for i, v := range to.Scope {
		value := x.pathText(v.Name)
		if value == "" {
			value = x.pathText(b.Scope[i].Name)
		}
		path = strings.ReplaceAll(path, "{"+v.Name+"}", url.PathEscape(value))
	}
	base := x.request.Path
	for range strings.Count(x.operation.Path, "/") {
		base = base[:max(0, strings.LastIndexByte(base, '/'))]
	}
	return base + path
}

// conformsTo reports whether a text is a value of a header.
func conformsTo(h *spec.Parameter, text string) bool {
	if h.Schema == nil {
		return true
	}
	_, ok := asTyped(text, h.Schema.Keywords)
	return ok
}
