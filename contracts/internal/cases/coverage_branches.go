package cases

import (
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
)

// branchTaken is a branch of an anyOf or oneOf that a value takes where tokens lead.
type branchTaken struct {
	tokens []string
	branch *spec.Keywords
}

// branchesTaken gives what is taken around a place and the branches that its value
// keepsBranches itself.
func (f *constraints) branchesTaken(value any, tokens []string, around []branchTaken) []branchTaken {
	all := slices.Clip(around)
	for _, c := range f.choices {
		for _, branch := range c.branches {
			if spec.Conforms(branch, value) {
				all = append(all, branchTaken{tokens, branch})
			}
		}
	}
	return all
}

// keepsBranches reports whether a body keepsBranches the branches in which the site's place is
// what it is: the same name may stand in another branch for something else.
func (s *site) keepsBranches(body any) bool {
	if s.parameter != nil || s.variant != nil {
		return true
	}
	for _, t := range s.branchTaken {
		if value, ok := jsonvalue.At(body, t.tokens); !ok || !spec.Conforms(t.branch, value) {
			return false
		}
	}
	return true
}

// maxLike is how many bodies are made to find one that takes the right branches.
const maxLike = 12

// like gives a draft like d whose body takes the site's branches, d itself where
// none is found.
func (c *coverage) like(s *site, d *draft, key generate.Key, fill string) *draft {
	if c.reusesTemplate {
		return d
	}
	for i := range maxLike {
		value, err := s.body.make(key.Child("body").Child("like "+strconv.Itoa(i)), c.have, fill)
		if err == nil && s.keepsBranches(value) {
			d = d.clone()
			d.value = value
			return d
		}
	}
	return d
}

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
		if s.repeated {
			continue
		}
		for _, choice := range s.constraints.choices {
			for i, branch := range choice.branches {
				if spec.Conforms(branch, s.value) {
					continue
				}
				if count++; count > maxVariants || c.expired() {
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
				len(other.tokens) == len(s.tokens) && len(other.constraints.required) == 0 && !other.constraints.closed()
		})
	}
	return nil
}

// in puts a value of the branch into a whole value.
func (v *variant) in(body any, key generate.Key) (any, bool) {
	value, err := v.generator.Value(key)
	if err != nil {
		return nil, false
	}
	before, ok := jsonvalue.At(body, v.site.tokens)
	if !ok {
		return nil, false
	}
	return jsonvalue.With(body, v.site.tokens, mergeObjects(v.site.sharedProperties(before), value))
}

// draftsOfVariant gives drafts that take the site's branch.
func (c *coverage) draftsOfVariant(s *site, plain *draft, key generate.Key, yield func(*draft) bool) {
	key = key.Child("variant")
	full := c.completeBodies[s.body]
	for i := range 4 {
		key := key.Child(strconv.Itoa(i))
		body := full
		if i < 2 {
			body = graft(plain.value, full, s.variant.site.tokens)
		}
		value, ok := s.variant.in(body, key)
		if !ok {
			continue
		}
		value = s.body.withFiles(s.body.naturalKeys.distinguish(value, key, c.have))
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
