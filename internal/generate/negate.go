package generate

import (
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// fail turns "not valid by k" into a choice of what breaks one of k's keywords,
// the least odd first.
func (e *expander) fail(k *spec.Keywords) {
	if e.failed[k] {
		return
	}
	e.failed[k] = true
	if e.held[k] {
		e.sh.impossible("it asks for a schema and its opposite")
		return
	}
	e.sh.failed = append(e.sh.failed, k)
	if k.Bool != nil {
		if *k.Bool {
			e.sh.impossible("nothing is allowed: not of a schema that takes everything")
		}
		return
	}
	ways := e.ways(k)
	if len(ways) == 0 {
		e.sh.impossible("nothing is allowed: not of a schema that takes everything")
		return
	}
	e.decide(pending{
		id: choiceID{k, "not"}, branches: len(ways), ordered: true, ways: ways,
		lits: func(n int) []lit { return ways[n] },
	})
}

// exclude keeps a value that is valid by one branch of k's oneOf from being
// valid by another: by a property that the two see differently, if there is
// one.
func (e *expander) exclude(k *spec.Keywords, n, other int) {
	rest := k.OneOf[other]
	ways, ok := e.g.separators[[2]*spec.Keywords{k.OneOf[n], rest}]
	if !ok {
		for _, name := range separators(k.OneOf[n], rest) {
			ways = append(ways, []lit{{op: isKind, n: int(object)}, {op: needs, name: name}})
		}
		e.g.separators[[2]*spec.Keywords{k.OneOf[n], rest}] = ways
	}
	if len(ways) == 0 {
		e.fail(rest)
		return
	}
	ways = append(slices.Clip(ways), []lit{{op: fails, k: rest}})
	e.decide(pending{
		id: choiceID{k, "exclude " + strconv.Itoa(n) + " " + strconv.Itoa(other)}, branches: len(ways), ordered: true, ways: ways,
		lits: func(n int) []lit { return ways[n] },
	})
}

// ways lists what makes a value break k; it breaks k when it does one of them.
// It depends on k alone.
func (e *expander) ways(k *spec.Keywords) [][]lit {
	var ways [][]lit
	way := func(lits ...lit) { ways = append(ways, lits) }
	of := func(ks kinds) lit { return lit{op: isKind, n: int(ks)} }

	if k.Const != nil || k.Enum != nil {
		way(lit{op: notListed, k: k})
	}
	for _, name := range k.Required {
		way(of(object), lit{op: lacks, name: name})
	}
	for _, name := range sorted(k.Properties) {
		sub := k.Properties[name]
		if sub.Bool != nil && *sub.Bool {
			continue
		}
		way(of(object), lit{op: needs, name: name}, lit{op: propFails, name: name, k: sub})
	}
	if k.Types != nil && !k.Types.IsEmpty() {
		way(of(anyKind &^ kindsOfTypes(k.Types.ToStrings())))
	}
	e.numberWays(k, way)
	e.textWays(k, way)
	e.arrayWays(k, way)
	e.objectWays(k, way)
	e.compoundWays(k, way)
	return ways
}

func (e *expander) numberWays(k *spec.Keywords, way func(...lit)) {
	of := lit{op: isKind, n: int(numbers)}
	if k.Minimum != nil {
		way(of, lit{op: breaksMin, k: k})
	}
	if k.Maximum != nil {
		way(of, lit{op: breaksMax, k: k})
	}
	if k.ExclusiveMinimum != nil {
		way(of, lit{op: breaksXMin, k: k})
	}
	if k.ExclusiveMaximum != nil {
		way(of, lit{op: breaksXMax, k: k})
	}
	if k.MultipleOf != nil {
		way(of, lit{op: breaksMul, k: k})
	}
}

func (e *expander) textWays(k *spec.Keywords, way func(...lit)) {
	of := lit{op: isKind, n: int(text)}
	if k.MinLength != nil && *k.MinLength > 0 {
		way(of, lit{op: maxText, n: *k.MinLength - 1})
	}
	if k.MaxLength != nil {
		way(of, lit{op: minText, n: *k.MaxLength + 1})
	}
	if k.Pattern != nil {
		way(of, lit{op: breaksPat, k: k})
	}
	if k.Format != nil {
		way(lit{op: breaksFmt, k: k})
	}
}

func (e *expander) arrayWays(k *spec.Keywords, way func(...lit)) {
	of := lit{op: isKind, n: int(array)}
	if k.MinItems != nil && *k.MinItems > 0 {
		way(of, lit{op: maxItems, n: *k.MinItems - 1})
	}
	if k.MaxItems != nil {
		way(of, lit{op: minItems, n: *k.MaxItems + 1})
	}
	if k.UniqueItems {
		way(of, lit{op: repeats})
	}
	for i, sub := range k.PrefixItems {
		way(of, lit{op: itemFails, k: sub, n: i})
	}
	if k.Items2020 != nil {
		way(of, lit{op: itemFails, k: k.Items2020, n: len(k.PrefixItems)})
	}
	if k.UnevaluatedItems != nil && k.Items2020 == nil {
		way(of, lit{op: itemFails, k: k.UnevaluatedItems, n: len(k.PrefixItems)})
	}
	if k.Contains != nil {
		least := 1
		if k.MinContains != nil {
			least = *k.MinContains
		}
		if least > 0 {
			way(of, lit{op: allItemsFail, k: k.Contains})
		}
		if k.MaxContains != nil && *k.MaxContains < maxLength {
			lits := []lit{of}
			for i := range *k.MaxContains + 1 {
				lits = append(lits, lit{op: itemHolds, k: k.Contains, n: i})
			}
			way(lits...)
		}
	}
}

func (e *expander) objectWays(k *spec.Keywords, way func(...lit)) {
	of := lit{op: isKind, n: int(object)}
	if k.MinProperties != nil && *k.MinProperties > 0 {
		way(of, lit{op: maxProps, n: *k.MinProperties - 1})
	}
	if k.MaxProperties != nil {
		way(of, lit{op: minProps, n: *k.MaxProperties + 1})
	}
	for _, name := range sorted(k.DependentRequired) {
		for _, required := range k.DependentRequired[name] {
			way(of, lit{op: needs, name: name}, lit{op: lacks, name: required})
		}
	}
	for _, name := range sorted(k.DependentSchemas) {
		way(of, lit{op: needs, name: name}, lit{op: fails, k: k.DependentSchemas[name]})
	}
	if k.AdditionalProperties != nil && k.AdditionalProperties != true {
		way(of, lit{op: extraFails, k: k})
	}
	if len(k.PatternProperties) > 0 {
		way(of, lit{op: matchFails, k: k})
	}
	if k.PropertyNames != nil {
		way(of, lit{op: nameFails, k: k})
	}
	if k.UnevaluatedProperties != nil && k.AdditionalProperties == nil {
		way(of, lit{op: strayFails, k: k})
	}
}

func (e *expander) compoundWays(k *spec.Keywords, way func(...lit)) {
	if k.Ref != nil {
		way(lit{op: fails, k: k.Ref})
	}
	if k.DynamicRef != nil {
		way(lit{op: fails, k: e.g.dynamic(k.DynamicRef)})
	}
	if k.RecursiveRef != nil {
		way(lit{op: fails, k: k.RecursiveRef})
	}
	for _, sub := range k.AllOf {
		way(lit{op: fails, k: sub})
	}
	if k.Not != nil {
		way(lit{op: holds, k: k.Not})
	}
	none := func(subs []*spec.Keywords) []lit {
		var lits []lit
		for _, sub := range subs {
			lits = append(lits, lit{op: fails, k: sub})
		}
		return lits
	}
	if len(k.AnyOf) > 0 {
		way(none(k.AnyOf)...)
	}
	if len(k.OneOf) > 0 {
		way(none(k.OneOf)...)
		for i := range min(len(k.OneOf), 8) {
			for j := range i {
				if !e.g.disjoint(k.OneOf[i], k.OneOf[j]) {
					way(lit{op: holds, k: k.OneOf[i]}, lit{op: holds, k: k.OneOf[j]})
				}
			}
		}
	}
	if k.If != nil {
		if k.Then != nil {
			way(lit{op: holds, k: k.If}, lit{op: fails, k: k.Then})
		}
		if k.Else != nil {
			way(lit{op: fails, k: k.If}, lit{op: fails, k: k.Else})
		}
	}
}

// dynamic gives the schema that $dynamicRef leads to, as far as that can be
// told without knowing who asks.
func (g *Generator) dynamic(ref *spec.DynamicRef) *spec.Keywords {
	return ref.Ref
}
