package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
)

// bind decides what an operation does.
func (in *inference) bind(o *operation) {
	b := o.binding
	f := in.families[o.at]
	switch {
	case f == nil:
		in.bindBelow(o)
	case f.singleton:
		in.bindSingleton(o, f)
	case f.item == o.at:
		in.bindItem(o, f)
	default:
		in.bindCollection(o, f)
	}
	in.applyRole(o)
	if b.Resource != nil {
		in.place(o)
	}
	b.Headers = headersOf(o)
}

func (b *Binding) is(role Role, f *family, confidence float64, reason string) {
	b.Role, b.Confidence, b.Reason = role, confidence, reason
	if f != nil {
		b.Resource = f.resource
	}
}

// key gives the variable that names the item.
func (o *operation) key() string {
	variables := o.variables()
	if len(variables) == 0 {
		return ""
	}
	return variables[len(variables)-1]
}

// bindCollection is for a collection's path.
func (in *inference) bindCollection(o *operation, f *family) {
	b := o.binding
	switch o.Method {
	case "GET", "HEAD", "QUERY":
		l, score := asList(o.answer, f.names)
		switch {
		case l != nil && score >= 0.4:
			b.is(List, f, min(0.98, 0.45+score*0.5), "answers a list")
		case o.Method == "HEAD":
			b.is(List, f, 0.6, "HEAD of a collection")
		case f.value.ok() && f.itemIn(o.answer) != nil && alike(o.answer, f.value) >= 0.6:
			b.is(Action, f, 0.4, "answers one item")
			b.Reads = true
		default:
			b.is(Action, nil, 0.5, "answers no list")
		}
	case "POST":
		score, reason := in.creates(o, f)
		if score >= createFrom {
			b.is(Create, f, confidence(score), reason)
			return
		}
		b.is(Action, f, 0.6, reason)
	case "PUT", "PATCH":
		in.bindPutCollection(o, f)
	case "DELETE":
		in.bindDeleteCollection(o, f)
	default:
		b.is(Unknown, f, 0.3, o.Method+" has no meaning for collections")
	}
}

// bindPutCollection is for PUT and PATCH of a collection: the item with its key
// in the body, or a creation as some APIs have it.
func (in *inference) bindPutCollection(o *operation, f *family) {
	b := o.binding
	w := nameWords(o)
	creating := len(w) > 0 && makers[w[0]]
	s := f.itemIn(o.request)
	fits := s != nil && f.value.ok() && within(o.request.of(s.Value), f.value) >= 0.5
	switch {
	case !fits:
		b.is(Action, f, 0.5, "the body is no item")
	case creating:
		b.is(Create, f, 0.7, "named so, item sent")
	default:
		role := Replace
		if o.Method == "PATCH" {
			role = Update
		}
		if b.Keys = keysBeside(o.request, s); b.Keys != nil {
			b.is(role, f, 0.75, "item sent with keys")
			b.KeyIn = InBody
			return
		}
		key, _ := in.bodyKey(o, f, s)
		if key == nil {
			b.is(Action, f, 0.5, "body without a key")
			return
		}
		post := f.collection.has("POST")
		if len(w) > 0 && w[0] == "upsert" || role == Replace && (post == nil || !in.isCreation(post, f)) {
			role = Upsert
		}
		b.is(role, f, 0.75, "item sent with its key")
		b.KeyIn = InBody
	}
}

// bodyKey finds the key's property in an item that is sent.
func (in *inference) bodyKey(o *operation, f *family, s *Shape) ([]string, float64) {
	sent := o.request.of(s.Value)
	f = f.final()
	if f.item != nil && len(f.item.ops) > 0 {
		other := f.item.ops[0]
		if key, score := matchKey(other, other.key(), f.value, f.names); key != nil && sent.at(key).ok() {
			return key, score
		}
	}
	return nil, 0
}

