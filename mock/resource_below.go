package mock

import (
	"encoding/json"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// below gives a body that was not made of kept items, an example or a generated
// one, with the keys of the parents that the path names in its items, where these
// have such properties. It reports whether that changes the body.
func (x *visit) below(media *spec.MediaType, body any) (any, bool) {
	b := x.operation.Item
	if b == nil || len(b.Scope) == 0 || media != b.Media {
		return body, false
	}
	var in *resource.Shape
	switch {
	case b.Role == resource.List && b.List != nil:
		in = &b.List.Items
	case b.Role != resource.List && b.Response != nil:
		in = b.Response
	default:
		return body, false
	}
	items, ok := in.Items(body)
	if !ok {
		return body, false
	}
	changed := false
	for _, v := range b.Scope {
		if v.Property == nil {
			continue
		}
		differ := false
		with := make([]any, len(items))
		for i, item := range items {
			with[i] = item
			have, ok := resource.Get(item, v.Property)
			if named := typedLike(x.values.Path[v.Name], have); ok && named != nil && !jsonvalue.Same(have, named) {
				with[i], differ = resource.Set(item, v.Property, named), true
			}
		}
		if !differ {
			continue
		}
		if other := in.PutItems(body, with); media.Conforms(other) {
			items, body, changed = with, other, true
		}
	}
	return body, changed
}

// typedLike gives a value of a path as a text or a number, whichever the other is; nil
// where it cannot be that.
func typedLike(value, other any) any {
	text, ok := jsonvalue.Text(value)
	if !ok || text == "" {
		return nil
	}
	switch other.(type) {
	case string:
		return text
	case json.Number:
		if number, err := jsontext.Decode(text); err == nil {
			if _, ok := number.(json.Number); ok {
				return number
			}
		}
	}
	return nil
}
