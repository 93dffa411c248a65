package resources

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// generatedItem returns an item that nobody created as the mock shows it: each key has
// one where unknown items are generated.
func generatedItem(q *Request, key string) map[string]any {
	item := itemAsRead(q, key)
	if item == nil {
		item = q.linked(key, madeItem(q, key), nil)
	}
	if k := q.op.runtime; k.Singleton && q.isBelowCreated() {
		item = k.withoutElements(q.valueKey(key), item)
	}
	return item
}

// withoutElements returns a singleton of a new item: the lists that clients add to are empty.
func (k *Runtime) withoutElements(key generate.Key, item map[string]any) map[string]any {
	emptied := map[string]any{}
	for _, b := range k.Bindings {
		if p := b.Part; p != nil && p.Many && p.Change == resource.AddPart && len(listOf(item, p)) > 0 {
			item = withList(item, p, []any{})
			emptied[p.Property] = item[p.Property]
		}
	}
	if len(emptied) == 0 || k.Item == nil {
		return item
	}
	return k.recalculated(k.generator().Agree(key, item, emptied))
}

// madeItem makes an item of a key without the document's examples.
func madeItem(q *Request, key string) map[string]any {
	k := q.op.runtime
	have := map[string]any{}
	if k.KeyProperty() != nil {
		have = k.setTypedKey(have, q.sentKey(key))
	}
	if k.Item == nil {
		return have
	}
	for _, v := range q.op.Scope {
		if typed, ok := k.Typed(v.Property, q.Values.Path[v.Name]); ok {
			have = setProperty(have, v.Property, typed)
		}
	}
	if item, ok := k.Generate(q.valueKey(key), have); ok {
		return item
	}
	return have
}

// itemAsRead returns the item of a key as the operation that reads it answers from the
// document; nil if none.
func itemAsRead(q *Request, key string) map[string]any {
	k, op := q.op.runtime, q.op.Binding
	r := k.reader
	if r == nil {
		return nil
	}
	variables, path := q.Variables, q.Values.Path
	if r.Operation.Path != op.Operation.Path {
		n := len(r.Scope)
		isOther := !k.Singleton && n > 0 && n != len(op.Scope) || n > min(len(variables), len(op.Scope))
		if named := strings.Count(r.Operation.Path, "{") - n; isOther || named == 1 == k.Singleton || named > 1 {
			return nil
		}
		variables, path = slices.Clone(variables[:n]), map[string]any{}
		if !k.Singleton {
			variables, path[r.Variable] = append(variables, key), numberOrText(key)
		}
		for i, v := range r.Scope {
			path[v.Name] = q.Values.Path[op.Scope[i].Name]
		}
	}
	read := getRequest(q, r.Operation, variables, path)
	read.Preferences, read.Seed, read.Dynamic = q.Preferences, q.Seed, q.Dynamic
	status, _ := r.Success.Code()
	body, example := q.set.documentBody(read, status, r.Media)
	if op := q.set.operations[r.Operation]; op != nil {
		body, _ = withPathKeys(op.Binding, true, path, r.Media, body)
	}
	value, _ := r.Response.Item(body)
	item, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	if !example {
		return q.linked(key, maps.Clone(item), nil)
	}
	if k.KeyProperty() != nil {
		item = k.setTypedKey(item, key)
	}
	return maps.Clone(item)
}

// relinked rewrites the links of an item, and of the parent at the end of a path, after a key changed from old to key.
func relinked(item any, path []string, old, key any) any {
	object, ok := item.(map[string]any)
	before, _ := jsonvalue.Text(old)
	after, _ := jsonvalue.Text(key)
	if !ok || before == "" || before == after {
		return item
	}
	object = maps.Clone(object)
	for name, value := range object {
		switch value := value.(type) {
		case string:
			object[name] = withSegment(value, before, after)
		case map[string]any:
			if len(path) > 1 && name == path[0] {
				object[name] = relinked(value, nil, old, key)
			}
		}
	}
	return object
}

