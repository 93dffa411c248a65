package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

type pathFacts struct {
	in *inference
	*node
	item *node
	get  *operation
	list *Listing // in the answer to GET; nil if the answer is not a list

	shown view       // the item by paths below it, if it is kept elsewhere
	found *candidate // nil if nothing is kept, or what is found already
}

func listAt(f *pathFacts)     { f.found = &candidate{collection: f.node, item: f.itemWithoutOperations()} }
func itemsBelow(f *pathFacts) { f.found = &candidate{collection: f.node, item: f.item} }
func itemsElsewhere(f *pathFacts) {
	listAt(f)
	f.found.value, f.found.document = f.shown, f.shown.schema
}
func oneAt(f *pathFacts) { f.found = &candidate{collection: f.node, singleton: true} }

// pathRules decide what is kept at a path; the first that holds counts. The weight is 1 where something is.
var pathRules = rules[*pathFacts]{
	{name: "search result", source: byName, example: "GET /search/plants", sees: func(f *pathFacts) string { return f.in.searchAbove(f.node) }},
	{name: "changes the item above", source: bySchema, example: "POST /carts/{id}/lines answers the cart", sees: func(f *pathFacts) string { return f.in.changesAbove(f.node) }},
	{name: "list chosen by a variable", weight: 1, source: bySchema, example: "GET /custom-objects/{object}", sees: func(f *pathFacts) string { return when(f.in.listsByVariable(f.node), "GET") }, then: itemsBelow},
	{name: "variable without operations", source: byPath, example: "/owners/{owner} before /owners/{owner}/plants", sees: func(f *pathFacts) string { return when(f.last.variable() && len(f.operations) == 0, "variable") }},
	{name: "path that ends in a key", weight: 1, source: byPath, example: "GET /plants/{id}", sees: func(f *pathFacts) string { return when(f.last.variable(), "variable") }, then: itemCandidate},
	{name: "changes of items listed elsewhere", weight: 1, source: bySchema, example: "PUT /visits/{id}/report answers a Visit as GET /pets/{pet}/visits", sees: (*pathFacts).listedElsewhere, then: itemsElsewhere},
	{name: "no operations", source: byPath, example: "/api before /api/plants", sees: func(f *pathFacts) string { return when(len(f.operations) == 0, "none") }},
	{name: "items below", weight: 1, source: byPath, example: "/plants before /plants/{id}", sees: func(f *pathFacts) string {
		if f.item == nil || f.in.listsByVariable(f.item) {
			return ""
		}
		return f.item.operations[0].Path
	}, then: itemsBelow},
	{name: "procedure", source: byName, example: "POST /plants:water, POST /documents.create", sees: func(f *pathFacts) string { return when(f.last.custom || isProcedure(f.last.text), f.last.text) }},
	{name: "list of what is kept elsewhere", source: bySchema, example: "GET /launches/upcoming, GET /plants/search", sees: func(f *pathFacts) string {
		return when(f.list != nil && (isVerb(f.last.text) || f.in.isPartOfList(f)), "GET")
	}},
	{name: "a change of its list answers it", weight: 1, source: bySchema, example: "GET /cart answers {lines: […], total}, POST /cart/lines answers the same", sees: (*pathFacts).answeredBelow, then: oneAt},
	{name: "what GET answers is replaced whole", weight: 1, source: bySchema, example: "GET and PUT /policy with {assignments: […]}", sees: func(f *pathFacts) string {
		return when(f.list != nil && f.isReplacedWhole(), f.methods("GET", "PUT", "PATCH"))
	}, then: oneAt},
	{name: "GET lists", weight: 1, source: bySchema, example: "GET /plants returns {items: […]}", sees: func(f *pathFacts) string { return when(f.list != nil, "answer") }, then: listAt},
	{name: "another name of an item", source: bySchema, example: "GET and PUT /plants/default beside /plants/{id}", sees: func(f *pathFacts) string {
		return when(f.in.isAlias(f.node), f.last.text)
	}},
	{name: "a query parameter names the item", weight: 1, source: bySchema, example: "GET /plant?id=7 returns a Plant, POST /plant", sees: func(f *pathFacts) string {
		return when(f.method("POST") != nil && f.list == nil, f.get.keyInQuery(namesOf(f.node)))
	}, then: listAt},
	{name: "singleton", weight: 1, source: byPath, example: "GET and PUT /settings", sees: func(f *pathFacts) string { return f.in.singletonEvidence(f.node) }, then: oneAt},
	{name: "POST creates", weight: 1, source: byMethod, example: "POST /messages", sees: func(f *pathFacts) string {
		post := f.method("POST")
		return when(post != nil && f.get == nil && f.in.creation(post, nil).score >= createFrom, "POST")
	}, then: listAt},
}

