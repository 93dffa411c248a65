package cases

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// proposeChoices takes each branch of anyOf and oneOf, two of a oneOf at once,
// none, and what not excludes; and changes what discriminates.
func proposeChoices(s *site, p *proposals) {
	for _, c := range s.constraints.choices {
		proposeChoice(s, c, p)
		if by := s.schema.Discriminator(c.Owner); by != nil {
			proposeDiscriminator(by, p)
		}
	}
	for _, k := range s.constraints.Schemas {
		if k.Not != nil {
			p.refuse(essential, "not", "what not excludes", s.branchValues(k.Not, true))
		}
	}
}

func proposeChoice(s *site, c schema.Choice, p *proposals) {
	word := "anyOf"
	if c.One {
		word = "oneOf"
	}
	branches := c.Branches[:min(len(c.Branches), maxBranches)]
	for i, branch := range branches {
		if s.text() && constraintsOf([]*spec.Keywords{branch}, nil).Types == schema.Null {
			continue // see proposeNull
		}
		rank := usual
		if i > 8 {
			rank = exotic
		}
		p.accept(rank, "of branch "+strconv.Itoa(i+1)+" of "+word, s.branchValues(branch, false)).bare()
	}
	if c.One && len(branches) > 1 {
		p.refuse(essential, "one-of", "of two branches of oneOf at once", s.twoBranches(branches)).bare()
		for i := range branches[:min(len(branches), maxForeign)] {
			what := "of branch " + strconv.Itoa(i+1) + " with a property of another"
			p.refuse(usual, "", what, s.withForeignProperty(branches, i)).bare()
			proposeForeignValues(s, branches, i, p)
		}
	}
	p.refuse(essential, "", "of no branch of "+word, constants(map[string]any{}, "no branch", []any{}, true)).bare()
}

// proposeForeignValues proposes values of a branch with what another branch lists for one of its properties.
func proposeForeignValues(s *site, branches []*spec.Keywords, of int, p *proposals) {
	own := schema.Properties(branches[of])
	var seen []string
	for _, branch := range branches {
		theirs := schema.Properties(branch)
		for _, name := range slices.Sorted(maps.Keys(theirs)) {
			listed := schema.Values(own[name])
			for _, value := range schema.Values(theirs[name]) {
				isSame := func(v any) bool { return jsonvalue.Equals(v, value) }
				what := "of branch " + strconv.Itoa(of+1) + " with the " + name + " " + brief(value) + " of another"
				if listed == nil || slices.ContainsFunc(listed, isSame) || slices.Contains(seen, what) || len(seen) == maxForeign {
					continue
				}
				seen = append(seen, what)
				p.refuse(usual, "", what, func(at any, try func(any) bool) {
					s.branchValues(branches[of], false)(at, func(v any) bool {
						return try(mergeObjects(v, map[string]any{name: value}))
					})
				}).bare()
			}
		}
	}
}

func proposeDiscriminator(by *schema.Discriminator, p *proposals) {
	name := by.Property
	p.refuse(essential, "", "unknown", inObject(func(object map[string]any) bool {
		object[name] = "unknown-kind"
		return true
	})).at(name).bare()
	for i := range by.Branches[:min(len(by.Branches), maxForeign)] {
		kind := by.Value(i)
		if kind == "" {
			continue
		}
		what := "with " + name + " " + brief(kind) + " of another branch"
		p.refuse(min(essential+i, usual), "", what, inObject(func(object map[string]any) bool {
			same := object[name] == kind
			object[name] = kind
			return !same
		})).bare()
	}
	p.refuse(essential, "", "left out", without(name)).at(name).bare()
}

// branchValues returns a change to values of a branch: with the other properties that
// the value had, unless they are wanted alone, and alone.
func (s *site) branchValues(branch *spec.Keywords, alone bool) change {
	return func(at any, try func(any) bool) {
		if s.schema == nil {
			return
		}
		g := s.generatorOf(branch)
		for i := range 2 {
			value, err := g.Value(s.key().Child(strconv.Itoa(i)))
			if err != nil || !alone && !try(mergeObjects(s.sharedProperties(at), value)) || !try(value) {
				return
			}
		}
	}
}

