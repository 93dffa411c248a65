package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// differs says in what an item is other than it should be; "" if it is not.
// What the schema of the answer does not list, or does not take, is not shown.
func differs(item map[string]any, as *spec.Keywords, want map[string]any) string {
	listed := schema.Properties(as)
	shape := schema.NewShapes(schema.Document{}).Of(as)
	shown, _ := schema.MaskOf(shape, (*schema.Member).WriteOnly).Value(want).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		value := shown[name]
		property := listed[name]
		switch {
		case len(listed) > 0 && property == nil:
			continue
		case property != nil && (!spec.Conforms(property, want[name]) || schema.WriteOnly(property)):
			continue
		}
		now, ok := item[name]
		if !ok && name == "password" {
			continue // those of users are never shown
		}
		if !ok || !has(now, value) {
			return fmt.Sprintf("%q should be %s, is %s", name, text(value), text(now))
		}
	}
	return ""
}

// has reports whether a value has everything of another: the server may add to the objects in it what was not sent.
func has(value, of any) bool {
	switch of := of.(type) {
	case map[string]any:
		object, ok := value.(map[string]any)
		for name, member := range of {
			own, known := object[name]
			ok = ok && known && has(own, member)
		}
		return ok
	case []any:
		list, ok := value.([]any)
		ok = ok && len(list) == len(of)
		for i := range of {
			ok = ok && has(list[i], of[i])
		}
		return ok
	}
	return jsonvalue.Equals(value, of)
}

func text(value any) string {
	written := jsontext.Append(nil, value)
	return string(written[:min(120, len(written))])
}

func readOnly(r *resource.Resource, name string) bool {
	for i := range r.Properties {
		if p := &r.Properties[i]; p.Name == name {
			return p.ReadOnly
		}
	}
	return false
}

// typed returns a value as a schema takes it: a number may be a text, a text a
// number.
func typed(value any, schema *spec.Keywords) any {
	if schema == nil {
		return value
	}
	return convert(value, &spec.Parameter{Schema: &spec.Schema{Keywords: schema}})
}

var (
	errFilter  = errors.New("a filter does not take the item's value")
	errNothing = errors.New("nothing to send")
)

// pages is how many pages of a list are read to find an item, which a promised order may put anywhere.
const pages = 10

// find asks a list for the item. missing says why it is not there.
func (t *lifecycle) find(b *resource.Binding) (a *answer, missing string, err error) {
	query := map[*spec.Parameter]any{}
	var cursor *spec.Parameter
	for _, p := range b.List.Params {
		if p.Role == resource.Cursor && p.Member == "" {
			cursor = p.Parameter
		}
		value, ok := t.choice(p)
		switch {
		case ok && p.Member == "":
			query[p.Parameter] = value
		case p.Parameter.Required && p.Role == resource.Filter:
			return nil, "", errFilter
		}
	}
	for range pages {
		a, err = t.ask(b, requestOptions{query: query})
		if err != nil || a.wrong != "" {
			return a, "", err
		}
		items, ok := b.List.Items.Items(a.body)
		if !ok {
			return a, "the answer has no list: " + a.text(), nil
		}
		missing = "it is not listed: " + a.text()
		listed := schema.Properties(b.List.Items.Value)
		for _, item := range items {
			object, ok := item.(map[string]any)
			if !ok {
				continue
			}
			key := t.keys[t.resource]
			if key != nil && t.resource.Key != nil && t.resource.Key.Property != nil &&
				(len(listed) == 0 || listed[t.resource.Key.Property[0]] != nil) {
				if have, ok := resource.Get(object, t.resource.Key.Property); !ok || !jsonvalue.Same(have, key) {
					continue
				}
				return a, differs(object, b.List.Items.Value, t.want), nil
			}
			if differs(object, b.List.Items.Value, t.want) == "" {
				return a, "", nil
			}
		}
		next := nextCursor(b.List, a.body)
		if cursor == nil || next == "" {
			break
		}
		query[cursor] = next
	}
	return a, missing, nil
}

// nextCursor returns the cursor of the next page, "" if a body has none.
func nextCursor(l *resource.Listing, body any) string {
	for _, f := range l.Fields {
		if f.Role == resource.Next && !f.Link {
			value, _ := resource.Get(body, f.Path)
			text, _ := value.(string)
			return text
		}
	}
	return ""
}

// choice returns the value of a list's parameter with which the item is on the
// first page.
func (t *lifecycle) choice(p resource.Param) (any, bool) {
	takes := func(value any) bool {
		return p.Parameter.Schema == nil || spec.Conforms(p.Parameter.Schema.Keywords, value)
	}
	switch p.Role {
	case resource.Limit:
		for _, n := range []string{"100", "50", "25", "20", "10", "5", "1"} {
			if value := convert(number(n), p.Parameter); takes(value) {
				return value, true
			}
		}
	case resource.PageNumber:
		for _, n := range []string{"1", "0"} {
			if p.Zero {
				n = "0"
			}
			if value := convert(number(n), p.Parameter); takes(value) {
				return value, p.Parameter.Required
			}
		}
	case resource.Skip:
		if value := convert(number("0"), p.Parameter); takes(value) {
			return value, p.Parameter.Required
		}
	case resource.Filter:
		if !p.Parameter.Required {
			return nil, false
		}
		for _, item := range []map[string]any{t.want, t.seen} {
			if value, ok := resource.Get(item, p.Property); ok && value != nil {
				if value = convert(value, p.Parameter); takes(value) {
					return value, true
				}
				if list := []any{value}; takes(list) {
					return list, true
				}
			}
		}
	}
	return nil, false
}