// answeredBelow names the change on the path of a list in what GET answers, or of its elements, that answers the object
// around the list; "" if none.
func (f *pathFacts) answeredBelow() string {
	if f.get == nil || f.method("POST") != nil || f.itemWithoutOperations() != nil {
		return ""
	}
	lists := listsIn(f.get.answer)
	if f.list != nil && len(f.list.Items.Path) > 0 {
		path := f.list.Items.Path
		lists = []listIn{{member{name: path[len(path)-1]}, path}}
	}
	for _, list := range lists {
		around := list.path[:len(list.path)-1]
		for _, l := range f.children {
			if l.last.variable() || !slices.Contains(namesOf(l), naming.SingularName(list.name)) {
				continue
			}
			for _, o := range l.withElements() {
				isChange := o.Method != "GET" && o.Method != "HEAD"
				if isChange && similarity(o.answer.at(around), f.get.answer.at(around)) == 1 {
					return o.Method + " " + o.Path
				}
			}
		}
	}
	return ""
}

// listedElsewhere names the list, at another path of the same name, of the items that a change below items at a path
// without operations answers; "" if none.
func (f *pathFacts) listedElsewhere() string {
	item, names := f.itemWithoutOperations(), namesOf(f.node)
	if item == nil || len(f.operations) > 0 {
		return ""
	}
	for _, below := range item.children {
		if below.last.variable() { // the key may have two parts: /repos/{owner}/{repo}
			continue
		}
		for _, o := range below.operations {
			s := findItem(o.answer, names, view{})
			if s == nil || s.Many || isSafe(o.Method) {
				continue
			}
			f.shown = o.answer.of(s.Value)
			for _, other := range f.in.operations {
				if other.at == f.node || other.at.last.variable() || namesOf(other.at)[0] != names[0] {
					continue
				}
				l, _ := findList(other.answer, names)
				if l != nil && l.Items.Value != nil && isSame(other.answer.of(l.Items.Value), f.shown) {
					return other.Method + " " + other.Path
				}
			}
		}
	}
	return ""
}

// isReplacedWhole reports whether a change is sent the object that GET answers, with the array in it, and nothing adds
// elements to that array or names one. A change that is named as a creation adds some.
func (f *pathFacts) isReplacedWhole() bool {
	writer := f.method("PUT")
	if writer == nil {
		writer = f.method("PATCH")
	}
	adds := func(word string) bool { return createVerbs.Has(word) }
	if writer == nil || writer.documents("201") || slices.ContainsFunc(nameWords(writer), adds) {
		return false
	}
	if f.method("POST") != nil || f.itemWithoutOperations() != nil || len(f.list.Items.Path) == 0 {
		return false
	}
	sent := writer.request.at(f.list.Items.Path)
	isArray := sent.kind() == schema.Array && isItem(sent.element())
	return isArray && similarity(writer.request, f.get.answer) == 1
}

// keyInQuery returns the query parameter that names the one item that an operation answers, whose names are given; ""
// if none.
func (o *operation) keyInQuery(names []string) string {
	if o == nil || o.answer.kind() != schema.Object {
		return ""
	}
	for _, p := range o.Parameters {
		folded := naming.Fold(p.Name)
		isKey := folded == "id" || slices.ContainsFunc(names, func(name string) bool { return folded == name+"id" })
		if p.In == exchange.InQuery && isKey {
			return p.Name
		}
	}
	return ""
}

func (in *inference) findCandidate(n *node) *candidate {
	f := &pathFacts{in: in, node: n, item: n.item(), get: n.method("GET")}
	if f.get != nil {
		if l, score := findList(f.get.answer, namesOf(n)); score >= 0.5 {
			f.list = l
		}
	}
	r, saw := pathRules.first(f)
	if r == nil || r.then == nil {
		return nil
	}
	if r.then(f); f.found != nil {
		f.found.evidence = append(f.found.evidence, Evidence{"path", r.name, r.weight, saw})
	}
	return f.found
}

func itemCandidate(f *pathFacts) {
	in, n := f.in, f.node
	collection := n.parent
	for collection.last.variable() && len(collection.operations) == 0 && in.candidates[collection] == nil {
		collection = collection.parent // the key is made of several variables: /repos/{owner}/{repo}
	}
	found := in.candidates[collection]
	switch {
	case found != nil && found.collection == collection && !found.singleton:
		if found.item == nil {
			found.item = n
		}
		if found.item == n {
			in.candidates[n] = found
			return
		}
	case found == nil && collection != n.parent:
		f.found = &candidate{collection: collection, item: n}
		return
	}
	if isVerb(n.parent.last.text) && !n.parent.last.variable() && len(n.parent.operations) == 0 && n.only("POST") {
		return
	}
	f.found = &candidate{collection: n.parent, item: n}
}

