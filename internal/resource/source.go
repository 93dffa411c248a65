package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// findSources finds the creations of items that take from another item what nobody sends: POST /orders takes the lines
// of /cart, which is empty then; POST /orders {basketId} leads the basket to the state ordered.
func (in *inference) findSources(plan *Plan) {
	for _, o := range in.operations {
		b := o.binding
		if b.Role != Create || b.Declared || b.Bulk != nil || b.Request == nil || b.Request.Many || b.Resource.Value == nil {
			continue
		}
		references := map[*Resource][]string{} // names of properties of the body
		for _, m := range o.request.of(b.Request.Value).members() {
			if m.view.kind()&(schema.String|schema.Integer) != 0 {
				r := plan.Referred(m.name)
				references[r] = append(references[r], m.name)
			}
		}
		var found *Binding
		several := false
		for _, r := range plan.Resources {
			if source := in.sourceOf(o, r, references[r]); source != nil {
				found, several = source, found != nil
			}
		}
		if found == nil || several {
			continue
		}
		b.Source = found
		saw := SetsText(found.Sets)
		if found.Part != nil {
			saw = found.Part.String()
		}
		b.Reason += "; " + found.Resource.Name + ": " + saw
		b.Evidence = append(b.Evidence, Evidence{"source", "takes from another item", 1, found.Resource.Name + ": " + saw})
	}
}

// sourceOf returns the change of an item of r that a creation takes from; nil if it does not take from any. The item is
// the only one, or the one to which the only property of the body with a reference to r refers.
func (in *inference) sourceOf(o *operation, r *Resource, references []string) *Binding {
	b := o.binding
	if r == b.Resource || r == b.Resource.Parent || !r.Singleton && (len(references) != 1 || r.Scoped) {
		return nil
	}
	source := &Binding{Resource: r, Role: Action}
	sent := o.request.of(b.Request.Value)
	if !r.Singleton {
		source.KeyIn, source.KeyPath = InBody, append(slices.Clone(b.Request.Path), references[0])
		own := naming.SingularName(lastName(b.Resource))
		source.Sets = effectOf(naming.Words(own), r)
	}
	for _, other := range r.Bindings {
		isKnown := !slices.ContainsFunc(other.Scope, func(v Variable) bool { return !slices.Contains(o.variables(), v.Name) })
		p := other.Part
		if p == nil || !p.Many || p.Change != AddPart || r.Singleton && !isKnown || !in.isUnsentList(o, sent, p) {
			continue
		}
		source.Operation, source.Scope = other.Operation, other.Scope
		source.Part = &Part{Property: p.Property, Below: p.Below, Value: p.Value, Many: true, Change: ClearPart}
		return source
	}
	if len(source.Sets) == 0 {
		return nil
	}
	source.Operation = r.Bindings[0].Operation
	return source
}

// isUnsentList reports whether the items that an operation creates have a list that no request fills, and whose
// elements are like the elements of a part.
func (in *inference) isUnsentList(o *operation, sent view, p *Part) bool {
	r := o.binding.Resource
	item := in.cache.view(r.Item).of(r.Value)
	const alike = 0.5
	return slices.ContainsFunc(item.members(), func(m member) bool {
		fills := func(b *Binding) bool { return b.Part != nil && b.Part.Property == m.name }
		return m.view.kind() == schema.Array && !sent.member(m.name).ok() && !slices.ContainsFunc(r.Bindings, fills) &&
			similarity(m.view.element(), m.view.of(p.Value)) >= alike
	})
}
