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
	for _, c := range s.facts.choices {
		proposeChoice(s, c, p)
	}
	for _, not := range s.facts.nots {
		p.add(proposal{rank: essential, what: "what not excludes", want: Refused, code: "not", change: s.ofBranch(not, true)})
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
		p.add(proposal{
			rank: rank, what: "of branch " + strconv.Itoa(i+1) + " of " + word, want: Accepted, bare: true,
			change: s.ofBranch(branch, false),
		})
	}
	if c.one && len(branches) > 1 {
		p.add(proposal{
			rank: essential, what: "of two branches of oneOf at once", want: Refused, code: "one-of", bare: true,
			change: s.ofBoth(branches),
		})
		for i := range branches[:min(len(branches), maxStrangers)] {
			p.add(proposal{
				rank: usual, what: "of branch " + strconv.Itoa(i+1) + " with a property of another", want: Refused, bare: true,
				change: s.stranger(branches, i),
			})
		}
	}
	p.add(proposal{
		rank: essential, what: "of no branch of " + word, want: Refused, bare: true,
		change: constants([]any{map[string]any{}, "no branch", []any{}, true}),
	})
	raw := s.schema.Node(c.owner)
	if name := raw.Get("discriminator").Get("propertyName").Str(); name != "" {
		p.add(proposal{
			rank: essential, what: "unknown", want: Refused, token: name, bare: true,
			change: once(func(at any) (any, bool) {
				object, ok := at.(map[string]any)
				if !ok {
					return nil, false
				}
				object = maps.Clone(object)
				object[name] = "unknown-kind"
				return object, true
			}),
		})
		for i, kind := range kindsIn(c.branches, name) {
			p.add(proposal{
				rank: min(essential+i, usual), what: "with " + name + " " + brief(kind) + " of another branch", want: Refused, bare: true,
				change: once(func(at any) (any, bool) {
					object, ok := at.(map[string]any)
					if !ok || object[name] == kind {
						return nil, false
					}
					object = maps.Clone(object)
					object[name] = kind
					return object, true
				}),
			})
		}
		p.add(proposal{
			rank: essential, what: "left out", want: Refused, token: name, bare: true,
			change: once(func(at any) (any, bool) { return without(at, name) }),
		})
	}
}

// kindsIn gives the texts that discriminate the branches, of no more than
// maxStrangers.
func kindsIn(branches []*spec.Keywords, name string) []any {
	var kinds []any
	for _, branch := range branches[:min(len(branches), maxStrangers)] {
		for _, k := range combined([]*spec.Keywords{branch}) {
			property := k.Properties[name]
			if property == nil {
				continue
			}
			for _, kind := range factsOf([]*spec.Keywords{property}, nil).values {
				if _, text := kind.(string); text && !slices.Contains(kinds, kind) {
					kinds = append(kinds, kind)
				}
			}
		}
	}
	return kinds
}

// ofBranch gives a change to values of a branch: alone, and with the other
// properties that the value had.
func (s *site) ofBranch(branch *spec.Keywords, alone bool) func(any, int) (any, bool) {
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
		return joined(s.common(at), value), true
	}
}

// ofBoth gives a change to values of two branches at once.
func (s *site) ofBoth(branches []*spec.Keywords) func(any, int) (any, bool) {
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
		return joined(s.common(at), joined(values[0], values[1])), true
	}
}

// maxStrangers is how many branches are tried with a property of another.
const maxStrangers = 6

// stranger gives a change to a value of a branch that has one property of another
// branch besides.
func (s *site) stranger(branches []*spec.Keywords, of int) func(any, int) (any, bool) {
	return func(at any, i int) (any, bool) {
		if s.schema == nil || i > 5 {
			return nil, false
		}
		own, err := s.generatorOf(branches[of]).Value(siteKey(s))
		mine, ok := own.(map[string]any)
		if err != nil || !ok {
			return nil, false
		}
		var strange []map[string]any
		for j, branch := range branches {
			value, err := s.generatorOf(branch).Value(siteKey(s))
			theirs, ok := value.(map[string]any)
			if j == of || err != nil || !ok {
				continue
			}
			for _, name := range sortedKeys(theirs) {
				if _, has := mine[name]; !has {
					strange = append(strange, map[string]any{name: theirs[name]})
				}
			}
		}
		if i >= len(strange) {
			return nil, false
		}
		return joined(s.common(at), joined(own, strange[i])), true
	}
}

// common gives of an object what no branch speaks of.
func (s *site) common(at any) any {
	object, ok := at.(map[string]any)
	if !ok {
		return nil
	}
	kept := map[string]any{}
	var names []string
	var branches []*spec.Keywords
	for _, c := range s.facts.choices {
		branches = append(branches, c.branches...)
	}
	branches = combined(branches)
	for _, k := range s.facts.schemas {
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

// joined gives the properties of both; of what b has, b's.
func joined(a, b any) any {
	x, ok := a.(map[string]any)
	y, also := b.(map[string]any)
	if !ok || !also {
		return b
	}
	both := maps.Clone(x)
	maps.Copy(both, y)
	return both
}