// bindDeleteCollection is for DELETE of a collection: of all items, or of those
// that the request names.
func (in *inference) bindDeleteCollection(o *operation, f *family) {
	b := o.binding
	for _, p := range o.Parameters {
		if p.In != exchange.InQuery {
			continue
		}
		switch naming.Fold(p.Name) {
		case "ids", "id", "keys", "key", "uuids", "names":
			b.is(DeleteMany, f, 0.7, "the query names the items")
			b.KeyIn, b.Variable = InQuery, p.Name
			return
		}
	}
	b.is(DeleteMany, f, 0.75, "DELETE of a collection")
	if o.Body != nil {
		b.Confidence, b.Reason = 0.5, "DELETE of what the body says"
		b.KeyIn = InBody
	}
}

// bindSingleton is for the path of one thing without a key.
func (in *inference) bindSingleton(o *operation, f *family) {
	b := o.binding
	n := o.at
	sure := 0.6
	if n.has("GET") == nil {
		sure = 0.5
	}
	if n.has("GET") != nil && (n.has("PUT") != nil || n.has("PATCH") != nil) {
		sure = 0.85
	}
	const one = "one thing, no key"
	switch o.Method {
	case "GET", "HEAD":
		b.is(Read, f, sure, one)
	case "PUT":
		b.is(Replace, f, sure, one)
		if f.collection.has("POST") == nil && f.collection.has("DELETE") != nil {
			b.Role = Upsert
		}
	case "PATCH":
		b.is(Update, f, sure, one)
	case "DELETE":
		b.is(Delete, f, sure, one)
	case "POST":
		score, reason := in.creates(o, f)
		switch {
		case score >= createFrom && (n.has("PUT") != nil || n.has("PATCH") != nil):
			b.is(Create, f, confidence(score)-0.1, reason)
		default:
			b.is(Update, f, 0.55, one+", changed by POST")
		}
	default:
		b.is(Unknown, f, 0.3, o.Method+" has no meaning for one thing")
	}
}

// bindBelow is for paths that keep nothing: what is done with an item or a
// collection above, or something else.
func (in *inference) bindBelow(o *operation) {
	b := o.binding
	n := o.at
	above := n.parent
	if above == nil {
		b.is(Action, nil, 0.5, "the root")
		return
	}
	f := in.families[above]
	if f == nil {
		_, reason := in.nothing(o)
		b.is(Action, nil, 0.6, reason)
		return
	}
	onItem := f.item == above
	l, score := asList(o.answer, f.names)
	switch {
	case (o.Method == "GET" || o.Method == "QUERY" || o.Method == "POST" && searches(o)) && !onItem && !f.singleton && l != nil && score >= 0.5 && alike(o.answer.of(l.Items.Value), f.value) >= 0.6:
		b.is(List, f, 0.55, "part of the list above")
		b.Subset = true
		return
	case onItem:
		b.KeyIn, b.Variable = InPath, o.key()
	}
	_, reason := in.nothing(o)
	b.is(Action, f, 0.6, reason)
	if s := f.itemIn(o.answer); s != nil && f.value.ok() && alike(o.answer.of(s.Value), f.value) >= 0.6 {
		b.Reads = onItem || f.singleton
		b.Reason += ", item answered"
		b.Confidence = 0.7
		if onItem && (o.Method == "PUT" || o.Method == "PATCH") && !isVerb(n.last.text) && within(o.request, f.value) >= 0.5 {
			b.is(Update, f, 0.5, "view of an item, item sent")
			b.Reads = false
		}
	}
}

// searches reports whether a POST is named as a search: what it sends says which
// items are asked for.
func searches(o *operation) bool {
	named := naming.Words(o.at.last.text)
	if w := nameWords(o); len(w) > 0 {
		named = append(named, w[0])
	}
	return slices.ContainsFunc(named, func(word string) bool {
		return word == "search" || word == "query" || word == "find" || word == "filter"
	})
}

// nothing says why a path keeps nothing.
func (in *inference) nothing(o *operation) (float64, string) {
	switch {
	case o.at.last.custom:
		return 0, "custom method"
	case isVerb(o.at.last.text) && !o.at.last.variable():
		return 0, "ends in a verb"
	case o.Method == "POST":
		return in.creates(o, nil)
	case o.Method == "GET" || o.Method == "HEAD":
		return 0, "nothing changes it"
	}
	return 0, "neither collection nor item"
}
