package cases

import (
	"iter"
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// maxBases is how many conforming drafts a proposal is tried on.
const maxBases = 3

// bases gives conforming drafts in which the site is there, best first: fresh
// ones with as little else as possible, then the template.
func (c *coverage) bases(s *site, key generate.Key) iter.Seq[*draft] {
	return func(yield func(*draft) bool) {
		n := 0
		for d := range c.drafts(s, key) {
			if _, ok := s.of(d); !ok || !s.keepsBranches(d.value) {
				continue
			}
			if n++; !yield(d) || n == maxBases {
				return
			}
		}
	}
}

func (c *coverage) drafts(s *site, key generate.Key) iter.Seq[*draft] {
	if s.parameter != nil {
		return c.draftsOfParameter(s, key)
	}
	return c.draftsOfBody(s, key)
}

func (c *coverage) draftsOfParameter(s *site, key generate.Key) iter.Seq[*draft] {
	return func(yield func(*draft) bool) {
		d := c.plain(key).clone()
		if value, ok := d.values[s.parameter]; ok {
			if _, ok := jsonvalue.At(value, s.tokens); ok && !yield(d) {
				return
			}
		}
		d = d.clone()
		d.values[s.parameter] = c.root(s.parameter, key)
		yield(d)
	}
}

func (c *coverage) draftsOfBody(s *site, key generate.Key) iter.Seq[*draft] {
	return func(yield func(*draft) bool) {
		plain := c.plain(key)
		if s.body == plain.body && s.minimal && !s.keepsBranches(plain.value) {
			plain = c.like(s, plain, key, "required")
		}
		if s.body != plain.body {
			value, err := s.body.make(key.Child("body"), c.have, "required")
			if err != nil {
				value = c.completeBodies[s.body]
			}
			plain = plain.clone()
			plain.body, plain.value = s.body, value
		}
		if s.variant != nil {
			c.draftsOfVariant(s, plain, key, yield)
			return
		}
		if s.minimal && !yield(plain) {
			return
		}
		full := c.completeBodies[s.body]
		if !c.reusesTemplate {
			fresh := plain.clone()
			var err error
			if fresh.value, err = s.body.make(key.Child("body"), c.have, "all"); err == nil {
				if !s.keepsBranches(fresh.value) {
					fresh = c.like(s, fresh, key, "all")
				}
				if _, ok := jsonvalue.At(fresh.value, s.tokens); ok && s.keepsBranches(fresh.value) {
					full = fresh.value
				}
			}
		}
		for _, value := range [...]any{graft(plain.value, full, s.tokens), full, c.completeBodies[s.body]} {
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
}

// root gives a value of a parameter; each key another of one that must be sent
// once only.
func (c *coverage) root(p *parameter, key generate.Key) any {
	if p.once {
		if value, err := p.value(key.Child(p.In).Child(p.Name)); err == nil {
			return value
		}
	}
	return c.parameterValues[p]
}

// plain makes the plain draft of a key.
func (c *coverage) plain(key generate.Key) *draft {
	if c.reusesTemplate {
		return c.template
	}
	if d, err := c.draft(key, c.have); err == nil {
		return d
	}
	return c.template
}

func (b *body) conforms(value any) bool {
	return b.Schema == nil || spec.Conforms(b.Schema.Keywords, value)
}

// findSites finds the places of the operation's parameters and bodies.
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
		root := site{parameter: p, schema: p.schema, minimal: p.Required, optional: !p.Required}
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
		root := site{body: b, schema: b.Schema, minimal: true}
		found := sitesOf(root, full, func(tokens []string) bool { _, ok := jsonvalue.At(minimal, tokens); return ok })
		found = append(found, c.variants(root, found, full)...)
		if b.repeats(c.bodies[:i]) { // that all is checked in another media type, too, needs no more than the plainest
			for _, s := range found {
				s.alternativeBody = true
			}
		}
		c.sites = append(c.sites, found...)
	}
}

// repeats reports whether another body has the same schema.
func (b *body) repeats(others []*body) bool {
	for _, other := range others {
		if b.Schema != nil && other.Schema != nil &&
			schema.Resolve(b.Schema.Keywords) == schema.Resolve(other.Schema.Keywords) {
			return true
		}
	}
	return false
}
