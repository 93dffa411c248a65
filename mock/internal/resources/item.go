package resources

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

const (
	// SingletonKey is the key of a singleton.
	SingletonKey = "1"
	// KeyAttempts is how many keys are made until one is free.
	KeyAttempts = 32
)

// Item is an item with its key and version.
type Item struct {
	Key     string
	Version uint64         // 0 if it was never stored
	Value   map[string]any // nil if none
	encoded *state.Item    // kept item: Value may not be decoded yet; nil if it is not kept

	conforms bool // to the schema of items, since its creation
}

// itemOf returns a kept item; Value is nil if it is not an object.
func itemOf(item *state.Item) Item {
	return Item{Key: item.Key, Version: item.Version, Value: DecodeItem(item), encoded: item}
}

// Place returns where an item is kept; "" if it is not.
func (i *Item) Place() (collection, key string) {
	if i.encoded == nil {
		return "", ""
	}
	return i.encoded.Collection, i.encoded.Key
}

func (i *Item) decode() {
	if i.Value == nil {
		i.Value = DecodeItem(i.encoded)
	}
}

func (i *Item) text() query.Text {
	return query.Text{JSON: i.encoded.JSON, Members: &i.encoded.Members}
}

// DecodeItem reads a kept item; nil if it is not an object.
func DecodeItem(item *state.Item) map[string]any {
	value, _ := jsontext.Decode(string(item.JSON))
	object, _ := value.(map[string]any)
	return object
}

func encoded(item map[string]any) *state.Item { return &state.Item{JSON: jsontext.Marshal(item)} }

// EncodeItem returns an item in the form that is kept, false if it is nested too deep to be read again.
func EncodeItem(item map[string]any) ([]byte, bool) {
	text := jsontext.Marshal(item)
	return text, jsontext.NestsAtMost(text, jsontext.MaxDepth)
}

// requestKey returns the key by which the request names its item, and where that stands.
func requestKey(q *Request) (key, in string) {
	k := q.op.runtime
	switch {
	case q.key != "":
		return q.key, exchange.InHeader
	case k.Singleton:
		return SingletonKey, exchange.InPath
	case q.op.KeyIn == resource.InPath:
		return q.pathText(q.op.Variable), exchange.InPath
	case q.op.KeyIn == resource.ByName:
		return aliasKey(q), exchange.InPath
	case q.op.KeyIn == resource.InQuery:
		key, _ = jsonvalue.Text(q.Values.Query[q.op.Variable])
		return key, exchange.InQuery
	case q.op.KeyPath != nil:
		value, _ := jsonvalue.Property(q.Values.Body(), q.op.KeyPath)
		key, _ = jsonvalue.Text(value)
	case q.op.KeyIn == resource.InBody && q.op.Role == resource.Action:
		value, _ := jsonvalue.Property(q.Values.Body(), q.op.Keys)
		key, _ = jsonvalue.Text(value)
	case q.op.KeyIn == resource.InBody && q.op.Keys == nil && q.op.Request != nil:
		if item, ok := q.op.Request.Item(q.Values.Body()); ok {
			key = k.keyOf(item)
		}
	}
	return key, exchange.InBody
}

// find looks for the item that the request names. If there is none, the Item has the key only.
func find(q *Request) (found Item, deleted bool) {
	key, _ := requestKey(q)
	found, deleted = q.op.findKept(q.Session, q.collection, key, q.Values.Path, q.Work)
	if found.Value == nil && key != "" && q.op.searches() {
		found = findInitial(q, key)
	}
	return found, deleted
}

// findKept looks for the kept item that a path names by its key, or by another property.
func (op *Operation) findKept(
	in *state.State, collection, key string, path map[string]any, work *exchange.Work,
) (found Item, deleted bool) {
	if op.Lookup != nil && key != "" {
		named := query.Filter{Property: op.Lookup, Values: []any{key}}
		for item := range in.View().Items(collection, 0) {
			if work.Step() {
				break
			}
			if named.MatchesText(query.Text{JSON: item.JSON, Members: &item.Members}) {
				return itemOf(item), false
			}
		}
		if op.searches() {
			return Item{Key: key}, false
		}
		// Two paths that differ in a variable's name only are one to a router: the key may be meant.
	}
	return op.findKey(in, collection, key, path)
}

// searches reports whether an operation reads an item by another property than its key, below a path of its own:
// /plants/by-slug/{slug} beside /plants/{id}.
func (op *Operation) searches() bool {
	named := op.runtime.named
	return op.Role == resource.Read && op.Lookup != nil && named != nil &&
		strings.Count(op.Binding.Operation.Path, "/") != strings.Count(named.Operation.Path, "/")
}

