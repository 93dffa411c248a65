package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// Infer makes the plan of a contract. The findings are on the overrides.
func Infer(c *spec.Contract, o Overrides) (*Plan, []exchange.Finding) {
	in := &inference{root: &node{}, candidates: map[*node]*candidate{}, asked: map[*node]bool{}, cache: newSchemaCache()}
	in.readPaths(c)
	in.readOverrides(o)
	for _, op := range in.operations {
		in.candidateAt(op.at)
	}
	in.merge()
	plan := &Plan{Resources: in.resources(), of: make(map[*spec.Operation]*Binding, len(in.operations))}
	for _, op := range in.operations {
		in.bind(op)
		b := op.binding
		plan.Bindings = append(plan.Bindings, b)
		plan.of[op.Operation] = b
		if b.Resource != nil {
			b.Resource.Bindings = append(b.Resource.Bindings, b)
		}
	}
	for _, candidate := range in.order {
		if candidate.mergedInto == nil && !candidate.singleton {
			in.findKey(candidate)
		}
	}
	in.applyParents(plan)
	plan.Resources = slices.DeleteFunc(plan.Resources, func(r *Resource) bool { return len(r.Bindings) == 0 })
	for _, r := range plan.Resources {
		r.ParentProperty = parentKey(r)
		r.Scoped = isScoped(r)
		r.Unique = uniqueProperties(r)
	}
	return plan, exchange.Sort(in.findings)
}

// inference is a plan being made.
type inference struct {
	root       *node
	operations []*operation
	order      []*candidate
	candidates map[*node]*candidate // by collection, item and singleton node
	asked      map[*node]bool       // nodes whose candidate is known, also those without
	findings   []exchange.Finding
	cache      *schemaCache
}

// candidate is what is kept at a collection's path and at that of its items.
// Candidates that show the same items become one resource.
type candidate struct {
	collection *node
	item       *node // nil where no path names single items
	singleton  bool
	names      []string // of the items, folded and in the singular
	variables  []string // on the way to the collection
	value      view     // the item
	listed     view     // the item as lists show it
	document   *spec.Schema
	mergedInto *candidate
	resource   *Resource
	declared   string // its name by an override
	evidence   []Evidence
}

func (c *candidate) final() *candidate {
	for c.mergedInto != nil {
		c = c.mergedInto
	}
	return c
}

func (in *inference) readPaths(c *spec.Contract) {
	for _, o := range c.Operations {
		op := &operation{Operation: o, segments: parsePath(o.Path), binding: &Binding{Operation: o}}
		op.at = in.root
		for _, s := range op.segments {
			op.at = op.at.child(s)
		}
		op.at.operations = append(op.at.operations, op)
		if _, op.binding.Success = Success(o); op.binding.Success != nil {
			op.binding.Media = jsonOf(op.binding.Success.Content)
		}
		op.answer = in.cache.media(op.binding.Media)
		if o.Body != nil {
			op.request = in.cache.media(bodyOf(o.Body.Content))
		}
		in.operations = append(in.operations, op)
	}
}

// bodyOf gives the media type of which the inference reads a request's body:
// JSON, else a form.
func bodyOf(content []*spec.MediaType) *spec.MediaType {
	if m := jsonOf(content); m != nil {
		return m
	}
	return firstMedia(content, func(m *spec.MediaType) bool {
		return m.Subtype == "x-www-form-urlencoded" || m.Subtype == "form-data"
	})
}

func jsonOf(content []*spec.MediaType) *spec.MediaType {
	isJSON := func(m *spec.MediaType) bool { return m.IsJSON() && PatchOf(m.Subtype) == MergePatch }
	if m := firstMedia(content, isJSON); m != nil {
		return m
	}
	return firstMedia(content, func(m *spec.MediaType) bool { return m.Type == "*" })
}

func firstMedia(content []*spec.MediaType, fits func(*spec.MediaType) bool) *spec.MediaType {
	for _, m := range content {
		if m.Schema != nil && fits(m) {
			return m
		}
	}
	return nil
}

// candidateAt gives the candidate of a path, nil where it keeps nothing.
func (in *inference) candidateAt(n *node) *candidate {
	if in.asked[n] {
		return in.candidates[n]
	}
	in.asked[n] = true
	if n.parent != nil {
		in.candidateAt(n.parent)
	}
	if in.candidates[n] == nil { // otherwise found with its parent
		if c := in.findCandidate(n); c != nil {
			in.register(c)
		}
	}
	return in.candidates[n]
}

// register makes a candidate known under its paths. A collection's path can be
// that of another's items: /gists/{id}/{sha}.
func (in *inference) register(c *candidate) {
	if in.candidates[c.collection] == nil {
		in.candidates[c.collection] = c
	}
	if c.item != nil {
		in.candidates[c.item] = c
	}
	c.names, c.variables = namesOf(c.collection), c.collection.variables()
	c.findItemSchema()
	in.order = append(in.order, c)
}

// namesOf gives the names that items of a collection go by, folded and in the
// singular: hubcollaboration, collaboration.
func namesOf(n *node) []string {
	name := n.name()
	all := []string{naming.SingularName(name)}
	if w := naming.Words(name); len(w) > 1 {
		all = append(all, naming.Singular(w[len(w)-1]))
	}
	return all
}
