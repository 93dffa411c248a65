package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/naming"
)

// singletonFacts are what the rules about singletons look at.
type singletonFacts struct {
	in *inference
	*node
	get, post, writer *operation // writer is PUT or PATCH
	word              string     // the last literal, folded
}

// singletonRules decide whether one thing without a key is kept at a path; the
// first that holds counts. The weight is 1 where it is.
var singletonRules = rules[*singletonFacts]{
	{name: "no GET of a verb or of the root", source: byName, example: "PUT /player/pause", sees: func(f *singletonFacts) string {
		return when(f.get == nil && (f.parent == nil || isVerb(f.last.text)), "no GET")
	}},
	{name: "view of the item above", source: bySchema, example: "GET /plants/{id}/full", sees: func(f *singletonFacts) string {
		above := f.in.candidates[f.parent]
		return when(f.get != nil && above != nil && above.item == f.parent && similarity(f.get.answer, above.value) >= 0.8, "GET")
	}},
	{name: "GET answers no object", source: bySchema, example: "GET /version answers a string", sees: func(f *singletonFacts) string {
		if f.get == nil {
			return ""
		}
		kind := f.get.answer.kind()
		return when(!f.get.answer.ok() || kind != Object && kind != Any, "GET")
	}},
	{name: "read and changed", weight: 1, source: byMethod, example: "GET and PUT /settings", sees: func(f *singletonFacts) string {
		return when(f.get != nil && f.writer != nil && f.writer.request.ok(), f.methods("GET", "PUT", "PATCH"))
	}},
	{name: "read and deleted", weight: 1, source: byMethod, example: "GET and DELETE /session", sees: func(f *singletonFacts) string { return when(f.get != nil && f.method("DELETE") != nil, "GET DELETE") }},
	{name: "read, and changed by POST", weight: 1, source: bySchema, example: "GET and POST /settings with one schema", sees: func(f *singletonFacts) string {
		return when(f.get != nil && f.post != nil && f.postsTheSame(), "GET POST")
	}},
	{name: "POST of something else", source: bySchema, example: "GET and POST /search", sees: func(f *singletonFacts) string { return when(f.get != nil && f.post != nil, "POST") }},
	{name: "named as one thing", weight: 1, source: byName, example: "GET /me", sees: func(f *singletonFacts) string { return when(f.get != nil && singletonNames[f.word], f.word) }},
	{name: "only read", source: byMethod, example: "GET /health", sees: func(f *singletonFacts) string { return when(f.get != nil, "GET") }},
	{name: "nothing replaces it", source: byMethod, example: "DELETE /cache, POST and PUT /batch", sees: func(f *singletonFacts) string {
		w := f.writer
		return when(w == nil || !w.request.ok() || w.request.kind() == Array || f.post != nil, "no body")
	}},
	{name: "named as a question, a creation or several things", source: byName, example: "PUT /plants/order", sees: func(f *singletonFacts) string {
		w := nameWords(f.writer)
		asks := len(w) > 0 && (readVerbs[w[0]] || len(w) > 1 && readVerbs[w[len(w)-1]])
		several := naming.IsPlural(f.last.text) && !singletonNames[f.word]
		return when(asks || several || slices.Contains(w, "create"), f.writer.ID)
	}},
	{name: "replaced", weight: 1, source: byMethod, example: "PUT /avatar", sees: func(f *singletonFacts) string { return f.writer.Method }},
}

// singletonEvidence names the rule by which one thing without a key is kept at a
// path, "" where none is.
func (in *inference) singletonEvidence(n *node) string {
	f := &singletonFacts{in: in, node: n, word: naming.Fold(n.last.text)}
	f.get, f.post, f.writer = n.method("GET"), n.method("POST"), n.method("PUT")
	if f.writer == nil {
		f.writer = n.method("PATCH")
	}
	r, saw := singletonRules.first(f)
	return when(r != nil && r.weight > 0, r.name+" ("+saw+")")
}

func (f *singletonFacts) postsTheSame() bool {
	names := namesOf(f.node)
	unwrap := func(body view) view {
		if s := findItem(body, names, view{}); s != nil {
			return body.of(s.Value)
		}
		return view{}
	}
	shown := unwrap(f.get.answer)
	return isSame(unwrap(f.post.answer), shown) || isPartOf(unwrap(f.post.request), shown)
}