// findInitial looks for the value of the property that the path names among the items that lists begin with.
func findInitial(q *Request, value string) Item {
	for _, item := range initial(q).all() {
		have, _ := jsonvalue.Property(item.Value, q.op.Lookup)
		if text, _ := jsonvalue.Text(have); text != value {
			continue
		}
		if kept, deleted := q.get(q.collection, item.Key); kept == nil && !deleted {
			return Item{Key: item.Key, Value: item.Value}
		}
	}
	return Item{Key: value}
}

// findKey looks for the kept item of a key below the parents that the request names.
func (q *Request) findKey(key string) (found Item, deleted bool) {
	return q.op.findKey(q.Session, q.collection, key, q.Values.Path)
}

func (op *Operation) findKey(
	in *state.State, collection, key string, path map[string]any,
) (found Item, deleted bool) {
	item, deleted := in.Get(collection, key)
	if item == nil {
		return Item{Key: key}, deleted
	}
	found = itemOf(item)
	if found.Value == nil || !op.isBelow(path, found.Value) {
		return Item{Key: key}, found.Value != nil
	}
	return found, false
}

// missing refuses a request for a deleted item. It also refuses unknown items if unknown items are refused and clients
// or the data can create some, or if they would be below an item that a client created, and unknown values of a lookup
// once anything was created. A singleton below such an item is missing if clients create it and the document has the
// 404. It returns nil if the item must be generated.
func missing(q *Request, key string, deleted bool) error {
	k, o := q.op.runtime, &q.set.options
	isSearched := q.op.searches() && wasKept(q, q.view())
	isMade := k.creates && !k.Singleton || k.Has(resource.Create) && q.Operation.Operation.DocumentsExactly(404)
	isBelow := isMade && q.isBelowCreated()
	isRefused := o.RefuseUnknown && (k.creates || o.SeedItems > 0 || q.Base.Known(q.collection))
	if !deleted && !isSearched && !isBelow && !isRefused && !q.namesNone() {
		return nil
	}
	_, in := requestKey(q)
	return noSuchItem(k, key, deleted, in, q.op.Variable)
}

// namesNone reports whether the path has a number that no item can have as its key: one beyond int64.
func (q *Request) namesNone() bool {
	k := q.op.runtime
	number, isNumber := q.Values.Path[q.op.Variable].(json.Number)
	if text, isText := q.Values.Path[q.op.Variable].(string); isText && isDigits(text) {
		number, isNumber = json.Number(text), true
	}
	if !isNumber || q.op.KeyIn != resource.InPath || q.op.Lookup != nil || k.Key == nil || k.Key.Kind != schema.Integer {
		return false
	}
	_, err := number.Int64()
	return err != nil && !k.allowsKey(number)
}

// isDigits reports whether a text is a number without sign, fraction and exponent.
func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// findOrMissing finds the item that the request names; errNotHandled means that it must be generated.
func findOrMissing(q *Request) (Item, error) {
	item, deleted := find(q)
	if item.Value != nil {
		return item, nil
	}
	if err := missing(q, item.Key, deleted); err != nil {
		return item, err
	}
	return item, errNotHandled
}

func noSuchItem(k *Runtime, key string, deleted bool, in, name string) error {
	message := "there is no item " + quote(key) + " in " + k.Name
	if deleted {
		message = "the item " + quote(key) + " of " + k.Name + " was deleted"
	}
	if k.Singleton {
		message = k.Name + " is not there"
	}
	return refuse(respond.NoItem, exchange.Finding{Code: "no-such-item", Message: message, In: in, Name: name})
}

func quote(text string) string { return strconv.Quote(exchange.Shorten(text, 200)) }

// KeyProperty is the way to the key in an item; nil if no property holds it.
func (k *Runtime) KeyProperty() []string {
	if k.Key == nil {
		return nil
	}
	return k.Key.Property
}

func (k *Runtime) keyOf(item any) string {
	if k.KeyProperty() == nil {
		return ""
	}
	value, _ := jsonvalue.Property(item, k.Key.Property)
	text, _ := jsonvalue.Text(value)
	return text
}

// setProperty returns an object with a value at the end of a path, nil for nowhere.
func setProperty(object map[string]any, path []string, value any) map[string]any {
	if path == nil {
		return object
	}
	return jsonvalue.WithProperty(object, path, value).(map[string]any)
}

// SetKey returns an item with its key.
func (k *Runtime) SetKey(item map[string]any, key any) map[string]any {
	return setProperty(item, k.KeyProperty(), key)
}

func (k *Runtime) setTypedKey(item map[string]any, key any) map[string]any {
	if typed, ok := k.Typed(k.KeyProperty(), key); ok {
		return k.SetKey(item, typed)
	}
	return item
}

