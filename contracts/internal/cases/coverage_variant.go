package cases

import (
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// variant is a branch of an anyOf or oneOf of a body that the template does not
// take, and what makes values of it.
type variant struct {
	site      *site // where the choice is
	generator *generate.Generator
	branch    string // for people: "branch 2"
}

// maxVariants is how many branches of a body are looked into beside those that
// the template takes.
const maxVariants = 24

// variants gives the sites in the branches that the template does not take.
func (c *coverage) variants(root site, found []*site, full any) []*site {
	var all []*site
	count := 0
	for _, s := range found {
		if s.echo {
			continue
		}
		for _, choice := range s.facts.choices {
			for i, branch := range choice.branches {
				if spec.Conforms(branch, s.value) {
					continue
				}
				if count++; count > maxVariants || c.over() {
					return all
				}
				all = append(all, c.inBranch(root, s, branch, i, full)...)
			}
		}
	}
	return all
}

// inBranch gives the sites in one branch.
func (c *coverage) inBranch(root site, s *site, branch *spec.Keywords, number int, full any) []*site {
	v := &variant{s, s.generatorOf(branch), "branch " + strconv.Itoa(number+1)}
	for i := range 4 {
		value, ok := v.in(full, c.key.Child("variant").Child(strconv.Itoa(i)))
		if !ok || !root.body.conforms(value) {
			continue
		}
		root.variant = v
		return slices.DeleteFunc(sitesOf(root, value, func([]string) bool { return false }), func(other *site) bool {
			return len(other.tokens) < len(s.tokens) || !slices.Equal(other.tokens[:len(s.tokens)], s.tokens) ||
				len(other.tokens) == len(s.tokens) && len(other.facts.required) == 0 && !other.facts.closed()
		})
	}
	return nil
}

// in puts a value of the branch into a whole value.
func (v *variant) in(whole any, key generate.Key) (any, bool) {
	value, err := v.generator.Value(key)
	if err != nil {
		return nil, false
	}
	before, ok := at(whole, v.site.tokens)
	if !ok {
		return nil, false
	}
	return patched(whole, v.site.tokens, joined(v.site.common(before), value))
}

// draftsOfVariant gives drafts that take the site's branch.
func (c *coverage) draftsOfVariant(s *site, plain *draft, key generate.Key, yield func(*draft) bool) {
	key = key.Child("variant")
	full := c.fulls[s.body]
	for i := range 4 {
		key := key.Child(strconv.Itoa(i))
		whole := full
		if i < 2 {
			whole = grafted(plain.value, full, s.variant.site.tokens)
		}
		value, ok := s.variant.in(whole, key)
		if !ok {
			continue
		}
		value = s.body.filled(s.body.keyed.distinguish(value, key, c.have))
		if !s.body.conforms(value) {
			continue
		}
		d := plain.clone()
		d.value = value
		if !yield(d) {
			return
		}
	}
}