// withSegment returns a link, or a name such as "owner/thing", with one segment in the place of another. A short
// segment may be there for another reason, unless it is the last.
func withSegment(link, before, after string) string {
	const long = 3
	if !strings.Contains(link, "/") {
		return link
	}
	segments := strings.Split(link, "/")
	for i, s := range segments {
		rest, begins := strings.CutPrefix(s, before)
		isWhole := begins && (rest == "" || rest[0] == '{' || rest == ".git" || rest[0] == '?')
		if isWhole && (len(before) >= long || i == len(segments)-1) {
			segments[i] = after + rest
		}
	}
	return strings.Join(segments, "/")
}

// parentKeys are the members by which paths name objects if the variable's name does not say by which.
var parentKeys = words.Ranked("parent-key")

// nestedKey returns the way to the key of the parent that a variable of a path names, where an item has the parent as
// an object: {"owner": {"login": "ann"}} for /repos/{owner}/{repo}, {"user": {"id": 7}} for /users/{userId}/posts. It
// is nil if none.
func nestedKey(item any, v resource.Variable, path string) []string {
	object, _ := item.(map[string]any)
	before, _, _ := strings.Cut(path, "/{"+v.Name+"}")
	collection := before[strings.LastIndexByte(before, '/')+1:]
	stem := strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(v.Name, "id"), "Id"), "_-")
	for _, name := range []string{v.Name, stem, naming.SingularName(collection)} {
		parent, _ := object[name].(map[string]any)
		if parent == nil {
			continue
		}
		by := append([]string{v.Name}, parentKeys...)
		if stem != v.Name {
			by = []string{v.Name, "id"}
		}
		for _, by := range by {
			if _, has := parent[by]; has {
				return []string{name, by}
			}
		}
	}
	return nil
}

func getRequest(q *Request, o *spec.Operation, variables []string, path map[string]any) *respond.Request {
	return &respond.Request{
		Request: &exchange.Request{Method: "GET", Work: q.Work}, Operation: q.set.responder.Operation(o),
		Variables: variables, Values: decode.Values{Path: path}, Preferences: prefer.None(),
		Seed: q.set.options.Seed, Dynamic: q.set.options.Dynamic, Secrets: q.Secrets,
	}
}

// documentBody returns the body with which an operation answers if nothing is kept:
// the documented example, or a generated one.
func (s *Set) documentBody(q *respond.Request, status int, media *spec.MediaType) (body any, example bool) {
	b := s.responder.Body(media)
	if e := b.Example(""); e != nil && !q.Dynamic {
		return e.Value, true
	}
	body, _ = b.Generate(q, b.Key(q, status))
	return body, false
}

func numberOrText(text string) any {
	value, err := jsontext.Decode(text)
	if number, ok := value.(json.Number); err == nil && ok {
		return number
	}
	return text
}

// adjust fits an example or a generated body to the request: the keys that the path
// has stand in it, and a list is filtered, sorted and cut as the query asks for.
func (q *Request) adjust(media *spec.MediaType, body any) (any, bool) {
	binding := q.Operation.Item
	if q.op != nil && q.op.showsKey() {
		binding = q.op.Binding
	}
	body, changed := withPathKeys(binding, q.op != nil, q.Values.Path, media, body)
	if one, ok := onlyNamed(binding, body); ok && !q.Preferences.Has(prefer.Count) {
		if one = q.set.responder.Body(media).Agree(q.Request, binding.Response.Path, one); media.Conforms(one) {
			body, changed = one, true
		}
	}
	if other := q.relinkedBody(media, body); other != nil {
		body, changed = other, true
	}
	if q.asks != nil && media == q.op.Media {
		body, changed = excerpt(q, body), true
	}
	if q.op.inclusion() != nil && media == q.op.Media && media == q.media {
		body, changed = q.withIncluded(body, q.flatItems(body)), true
	}
	return body, changed
}

func (op *Operation) showsKey() bool {
	if op.runtime.Singleton || op.KeyIn != resource.InPath || op.Response == nil {
		return false
	}
	switch op.Role {
	case resource.Read, resource.Replace, resource.Update, resource.Upsert:
		return true
	}
	return op.Role == resource.Action && op.Reads
}

