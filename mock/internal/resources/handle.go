package resources

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Request is a request with the session that it is made in.
type Request struct {
	*respond.Request
	Documented *spec.Response // of the answer that was begun
	Session    *state.State
	Base       *state.View // what sessions begin with
	Replies    *Replies    // of the session

	set       *Set
	op        *Operation
	changedAt time.Time    // of what the request changes; zero until it is asked for
	asks      *query.Query // of a list that is not made of items; nil for all of it
}

// Result is what the resources make of a request.
type Result struct {
	Answered bool             // the answer has its body, or needs none
	Refusal  *respond.Refusal // nil where the request is not refused
	Adjust   respond.Adjust   // fits an answer from the document to the request; nil where nothing is to fit
}

// errNotHandled says that the answer is made as if there were no resources.
var errNotHandled = errors.New("not handled")

// refusedError carries a refusal up to Handle.
type refusedError struct{ refusal respond.Refusal }

func (e *refusedError) Error() string { return exchange.Join(e.refusal.Findings) }

func refuse(p respond.Problem, f exchange.Finding) error {
	return &refusedError{respond.Refusal{Problem: p, Findings: []exchange.Finding{f}}}
}

// handlers do what operations of a role do. They report whether the answer has its
// body; the document's answer is made where it has not.
var handlers = [...]func(*Request, *respond.Answer) (answered bool, err error){
	resource.Create:     create,
	resource.Read:       read,
	resource.Action:     act,
	resource.List:       list,
	resource.Replace:    change,
	resource.Update:     change,
	resource.Upsert:     change,
	resource.Delete:     remove,
	resource.DeleteMany: removeMany,
}

// Handle does to the items of a session what the request asks for. The answer has its
// status and its documented headers.
func (s *Set) Handle(q *Request, a *respond.Answer) Result {
	q.set, q.op = s, s.operations[q.Operation.Operation]
	answered, err := s.handle(q, a)
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		return Result{Refusal: &refused.refusal}
	case answered:
		return Result{Answered: true}
	case len(q.Variables) == 0 && q.asks == nil:
		return Result{}
	}
	return Result{Adjust: q.adjust}
}

func (s *Set) handle(q *Request, a *respond.Answer) (answered bool, err error) {
	if q.op == nil || q.Documented == nil || a.Status >= 300 || q.Preferences.Example != "" {
		return false, nil
	}
	if answered, err = s.operate(q, a); err != nil && err != errNotHandled {
		return false, err
	}
	if q.op.file == noFile || a.Status >= 300 || q.Preferences.Code != 0 {
		return answered, nil
	}
	return handleFile(q, a, answered, err == nil)
}

func (s *Set) operate(q *Request, a *respond.Answer) (answered bool, err error) {
	if content := q.Documented.Content; len(content) > 0 && !exchange.IsBodiless(a.Status) {
		if media, _ := respond.Negotiate(q.Header, content); media == nil {
			return false, errNotHandled
		}
	}
	if m := s.MissingParent(q.op, q.Session, q.pathText); m != nil {
		return false, noSuchItem(m.Runtime, m.Key, m.Deleted, exchange.InPath, m.Variable)
	}
	if handler := handlers[q.op.Role]; handler != nil {
		return handler(q, a)
	}
	return false, errNotHandled
}

// Item is an item with its key and version.
type Item struct {
	Key     string
	Version uint64         // 0 where it was never stored
	Value   map[string]any // nil where there is none
	json    []byte         // of an item in a list, whose value may not be decoded yet
}

func (i *Item) decode() {
	if i.Value == nil {
		i.Value = DecodeItem(&state.Item{JSON: i.json})
	}
}

// DecodeItem reads an item as it is kept; nil where it is no object.
func DecodeItem(item *state.Item) map[string]any {
	value, err := jsontext.Decode(string(item.JSON))
	if err != nil {
		return nil
	}
	object, _ := value.(map[string]any)
	return object
}

