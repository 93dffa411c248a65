package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// found decides what a path is.
func (in *inference) found(n *node) *family {
	if in.belowSearch(n) {
		return nil
	}
	if n.last.variable() {
		if in.listsByVariable(n) {
			return &family{collection: n, item: n.item()}
		}
		if len(n.ops) == 0 {
			return nil
		}
		collection := n.parent
		for collection.last.variable() && len(collection.ops) == 0 && in.families[collection] == nil {
			collection = collection.parent // the key is made of several variables: /repos/{owner}/{repo}
		}
		if f := in.families[collection]; f != nil && f.collection == collection && !f.singleton {
			if f.item == nil {
				f.item = n
			}
			if f.item == n {
				in.families[n] = f
				return nil
			}
		} else if collection != n.parent && f == nil {
			return &family{collection: collection, item: n}
		}
		if isVerb(n.parent.last.text) && !n.parent.last.variable() && len(n.parent.ops) == 0 && !slices.ContainsFunc(n.ops, func(o *operation) bool { return o.Method != "POST" }) {
			return nil
		}
		return &family{collection: n.parent, item: n}
	}
	if len(n.ops) == 0 {
		return nil
	}
	if item := n.item(); item != nil && !in.listsByVariable(item) {
		return &family{collection: n, item: item}
	}
	if n.last.custom || isProcedure(n.last.text) {
		return nil
	}
	if get := n.has("GET"); get != nil {
		if l, score := asList(get.answer, namesOf(n)); l != nil && score >= 0.5 {
			if isVerb(n.last.text) || in.subset(n, l, get) {
				return nil
			}
			return &family{collection: n}
		}
	}
	if in.isSingleton(n) {
		return &family{collection: n, singleton: true}
	}
	if post := n.has("POST"); post != nil && n.has("GET") == nil {
		if score, _ := in.creates(post, nil); score >= createFrom {
			return &family{collection: n}
		}
	}
	return nil
}

// belowSearch reports whether a path only looks at what is kept elsewhere:
// /search/plants, /watch/plants/{id}.
func (in *inference) belowSearch(n *node) bool {
	for _, o := range n.ops {
		if o.Method != "GET" {
			return false
		}
	}
	for at := n.parent; at != nil && at.parent != nil; at = at.parent {
		switch at.last.text {
		case "watch", "search", "query", "find", "lookup":
			if in.families[at] == nil {
				return true
			}
		}
	}
	return false
}

// listsByVariable reports whether a path that ends in a variable is that of a
// collection all the same: /custom-objects/{object}.
func (in *inference) listsByVariable(n *node) bool {
	get := n.has("GET")
	if get == nil || !n.last.variable() {
		return false
	}
	l, score := asList(get.answer, namesOf(n))
	if l == nil || score < 0.8 {
		return false
	}
	if all := n.parent.has("GET"); all != nil {
		if listed, s := asList(all.answer, namesOf(n)); listed != nil && s >= 0.8 && alike(all.answer.of(listed.Items.Value), get.answer.of(l.Items.Value)) >= 0.8 {
			return false // one of those that are listed above
		}
	}
	if n.item() != nil {
		return true
	}
	if n.has("PUT") != nil || n.has("PATCH") != nil || n.has("DELETE") != nil {
		return false
	}
	if asItem(get.answer, namesOf(n), view{}) == nil || len(l.Fields) > 0 {
		return true
	}
	_, key := matchKey(get, n.last.variables[len(n.last.variables)-1], get.answer.of(l.Items.Value), namesOf(n))
	return key < 0.9
}

// subset reports whether a list below a collection shows items of that
// collection: /launches/upcoming.
func (in *inference) subset(n *node, l *Listing, get *operation) bool {
	f := in.families[n.parent]
	if f == nil || f.collection != n.parent || f.singleton || n.has("POST") != nil {
		return false
	}
	return alike(get.answer.of(l.Items.Value), f.value) >= 0.8
}

// isSingleton reports whether one thing without a key is kept at a path.
func (in *inference) isSingleton(n *node) bool {
	get, put, patch, remove := n.has("GET"), n.has("PUT"), n.has("PATCH"), n.has("DELETE")
	writer := put
	if writer == nil {
		writer = patch
	}
	if isVerb(n.last.text) && get == nil || n.parent == nil && get == nil {
		return false
	}
	if get != nil {
		if f := in.families[n.parent]; f != nil && f.item == n.parent && alike(get.answer, f.value) >= 0.8 {
			return false // a view of the item above
		}
		if get.answer.kind() != Object && get.answer.kind() != Any || !get.answer.ok() {
			return false
		}
		switch {
		case writer != nil && writer.request.ok():
			return true
		case remove != nil:
			return true
		case n.has("POST") != nil:
			post, names := n.has("POST"), namesOf(n)
			shown := inner(get.answer, names)
			return alike(inner(post.answer, names), shown) >= 0.6 || within(inner(post.request, names), shown) >= 0.5
		}
		return ownWords[naming.Fold(n.last.text)]
	}
	if writer == nil || !writer.request.ok() || writer.request.kind() == Array || n.has("POST") != nil {
		return false
	}
	if w := nameWords(writer); askingWord(w) || naming.IsPlural(n.last.text) && !ownWords[naming.Fold(n.last.text)] || slices.Contains(w, "create") {
		return false
	}
	return true
}

// inner gives what stands in a body's wrapper.
func inner(body view, names []string) view {
	if s := asItem(body, names, view{}); s != nil {
		return body.of(s.Value)
	}
	return view{}
}

// ownWords are names of what there is one of for each caller or parent.
var ownWords = naming.Set(`me self profile settings setting config configuration preferences account currentuser company organization organisation
options viewer whoami policy configs`)

// nameWords are the words of an operation's id, without those of its path.
func nameWords(o *operation) []string {
	if o.ID == o.Method+" "+o.Path {
		return nil
	}
	w := naming.Words(o.ID)
	if len(w) > 0 && len(w) > len(o.segments) && w[0] == strings.ToLower(o.Method) {
		return w[1:]
	}
	return w
}

func askingWord(w []string) bool {
	return len(w) > 0 && (askers[w[0]] || len(w) > 1 && askers[w[len(w)-1]])
}
