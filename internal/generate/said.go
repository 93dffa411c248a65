package generate

import (
	"maps"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/values"
)

// said returns what a setting or the document says of the values of a place: of a property of schemas, or what the
// schemas of the constraints say themselves; nil for nothing. The caller holds the lock.
func (g *Generator) said(owners []*schema.Keywords, name string, of []constraint) *values.Value {
	for _, k := range owners {
		if g.values == nil {
			break
		}
		if v := g.values[g.schema.Node(k)][name]; v != nil {
			return v
		}
	}
	for _, k := range owners {
		if property := k.Properties[name]; property != nil { // which may have more beside its reference
			if v := g.saidBy(property); v != nil {
				return v
			}
		}
	}
	for _, c := range of {
		if c.op != conforms || c.schema == nil {
			continue
		}
		if v := g.saidBy(c.schema); v != nil {
			return v
		}
	}
	return nil
}

func (g *Generator) saidBy(k *schema.Keywords) *values.Value {
	n := g.schema.Node(k)
	if n == nil || n.File == nil || !hasExtensions(n.File) {
		return nil
	}
	for part := range schema.Possible(k) {
		if v, _, err := values.Of(g.schema.Node(part)); err == nil && v != nil { // lint says what is wrong
			return v
		}
	}
	return nil
}

// hasExtensions reports whether a file has extensions that say what values are: most have none.
func hasExtensions(file *tree.File) bool {
	return file.Has(values.Extension) || file.Has(values.FakerExtension)
}

// hintOf returns the hint of a place that an override sets.
func (g *Generator) hintOf(v *values.Value, otherwise *hint) *hint {
	switch {
	case v.Name != "":
		return g.hint(v.Name, v.Of, nil)
	case v.Numbers != nil:
		window := *v.Numbers
		return &hint{Hint: fields.Hint{Numbers: func(*formats.Faker, fields.Context) fields.Window { return window }}}
	}
	return otherwise
}

// said returns the first value that is suggested for a place and conforms.
func (r *run) said(n *node, at valueContext) (any, bool) {
	switch {
	case at.value == nil, at.given, at.prefer != "", at.turn >= manyTurns,
		at.hint != nil && at.hint.picture != nil && r.g.options.ImageURLs: // text makes the URL then
		return nil, false
	}
	m := r.g.see(n)
	for m.choice != nil {
		m = r.g.see(m.choice.branches[0])
	}
	for v := range at.value.Candidates(r.fake, at.context(), m.shape.text.format) {
		if r.admits(n, v) {
			return v, true
		}
	}
	return nil, false
}

// withSaid returns an example with the members that overrides set.
func (r *run) withSaid(sh *shape, sample any, at valueContext) any {
	example, _ := sample.(map[string]any)
	var object map[string]any // the copy that is changed
	for i := range sh.object.named {
		e := &sh.object.named[i]
		if _, ok := example[e.name]; !ok || e.value == nil {
			continue
		}
		sh.object.hinted()
		if v, ok := r.generate(e.node, r.inside(e, at, nil)); ok {
			if object == nil {
				object = maps.Clone(example)
			}
			object[e.name], r.unsure = v, true
		}
	}
	if object == nil {
		return sample
	}
	return object
}

// compute returns the members that are computed from the others their values, by their names; what was sent stays.
func (r *run) compute(p *objectPlan, object, sent map[string]any) {
	for i := range p.named {
		e := &p.named[i]
		_, has := object[e.name]
		if _, isSent := sent[e.name]; !has || isSent || e.value == nil || e.value.Formula == nil {
			continue
		}
		if v, err := e.value.Formula.Value(object); err == nil && r.admits(e.node, v) {
			object[e.name], r.unsure = v, true
		}
	}
}