// withPathKeys returns a body without kept items, with the keys in the path, of parents and of the item itself, if its
// items have such properties: as kept items show them. It reports whether that changes the body.
func withPathKeys(b *resource.Binding, kept bool, path map[string]any, media *spec.MediaType, body any) (any, bool) {
	if b == nil || media != b.Media {
		return body, false
	}
	in, keys := keysInPath(b, kept)
	if in == nil || len(keys) == 0 {
		return body, false
	}
	items, ok := in.Items(body)
	if !ok {
		return body, false
	}
	changed := false
	for _, v := range keys {
		with, linked := slices.Clone(items), slices.Clone(items)
		for i, item := range items {
			properties := [][]string{v.Property}
			if v.Name != b.Variable {
				properties = append(properties, nestedKey(item, v, b.Operation.Path))
			}
			for _, property := range properties {
				have, _ := jsonvalue.Property(with[i], property)
				if key := ofSameType(path[v.Name], have); property != nil && key != nil {
					with[i] = jsonvalue.WithProperty(with[i], property, key)
					linked[i] = relinked(jsonvalue.WithProperty(linked[i], property, key), property, have, key)
				}
			}
		}
		if !jsonvalue.Same(with, linked) && media.Conforms(in.PutItems(body, linked)) {
			with = linked
		}
		if other := in.PutItems(body, with); !jsonvalue.Same(items, with) && media.Conforms(other) {
			items, body, changed = with, other, true
		}
	}
	return body, changed
}

// onlyNamed returns a body whose list has nothing but the item that the path names, which all of its elements were
// taken for; false if the list is not such a list.
func onlyNamed(b *resource.Binding, body any) (any, bool) {
	if b == nil || b.Role != resource.Read || b.KeyIn != resource.InPath || b.Response == nil || !b.Response.Many {
		return nil, false
	}
	items, _ := b.Response.Items(body)
	if len(items) < 2 || !generate.RepeatsIdentifier(items[:1], items[1]) {
		return nil, false
	}
	return b.Response.PutItems(body, items[:1]), true
}

// keysInPath returns where a body has items, and the variables of the path that are keys
// of them and of their parents.
func keysInPath(b *resource.Binding, kept bool) (*resource.Shape, []resource.Variable) {
	key := resource.Variable{Name: b.Variable, Property: b.Lookup}
	if b.Lookup == nil && b.Resource.Key != nil {
		key.Property = b.Resource.Key.Property
	}
	switch {
	case b.Role == resource.List && b.List == nil:
		return nil, nil
	case b.Role == resource.List:
		return &b.List.Items, b.Scope
	case kept && b.KeyIn == resource.InPath && b.Role != resource.Create && !answersOthers(b):
		return b.Response, append(slices.Clip(b.Scope), key)
	}
	return b.Response, b.Scope
}

// answersOthers reports whether an action on an item answers a list: of what belongs to the item.
func answersOthers(b *resource.Binding) bool {
	return b.Role == resource.Action && b.Response != nil && b.Response.Many
}

// ofSameType returns a value of a path as a text or a number, whichever the other is; nil if it cannot be that.
func ofSameType(value, other any) any {
	text, _ := jsonvalue.Text(value)
	_, isText := other.(string)
	_, isNumber := other.(json.Number)
	number, ok := numberOrText(text).(json.Number)
	switch {
	case isText && text != "":
		return text
	case isNumber && ok:
		return number
	}
	return nil
}

