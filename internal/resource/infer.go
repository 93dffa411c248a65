package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Infer makes the plan of a contract. The findings are on the overrides.
func Infer(c *spec.Contract, o Overrides) (*Plan, []exchange.Finding) {
	in := &inference{root: &node{}, families: map[*node]*family{}, asked: map[*node]bool{},
		known: &known{map[*spec.Keywords][]member{}, map[*spec.Keywords]string{}, map[*spec.Keywords]Kind{}}}
	in.read(c)
	in.overrides(o)
	for _, op := range in.ops {
		in.familyAt(op.at)
	}
	in.merge()
	plan := &Plan{of: make(map[*spec.Operation]*Binding, len(in.ops))}
	in.makeResources(plan)
	for _, op := range in.ops {
		in.bind(op)
		b := op.binding
		plan.Bindings = append(plan.Bindings, b)
		plan.of[op.Operation] = b
		if b.Resource != nil {
			b.Resource.Bindings = append(b.Resource.Bindings, b)
		}
	}
	in.keys()
	in.applyParents(plan)
	plan.Resources = slices.DeleteFunc(plan.Resources, func(r *Resource) bool { return len(r.Bindings) == 0 })
	for _, r := range plan.Resources {
		settle(r)
	}
	return plan, exchange.Sort(in.findings)
}

// inference is a plan being made.
type inference struct {
	root     *node
	ops      []*operation
	order    []*family
	families map[*node]*family // by collection, item and singleton node
	asked    map[*node]bool    // nodes whose family is known, also those without
	findings []exchange.Finding
	known    *known
}

// family is what stands at a collection's path and at that of its items. Those
// that show the same things become one resource.
type family struct {
	collection *node
	item       *node // nil where no path names single items
	singleton  bool
	name       string   // the last literal
	names      []string // folded, in the singular
	value      view     // the item
	listed     view     // the item as lists show it
	document   *spec.Schema
	into       *family // that it was merged into
	resource   *Resource
	declared   string // its name by an override
}

func (f *family) final() *family {
	for f.into != nil {
		f = f.into
	}
	return f
}

// read makes the tree of paths.
func (in *inference) read(c *spec.Contract) {
	for _, o := range c.Operations {
		op := &operation{Operation: o, segments: parse(o.Path), binding: &Binding{Operation: o}}
		n := in.root
		for _, s := range op.segments {
			n = n.child(s)
		}
		op.at = n
		n.ops = append(n.ops, op)
		op.binding.Success = success(o)
		if op.binding.Success != nil {
			op.binding.Media = jsonOf(op.binding.Success.Content)
		}
		op.answer = in.known.of(op.binding.Media)
		if o.Body != nil {
			op.bodyMedia = jsonOf(o.Body.Content)
			if op.bodyMedia == nil {
				for _, m := range o.Body.Content {
					if m.Schema != nil && (m.Subtype == "x-www-form-urlencoded" || m.Subtype == "form-data") {
						op.bodyMedia = m
						break
					}
				}
			}
		}
		op.request = in.known.of(op.bodyMedia)
		in.ops = append(in.ops, op)
	}
}

// success gives the answer when all is well: 201 to a POST or PUT that
// documents it, else the lowest 2xx, a range or default.
func success(o *spec.Operation) *spec.Response {
	var first *spec.Response
	for _, r := range o.Responses {
		code, count := r.Code()
		if count == 1 && code == 201 && o.Method == "POST" {
			return r
		}
		if code >= 200 && code < 300 && first == nil || r.Status == "default" && first == nil {
			first = r
		}
	}
	return first
}

func jsonOf(content []*spec.MediaType) *spec.MediaType {
	for _, m := range content {
		if m.IsJSON() && m.Schema != nil {
			return m
		}
	}
	for _, m := range content {
		if m.Type == "*" && m.Schema != nil {
			return m
		}
	}
	return nil
}

// familyAt gives the family of a path, nil where it keeps nothing.
func (in *inference) familyAt(n *node) *family {
	if in.asked[n] {
		return in.families[n]
	}
	in.asked[n] = true
	if n.parent != nil {
		in.familyAt(n.parent)
	}
	if f := in.families[n]; f != nil { // found with its parent
		return f
	}
	f := in.found(n)
	if f == nil {
		return nil
	}
	f.name = f.collection.name()
	if f.name == "" {
		f.name = f.value.name()
	}
	if f.names == nil {
		f.names = namesOf(f.collection)
	}
	in.register(f)
	return in.families[n]
}

// register makes a family known under its paths. A collection's path can be
// that of another's items: /gists/{id}/{sha}.
func (in *inference) register(f *family) {
	if in.families[f.collection] == nil {
		in.families[f.collection] = f
	}
	if f.item != nil {
		in.families[f.item] = f
	}
	in.describe(f)
	in.order = append(in.order, f)
}

// namesOf gives the names that things of a collection go by, folded and in the
// singular: hubcollaboration, collaboration.
func namesOf(n *node) []string {
	name := n.name()
	names := []string{singularName(name)}
	if w := words(name); len(w) > 1 {
		names = append(names, singular(w[len(w)-1]))
	}
	return names
}

// found decides what a path is.
func (in *inference) found(n *node) *family {
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
		return ownWords[fold(n.last.text)]
	}
	if writer == nil || !writer.request.ok() || writer.request.kind() == Array || n.has("POST") != nil {
		return false
	}
	if w := nameWords(writer); askingWord(w) || plural(n.last.text) && !ownWords[fold(n.last.text)] || slices.Contains(w, "create") {
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
var ownWords = wordSet(`me self profile settings setting config configuration preferences account currentuser company organization organisation
options viewer whoami policy configs`)

// nameWords are the words of an operation's id, without those of its path.
func nameWords(o *operation) []string {
	if o.ID == o.Method+" "+o.Path {
		return nil
	}
	w := words(o.ID)
	if len(w) > 0 && len(w) > len(o.segments) && w[0] == strings.ToLower(o.Method) {
		return w[1:]
	}
	return w
}

func askingWord(w []string) bool {
	return len(w) > 0 && (askers[w[0]] || len(w) > 1 && askers[w[len(w)-1]])
}