func (s *site) twoBranches(branches []*spec.Keywords) change {
	return func(at any, try func(any) bool) {
		if s.schema == nil {
			return
		}
		for i := range min(len(branches)-1, 4) {
			first, err := s.generatorOf(branches[i]).Value(s.key())
			second, failed := s.generatorOf(branches[i+1]).Value(s.key())
			if err == nil && failed == nil && !try(mergeObjects(s.sharedProperties(at), mergeObjects(first, second))) {
				return
			}
		}
	}
}

func (s *site) withForeignProperty(branches []*spec.Keywords, of int) change {
	return func(at any, try func(any) bool) {
		if s.schema == nil {
			return
		}
		value, err := s.generatorOf(branches[of]).Value(s.key())
		own, ok := value.(map[string]any)
		if err != nil || !ok {
			return
		}
		tried := 0
		for i, branch := range branches {
			value, err := s.generatorOf(branch).Value(s.key())
			theirs, ok := value.(map[string]any)
			if i == of || err != nil || !ok {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(theirs)) {
				if _, has := own[name]; has {
					continue
				}
				both := mergeObjects(own, map[string]any{name: theirs[name]})
				if tried++; tried > maxForeign || !try(mergeObjects(s.sharedProperties(at), both)) {
					return
				}
			}
		}
	}
}

// sharedProperties returns of an object what no branch speaks of.
func (s *site) sharedProperties(at any) any {
	object, ok := at.(map[string]any)
	if !ok {
		return nil
	}
	var branches []*spec.Keywords
	for _, c := range s.constraints.choices {
		branches = append(branches, c.Branches...)
	}
	branches = combined(branches...)
	kept := map[string]any{}
	for _, k := range s.constraints.Schemas {
		if slices.Contains(branches, k) {
			continue
		}
		for name := range k.Properties {
			if value, ok := object[name]; ok {
				kept[name] = value
			}
		}
	}
	return kept
}

// mergeObjects returns the properties of both; of what b has, b's.
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

// key decides the values that are generated for the site.
func (s *site) key() generate.Key {
	place := s.at("")
	return generate.NewKey(0, place.In, place.Name, place.Pointer)
}

func (s *site) generatorOf(k *spec.Keywords) *generate.Generator {
	schema := *s.schema
	schema.Keywords = k
	return generate.New(&schema, generate.Options{})
}

// counter is what a schema says of how many characters, items or properties there are.
type counter func(*spec.Keywords) (least, most **int)

func characters(k *spec.Keywords) (least, most **int) { return &k.MinLength, &k.MaxLength }
func items(k *spec.Keywords) (least, most **int)      { return &k.MinItems, &k.MaxItems }
func differentItems(k *spec.Keywords) (least, most **int) {
	k.UniqueItems = true
	return items(k)
}
func properties(k *spec.Keywords) (least, most **int) { return &k.MinProperties, &k.MaxProperties }

// generated returns a change to a value that is generated for the site's schemas, without what they refer to
// and choose from, and that counts n. The generator is made when the change is first asked for.
func (s *site) generated(counts counter, n int) change {
	var g *generate.Generator
	return func(_ any, try func(any) bool) {
		if s.schema == nil || len(s.constraints.Schemas) == 0 {
			return
		}
		if g == nil {
			parts := make([]*spec.Keywords, len(s.constraints.Schemas))
			for i, k := range s.constraints.Schemas {
				own := *k
				own.Ref, own.DynamicRef, own.AllOf, own.AnyOf, own.OneOf = nil, nil, nil, nil, nil
				own.If, own.Then, own.Else, own.DependentSchemas = nil, nil, nil, nil
				least, most := counts(&own)
				*least, *most = nil, nil
				parts[i] = &own
			}
			least, most := counts(parts[0])
			*least, *most = &n, &n
			parts[0].AllOf = parts[1:]
			g = s.generatorOf(parts[0])
		}
		key := s.key()
		for _, name := range [...]string{"first", "second"} {
			if value, err := g.Value(key.Child(name)); err == nil && !try(value) {
				return
			}
		}
	}
}