// complete adds to an item what the server sets: properties that the client cannot
// send, and those that the item's schema requires. It reports whether the item is known to conform to that.
func complete(q *Request, key string, item map[string]any) (completed map[string]any, conforms bool) {
	k := q.op.runtime
	if k.KeyProperty() != nil {
		if _, ok := jsonvalue.Property(item, k.Key.Property); !ok {
			item = k.setTypedKey(item, key)
		}
	}
	if k.Item == nil {
		return item, false
	}
	var unsent []string
	var d defaults
	if s := q.op.request; s != nil {
		item = maps.Clone(s.withPartDefaults(item))
		d = s.defaults(item)
		respond.SetDefaults(item, d.sendable)
		respond.SetDefaults(item, d.readOnly)
		d.counters.Set(item, k.properties, s.sendable)
		unsent = slices.Clone(d.absent)
		for name := range s.sendable {
			if _, ok := item[name]; !ok {
				unsent = append(unsent, name)
			}
		}
		unsent = append(unsent, q.op.unreferred(item)...)
	}
	isComplete := true
	for name := range k.properties {
		if _, ok := item[name]; !ok && !q.op.request.sends(name) {
			isComplete = false
		}
	}
	if isComplete && spec.Conforms(k.Item.Keywords, item) {
		return item, true
	}
	filled, ok := k.Generate(q.valueKey(key), respond.Listed(item, k.properties), unsent...)
	if !ok {
		return item, false
	}
	filled, conforms = maps.Clone(filled), true
	for _, name := range d.past {
		at, _, isTime := generate.ReadTime(filled[name])
		if _, isKnown := item[name]; isTime && !isKnown && at.Before(q.set.Now(q.Session, q.Dynamic)) {
			delete(filled, name)
		}
	}
	for _, name := range d.begins {
		at, write, isTime := generate.ReadTime(filled[name])
		if isTime && item[name] == nil && at.Before(q.set.Now(q.Session, q.Dynamic)) {
			filled[name] = write(q.now())
		}
	}
	for start, end := range k.spans() {
		_, begins := filled[start]
		if _, isKnown := item[end]; !begins && !isKnown && slices.Contains(d.past, end) {
			delete(filled, end)
		}
	}
	filled = k.withZeros(q.valueKey(key), filled, item, d.zero)
	for name, value := range item {
		made, has := filled[name]
		if has && jsonvalue.Equals(made, value) || has && extends(made, value) {
			continue // with what its schema requires
		}
		conforms = false
		filled[name] = value
	}
	return filled, conforms
}

// withZeros returns a new item with the numbers that are 0 at first, and others in agreement. item is what was not
// generated.
func (k *Runtime) withZeros(key generate.Key, filled, item, zero map[string]any) map[string]any {
	changes := false
	for name, value := range zero {
		_, isKnown := item[name]
		whole := jsonvalue.Merge(filled[name], value)
		if _, has := filled[name]; has && !isKnown && spec.Conforms(k.properties[name], whole) {
			filled[name], changes = whole, true
		}
	}
	if !changes {
		return filled
	}
	return k.generator().Agree(key, filled, item)
}

// Generate makes an item around the properties that it has.
func (k *Runtime) Generate(key generate.Key, have map[string]any, unsent ...string) (map[string]any, bool) {
	value, err := k.generator().Fill(key, have, unsent...)
	item, ok := value.(map[string]any)
	return item, ok && err == nil
}

// CompleteFixture adds to an item of data what the server sets: its times, its version,
// and properties that clients cannot send.
func (s *Set) CompleteFixture(k *Runtime, in *state.State, collection, key string, item map[string]any) {
	s.completeTimes(k, in, item)
	if k.Version != "" && item[k.Version] == nil {
		k.setVersion(item, 1)
	}
	var wanted, unsent []string
	for name := range k.properties {
		if _, ok := item[name]; ok {
			continue
		}
		if k.isSetByServer(name) {
			wanted = append(wanted, name)
		} else {
			unsent = append(unsent, name)
		}
	}
	if len(wanted) == 0 || k.Item == nil {
		return
	}
	have := respond.Listed(item, k.properties)
	filled, ok := k.Generate(k.ValueKey(s.options.Seed, collection, key), have, unsent...)
	if !ok {
		return
	}
	for _, name := range wanted {
		if value, ok := filled[name]; ok {
			item[name] = value
		}
	}
}

func (s *Set) completeTimes(k *Runtime, in *state.State, item map[string]any) {
	isCreated, isUpdated := k.Created == "" || item[k.Created] != nil, k.Updated == "" || item[k.Updated] != nil
	if isCreated && isUpdated {
		return
	}
	now := s.now(in, s.options.Dynamic)
	if !isCreated {
		k.setTime(item, k.Created, now)
	}
	if !isUpdated {
		k.setTime(item, k.Updated, now)
		if created, ok := item[k.Created]; ok && spec.Conforms(k.properties[k.Updated], created) {
			item[k.Updated] = created
		}
	}
}

// isSetByServer reports whether clients cannot send a property: it is readOnly, or no creation has it.
func (k *Runtime) isSetByServer(name string) bool {
	if k.readOnly(name) {
		return true
	}
	for _, role := range []resource.Role{resource.Create, resource.Upsert} {
		for _, b := range k.Bindings {
			if s := k.operations[b].request; s != nil && b.Role == role && len(s.sendable) > 0 {
				return !s.sends(name)
			}
		}
	}
	return false
}
