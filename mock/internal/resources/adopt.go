package resources

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Forwarding is what the items of a session mean for a request that a proxy is about to forward.
type Forwarding struct {
	Mocked   string // why the mock answers instead; "" if the request is forwarded
	Merges   bool   // Merge may change the response
	Unmerged string // the list with items that differ here and that the response sums up or exports; "" if none
}

// Forwarding returns what to do with a request whose path was decoded.
func (s *Set) Forwarding(q *Request) (f Forwarding) {
	if !q.Session.HasLocal("") {
		return f
	}
	for _, list := range s.sourcesOf(s.operations[q.Operation.Operation]) {
		if q.Session.HasLocal(list.Collection(q.pathText)) {
			f.Unmerged = list.Binding.Operation.Path
		}
	}
	if !q.bind(s) {
		return f
	}
	for parent := range s.parents(q.op, q.pathText) {
		if item := q.Session.Peek(parent.Collection, parent.Key); item != nil {
			if f.Mocked = whyMocked(item); f.Mocked != "" {
				return f
			}
		}
	}
	if q.op.Role == resource.List {
		f.Merges = q.op.List != nil && q.op.Media != nil && q.Session.HasLocal(q.collection)
		return f
	}
	item := q.namedItem()
	if item == nil {
		return f
	}
	if f.Mocked = whyMocked(item); item.Deleted() && q.op.Role == resource.Upsert {
		f.Mocked = "" // it creates the item again
	}
	f.Merges = f.Mocked == "" && item.IsLocal() && q.op.Role == resource.Read && q.op.Response != nil
	return f
}

// sourcesOf returns the lists of other operations from which the responses of an operation follow: which it sums up,
// exports or joins.
func (s *Set) sourcesOf(op *Operation) (lists []*Operation) {
	if op == nil {
		return nil
	}
	lists = slices.Clip(op.kinds)
	add := func(list *resource.Binding) {
		if of := s.operations[list.Operation]; of != nil {
			lists = append(lists, of)
		}
	}
	if op.Exports != nil {
		add(op.Exports)
	}
	for _, statistic := range op.Statistics {
		add(statistic.Of)
	}
	return lists
}

// whyMocked returns why a request for an item is not for the upstream; "" if it is.
func whyMocked(item *state.Item) string {
	switch {
	case !item.IsLocal():
	case item.Deleted():
		return "the item was deleted here"
	case item.Upstream == nil:
		return "only the mock has the item"
	}
	return ""
}

// bind prepares a request of a proxy. It reports false if its operation says nothing of the items of one type.
func (q *Request) bind(s *Set) bool {
	q.set, q.op = s, s.operations[q.Operation.Operation]
	if q.op == nil || len(q.op.kinds) > 0 {
		return false
	}
	if q.collection = q.op.Collection(q.pathText); q.op.Role == resource.List && q.op.listsAllParents() {
		q.collection = ""
	}
	return true
}

// namedKey returns the key of the item that the path names; "" if none, or if it names it by another property.
func (q *Request) namedKey() string {
	switch {
	case q.op.Lookup != nil || q.op.Role == resource.List || q.op.Role == resource.DeleteMany:
		return ""
	case q.op.runtime.Singleton:
		return SingletonKey
	case q.op.KeyIn == resource.InPath:
		return q.pathText(q.op.Variable)
	}
	return ""
}

// namedItem returns the item, or the tombstone, that the path names; nil if nothing is known of it.
func (q *Request) namedItem() *state.Item {
	key := q.namedKey()
	if key == "" {
		if q.op.Lookup != nil && q.op.KeyIn == resource.InPath {
			found, _ := q.op.findKept(q.Session, q.collection, q.pathText(q.op.Variable), q.Values.Path, q.Work)
			return found.encoded
		}
		return nil
	}
	item := q.Session.Peek(q.collection, key)
	if item != nil && !item.Deleted() && len(q.op.extra) > 0 && !q.op.isBelow(q.Values.Path, DecodeItem(item)) {
		return nil
	}
	return item
}

