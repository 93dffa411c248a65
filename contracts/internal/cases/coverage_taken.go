package cases

import (
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// taken is a branch of an anyOf or oneOf that a value takes where tokens lead.
type taken struct {
	tokens []string
	branch *spec.Keywords
}

// taking gives what is taken around a place and the branches that its value
// takes itself.
func (f *facts) taking(value any, tokens []string, around []taken) []taken {
	all := slices.Clip(around)
	for _, c := range f.choices {
		for _, branch := range c.branches {
			if spec.Conforms(branch, value) {
				all = append(all, taken{tokens, branch})
			}
		}
	}
	return all
}

// takes reports whether a body takes the branches in which the site's place is
// what it is: the same name may stand in another branch for something else.
func (s *site) takes(body any) bool {
	if s.parameter != nil || s.variant != nil {
		return true
	}
	for _, t := range s.taken {
		if value, ok := at(body, t.tokens); !ok || !spec.Conforms(t.branch, value) {
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
	if c.fixed {
		return d
	}
	for i := range maxLike {
		value, err := s.body.make(key.Child("body").Child("like "+strconv.Itoa(i)), c.have, fill)
		if err == nil && s.takes(value) {
			d = d.clone()
			d.value = value
			return d
		}
	}
	return d
}