// EncodeItem gives an item as it is kept, false where it is nested too deep to be
// read again.
func EncodeItem(item map[string]any) ([]byte, bool) {
	text := jsontext.Append(nil, item)
	_, err := jsontext.Decode(string(text))
	return text, err == nil
}

// requestKey gives the key by which the request names its item, and where that
// stands.
func requestKey(q *Request) (key, in string) {
	k := q.op.runtime
	switch {
	case k.Singleton:
		return SingletonKey, exchange.InPath
	case q.op.KeyIn == resource.InPath:
		return q.pathText(q.op.Variable), exchange.InPath
	case q.op.KeyIn == resource.InQuery:
		key, _ = jsonvalue.Text(q.Values.Query[q.op.Variable])
		return key, exchange.InQuery
	case q.op.KeyIn == resource.InBody && q.op.Keys == nil && q.op.Request != nil:
		if item, ok := q.op.Request.Item(q.Values.Body); ok {
			key = k.keyOf(item)
		}
	}
	return key, exchange.InBody
}

// find looks for the item that the request names. Where there is none, the Item has
// the key only.
func find(q *Request, collection string) (found Item, deleted bool) {
	key, _ := requestKey(q)
	if q.op.Lookup != nil && key != "" {
		named := query.Filter{Property: q.op.Lookup, Values: []any{key}}
		for item := range q.Session.View().Items(collection, 0) {
			if !named.MatchesText(item.JSON) {
				continue
			}
			value := DecodeItem(item)
			if have, ok := resource.Get(value, q.op.Lookup); ok {
				if text, ok := jsonvalue.Text(have); ok && text == key {
					return Item{Key: item.Key, Version: item.Version, Value: value}, false
				}
			}
		}
		// Two paths that differ in a variable's name only are one to a router: the
		// key may be meant.
	}
	return findKey(q, collection, key)
}

func findKey(q *Request, collection, key string) (found Item, deleted bool) {
	item, deleted := q.Session.Get(collection, key)
	if item == nil {
		return Item{Key: key}, deleted
	}
	value := DecodeItem(item)
	if value == nil || !isBelow(q, value) {
		return Item{Key: key}, value != nil
	}
	return Item{Key: key, Version: item.Version, Value: value}, false
}

// missing refuses a request for an item that was deleted, or that nobody created
// where unknown items are refused. It gives nil where the item is to be generated.
func missing(q *Request, key string, deleted bool) error {
	k, o := q.op.runtime, &q.set.options
	if !deleted && !(o.RefuseUnknown && (k.creates || o.SeedItems > 0)) {
		return nil
	}
	_, in := requestKey(q)
	return noSuchItem(k, key, deleted, in, q.op.Variable)
}

// findOrMissing finds the item that the request names; errNotHandled says that it is
// to be generated.
func findOrMissing(q *Request, collection string) (Item, error) {
	item, deleted := find(q, collection)
	if item.Value != nil {
		return item, nil
	}
	if err := missing(q, item.Key, deleted); err != nil {
		return item, err
	}
	return item, errNotHandled
}

func read(q *Request, a *respond.Answer) (bool, error) {
	if q.op.KeyIn != resource.InPath && !q.op.runtime.Singleton {
		return false, errNotHandled
	}
	collection := q.collection()
	item, err := findOrMissing(q, collection)
	if err != nil {
		return false, err
	}
	if isUnmodified(q, item) {
		q.set.responder.Begin(q.Request, a, 304, q.Operation.Response(304))
		a.Header.Set("ETag", etag(item.Version))
		return true, nil
	}
	return show(q, a, collection, item)
}