// Adopt keeps what a successful response of another server says of its items, and returns the items that it shows. body
// is the decoded body of a media type; media is nil if the document has none for it, and body may be nil then.
func (s *Set) Adopt(q *Request, header exchange.Header, media *spec.MediaType, body any) (shown []*state.Item) {
	if !q.bind(s) {
		return nil
	}
	op, shape := q.op, (*resource.Shape)(nil)
	if op.Role == resource.DeleteMany || op.Keys != nil || op.Role == resource.Action && op.Bulk != nil {
		q.Session.Forget(q.collection) // nothing says what happened to which item
		return nil
	}
	switch op.Role {
	case resource.Delete:
		if key := q.namedKey(); key != "" {
			q.Session.Adopt(q.collection, key, q.Session.Peek(q.collection, key), nil, nil)
			q.Session.ClearBelow(q.collection, key)
		}
		return nil
	case resource.List:
		if op.List != nil && (media == op.Media || media == nil && body != nil) {
			shape = &op.List.Items
		}
	case resource.Create, resource.Read, resource.Replace, resource.Update, resource.Upsert, resource.Action:
		if in := op.responses[media]; media != nil && in != nil && (op.Role != resource.Action || op.Reads) {
			shape = in.Shape
		} else if media == nil && body != nil && op.Role != resource.Action {
			shape = op.Response
		}
	}
	key := q.namedKey()
	if op.Role == resource.Create {
		key = createdKey(header)
	}
	if shape == nil {
		return q.adopt(q.sentTo(key), key)
	}
	items, _ := shape.Items(body)
	for _, item := range items {
		if object, ok := item.(map[string]any); ok && !q.Work.Step() {
			shown = append(shown, q.adopt(object, key)...)
		}
	}
	return shown
}