// Typed returns a value as the property at the end of a path allows it, and reports whether that allows it; otherwise
// it returns the value unchanged.
func (k *Runtime) Typed(path []string, value any) (any, bool) {
	if len(path) == 0 || k.Item == nil {
		return value, true
	}
	property := k.properties[path[0]]
	if property != nil {
		property = schema.At(property, path[1:])
	}
	if property == nil {
		return value, true
	}
	if typed, ok := respond.Typed(value, property); ok {
		return typed, true
	}
	return value, false
}

// NewKey makes a key: the next integer, or by the format and the pattern that the document has. It returns it as it
// is in an item and as a text.
func (k *Runtime) NewKey(in *state.State, seed uint64, collection string) (value any, text string) {
	text = strconv.FormatInt(in.NextInteger(collection, k.firstKey), 10)
	isPathKey := k.isPathKey(text)
	if k.Key == nil || k.Key.Schema == nil {
		if !isPathKey {
			if value, written, ok := k.generateKey(k.pathKeys, seed, "key", collection, text); ok {
				return value, written
			}
		}
		return text, text
	}
	number := json.Number(text)
	switch {
	case !isPathKey:
	case k.Key.Kind != schema.String && spec.Conforms(k.Key.Schema, number):
		return number, text
	case k.Key.Format == "" && spec.Conforms(k.Key.Schema, text):
		return text, text
	}
	value, written, ok := k.generateKey(k.keys, seed, "key", collection, text)
	if ok && k.isPathKey(written) {
		return value, written
	}
	if other, inPath, ok := k.generateKey(k.pathKeys, seed, "key", collection, text); ok {
		if typed, ok := respond.Typed(other, k.Key.Schema); ok {
			return typed, inPath
		}
	}
	if ok {
		return value, written // the document has no key that paths can name
	}
	return text, text
}

// alike returns a key like another one that is taken, a new one for each call; the other itself if the document's
// schemas do not allow that.
func (k *Runtime) alike(key any, text string, in *state.State, seed uint64, collection string) (any, string) {
	if _, isText := key.(string); !isText || k.Key == nil || k.Key.Schema == nil {
		return key, text
	}
	number := strconv.FormatInt(in.NextInteger(collection, k.firstKey), 10)
	other := generate.Alike(text, generate.NewKey(seed, "key like another", k.Name, collection, number))
	if k.allowsKey(other) && k.isPathKey(other) {
		return other, other
	}
	return key, text
}

func (k *Runtime) generateKey(by generator, seed uint64, purpose, in, text string) (key any, written string, ok bool) {
	if by == nil {
		return nil, "", false
	}
	key, err := by().Value(generate.NewKey(seed, purpose, k.Name, in, text))
	if err != nil {
		return nil, "", false
	}
	written, ok = jsonvalue.Text(key)
	return key, written, ok && written != ""
}

func (k *Runtime) isPathKey(key string) bool {
	return k.keySchema == nil || allows(k.keySchema.Keywords, key)
}

// allowsKey reports whether an item can have a key that was sent: the server may write keys otherwise than its clients
// do.
func (k *Runtime) allowsKey(value any) bool {
	return k.Key.Schema == nil || allows(k.Key.Schema, value)
}

func allows(keywords *schema.Keywords, value any) bool {
	_, ok := respond.Typed(value, keywords)
	return ok
}

// replacementKey makes what an item shows as its key where paths name it by a key that the property does not allow.
// Integers are larger than those that are counted.
func (k *Runtime) replacementKey(seed uint64, collection, key string) (any, bool) {
	if k.Key.Kind == schema.Integer {
		const beyond = 1_000_000_000
		h := fnv.New32a()
		h.Write([]byte(collection + " " + key))
		if n := json.Number(strconv.Itoa(beyond + int(h.Sum32())%beyond)); spec.Conforms(k.Key.Schema, n) {
			return n, true
		}
	}
	value, _, ok := k.generateKey(k.keys, seed, "key", collection, "named "+key)
	return value, ok
}

func (k *Runtime) keyOfElement(seed uint64, collection string, n int) string {
	text := strconv.Itoa(n)
	const purpose = "unmade" // generated keys depend on the word
	if _, key, ok := k.generateKey(k.keys, seed, purpose, collection, text); ok {
		return key
	}
	return text
}

// ValueKey is the key of an item's generated values: the same wherever it is shown.
func (k *Runtime) ValueKey(seed uint64, collection, key string) generate.Key {
	return generate.NewKey(seed, "item", k.Name, collection, key)
}

func (q *Request) valueKey(key string) generate.Key {
	return q.op.runtime.ValueKey(q.set.options.Seed, q.collection, key)
}