// lookupPaths are segments before paths of what is kept elsewhere.
var lookupPaths = words.RoleOf("lookup-path")

// searchAbove returns the segment that shows that a path only looks at what is
// kept elsewhere: /search/plants, /watch/plants/{id}.
func (in *inference) searchAbove(n *node) string {
	if !n.only("GET") {
		return ""
	}
	for at := range n.up {
		if lookupPaths.Has(at.last.text) && in.candidates[at] == nil {
			return at.last.text
		}
	}
	return ""
}

// listsByVariable reports whether a path that ends in a variable is the path of a
// collection: /custom-objects/{object}.
func (in *inference) listsByVariable(n *node) bool {
	get, names := n.method("GET"), namesOf(n)
	if get == nil || !n.last.variable() {
		return false
	}
	l, score := findList(get.answer, names)
	if score < 0.8 || get.answer.member(n.last.variables[0]).ok() { // the answer is what the variable names
		return false
	}
	element := get.answer.of(l.Items.Value)
	if all := n.parent.method("GET"); all != nil {
		listed, score := findList(all.answer, names)
		if score >= 0.8 && similarity(all.answer.of(listed.Items.Value), element) >= 0.8 {
			return false // the answer is one of those that the path above lists
		}
	}
	if n.item() != nil {
		return true
	}
	if n.methods("PUT", "PATCH", "DELETE") != "" {
		return false
	}
	if findItem(get.answer, names, view{}) == nil || len(l.Fields) > 0 {
		return true
	}
	variables := n.last.variables
	return in.matchKey(get, variables[len(variables)-1], element, names).score < 0.9
}

// isPartOfList reports whether a list below a collection shows items of that collection: /launches/upcoming.
func (in *inference) isPartOfList(f *pathFacts) bool {
	c := in.candidates[f.parent]
	if c == nil || c.collection != f.parent || c.singleton || f.method("POST") != nil {
		return false
	}
	return similarity(f.get.answer.of(f.list.Items.Value), c.value) >= 0.8
}

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
	{name: "GET answers no object", source: bySchema, example: "GET /version returns a string", sees: func(f *singletonFacts) string {
		if f.get == nil {
			return ""
		}
		kind := f.get.answer.kind()
		return when(!f.get.answer.ok() || kind != schema.Object && kind != schema.AnyType, "GET")
	}},
	{name: "read and changed", weight: 1, source: byMethod, example: "GET and PUT /settings", sees: func(f *singletonFacts) string {
		return when(f.get != nil && f.writer != nil && f.writer.request.ok(), f.methods("GET", "PUT", "PATCH"))
	}},
	{name: "read and deleted", weight: 1, source: byMethod, example: "GET and DELETE /session", sees: func(f *singletonFacts) string { return when(f.get != nil && f.method("DELETE") != nil, "GET DELETE") }},
	{name: "read, and changed by POST", weight: 1, source: bySchema, example: "GET and POST /settings with one schema", sees: func(f *singletonFacts) string {
		return when(f.get != nil && f.post != nil && f.postsTheSame(), "GET POST")
	}},
	{name: "POST of something else", source: bySchema, example: "GET and POST /search", sees: func(f *singletonFacts) string { return when(f.get != nil && f.post != nil, "POST") }},
	{name: "named as one thing", weight: 1, source: byName, example: "GET /me", sees: func(f *singletonFacts) string { return when(f.get != nil && singletonNames.Has(f.word), f.word) }},
	{name: "the current user", weight: 1, source: byName, example: "GET /auth/user", sees: func(f *singletonFacts) string {
		l := f.in.logins[f.get]
		return when(l != nil && l.Act == CurrentUser, f.word)
	}},
	{name: "only read", source: byMethod, example: "GET /health", sees: func(f *singletonFacts) string { return when(f.get != nil, "GET") }},
	{name: "nothing replaces it", source: byMethod, example: "DELETE /cache, POST and PUT /batch", sees: func(f *singletonFacts) string {
		w := f.writer
		return when(w == nil || !w.request.ok() || w.request.kind() == schema.Array || f.post != nil, "no body")
	}},
	{name: "named as a question, a creation or several things", source: byName, example: "PUT /plants/order", sees: func(f *singletonFacts) string {
		w := nameWords(f.writer)
		asks := len(w) > 0 && (readVerbs.Has(w[0]) || len(w) > 1 && readVerbs.Has(w[len(w)-1]))
		several := naming.IsPlural(f.last.text) && !singletonNames.Has(f.word)
		return when(asks || several || slices.Contains(w, "create"), f.writer.ID)
	}},
	{name: "replaced", weight: 1, source: byMethod, example: "PUT /avatar", sees: func(f *singletonFacts) string { return f.writer.Method }},
}

// singletonEvidence names the rule by which one thing without a key is kept at a path, "" if none is.
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