// createdKey returns the key of a created item that Location names; "" if it names none.
func createdKey(header exchange.Header) string {
	location, _ := header.Get("Location")
	path, _, _ := strings.Cut(location, "?")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// sentTo returns the item of a key after a change that was accepted without showing it: as the request says. It returns
// nil if the request does not say so.
func (q *Request) sentTo(key string) map[string]any {
	if key == "" || !q.Values.HasBody {
		return nil
	}
	old := upstreamOf(q.Session.Peek(q.collection, key))
	switch role := q.op.Role; {
	case role == resource.Update && isJSONPatch(q):
		patched, err := jsonvalue.Patch(old, q.Values.Body())
		if after, _ := patched.(map[string]any); err == nil && old != nil {
			return after
		}
	case role == resource.Create, role == resource.Update, role == resource.Replace, role == resource.Upsert:
		sent, ok := sentItem(q)
		if !ok {
			return nil
		}
		if role == resource.Update || q.op.isPartial() {
			sent, _ = jsonvalue.Merge(old, sent).(map[string]any)
		}
		return sent
	}
	return nil
}

// Unseen returns the operation and the path that read the item that a request changes, if nothing is known of the item;
// nil otherwise.
func (s *Set) Unseen(q *Request) (*spec.Operation, string) {
	if !q.bind(s) || q.op.Role == resource.Read || q.op.Role == resource.Create || q.namedKey() == "" {
		return nil, ""
	}
	reader := q.op.runtime.reader
	if reader == nil || q.namedItem() != nil {
		return nil, ""
	}
	below, ok := strings.CutPrefix(q.Operation.Path, reader.Operation.Path)
	if !ok || below != "" && below[0] != '/' || strings.Contains(below, "{") {
		return nil, ""
	}
	path := q.Path
	for range strings.Count(below, "/") {
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return reader.Operation, path
}

// AdoptMissing keeps that the upstream does not have the item that a change names, unless the change may create it.
func (s *Set) AdoptMissing(q *Request) {
	documents := func(status string) bool {
		return slices.ContainsFunc(q.Operation.Responses, func(r *spec.Response) bool { return r.Status == status })
	}
	if !q.bind(s) || !documents("404") || documents("201") {
		return
	}
	if key := q.namedKey(); key != "" && q.Session.Peek(q.collection, key) == nil {
		q.Session.Adopt(q.collection, key, nil, nil, nil)
	}
}

// upstreamOf returns an item as the upstream has it; nil if that is not known.
func upstreamOf(item *state.Item) map[string]any {
	if item == nil || item.Upstream == nil {
		return nil
	}
	return DecodeItem(&state.Item{JSON: item.Upstream})
}

// adopt keeps an item of the upstream, or what a response shows of it. key is the key that the request or Location
// names, "" if none. A property that clients changed here stays changed until the upstream changes it, too.
// adopt returns the item that is kept, if any.
func (q *Request) adopt(shown map[string]any, key string) []*state.Item {
	k := q.op.runtime
	switch own := k.keyOf(shown); {
	case shown == nil || own != "" && q.namedKey() != "" && own != key && q.op.Role != resource.Action:
		return nil // it is another item
	case key == "" || own != "" && q.op.Role == resource.Create:
		key = own
	}
	if key == "" || len(key) > longestKey {
		return nil
	}
	shown = maps.Clone(shown)
	maps.DeleteFunc(shown, func(name string, _ any) bool { return IsHidden(name) })
	shown = k.withoutSecrets(withParents(q, shown))
	if k.keyOf(shown) == "" {
		shown = k.setTypedKey(shown, key)
	}
	collection := collectionOfNew(q, shown)
	if collection == "" {
		return nil // nothing says whose item it is
	}
	for range changeAttempts {
		before := q.Session.Peek(collection, key)
		upstream, here, isNew := q.combine(before, shown)
		if !isNew {
			break
		}
		text, ok := EncodeItem(upstream)
		if !ok {
			return nil
		}
		var own []byte
		if here != nil {
			own = jsontext.Marshal(here)
		}
		if q.Session.Adopt(collection, key, before, own, text) {
			break
		}
	}
	if item := q.Session.Peek(collection, key); item != nil && !item.Deleted() {
		return []*state.Item{item}
	}
	return nil
}

// wins reports whether a forwarded request wrote a property, so that what the response shows of it holds here.
func (q *Request) wins() func(name string) bool {
	var sent map[string]any
	switch q.op.Role {
	case resource.Create, resource.Upsert, resource.Replace:
		return func(string) bool { return true }
	case resource.Update:
		sent, _ = sentItem(q)
	}
	return func(name string) bool { _, is := sent[name]; return is }
}

// combine returns an item as the upstream has it now, and as the session has it: nil for a deleted one. isNew is false
// if both are known.
func (q *Request) combine(before *state.Item, shown map[string]any) (upstream, here map[string]any, isNew bool) {
	isCreated := q.op.Role == resource.Create || q.op.Role == resource.Upsert
	if before == nil || before.Upstream == nil && (isCreated || !before.IsLocal()) {
		return shown, shown, true
	}
	known, wins := upstreamOf(before), q.wins()
	if upstream = maps.Clone(known); upstream == nil {
		upstream = map[string]any{}
	}
	switch {
	case !before.IsLocal():
		here = upstream
	case !before.Deleted():
		here = DecodeItem(before)
	}
	for name, value := range shown {
		was, isKnown := known[name]
		changes := !isKnown || !jsonvalue.Equals(was, value)
		if changes {
			upstream[name], isNew = value, true
		}
		own, has := here[name]
		takes := wins(name) || changes && before.Upstream != nil && (isKnown || !has)
		if here != nil && takes && (!has || !jsonvalue.Equals(own, value)) {
			here[name], isNew = value, true
		}
	}
	if before.Deleted() && isCreated {
		return upstream, upstream, true
	}
	return upstream, here, isNew
}
