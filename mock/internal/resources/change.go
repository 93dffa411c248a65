package resources

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// changeAttempts is how often a change is tried again after another one came first.
const changeAttempts = 100

// change replaces an item, changes it in part, or creates it if there is none.
func change(q *Request) error {
	if q.op.Keys != nil {
		return changeMany(q)
	}
	switch key, _ := requestKey(q); {
	case key == "" && q.op.Role == resource.Upsert && q.op.KeyIn == resource.InBody:
		return create(q) // PUT /plants of a plant without a key
	case key == "":
		return errNotHandled
	}
	item, isNew, err := changeOne(q, func() (Item, bool) { return find(q) })
	if err != nil {
		return err
	}
	isReplaced := q.op.Role == resource.Upsert && item.Version > 0 && !isNew
	if isReplaced && q.Preferences.Code == 0 && q.answer.Status == 201 {
		// 201 is for an item that was created.
		for _, r := range q.Operation.Responses {
			if code, count := r.Code(); count == 1 && (code == 200 || code == 204) {
				return showReplaced(q, item, code, r)
			}
		}
	}
	return show(q, item)
}

// changeMany changes all items that the request names in the same way: none if it
// names none, or one that is missing.
func changeMany(q *Request) error {
	named, _ := jsonvalue.Property(q.Values.Body(), q.op.Keys)
	list, _ := named.([]any)
	keys := keyTexts(list)
	for _, key := range keys {
		if found, deleted := q.findKey(key); found.Value == nil {
			if err := missing(q, key, deleted); err != nil {
				return err
			}
		}
	}
	items := make([]Item, len(keys))
	for i, key := range keys {
		var err error
		if items[i], _, err = changeOne(q, func() (Item, bool) { return q.findKey(key) }); err != nil {
			return err
		}
	}
	return showAll(q, items)
}

// changeOne changes the item that find finds, and returns the changed item and whether it is new.
func changeOne(q *Request, find func() (Item, bool)) (item Item, isNew bool, err error) {
	for range changeAttempts {
		item, isNew, err = tryChange(q, find)
		if !errors.Is(err, state.ErrVersion) {
			return item, isNew, err
		}
	}
	return Item{}, false, refuse(respond.Conflict,
		exchange.Finding{Code: "conflict", Message: "the item changes all the time", In: exchange.InRequest})
}

// tryChange is changeOne; state.ErrVersion says that another change came first. Where
// the request has nothing for the item, it stays unchanged.
func tryChange(q *Request, find func() (Item, bool)) (item Item, isNew bool, err error) {
	before, deleted := find()
	upserts := q.op.Role == resource.Upsert
	if before.Value == nil && !upserts {
		err = missing(q, before.Key, deleted)
	}
	if err == nil {
		err = checkPreconditions(q, before, deleted)
	}
	if err == nil {
		err = checkState(q, before)
	}
	if err != nil {
		return Item{}, false, err
	}
	if before.Value == nil && q.op.Lookup != nil && upserts { // the path names another property
		_, before.Key = q.op.runtime.NewKey(q.Session, q.set.options.Seed, q.collection)
	}
	after, err := changed(q, before)
	if err == errNotHandled && before.Value == nil && q.op.Role == resource.Update {
		before.Value = withParents(q, generatedItem(q, before.Key))
	}
	if err == errNotHandled && before.Value != nil {
		return before, false, nil
	}
	if err == nil {
		err = checkUnique(q, q.collection, before.Key, after, before.Value)
	}
	if err != nil {
		return Item{}, false, err
	}
	item, isNew, err = keepChange(q, before, after)
	if isNew && upserts && !deleted && q.op.Lookup == nil && isInitial(q, before.Key) {
		isNew = false
	}
	return item, isNew, err
}

