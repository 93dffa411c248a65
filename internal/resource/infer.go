package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
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
		r.Unique = uniqueOf(r)
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
		if m.IsJSON() && m.Schema != nil && PatchOf(m.Subtype) == MergePatch {
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
	names := []string{naming.SingularName(name)}
	if w := naming.Words(name); len(w) > 1 {
		names = append(names, naming.Singular(w[len(w)-1]))
	}
	return names
}
