package main

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

func number(text string) json.Number { return json.Number(text) }

// change sends other values. It returns what the item must be afterwards.
func (t *lifecycle) change(b *resource.Binding) (a *answer, want map[string]any, err error) {
	builder := t.operation(b.Operation).builder(t.fill)
	media := builder.Media()
	if media == nil {
		return nil, nil, errNothing
	}
	if resource.PatchOf(media.Subtype) == resource.JSONPatch && b.Role == resource.Update {
		return t.patch(b, media)
	}
	if b.Request == nil {
		return nil, nil, errNothing
	}
	how := requestOptions{seed: "change", have: map[string]any{}}
	if r := t.resource; r.Key != nil && len(r.Key.Property) == 1 && b.Role != resource.Update ||
		b.KeyIn == resource.InBody {
		if key := t.keys[r]; key != nil {
			how.have[r.Key.Property[0]] = typed(key, r.Key.Schema)
		}
	}
	if b.Role == resource.Update && t.fill == "required" {
		if how.body, err = t.singleChange(b, media, how.have); err != nil {
			return nil, nil, err
		}
	}
	if b.Role == resource.Update && t.fill == "all" {
		if how.body, err = t.acceptedBody(b, media, how); err != nil {
			return nil, nil, err
		}
	}
	if b.Keys != nil {
		if how.body, err = t.keyListBody(b, media, how); err != nil {
			return nil, nil, err
		}
	}
	if a, err = t.ask(b, how); err != nil || a.wrong != "" {
		return a, nil, err
	}
	want = expected(t.resource, b, a.values.Body())
	if b.Role == resource.Update {
		want = jsonvalue.Merge(t.want, want).(map[string]any)
	}
	delete(want, t.resource.Updated) // the server's, from now on
	delete(want, t.resource.Version)
	return a, want, nil
}

// keyListBody makes a body whose list of keys names the item.
func (t *lifecycle) keyListBody(b *resource.Binding, media *spec.MediaType, how requestOptions) (any, error) {
	body := how.body
	if body == nil {
		var err error
		if body, err = t.body(b, t.fill, how.have); err != nil {
			return nil, err
		}
	}
	key := t.keys[t.resource]
	text, _ := jsonvalue.Text(key)
	for _, value := range []any{key, text, number(text)} {
		if namedVariables := resource.Set(body, b.Keys, []any{value}); media.Schema != nil &&
			spec.Conforms(media.Schema.Keywords, namedVariables) {
			return namedVariables, nil
		}
	}
	return body, nil
}

// singleChange makes a body that changes singleChange property of the item only; nil if it
// cannot be one alone.
func (t *lifecycle) singleChange(b *resource.Binding, media *spec.MediaType, have map[string]any) (any, error) {
	if media.Schema == nil {
		return nil, nil
	}
	full, err := t.body(b, "all", nil)
	if err != nil {
		return nil, err
	}
	least, err := t.body(b, "required", have)
	if err != nil {
		return nil, err
	}
	value, _ := b.Request.Item(full)
	all, _ := value.(map[string]any)
	value, _ = b.Request.Item(least)
	few, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if isSetByServer(t.resource, b, name) || name == t.resource.Updated || isKey(t.resource, name) ||
			all[name] == nil || !takes(t.resource, name, all[name]) || jsonvalue.Equals(all[name], t.want[name]) {
			continue
		}
		item := map[string]any{}
		maps.Copy(item, few)
		item[name] = all[name]
		if key := t.resource.Key; b.KeyIn == resource.InBody && len(key.Property) == 1 {
			item[key.Property[0]] = typed(t.keys[t.resource], key.Schema)
		}
		if body := b.Request.Put(least, item); spec.Conforms(media.Schema.Keywords, body) {
			return body, nil
		}
	}
	return nil, nil
}

func (t *lifecycle) body(b *resource.Binding, fill string, have map[string]any) (any, error) {
	r, err := t.operation(b.Operation).builder(fill).ValidWith(generate.NewKey(1, "one", b.Operation.ID), have)
	if err != nil {
		return nil, err
	}
	body, err := jsontext.Decode(string(r.Body))
	if err != nil {
		return nil, nil // a form
	}
	return body, nil
}

// isKey reports whether a property holds the key.
func isKey(r *resource.Resource, name string) bool {
	key := r.Key
	return key != nil && len(key.Property) > 0 && key.Property[0] == name
}

// takes reports whether the item's schema takes a value that the change's
// schema takes.
func takes(r *resource.Resource, name string, value any) bool {
	property := schema.Properties(r.Value)[name]
	return property == nil || spec.Conforms(property, value)
}

// acceptedBody makes a body without the properties that the item cannot have; nil
// where all can be had, or one that cannot must be sent.
func (t *lifecycle) acceptedBody(b *resource.Binding, media *spec.MediaType, how requestOptions) (any, error) {
	r, err := t.operation(b.Operation).builder("all").ValidWith(generate.NewKey(1, how.seed, b.Operation.ID), how.have)
	if err != nil {
		return nil, err
	}
	body, err := jsontext.Decode(string(r.Body))
	if err != nil || media.Schema == nil || !media.IsJSON() {
		return nil, nil
	}
	value, _ := b.Request.Item(body)
	item, ok := value.(map[string]any)
	if !ok {
		return nil, nil
	}
	kept := maps.Clone(item)
	for name, value := range item {
		own := name
		if renamed, ok := b.Rename[name]; ok {
			own = renamed
		}
		if takes(t.resource, own, value) {
			continue
		}
		delete(kept, name)
		if !spec.Conforms(media.Schema.Keywords, b.Request.Put(body, kept)) {
			kept[name] = value
		}
	}
	if len(kept) == len(item) {
		return nil, nil
	}
	return b.Request.Put(body, kept), nil
}

// patch changes one property by a JSON Patch.
func (t *lifecycle) patch(b *resource.Binding, media *spec.MediaType) (*answer, map[string]any, error) {
	for _, creator := range creators(t.resource) {
		if creator.Request == nil {
			continue
		}
		builder := t.operation(creator.Operation).builder("all")
		r, err := builder.ValidWith(generate.NewKey(1, "patch", creator.Operation.ID), nil)
		if err != nil {
			continue
		}
		other, err := jsontext.Decode(string(r.Body))
		if err != nil {
			continue
		}
		item := expected(t.resource, creator, other)
		for _, name := range slices.Sorted(maps.Keys(item)) {
			if jsonvalue.Equals(item[name], t.want[name]) || name == t.resource.Updated {
				continue
			}
			steps := []any{map[string]any{"op": "add", "path": "/" + exchange.EscapePointer(name), "value": item[name]}}
			if media.Schema != nil && !spec.Conforms(media.Schema.Keywords, steps) {
				continue
			}
			a, err := t.ask(b, requestOptions{body: steps})
			if err != nil {
				return nil, nil, err
			}
			want := maps.Clone(t.want)
			want[name] = item[name]
			return a, want, nil
		}
	}
	return nil, nil, errNothing
}

// patching returns the operation as the changes of a trip see it: where a body
// may be a JSON Patch or something else, it is the latter.
func patching(o *spec.Operation) *spec.Operation {
	if o.Method != "PATCH" || o.Body == nil {
		return o
	}
	content := slices.DeleteFunc(slices.Clone(o.Body.Content), func(m *spec.MediaType) bool {
		return resource.PatchOf(m.Subtype) == resource.JSONPatch && len(o.Body.Content) > 1
	})
	if len(content) == 0 || len(content) == len(o.Body.Content) {
		return o
	}
	other, body := *o, *o.Body
	body.Content = content
	other.Body = &body
	return &other
}
