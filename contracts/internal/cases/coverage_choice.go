package cases

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// maxBranches is how many branches of one anyOf or oneOf are tried.
const maxBranches = 40

// proposeChoices takes each branch of anyOf and oneOf, two of a oneOf at once,
// none, and what not excludes; and changes what discriminates.
func proposeChoices(_ *coverage, s *site, p *proposals) {
	for _, c := range s.constraints.choices {
		proposeChoice(s, c, p)
	}
	for _, not := range s.constraints.nots {
		p.refuse(essential, "not", "what not excludes", s.branchValues(not, true))
	}
}

func proposeChoice(s *site, c choice, p *proposals) {
	word := "anyOf"
	if c.one {
		word = "oneOf"
	}
	branches := c.branches[:min(len(c.branches), maxBranches)]
	for i, branch := range branches {
		rank := usual
		if i > 8 {
			rank = exotic
		}
		p.accept(rank, "of branch "+strconv.Itoa(i+1)+" of "+word, s.branchValues(branch, false)).bare()
	}
	if c.one && len(branches) > 1 {
		p.refuse(essential, "one-of", "of two branches of oneOf at once", s.twoBranches(branches)).bare()
		for i := range branches[:min(len(branches), maxForeign)] {
			what := "of branch " + strconv.Itoa(i+1) + " with a property of another"
			p.refuse(usual, "", what, s.withForeignProperty(branches, i)).bare()
		}
	}
	p.refuse(essential, "", "of no branch of "+word, constants(map[string]any{}, "no branch", []any{}, true)).bare()
	raw := s.schema.Node(c.owner)
	if name := raw.Get("discriminator").Get("propertyName").Str(); name != "" {
		p.refuse(essential, "", "unknown", once(func(at any) (any, bool) {
			object, ok := at.(map[string]any)
			if !ok {
				return nil, false
			}
			object = maps.Clone(object)
			object[name] = "unknown-kind"
			return object, true
		})).at(name).bare()
		for i, kind := range kindsIn(c.branches, name) {
			what := "with " + name + " " + brief(kind) + " of another branch"
			p.refuse(min(essential+i, usual), "", what, once(func(at any) (any, bool) {
				object, ok := at.(map[string]any)
				if !ok || object[name] == kind {
					return nil, false
				}
				object = maps.Clone(object)
				object[name] = kind
				return object, true
			})).bare()
		}
		p.refuse(essential, "", "left out", once(func(at any) (any, bool) { return without(at, name) })).at(name).bare()
	}
}

// kindsIn gives the texts that discriminate the branches, of no more than
// maxForeign.
func kindsIn(branches []*spec.Keywords, name string) []any {
	var jsonTypes []any
	for _, branch := range branches[:min(len(branches), maxForeign)] {
		for _, k := range combined(branch) {
			property := k.Properties[name]
			if property == nil {
				continue
			}
			for _, kind := range constraintsOf([]*spec.Keywords{property}, nil).values {
				if _, text := kind.(string); text && !slices.Contains(jsonTypes, kind) {
					jsonTypes = append(jsonTypes, kind)
				}
			}
		}
	}
	return jsonTypes
}

// branchValues gives a change to values of a branch: alone, and with the other
// properties that the value had.
func (s *site) branchValues(branch *spec.Keywords, alone bool) change {
	return func(at any, i int) (any, bool) {
		if i > 3 || s.schema == nil {
			return nil, false
		}
		g := s.generatorOf(branch)
		value, err := g.Value(siteKey(s).Child(strconv.Itoa(i / 2)))
		if err != nil {
			return nil, false
		}
		if i%2 == 1 || alone {
			return value, true
		}
		return mergeObjects(s.sharedProperties(at), value), true
	}
}

// twoBranches gives a change to values of two branches at once.
func (s *site) twoBranches(branches []*spec.Keywords) change {
	return func(at any, i int) (any, bool) {
		if i >= len(branches)-1 || i > 3 || s.schema == nil {
			return nil, false
		}
		var values [2]any
		for j := range values {
			value, err := s.generatorOf(branches[i+j]).Value(siteKey(s))
			if err != nil {
				return at, true
			}
			values[j] = value
		}
		return mergeObjects(s.sharedProperties(at), mergeObjects(values[0], values[1])), true
	}
}

// maxForeign is how many branches are tried with a property of another.
const maxForeign = 6

// withForeignProperty gives a change to a value of a branch that has one property of another
// branch besides.
func (s *site) withForeignProperty(branches []*spec.Keywords, of int) change {
	return func(at any, i int) (any, bool) {
		if s.schema == nil || i > 5 {
			return nil, false
		}
		own, err := s.generatorOf(branches[of]).Value(siteKey(s))
		mine, ok := own.(map[string]any)
		if err != nil || !ok {
			return nil, false
		}
		var unusualTexts []map[string]any
		for j, branch := range branches {
			value, err := s.generatorOf(branch).Value(siteKey(s))
			theirs, ok := value.(map[string]any)
			if j == of || err != nil || !ok {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(theirs)) {
				if _, has := mine[name]; !has {
					unusualTexts = append(unusualTexts, map[string]any{name: theirs[name]})
				}
			}
		}
		if i >= len(unusualTexts) {
			return nil, false
		}
		return mergeObjects(s.sharedProperties(at), mergeObjects(own, unusualTexts[i])), true
	}
}

// sharedProperties gives of an object what no branch speaks of.
func (s *site) sharedProperties(at any) any {
	object, ok := at.(map[string]any)
	if !ok {
		return nil
	}
	kept := map[string]any{}
	var names []string
	var branches []*spec.Keywords
	for _, c := range s.constraints.choices {
		branches = append(branches, c.branches...)
	}
	branches = combined(branches...)
	for _, k := range s.constraints.schemas {
		if slices.Contains(branches, k) {
			continue
		}
		for name := range k.Properties {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if value, ok := object[name]; ok {
			kept[name] = value
		}
	}
	return kept
}

// mergeObjects gives the properties of both; of what b has, b's.
func mergeObjects(a, b any) any {
	x, ok := a.(map[string]any)
	y, also := b.(map[string]any)
	if !ok || !also {
		return b
	}
	both := maps.Clone(x)
	maps.Copy(both, y)
	return both
}
