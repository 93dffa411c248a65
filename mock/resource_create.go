package mock

import (
	"encoding/json"
	"errors"
	"maps"
	"strconv"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// maxKeys is how many keys are made until one is free.
const maxKeys = 32

// createItems makes what a request describes: an item, or several.
func (x *visit) createItems(status int, documented *spec.Response) outcome {
	b := x.operation.binding
	sent, several := []any{map[string]any{}}, false
	if b.Request != nil && x.values.HasBody {
		if items, ok := b.Request.Items(x.values.Body); ok {
			sent, several = items, b.Request.Many
		}
	}
	for i, value := range sent {
		if _, ok := value.(map[string]any); ok {
			continue
		}
		if several {
			return passed
		}
		sent[i] = map[string]any{} // a file, say
	}
	collection := x.collection()
	idempotent := x.idempotencyKey()
	if idempotent != "" {
		defer x.session.Value().alone(idempotent)()
	}
	if item, outcome := x.repeated(idempotent); outcome != passed {
		if item.value == nil {
			return outcome
		}
		return x.show(status, documented, collection, item)
	}
	var made []stored
	for _, value := range sent {
		item, outcome := x.createOne(collection, value.(map[string]any))
		if outcome != changed {
			return outcome
		}
		made = append(made, item)
	}
	if len(made) == 0 {
		return passed
	}
	if idempotent != "" {
		x.session.Value().remember(idempotent, reply{string(x.request.Body), collection, made[0].key})
	}
	if b.Response != nil && (b.Response.Many && len(made) > 1 || x.sentSeveral()) {
		return x.showAll(documented, made)
	}
	return x.show(status, documented, collection, made[0])
}

// sentSeveral reports whether an array was sent where one item could have been.
func (x *visit) sentSeveral() bool {
	b := x.operation.binding
	if b.Request == nil || b.Request.Many {
		return false
	}
	value, _ := resource.Get(x.values.Body, b.Request.Path)
	_, several := value.([]any)
	return several
}

// createOne makes an item.
func (x *visit) createOne(collection string, sent map[string]any) (stored, outcome) {
	b, k := x.operation.binding, x.operation.keeps
	item := x.withScope(maps.Clone(withoutServers(k, b, renamed(b, sent))))
	if k.Singleton {
		return x.insert(collection, theOne, item, true)
	}
	if k.Key != nil && k.Key.Property != nil && k.Key.ChosenBy != resource.Server {
		if value, ok := resource.Get(item, k.Key.Property); ok {
			if text, ok := jsonvalue.Text(value); ok && text != "" && k.isKey(value) {
				return x.insert(collection, text, item, true)
			}
		}
	}
	for range maxKeys {
		key, text := x.newKey(collection)
		if x.isUnmade(collection, text) {
			continue
		}
		if k.Key != nil && k.Key.Property != nil {
			item = resource.Set(item, k.Key.Property, key).(map[string]any)
		}
		if made, outcome := x.insert(collection, text, item, false); outcome != passed {
			return made, outcome
		}
	}
	// Paths can name no more of them: what is made is only shown and listed.
	text := strconv.FormatInt(x.session.State.NextInteger(collection, 1), 10)
	if k.Key != nil && k.Key.Property != nil {
		typed, fits := k.typed(k.Key.Property, text)
		if !fits {
			return stored{}, passed // the schema of keys does not allow so many
		}
		item = resource.Set(item, k.Key.Property, typed).(map[string]any)
	}
	return x.insert(collection, text, item, false)
}

// insert completes an item and keeps it. It gives passed where the key is
// taken and the server chose it.
func (x *visit) insert(collection, key string, item map[string]any, chosen bool) (stored, outcome) {
	k := x.operation.keeps
	item = maps.Clone(item)
	x.touch(k, item, nil, true)
	item, _ = x.completed(k, x.operation.binding, collection, key, item)
	collection = x.homeIn(collection, item)
	if x.alike(collection, key, item, nil) {
		return stored{}, answered
	}
	text, ok := written(item)
	if !ok {
		return stored{}, passed
	}
	made, err := x.session.State.Insert(collection, key, text, 0)
	if errors.Is(err, state.ErrExists) {
		switch taken := x.operation.Response(409); {
		case !chosen:
			return stored{}, passed
		case taken != nil && taken.Status == "409":
			x.refuse(conflict, []exchange.Finding{{
				Code: "duplicate-key", Message: "there is an item " + strconv.Quote(shorten(key)) + " in " + k.Name + " already", In: exchange.InBody, Pointer: pointerTo(k.Key),
			}})
			return stored{}, answered
		}
		made, _, err = x.session.State.Put(collection, key, text, 0, state.Any)
	}
	if err != nil {
		x.warnDropped() // larger than the whole store
		return stored{key, 1, item}, changed
	}
	return stored{made.Key, made.Version, item}, changed
}

// homeIn names the collection of an item that was made where the path does not
// say all that it stands below: its properties do.
func (x *visit) homeIn(collection string, item map[string]any) string {
	k := x.operation.keeps
	if !x.everywhere() {
		return collection
	}
	values := make(map[string]string, len(k.named.Scope))
	for _, v := range k.named.Scope {
		value, _ := resource.Get(item, v.Property)
		if values[v.Name] = x.pathText(v.Name); values[v.Name] == "" && v.Property != nil {
			values[v.Name], _ = jsonvalue.Text(value)
		}
		if values[v.Name] == "" {
			return collection
		}
	}
	return k.below(k.named, len(k.named.Scope), k.Name, func(variable string) string { return values[variable] })
}

func pointerTo(k *resource.Key) string {
	text := ""
	if k != nil {
		for _, name := range k.Property {
			text += "/" + exchange.EscapePointer(name)
		}
	}
	return text
}

// completed adds what the server makes of an item: properties that the client
// cannot send, and those without which it would be none.
func (x *visit) completed(k *keeping, b *resource.Binding, collection, key string, item map[string]any) (map[string]any, error) {
	if k.Key != nil && k.Key.Property != nil {
		if _, ok := resource.Get(item, k.Key.Property); !ok {
			if typed, fits := k.typed(k.Key.Property, key); fits {
				item = resource.Set(item, k.Key.Property, typed).(map[string]any)
			}
		}
	}
	if k.value == nil {
		return item, nil
	}
	var unsent []string
	if s := k.sent[b]; s != nil {
		item = maps.Clone(item)
		begun(item, s.begins().sendable)
		begun(item, s.begins().servers)
		for name := range s.sendable {
			if _, ok := item[name]; !ok {
				unsent = append(unsent, name)
			}
		}
	}
	if x.whole(k, item, unsent) {
		return item, nil
	}
	have, _ := k.listedOf(item, k.listed)
	value, err := k.maker().Fill(x.itemKey(k, collection, key), have, unsent...)
	made, ok := value.(map[string]any)
	if err != nil || !ok {
		return item, err
	}
	made = maps.Clone(made)
	maps.Copy(made, item)
	return made, nil
}

// whole reports whether nothing is left for the server to make.
func (x *visit) whole(k *keeping, item map[string]any, unsent []string) bool {
	missing := 0
	for name := range k.listed {
		if _, ok := item[name]; !ok {
			missing++
		}
	}
	listedUnsent := 0
	for _, name := range unsent {
		if k.listed[name] != nil {
			listedUnsent++
		}
	}
	return missing == listedUnsent && spec.Conforms(k.value.Keywords, item)
}

// newKey makes a key: the next integer, or by the format and the pattern that
// the document gives. It gives it as it stands in an item and as a text.
func (x *visit) newKey(collection string) (value any, text string) {
	k := x.operation.keeps
	return k.newKey(x.session.State, x.options.Seed, collection)
}

func (k *keeping) newKey(in *state.State, seed uint64, collection string) (value any, text string) {
	next := in.NextInteger(collection, 1)
	text = strconv.FormatInt(next, 10)
	if k.Key == nil || k.Key.Schema == nil {
		if !k.addresses(text) {
			if made, written, ok := k.madeKey(k.addressKeys, seed, collection, text); ok {
				return made, written
			}
		}
		return text, text
	}
	number := json.Number(text)
	if spec.Conforms(k.Key.Schema, number) && k.Key.Kind != resource.String && k.addresses(text) {
		return number, text
	}
	if k.Key.Format == "" && spec.Conforms(k.Key.Schema, text) && k.addresses(text) {
		return text, text
	}
	made, written, ok := k.madeKey(k.keys, seed, collection, text)
	if ok && k.addresses(written) {
		return made, written
	}
	if other, in, also := k.madeKey(k.addressKeys, seed, collection, text); also {
		if typed, fits := asTyped(other, k.Key.Schema); fits {
			return typed, in
		}
	}
	if ok {
		return made, written // the document has no key that paths can name
	}
	return text, text
}

// isKey reports whether an item can have a key that was sent: the server may
// write keys otherwise than its clients do.
func (k *keeping) isKey(value any) bool {
	if k.Key.Schema == nil {
		return true
	}
	_, ok := asTyped(value, k.Key.Schema)
	return ok
}

// madeKey generates a key.
func (k *keeping) madeKey(by func() *generate.Generator, seed uint64, collection, text string) (value any, written string, ok bool) {
	if by == nil {
		return nil, "", false
	}
	made, err := by().Value(generate.NewKey(seed, "key", k.Name, collection, text))
	if err != nil {
		return nil, "", false
	}
	written, ok = jsonvalue.Text(made)
	return made, written, ok && written != ""
}

// addresses reports whether a path can name an item by a key.
func (k *keeping) addresses(key string) bool {
	if k.address == nil {
		return true
	}
	_, ok := asTyped(key, k.address.Keywords)
	return ok
}

// idempotencyKey gives the key under which the request is to be done once, ""
// where it has none or the document does not declare it.
func (x *visit) idempotencyKey() string {
	name := x.operation.binding.Headers.IdempotencyKey
	if name == "" {
		return ""
	}
	key, ok := x.request.Header.Get(name)
	if !ok || key == "" {
		return ""
	}
	return x.request.Method + " " + x.request.Path + "\x00" + key
}

// repeated gives what an earlier request with the same Idempotency-Key has
// made, and refuses one that asks for something else under it.
func (x *visit) repeated(key string) (stored, outcome) {
	if key == "" {
		return stored{}, passed
	}
	before, ok := x.session.Value().replied(key)
	if !ok {
		return stored{}, passed
	}
	if before.body != string(x.request.Body) {
		name := x.operation.binding.Headers.IdempotencyKey
		x.refuse(badBody, []exchange.Finding{{Code: "idempotency-key-reused", Message: "the key was used for another body", In: exchange.InHeader, Name: name}})
		return stored{}, answered
	}
	item, _ := x.session.State.Get(before.collection, before.key)
	if item == nil {
		return stored{}, passed
	}
	return stored{item.Key, item.Version, decodeItem(item)}, changed
}
