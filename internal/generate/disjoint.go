package generate

import (
	"math/big"
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// disjoint remembers what the function of the same name finds.
func (g *Generator) disjoint(a, b *spec.Keywords) bool {
	pair := [2]*spec.Keywords{a, b}
	known, ok := g.apart[pair]
	if !ok {
		known = disjoint(a, b, 3)
		g.apart[pair] = known
	}
	return known
}

// disjoint reports whether it is plain that no value is valid by both a and b.
// It looks depth properties deep.
func disjoint(a, b *spec.Keywords, depth int) bool {
	if depth < 0 {
		return false
	}
	as, bs := merged(a), merged(b)
	if kindsAll(as)&kindsAll(bs) == 0 {
		return true
	}
	if values, ok := listed(as); ok {
		return !anyValid(values, bs)
	}
	if values, ok := listed(bs); ok {
		return !anyValid(values, as)
	}
	if kindsAll(as)&kindsAll(bs) == object {
		return refuses(as, bs, depth) || refuses(bs, as, depth)
	}
	if (kindsAll(as)&kindsAll(bs))&^numbers == 0 {
		return apart(as, bs) || apart(bs, as)
	}
	return false
}

// refuses reports whether an object valid by as cannot be valid by bs: a
// property that as require is one that bs refuse.
func refuses(as, bs []*spec.Keywords, depth int) bool {
	for _, a := range as {
		for _, name := range a.Required {
			for _, b := range bs {
				value, ok := b.Properties[name]
				if !ok {
					if b.AdditionalProperties == false && !matchesAny(b.PatternProperties, name) {
						return true
					}
					continue
				}
				for _, other := range as {
					if mine, ok := other.Properties[name]; ok && disjoint(mine, value, depth-1) {
						return true
					}
				}
				if value.Bool != nil && !*value.Bool {
					return true
				}
			}
		}
	}
	return false
}

// apart reports whether the numbers of as end before those of bs begin.
func apart(as, bs []*spec.Keywords) bool {
	for _, a := range as {
		for _, b := range bs {
			for _, hi := range []*big.Rat{a.Maximum, a.ExclusiveMaximum} {
				for _, lo := range []*big.Rat{b.Minimum, b.ExclusiveMinimum} {
					if hi != nil && lo != nil {
						c := hi.Cmp(lo)
						if c < 0 || c == 0 && (hi == a.ExclusiveMaximum || lo == b.ExclusiveMinimum) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

func matchesAny(patterns map[spec.Regexp]*spec.Keywords, name string) bool {
	for re := range patterns {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}

// merged gives k with all schemas that hold where it holds.
func merged(k *spec.Keywords) []*spec.Keywords {
	list := []*spec.Keywords{}
	var add func(*spec.Keywords)
	add = func(k *spec.Keywords) {
		if k == nil || slices.Contains(list, k) || len(list) > 64 {
			return
		}
		list = append(list, k)
		add(k.Ref)
		for _, sub := range k.AllOf {
			add(sub)
		}
	}
	add(k)
	return list
}

func listed(ks []*spec.Keywords) ([]any, bool) {
	for _, k := range ks {
		if k.Const != nil {
			return []any{*k.Const}, true
		}
		if k.Enum != nil {
			return k.Enum.Values, true
		}
	}
	return nil, false
}

func anyValid(values []any, ks []*spec.Keywords) bool {
	for _, v := range values {
		valid := true
		for _, k := range ks {
			// A reference leads to another of ks: its own keywords are enough.
			if k.Validate(v) != nil {
				valid = false
				break
			}
		}
		if valid {
			return true
		}
	}
	return false
}

// separators gives the properties of a whose value no value by b can have.
func separators(a, b *spec.Keywords) []string {
	as, bs := merged(a), merged(b)
	var names []string
	for _, k := range as {
		for _, name := range sorted(k.Properties) {
			for _, other := range bs {
				if sub, ok := other.Properties[name]; ok && disjoint(k.Properties[name], sub, 2) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