func keepChange(q *Request, before Item, after map[string]any) (Item, bool, error) {
	after = q.op.runtime.withoutSecrets(after)
	text, ok := EncodeItem(after)
	if !ok {
		return Item{}, false, errNotHandled
	}
	match := state.Any
	if before.Value != nil {
		match = state.Match(before.Version)
	}
	flags := state.Flags(0)
	if before.encoded != nil {
		flags = before.encoded.Flags
	} else if q.op.Role == resource.Upsert && !isInitial(q, before.Key) {
		flags = state.ByClient
	}
	kept, isNew, err := q.put(q.collection, before.Key, text, flags, match)
	switch {
	case errors.Is(err, state.ErrVersion):
		return Item{}, false, err
	case err != nil:
		q.set.options.StoreFull()
		return Item{}, false, errNotHandled
	}
	if old := before.Value; old != nil || flags == state.ByClient {
		q.countBelow(q.collection, old, after)
	}
	return Item{Key: kept.Key, Version: kept.Version, Value: after, encoded: kept}, isNew, nil
}

// showReplaced answers with a status for an item that was replaced: with the item, or as it would be without.
func showReplaced(q *Request, item Item, status int, documented *spec.Response) error {
	q.Documented = documented
	q.negotiate()
	q.set.responder.Begin(q.Request, q.answer, status, documented)
	if err := show(q, item); err == nil || exchange.IsBodiless(status) {
		return nil
	}
	if q.media == nil {
		return nil
	}
	b := q.set.responder.Body(q.media)
	value, _ := b.Generate(q.Request, b.Key(q.Request, status))
	q.answer.SetBody(q.media, q.as, value)
	return nil
}

func changed(q *Request, before Item) (map[string]any, error) {
	old := before.Value
	if old == nil && q.op.Role != resource.Upsert {
		old = generatedItem(q, before.Key)
	}
	if q.op.Role == resource.Update && isJSONPatch(q) {
		after, err := patched(q, before, old)
		if err != nil {
			return nil, err
		}
		return checkChange(q, before, old, fixed(q, before, old, after), nil)
	}
	sent, ok := sentItem(q)
	if !ok {
		return nil, errNotHandled
	}
	isMerged := q.op.Role == resource.Update || q.op.Role == resource.Replace && q.op.isPartial() ||
		q.Method == "POST" && before.Value != nil && !q.Operation.Operation.DocumentsExactly(201)
	if !isMerged {
		return fixed(q, before, old, replaced(q, before.Key, old, sent)), nil
	}
	sent = q.op.withoutReadOnly(sent)
	sent = q.op.withNested(old, sent)
	after := jsonvalue.Merge(WithoutHidden(old), sent).(map[string]any)
	keepNulls(q.op.runtime, after, sent)
	return checkChange(q, before, old, fixed(q, before, old, after), sent)
}

// requiredBy returns the names of the properties that requests of a binding require of an item. described is false if
// the requests describe none.
func requiredBy(b *resource.Binding) (required map[string]bool, described bool) {
	if b == nil || b.Request == nil || b.Request.Value == nil || b.Operation.Body == nil {
		return nil, false
	}
	for _, m := range b.Operation.Body.Content {
		if m.Schema != nil {
			return respond.Part(m.Schema, b.Request.Value).Requires(), true
		}
	}
	return nil, false
}

// sendsPart reports whether a PUT may send a part of an item, and what it does not send stays: its schema requires
// nothing, and the schema of creations requires some of the same properties.
func (op *Operation) sendsPart() bool {
	own, described := requiredBy(op.Binding)
	if !described || len(own) > 0 || op.Role != resource.Replace {
		return false
	}
	created, _ := requiredBy(op.runtime.first(func(b *resource.Binding) bool {
		return b.Role == resource.Create && b.Request != nil && b.Request.Value != nil
	}))
	for name := range created {
		if op.request.sends(name) {
			return true
		}
	}
	return false
}

// replaced returns an item that was sent whole. What a client cannot send stays, or is generated.
func replaced(q *Request, key string, old, sent map[string]any) map[string]any {
	after := q.op.withoutReadOnly(sent)
	s := q.op.request
	if s == nil {
		s = &requestItem{}
	} else {
		after = s.withPartDefaults(after)
		respond.SetDefaults(after, s.defaults(after).sendable)
	}
	if old == nil {
		after, _ = complete(q, key, after)
		return after
	}
	for name, value := range old {
		_, sent := after[name]
		isOther := s.open && !q.op.runtime.declares(name)
		if !sent && len(s.sendable) > 0 && !s.sends(name) && !isOther {
			after[name] = value
		}
	}
	return after
}

