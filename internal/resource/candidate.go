package resource

// pathFacts are what the rules about a path look at.
type pathFacts struct {
	in *inference
	*node
	item *node
	get  *operation
	list *Listing // in the answer to GET; nil where it is none
}

type pathEvidence = rule[*pathFacts]

// pathRule says what is kept at a path. Where it has no candidate, nothing is,
// or what is found already.
type pathRule struct {
	pathEvidence
	candidate func(*pathFacts) *candidate
}

func listAt(f *pathFacts) *candidate     { return &candidate{collection: f.node} }
func itemsBelow(f *pathFacts) *candidate { return &candidate{collection: f.node, item: f.item} }
func oneAt(f *pathFacts) *candidate      { return &candidate{collection: f.node, singleton: true} }

// pathRules decide what is kept at a path; the first that holds counts. The
// weight is 1 where something is.
var pathRules = []pathRule{
	{pathEvidence{name: "search result", source: byName, example: "GET /search/plants", sees: func(f *pathFacts) string { return f.in.searchAbove(f.node) }}, nil},
	{pathEvidence{name: "list chosen by a variable", weight: 1, source: bySchema, example: "GET /custom-objects/{object}", sees: func(f *pathFacts) string { return when(f.in.listsByVariable(f.node), "GET") }}, itemsBelow},
	{pathEvidence{name: "variable without operations", source: byPath, example: "/owners/{owner} before /owners/{owner}/plants", sees: func(f *pathFacts) string { return when(f.last.variable() && len(f.operations) == 0, "variable") }}, nil},
	{pathEvidence{name: "path that ends in a key", weight: 1, source: byPath, example: "GET /plants/{id}", sees: func(f *pathFacts) string { return when(f.last.variable(), "variable") }}, itemCandidate},
	{pathEvidence{name: "no operations", source: byPath, example: "/api before /api/plants", sees: func(f *pathFacts) string { return when(len(f.operations) == 0, "none") }}, nil},
	{pathEvidence{name: "items below", weight: 1, source: byPath, example: "/plants before /plants/{id}", sees: func(f *pathFacts) string {
		if f.item == nil || f.in.listsByVariable(f.item) {
			return ""
		}
		return f.item.operations[0].Path
	}}, itemsBelow},
	{pathEvidence{name: "procedure", source: byName, example: "POST /plants:water, POST /documents.create", sees: func(f *pathFacts) string { return when(f.last.custom || isProcedure(f.last.text), f.last.text) }}, nil},
	{pathEvidence{name: "list of what is kept elsewhere", source: bySchema, example: "GET /launches/upcoming, GET /plants/search", sees: func(f *pathFacts) string {
		return when(f.list != nil && (isVerb(f.last.text) || f.in.isPartOfList(f)), "GET")
	}}, nil},
	{pathEvidence{name: "GET lists", weight: 1, source: bySchema, example: "GET /plants answers {items: […]}", sees: func(f *pathFacts) string { return when(f.list != nil, "answer") }}, listAt},
	{pathEvidence{name: "singleton", weight: 1, source: byPath, example: "GET and PUT /settings", sees: func(f *pathFacts) string { return f.in.singletonEvidence(f.node) }}, oneAt},
	{pathEvidence{name: "POST creates", weight: 1, source: byMethod, example: "POST /messages", sees: func(f *pathFacts) string {
		post := f.method("POST")
		return when(post != nil && f.get == nil && f.in.creation(post, nil).score >= createFrom, "POST")
	}}, listAt},
}

func (in *inference) findCandidate(n *node) *candidate {
	f := &pathFacts{in: in, node: n, item: n.item(), get: n.method("GET")}
	if f.get != nil {
		if l, score := findList(f.get.answer, namesOf(n)); score >= 0.5 {
			f.list = l
		}
	}
	for i := range pathRules {
		r := &pathRules[i]
		saw := r.sees(f)
		if saw == "" {
			continue
		}
		if r.candidate == nil {
			return nil
		}
		c := r.candidate(f)
		if c != nil {
			c.evidence = append(c.evidence, Evidence{"path", r.name, r.weight, saw})
		}
		return c
	}
	return nil
}

// itemCandidate gives the candidate of a path that ends in a key, nil where its
// collection has one already.
func itemCandidate(f *pathFacts) *candidate {
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
			return nil
		}
	case found == nil && collection != n.parent:
		return &candidate{collection: collection, item: n}
	}
	if isVerb(n.parent.last.text) && !n.parent.last.variable() && len(n.parent.operations) == 0 && n.only("POST") {
		return nil
	}
	return &candidate{collection: n.parent, item: n}
}

// searchAbove gives the segment that shows that a path only looks at what is
// kept elsewhere: /search/plants, /watch/plants/{id}.
func (in *inference) searchAbove(n *node) string {
	if !n.only("GET") {
		return ""
	}
	for at := range n.up {
		switch at.last.text {
		case "watch", "search", "query", "find", "lookup":
			if in.candidates[at] == nil {
				return at.last.text
			}
		}
	}
	return ""
}

// listsByVariable reports whether a path that ends in a variable is that of a
// collection all the same: /custom-objects/{object}.
func (in *inference) listsByVariable(n *node) bool {
	get, names := n.method("GET"), namesOf(n)
	if get == nil || !n.last.variable() {
		return false
	}
	l, score := findList(get.answer, names)
	if score < 0.8 {
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

// isPartOfList reports whether a list below a collection shows items of that
// collection: /launches/upcoming.
func (in *inference) isPartOfList(f *pathFacts) bool {
	c := in.candidates[f.parent]
	if c == nil || c.collection != f.parent || c.singleton || f.method("POST") != nil {
		return false
	}
	return similarity(f.get.answer.of(f.list.Items.Value), c.value) >= 0.8
}
