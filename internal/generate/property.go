package generate

import (
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// property gives what the schemas of the shape say of a property; false where
// it is not allowed.
func (sh *shape) property(name string) ([]lit, bool) {
	var lits []lit
	for _, k := range sh.flat {
		named := false
		if sub, ok := k.Properties[name]; ok {
			named = true
			lits = append(lits, lit{op: holds, k: sub})
		}
		for _, re := range sortedPatterns(k.PatternProperties) {
			if re.MatchString(name) {
				named = true
				lits = append(lits, lit{op: holds, k: k.PatternProperties[re]})
			}
		}
		if named {
			continue
		}
		switch additional := k.AdditionalProperties.(type) {
		case bool:
			if !additional {
				return nil, false
			}
		case *spec.Keywords:
			lits = append(lits, lit{op: holds, k: additional})
		}
	}
	for _, k := range sh.flat {
		if k.UnevaluatedProperties != nil && !sh.evaluates(k, k, name, map[*spec.Keywords]bool{}) {
			lits = append(lits, lit{op: holds, k: k.UnevaluatedProperties})
		}
	}
	return append(lits, sh.properties[name]...), true
}

// evaluates reports whether a schema applied at the place of root, root's own
// unevaluatedProperties aside, evaluates the property (JSON Schema core section
// 11.3). seen are the schemas that were asked already.
func (sh *shape) evaluates(root, k *spec.Keywords, name string, seen map[*spec.Keywords]bool) bool {
	if k == nil || k.Bool != nil || seen[k] {
		return false
	}
	seen[k] = true
	if _, ok := k.Properties[name]; ok || k.AdditionalProperties != nil || k != root && k.UnevaluatedProperties != nil ||
		matchesAny(k.PatternProperties, name) {
		return true
	}
	for _, sub := range sh.applied(k) {
		if sh.evaluates(root, sub, name, seen) {
			return true
		}
	}
	return false
}

// applied gives the schemas that hold at the same place because k holds.
func (sh *shape) applied(k *spec.Keywords) []*spec.Keywords {
	list := slices.Clone(k.AllOf)
	if k.Ref != nil {
		list = append(list, k.Ref)
	}
	if k.DynamicRef != nil {
		list = append(list, k.DynamicRef.Ref)
	}
	if k.RecursiveRef != nil {
		list = append(list, k.RecursiveRef)
	}
	branch := func(name string, branches []*spec.Keywords) {
		if n, ok := sh.chosen[choiceID{k, name}]; ok && n < len(branches) {
			list = append(list, branches[n])
		}
	}
	branch("oneOf", k.OneOf)
	branch("anyOf", k.AnyOf)
	if n, ok := sh.chosen[choiceID{k, "if"}]; ok {
		if n == 0 {
			list = append(list, k.If)
			if k.Then != nil {
				list = append(list, k.Then)
			}
		} else if k.Else != nil {
			list = append(list, k.Else)
		}
	}
	for name, sub := range k.DependentSchemas {
		if n, ok := sh.chosen[choiceID{k, "depends " + name}]; ok && n == 0 {
			list = append(list, sub)
		}
	}
	return list
}