// keepNulls keeps the nulls that were sent for properties that may be null: null is a value there.
func keepNulls(k *Runtime, item, sent map[string]any) {
	for name, value := range sent {
		if property := k.properties[name]; property != nil && !k.readOnly(name) {
			keepNull(property, item, name, value)
		}
	}
}

// keepNull keeps the nulls in a value that was sent for a member of an object, which was merged with it.
func keepNull(property *schema.Keywords, object map[string]any, name string, sent any) {
	members, _ := sent.(map[string]any)
	merged, _ := object[name].(map[string]any)
	if merged == nil || members == nil {
		if sent == nil && spec.Conforms(property, nil) {
			object[name] = nil
		}
		return
	}
	merged = maps.Clone(merged)
	for inner, value := range members {
		if of := schema.Property(property, inner); of != nil {
			keepNull(of, merged, inner, value)
		}
	}
	object[name] = merged
}

// fixed returns a changed item with what the request cannot change: what only the server
// sets, the key and the parents that the path names, the times.
func fixed(q *Request, before Item, old, after map[string]any) map[string]any {
	k := q.op.runtime
	after = maps.Clone(withObjects(q, after, old))
	for name, value := range old {
		if k.readOnly(name) && !q.op.request.sends(name) || IsHidden(name) {
			after[name] = value
		}
	}
	if k.KeyProperty() != nil && q.op.Lookup == nil {
		after = k.SetKey(after, keyAfter(q, before, old))
	}
	if q.op.Lookup != nil && before.Value == nil {
		key, _ := requestKey(q)
		value, _ := k.Typed(q.op.Lookup, key)
		after = setProperty(after, q.op.Lookup, value)
	}
	if !k.Scoped || before.Value == nil {
		after = withParents(q, after)
	} else {
		for _, v := range q.op.Scope { // a change does not take the item to another parent
			if value, has := jsonvalue.Property(old, v.Property); has && v.Property != nil {
				after = setProperty(after, v.Property, value)
			}
		}
	}
	setTimes(q, after, old, before.Value == nil && q.op.Role == resource.Upsert)
	k.setStateTimes(q, after, old)
	k.moveEnds(q, after, old)
	for _, name := range k.changed {
		if old != nil && k.isSetByServer(name) && spec.Conforms(k.properties[name], true) {
			after[name] = true
		}
	}
	k.repeat(after, old)
	after = k.withElementKeys(q.valueKey(before.Key), q.withEmbedded(after, old))
	after = withCompleteParts(q, before.Key, after, old)
	after = k.recalculated(withReferred(q, after, old))
	if q.op.Role == resource.Upsert && before.Value == nil {
		old = nil
	}
	return q.linkedAfter(before.Key, after, old)
}

// repeat changes the texts that only the server sets and that consist of texts which clients send: full_name of the
// first and the last name.
func (k *Runtime) repeat(after, old map[string]any) {
	var changes, parts []string // each followed by what replaces it
	for _, p := range k.Properties {
		before, _ := old[p.Name].(string)
		now, isText := after[p.Name].(string)
		if !isText || before == "" || !k.isPlainText(p) || k.isSetByServer(p.Name) {
			continue
		}
		parts = append(parts, before, "")
		if before != now {
			changes = append(changes, before, now)
		}
	}
	if len(changes) == 0 {
		return
	}
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for _, p := range k.Properties {
		before, isText := old[p.Name].(string)
		if !isText || after[p.Name] != before || !k.isPlainText(p) || !k.isSetByServer(p.Name) ||
			strings.ContainsFunc(strings.NewReplacer(parts...).Replace(before), isWord) {
			continue
		}
		if now := strings.NewReplacer(changes...).Replace(before); spec.Conforms(k.properties[p.Name], now) {
			after[p.Name] = now
		}
	}
}

// isPlainText reports whether a property holds text that people write.
func (k *Runtime) isPlainText(p resource.Property) bool {
	return p.Kind == schema.String && p.Format == "" && len(schema.Values(p.Schema)) == 0 &&
		!slices.Equal(k.KeyProperty(), []string{p.Name})
}

