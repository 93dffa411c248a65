package cases

import (
	"iter"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// bases returns conforming drafts in which the site is there, best first: fresh
// ones with as little else as possible, then the template.
func (c *coverage) bases(s *site, key generate.Key) iter.Seq[*draft] {
	drafts := c.draftsOfBody
	if s.parameter != nil {
		drafts = c.draftsOfParameter
	}
	return func(yield func(*draft) bool) {
		n := 0
		drafts(s, key, func(d *draft) bool {
			if _, ok := s.of(d); !ok || !s.keepsBranches(d.value) {
				return true
			}
			n++
			return yield(d) && n < maxBases
		})
	}
}

func (c *coverage) draftsOfParameter(s *site, key generate.Key, yield func(*draft) bool) {
	d := c.plain(key)
	if yield(d) {
		d = d.clone()
		d.values[s.parameter] = c.valueOf(s.parameter, key)
		yield(d)
	}
}

func (c *coverage) draftsOfBody(s *site, key generate.Key, yield func(*draft) bool) {
	plain, complete, bodyKey := c.plain(key), c.completeBodies[s.body], key.Child("body")
	switch {
	case s.body != plain.body:
		value, err := s.body.make(bodyKey, c.have, "required")
		if err != nil {
			value = complete
		}
		plain = plain.with(s.body, value)
	case s.minimal && !s.keepsBranches(plain.value):
		plain = plain.with(s.body, c.inBranches(s, plain.value, bodyKey, "required"))
	}
	if s.variant != nil {
		c.draftsOfVariant(s, plain, key, yield)
		return
	}
	if s.minimal && !yield(plain) {
		return
	}
	full := complete
	if !c.reusesTemplate {
		if value, err := s.body.make(bodyKey, c.have, "all"); err == nil {
			value = c.inBranches(s, value, bodyKey, "all")
			if _, ok := jsonvalue.At(value, s.tokens); ok && s.keepsBranches(value) {
				full = value
			}
		}
	}
	for _, value := range [...]any{graft(plain.value, full, s.tokens), full, complete} {
		if s.body.Conforms(value) && !yield(plain.with(s.body, value)) {
			return
		}
	}
}

// graft returns minimal with what full has where tokens lead.
func graft(minimal, full any, tokens []string) any {
	if len(tokens) == 0 {
		return minimal
	}
	to, ok := minimal.(map[string]any)
	from, also := full.(map[string]any)
	if !ok || !also {
		return full
	}
	value, ok := from[tokens[0]]
	if !ok {
		return minimal
	}
	if inner, has := to[tokens[0]]; has {
		value = graft(inner, value, tokens[1:])
	}
	return mergeObjects(to, map[string]any{tokens[0]: value})
}

// valueOf returns a value of a parameter; each key another of one that must be sent once only.
func (c *coverage) valueOf(p *parameter, key generate.Key) any {
	if p.once {
		if value, err := p.value(key.Child(p.In).Child(p.Name)); err == nil {
			return value
		}
	}
	return c.parameterValues[p]
}

func (c *coverage) plain(key generate.Key) *draft {
	if !c.reusesTemplate {
		if d, err := c.draft(key, c.have); err == nil {
			return d
		}
	}
	return c.template
}

func (c *coverage) findSites() {
	c.parameterValues, c.completeBodies = map[*parameter]any{}, map[*body]any{}
	for _, p := range c.parameters {
		value, ok := c.template.values[p]
		if !ok {
			var err error
			if value, err = p.value(c.key.Child("coverage").Child(p.In).Child(p.Name)); err != nil {
				continue
			}
		}
		c.parameterValues[p] = value
		root := site{location: location{parameter: p}, schema: p.schema, optional: !p.Required}
		c.sites = append(c.sites, sitesOf(root, value, func([]string) bool { return p.Required })...)
	}
	for i, b := range c.bodies {
		if c.expired() {
			return
		}
		key := c.key.Child("coverage").Child("template " + strconv.Itoa(i))
		full, err := b.make(key, c.have, "all")
		if err != nil {
			continue
		}
		minimal, err := b.make(key, c.have, "required")
		if err != nil {
			minimal = full
		}
		c.completeBodies[b] = full
		root := site{body: b, schema: b.Schema}
		found := sitesOf(root, full, func(tokens []string) bool { _, ok := jsonvalue.At(minimal, tokens); return ok })
		found = append(found, c.variants(root, found, full)...)
		if slices.ContainsFunc(c.bodies[:i], b.sameSchema) { // that all is checked there, too, needs only the plainest
			for _, s := range found {
				s.alternativeBody = true
			}
		}
		c.sites = append(c.sites, found...)
	}
}

func (b *body) sameSchema(other *body) bool {
	return b.Schema != nil && other.Schema != nil &&
		schema.Resolve(b.Schema.Keywords) == schema.Resolve(other.Schema.Keywords)
}

// branchTaken is a branch of an anyOf or oneOf that a value takes where tokens lead.
type branchTaken struct {
	tokens []string
	branch *spec.Keywords
}

// branchesTaken returns what is taken around a place and the branches that its value takes itself.
func (f *constraints) branchesTaken(value any, tokens []string, around []branchTaken) []branchTaken {
	all := slices.Clip(around)
	for _, c := range f.choices {
		for _, branch := range c.Branches {
			if spec.Conforms(branch, value) {
				all = append(all, branchTaken{tokens, branch})
			}
		}
	}
	return all
}

// keepsBranches reports whether a body takes the branches in which the site's place is
// what it is: the same name may stand in another branch for something else.
func (s *site) keepsBranches(body any) bool {
	return s.parameter != nil || s.variant != nil || !slices.ContainsFunc(s.branchTaken, func(t branchTaken) bool {
		value, ok := jsonvalue.At(body, t.tokens)
		return !ok || !spec.Conforms(t.branch, value)
	})
}

// inBranches returns a body that takes the site's branches, value itself if it does or if none is found.
func (c *coverage) inBranches(s *site, value any, key generate.Key, fill string) any {
	for i := 0; i < maxLike && !c.reusesTemplate && !s.keepsBranches(value); i++ {
		other, err := s.body.make(key.Child("like "+strconv.Itoa(i)), c.have, fill)
		if err == nil && s.keepsBranches(other) {
			return other
		}
	}
	return value
}

// variant is a branch of an anyOf or oneOf of a body that the template does not
// take, and what makes values of it.
type variant struct {
	site      *site // where the choice is
	generator *generate.Generator
	branch    string // for people: "branch 2"
}

func (c *coverage) variants(root site, found []*site, full any) []*site {
	var all []*site
	count := 0
	for _, s := range found {
		if s.repeated {
			continue
		}
		for _, choice := range s.constraints.choices {
			for i, branch := range choice.Branches {
				if spec.Conforms(branch, s.value) {
					continue
				}
				if count++; count > maxVariants || c.expired() {
					return all
				}
				root.variant = &variant{s, s.generatorOf(branch), "branch " + strconv.Itoa(i+1)}
				all = append(all, c.inBranch(root, full)...)
			}
		}
	}
	return all
}

func (c *coverage) inBranch(root site, full any) []*site {
	s := root.variant.site
	for i := range 4 {
		value, ok := root.variant.in(full, c.key.Child("variant").Child(strconv.Itoa(i)))
		if !ok || !root.body.Conforms(value) {
			continue
		}
		return slices.DeleteFunc(sitesOf(root, value, func([]string) bool { return false }), func(other *site) bool {
			return len(other.tokens) < len(s.tokens) || !slices.Equal(other.tokens[:len(s.tokens)], s.tokens) ||
				len(other.tokens) == len(s.tokens) && len(other.constraints.Required) == 0 && !other.constraints.Closed()
		})
	}
	return nil
}

func (v *variant) in(body any, key generate.Key) (any, bool) {
	value, err := v.generator.Value(key)
	before, ok := jsonvalue.At(body, v.site.tokens)
	if err != nil || !ok {
		return nil, false
	}
	return jsonvalue.With(body, v.site.tokens, mergeObjects(v.site.sharedProperties(before), value))
}

func (c *coverage) draftsOfVariant(s *site, plain *draft, key generate.Key, yield func(*draft) bool) {
	full := c.completeBodies[s.body]
	for i := range 4 {
		key, body := key.Child("variant").Child(strconv.Itoa(i)), full
		if i < 2 {
			body = graft(plain.value, full, s.variant.site.tokens)
		}
		value, ok := s.variant.in(body, key)
		if !ok {
			continue
		}
		have := s.body.withGiven(c.have, key)
		value = s.body.withFiles(s.body.distinguish(withPaths(value, have), key, c.have))
		if s.body.Conforms(value) && !yield(plain.with(s.body, value)) {
			return
		}
	}
}