// act answers an action that shows the item it is about, and refuses one on an item
// that is not there.
func act(q *Request, a *respond.Answer) (bool, error) {
	if q.op.KeyIn != resource.InPath {
		return false, errNotHandled
	}
	collection := q.collection()
	item, err := findOrMissing(q, collection)
	if err == nil && (!q.op.Reads || q.op.Response == nil) {
		err = errNotHandled
	}
	if err != nil {
		return false, err
	}
	return show(q, a, collection, item)
}

func remove(q *Request, a *respond.Answer) (bool, error) {
	key, in := requestKey(q)
	if key == "" {
		return false, errNotHandled
	}
	collection := q.collection()
	item, deleted := find(q, collection)
	if item.Value == nil {
		if err := missing(q, key, deleted); err != nil {
			return false, err
		}
	}
	if err := checkPreconditions(q, item, deleted); err != nil {
		return false, err
	}
	match := state.Any
	if item.Value != nil && q.op.Headers.IfMatch != "" {
		match = state.Match(item.Version)
	}
	switch _, deleted, err := q.Session.Delete(collection, item.Key, match); {
	case err != nil:
		return false, stale(q, item)
	case deleted:
		return false, noSuchItem(q.op.runtime, key, true, in, q.op.Variable)
	}
	q.Session.ClearBelow(collection, item.Key)
	if item.Value == nil || q.op.Response == nil || len(q.Documented.Content) == 0 || exchange.IsBodiless(a.Status) {
		return false, nil
	}
	return show(q, a, collection, item)
}

// removeMany removes the items that the request names, or all.
func removeMany(q *Request, _ *respond.Answer) (bool, error) {
	collection := q.collection()
	var keys []any
	switch q.op.KeyIn {
	case resource.InQuery:
		keys = keysIn(q.Values.Query[q.op.Variable])
	case resource.InBody:
		keys = keysIn(q.Values.Body)
	case resource.Nowhere:
		for _, item := range initial(q, collection).items {
			if matchesQuery(q, item.Value) {
				keys = append(keys, item.Key)
			}
		}
		for item := range q.Session.View().Items(collection, 0) {
			if value := DecodeItem(item); value != nil && isBelow(q, value) && matchesQuery(q, value) {
				keys = append(keys, item.Key)
			}
		}
	}
	for _, key := range keyTexts(keys) {
		if _, deleted, _ := q.Session.Delete(collection, key, state.Any); !deleted {
			q.Session.ClearBelow(collection, key)
		}
	}
	return false, nil
}

// matchesQuery reports whether an item has what query parameters of the names of
// properties say.
func matchesQuery(q *Request, item map[string]any) bool {
	for name, wanted := range q.Values.Query {
		have, ok := item[name]
		if !ok {
			continue
		}
		values, several := wanted.([]any)
		if !several {
			values = []any{wanted}
		}
		if !slices.ContainsFunc(values, func(v any) bool { return jsonvalue.Same(have, v) }) {
			return false
		}
	}
	return true
}

// keysIn gives the keys that a value names: itself, its elements, or those of the one
// array that an object has.
func keysIn(value any) []any {
	switch v := value.(type) {
	case nil:
		return nil
	case []any:
		keys := make([]any, len(v))
		for i, element := range v {
			if keys[i] = element; isObject(element) {
				keys[i] = element.(map[string]any)["id"]
			}
		}
		return keys
	case map[string]any:
		for _, member := range v {
			if list, ok := member.([]any); ok {
				return keysIn(list)
			}
		}
		return nil
	}
	return []any{value}
}

func isObject(value any) bool {
	_, ok := value.(map[string]any)
	return ok
}

func keyTexts(keys []any) []string {
	texts := make([]string, 0, len(keys))
	for _, key := range keys {
		if text, ok := jsonvalue.Text(key); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// origin gives the scheme and the host by which the client reaches the mock.
func (q *Request) origin() string {
	scheme, host, _ := strings.Cut(q.set.options.URL(), "://")
	if sent, ok := q.Header.Get("Host"); ok && sent != "" {
		host = sent
	}
	return scheme + "://" + host
}