// keyAfter returns the key that an item has after a change: its own, if the item is kept under it.
func keyAfter(q *Request, before Item, old map[string]any) any {
	k := q.op.runtime
	value, has := jsonvalue.Property(old, k.Key.Property)
	if text, _ := jsonvalue.Text(value); has && text == before.Key {
		return value
	}
	if typed, ok := k.Typed(k.Key.Property, q.sentKey(before.Key)); ok || !has {
		return typed
	}
	if before.Value == nil && k.Has(resource.List) { // a list may show another item that has it
		if key, ok := k.replacementKey(q.set.options.Seed, q.collection, before.Key); ok {
			return key
		}
	}
	return value
}

func (q *Request) sentKey(key string) any {
	if q.op.KeyIn == resource.InPath {
		if value, ok := q.Values.Path[q.op.Variable]; ok {
			return value
		}
	}
	return key
}

// checkChange refuses an update that breaks the item's schema. What the request's
// schema allows is not refused: properties that the item cannot have stay unchanged.
func checkChange(q *Request, before Item, old, after, sent map[string]any) (map[string]any, error) {
	if !q.set.options.Strict {
		return after, nil
	}
	findings := broken(q, before, old, after)
	switch {
	case len(findings) == 0:
		return after, nil
	case sent == nil || !isDescribed(q, sent):
		return nil, &respond.Refusal{Problem: respond.BadBody, Findings: findings}
	}
	// Objects that cannot be merged with the old ones replace them.
	whole := maps.Clone(after)
	for name, value := range sent {
		if _, isObject := value.(map[string]any); isObject {
			whole[name] = value
		}
	}
	if len(broken(q, before, old, whole)) == 0 {
		return whole, nil
	}
	for _, f := range findings {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/"), "/")
		name = exchange.UnescapePointer(name)
		if _, ok := sent[name]; !ok {
			continue
		}
		if value, had := old[name]; had {
			after[name] = value
		} else {
			delete(after, name)
		}
	}
	return after, nil
}

// broken returns the findings on a changed item that the item before has not: the request is the cause.
func broken(q *Request, before Item, old, after map[string]any) []exchange.Finding {
	k := q.op.runtime
	if k.Item == nil {
		return nil
	}
	check := func(item map[string]any) []exchange.Finding {
		if len(k.properties) > 0 {
			item = respond.Listed(item, k.properties)
		}
		return k.Item.Check(item, exchange.InBody, "")
	}
	findings := check(after)
	if len(findings) == 0 {
		return nil
	}
	known := check(fixed(q, before, old, WithoutHidden(old)))
	findings = slices.DeleteFunc(findings, func(f exchange.Finding) bool {
		return slices.ContainsFunc(known, func(o exchange.Finding) bool { return o.Code == f.Code && o.Pointer == f.Pointer })
	})
	return exchange.Sort(findings)
}

var errNoObject = errors.New("the result is no object")

// patched applies a JSON Patch. One that cannot be applied is refused, except for what the document allows to be
// sent and is not a patch, and for places and values that a generated item happens not to have.
func patched(q *Request, before Item, old map[string]any) (map[string]any, error) {
	after, err := jsonvalue.Patch(WithoutHidden(old), q.Values.Body())
	object, ok := after.(map[string]any)
	if err == nil && !ok {
		err = errNoObject
	}
	media, problem := q.Values.MediaType, respond.BadBody
	isChance := errors.Is(err, jsonvalue.ErrNoPlace) || errors.Is(err, jsonvalue.ErrTest) || err == errNoObject
	switch {
	case err == nil:
		return object, nil
	case errors.Is(err, jsonvalue.ErrMalformed) && media != nil && media.Schema != nil, before.Value == nil && isChance:
		return nil, errNotHandled
	case errors.Is(err, jsonvalue.ErrTest):
		problem = respond.Conflict
	}
	return nil, refuse(problem, exchange.Finding{Code: "patch-failed", Message: err.Error(), In: exchange.InBody})
}

func isJSONPatch(q *Request) bool {
	if m := q.Values.MediaType; m != nil && m.Subtype == "json-patch+json" {
		return true
	}
	list, _ := q.Values.Body().([]any)
	if len(list) == 0 {
		return false
	}
	first, _ := list[0].(map[string]any)
	_, isOperation := first["op"].(string)
	return isOperation
}
