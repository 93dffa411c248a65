package resource

import "github.com/coldframe/coldframe/internal/spec"

// describe finds the schema of a family's items.
func (in *inference) describe(f *family) {
	take := func(v view, schema *spec.Schema) {
		if v.ok() && !f.value.ok() && (v.kind() == Object || len(v.members()) > 0) {
			f.value, f.document = v, schema
		}
	}
	if !f.singleton {
		if get := f.collection.has("GET"); get != nil {
			if l, score := asList(get.answer, f.names); l != nil && score >= 0.4 {
				f.listed = get.answer.of(l.Items.Value)
			}
		}
	}
	at := f.item
	if f.singleton {
		at = f.collection
	}
	if at != nil {
		for _, method := range []string{"GET", "PUT", "PATCH"} {
			if o := at.has(method); o != nil {
				if s := f.readIn(o.answer); s != nil && s.Value != nil && !isStatus(o.answer.of(s.Value)) {
					take(o.answer.of(s.Value), o.answer.schema)
				}
			}
		}
	}
	take(f.listed, f.listed.schema)
	if post := f.collection.has("POST"); post != nil {
		if s := f.itemIn(post.answer); s != nil && !isStatus(post.answer.of(s.Value)) {
			take(post.answer.of(s.Value), post.answer.schema)
		}
		if s := f.itemIn(post.request); s != nil {
			take(post.request.of(s.Value), post.request.schema)
		}
	}
	if at != nil {
		for _, method := range []string{"PUT", "PATCH", "POST"} {
			if o := at.has(method); o != nil {
				if s := f.itemIn(o.request); s != nil {
					take(o.request.of(s.Value), o.request.schema)
				}
			}
		}
	}
	if !f.listed.ok() {
		f.listed = f.value
	}
}

// itemIn finds the family's item in a body.
func (f *family) itemIn(body view) *Shape {
	for _, known := range []view{f.value, f.listed} {
		if !known.ok() {
			continue
		}
		if s := asItem(body, f.names, known); s != nil && alike(body.of(s.Value), known) >= 0.6 {
			return s
		}
	}
	return asItem(body, f.names, view{})
}

// readIn finds the family's item in the answer to a read: also as the only
// element of an array.
func (f *family) readIn(body view) *Shape {
	if body.ok() && body.kind() == Array && isItem(body.element()) {
		return &Shape{Many: true, Value: body.element().plain().k}
	}
	return f.itemIn(body)
}

// isStatus reports whether an object only says how it went: {success, message}.
func isStatus(v view) bool {
	members := v.members()
	for _, m := range members {
		if !meta[m.folded] || m.folded == "id" {
			return false
		}
		switch m.folded {
		case "description", "url", "type", "version", "object", "kind", "name", "metadata":
			return false
		}
	}
	return len(members) > 0
}
