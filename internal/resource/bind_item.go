package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/naming"
)

// bindItem is for paths that end in an item's key.
func (in *inference) bindItem(o *operation, f *family) {
	b := o.binding
	b.KeyIn, b.Variable = InPath, o.key()
	known := 0.0 // how sure it is that the path names an item
	if f.collection.has("GET") != nil || f.collection.has("POST") != nil {
		known += 0.05
	}
	if o.at.has("GET") != nil {
		known += 0.03
	}
	const path = "path of an item"
	switch o.Method {
	case "GET", "HEAD":
		b.is(Read, f, 0.9+known, path)
		if o.answer.ok() && o.answer.kind() != Object && o.answer.kind() != Any {
			b.Confidence = 0.6
		}
	case "PUT":
		switch {
		case f.collection.has("POST") != nil && in.isCreation(f.collection.has("POST"), f):
			b.is(Replace, f, 0.88+known, path)
		case changing(o):
			b.is(Replace, f, 0.8+known, path+", named so")
		default:
			b.is(Upsert, f, 0.75+known, "path of an item, no POST makes any")
			if o.Body == nil {
				b.Confidence = 0.6
			}
		}
		if o.Body == nil {
			b.Reason = "path of an item, nothing is sent"
		}
	case "PATCH":
		b.is(Update, f, 0.9+known, path)
	case "DELETE":
		b.is(Delete, f, 0.9+known, path)
	case "POST":
		in.bindPostItem(o, f, path)
	case "QUERY":
		b.is(Action, f, 0.6, "a query")
	default:
		b.is(Unknown, f, 0.3, o.Method+" has no meaning for items")
	}
}

// changing reports whether an operation's names say that it changes what is
// there already.
func changing(o *operation) bool {
	if r := o.Response(201); r != nil && r.Status == "201" {
		return false
	}
	for _, w := range [][]string{nameWords(o), naming.Words(o.Summary)} {
		if len(w) > 0 && (w[0] == "update" || w[0] == "updates" || w[0] == "edit" || w[0] == "modify" || w[0] == "change") {
			return !slices.Contains(w, "create")
		}
	}
	return false
}

// isCreation reports whether a POST to a collection makes an item.
func (in *inference) isCreation(o *operation, f *family) bool {
	if o.override != nil && o.override.hasRole {
		return o.override.role == Create
	}
	score, _ := in.creates(o, f)
	return score >= createFrom
}

// bindPostItem is for POST to an item: a change, as some APIs have it, or
// something else that is done with it.
func (in *inference) bindPostItem(o *operation, f *family, path string) {
	b := o.binding
	n := o.at
	w := nameWords(o)
	first := ""
	if len(w) > 0 {
		first = w[0]
	}
	answers := false
	if s := f.itemIn(o.answer); s != nil && f.value.ok() {
		answers = alike(o.answer.of(s.Value), f.value) >= 0.6
	}
	sent := o.request.ok() && f.value.ok() && within(o.request, f.value) >= 0.5
	if !sent && o.request.ok() && f.value.ok() {
		if s := f.itemIn(o.request); s != nil {
			sent = within(o.request.of(s.Value), f.value) >= 0.5
		}
	}
	other := n.has("PUT") != nil || n.has("PATCH") != nil
	get := n.has("GET")
	switch {
	case makers[first] && get != nil && get.key() != b.Variable && parentProperty(b.Variable, nil, f.value) != nil:
		b.is(Create, f, 0.6, "named so, below {"+b.Variable+"}")
		b.KeyIn, b.Variable = Nowhere, ""
	case askers[first] && !nouns[first]:
		b.is(Action, f, 0.7, "named as a question")
	case first == "update" || first == "edit" || first == "modify":
		b.is(Update, f, 0.8, path+", named so")
		if !o.request.ok() {
			b.Role, b.Confidence, b.Reason = Action, 0.5, "nothing is sent"
		}
	case (makers[first] || o.Response(201) != nil && o.Response(201).Status == "201") && (other || answers || sent):
		b.is(Upsert, f, 0.65, path+", made by POST")
	case other:
		b.is(Action, f, 0.6, "PUT or PATCH change it")
	case n.has("DELETE") != nil && n.has("GET") == nil && f.collection.has("POST") == nil && !sent:
		b.is(Upsert, f, 0.6, path+", DELETE undoes it")
	case answers && o.request.ok():
		b.is(Update, f, 0.75, path+", item answered")
	case sent:
		b.is(Update, f, 0.6, path+", item sent")
	default:
		b.is(Action, f, 0.5, "no sign of a change")
	}
	b.Reads = b.Role == Action && answers
}
