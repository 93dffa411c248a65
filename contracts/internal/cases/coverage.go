package cases

import (
	"context"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// Coverage goes through the constraints of the operation's requests, keyword by keyword: at, just inside and
// just outside of each. What matters most comes first. Every case changes one place of a plain request of its
// own, so that no two create the same item. If there may be more than most (0 for no bound), the first
// cases are evenly spread over all. It stops when the context ends, also between two cases: a large schema can need
// seconds for one.
func (m *Builder) Coverage(ctx context.Context, have map[string]any, most int) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		c := newCoverage(ctx, m, have)
		if c == nil {
			return
		}
		titles := map[string]struct{}{}
		all := c.proposals()
		for n := range spread(len(all), most) {
			if c.expired() {
				return
			}
			made := c.make(all[n], n)
			if made == nil {
				continue
			}
			if _, again := titles[made.Title]; again && all[n].site.body == c.template.body {
				continue
			}
			titles[made.Title] = struct{}{}
			if !yield(made) {
				return
			}
			if again := c.besideAccepted(all[n], made, n); again != nil && !yield(again) {
				return
			}
		}
	}
}

// techniques propose, in the order of what matters most within a rank.
var techniques = []struct {
	of      schema.Type // of which the schema allows one, with no list of values; 0: any schema
	propose func(*site, *proposals)
}{
	{0, proposeMissing},
	{0, proposeTypes},
	{0, proposeNull},
	{0, proposeEnum},
	{schema.Number, proposeNumberBounds},
	{schema.String, proposeLengths},
	{0, proposePattern},
	{schema.String, proposeFormats},
	{schema.Array, proposeItems},
	{0, proposeClosed},
	{0, proposeProperties},
	{0, proposeChoices},
	{0, proposeGiven},
	{schema.Number, proposeNumbers},
	{schema.String, proposeTexts},
}

type coverage struct {
	*Builder
	have            map[string]any
	template        *draft // a plain request, that everything is found out with
	sites           []*site
	parameterValues map[*parameter]any // a value of each parameter, in which its sites are
	completeBodies  map[*body]any      // likewise, with all that is optional
	reusesTemplate  bool               // the operation creates nothing: one template will do
	seed            maphash.Seed
	seen            map[uint64]struct{} // of what was sent
	expired         func() bool         // the context has ended
}

// newCoverage looks at an operation; nil if no plain request can be made.
func newCoverage(ctx context.Context, m *Builder, have map[string]any) *coverage {
	c := &coverage{
		Builder: m, have: have, seed: maphash.MakeSeed(), seen: map[uint64]struct{}{},
		expired: func() bool { return ctx.Err() != nil },
		reusesTemplate: slices.Contains([]string{"GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "QUERY"}, m.operation.Method) &&
			!m.givesTemplates(),
	}
	for n := range 4 {
		d, err := m.draft(m.key.Child("coverage").Child(fmt.Sprint("template ", n)), have)
		if err == nil {
			c.template = d
			c.findSites()
			return c
		}
	}
	return nil
}

// proposals returns all of them, what matters most first.
func (c *coverage) proposals() []*proposal {
	var all []*proposal
	for _, technique := range techniques {
		for _, s := range c.sites {
			if c.expired() {
				return nil
			}
			p := proposals{site: s}
			if f := s.constraints; technique.of == 0 || f.Types&technique.of != 0 && !f.Listed {
				technique.propose(s, &p)
			}
			all = append(all, s.chosen(p.all)...)
		}
	}
	whole := proposals{}
	c.proposeParameters(&whole)
	c.proposeBodies(&whole)
	all = append(all, whole.all...)
	slices.SortStableFunc(all, func(a, b *proposal) int { return a.rank - b.rank })
	return all
}

// chosen keeps of the proposals of an element that repeats another's schema
// only one that must be refused: that more than the first element is looked at.
func (s *site) chosen(all []*proposal) []*proposal {
	if s.alternativeBody {
		all = slices.DeleteFunc(all, func(p *proposal) bool { return p.rank > essential })
		for _, p := range all {
			p.rank = exotic
		}
	}
	if !s.repeated {
		return all
	}
	at := slices.IndexFunc(all, func(p *proposal) bool { return p.want == Refused })
	if at < 0 {
		return nil
	}
	all[at].rank = usual
	return all[at : at+1]
}

// make makes the case of a proposal; nil if it does not come to what was
// wanted, or if it has been made before. Each number leads to other values.
func (c *coverage) make(p *proposal, n int) *Case {
	token := strconv.Itoa(n + 1)
	if c.reusesTemplate {
		token = "template 0"
	}
	key := c.key.Child("coverage").Child(token)
	if p.edit != nil {
		return c.edited(p, key)
	}
	var found *Case
	for base := range c.bases(p.site, key) {
		at, _ := p.site.of(base)
		p.change(at, func(value any) bool {
			if c.expired() {
				return false
			}
			made, only := c.changed(p, base, value)
			if made != nil && (only || found == nil) {
				found = made
			}
			return made == nil || !only
		})
		if found != nil {
			found.Other = func(n int) (*Case, *Case) { return c.other(p, n) }
		}
		if found != nil || c.expired() {
			return found
		}
	}
	return nil
}

// other makes the case of a proposal with other values, nil if there is none, and a request that varies nothing.
func (c *coverage) other(p *proposal, n int) (other, unvaried *Case) {
	fresh := *c // whose time is not up
	fresh.expired = func() bool { return false }
	for base := range fresh.bases(p.site, c.key.Child("other").Child(strconv.Itoa(n))) {
		at, _ := p.site.of(base)
		var all []*Case
		p.change(at, func(value any) bool {
			fresh.seen = map[uint64]struct{}{}
			if made, only := fresh.changed(p, base, value); made != nil && only {
				all = append(all, made)
			}
			return len(all) <= n
		})
		if len(all) > 0 {
			other = all[n%len(all)]
			return other, c.without(p.site, other, c.key.Child("unvaried").Child(strconv.Itoa(n)))
		}
	}
	return nil, nil
}

// without makes a plain request that does not have the value at a site that another has; nil if several have it.
func (c *coverage) without(s *site, other *Case, key generate.Key) *Case {
	value, _ := s.of(other.made.draft)
	for n := range attempts {
		plain := c.plain(key.Child(strconv.Itoa(n)))
		if is, has := s.of(plain); !has || !jsonvalue.Equals(is, value) {
			made, _ := c.accepted(plain, "a request that varies nothing", "")
			return made
		}
	}
	return nil
}

// besideAccepted makes the case of a proposal about a bound once more, with what was accepted everywhere else: what
// is made up there may be refused for a reason of its own, which hides how the bound is kept. Texts that tell items
// apart are new. It is nil for other proposals, and as long as nothing was accepted.
func (c *coverage) besideAccepted(p *proposal, made *Case, n int) *Case {
	accepted := c.source.plain.Load()
	bounds := p.basis == Bound || slices.Contains(boundCodes, p.code)
	if accepted == nil || !bounds || c.reusesTemplate || p.edit != nil || p.site.variant != nil ||
		accepted.body == nil || p.site.parameter == nil && p.site.body != accepted.body {
		return nil
	}
	value, ok := p.site.of(made.made.draft)
	if !ok {
		return nil
	}
	key := c.key.Child("beside").Child(strconv.Itoa(n))
	whole := accepted.value
	if q := p.site.parameter; q == nil {
		whole = graft(accepted.value, made.Value, p.site.tokens)
	} else if q.once { // no two requests may have the same
		other := q.withUniqueSuffix(value, key)
		text, _ := value.(string)
		renewed, _ := other.(string)
		if text == renewed || len(text) != len(renewed) {
			return nil
		}
		value = other
	}
	d, ok := p.site.put(accepted.with(accepted.body, accepted.body.distinguish(whole, key, c.have)), value)
	if !ok {
		return nil
	}
	r, err := c.write(d)
	if err != nil {
		return nil
	}
	again, only := c.classified(p, d, r, made.Title+", beside what was accepted")
	if again == nil || !only {
		return nil
	}
	again.Basis, again.Control, again.Other = made.Basis, made.Control, made.Other
	return again
}

// boundCodes are the findings of values outside of bounds.
var boundCodes = []string{"minimum", "maximum", "exclusive-minimum", "exclusive-maximum", "min-length", "max-length",
	"min-items", "max-items"}

// changed makes the case with a value at the proposal's site. only says that it
// breaks just what it is meant to, if anything.
func (c *coverage) changed(p *proposal, base *draft, value any) (made *Case, only bool) {
	d, ok := p.site.put(base, value)
	signature := c.signature(p, value)
	if _, sent := c.seen[signature]; !ok || sent {
		return nil, false
	}
	if jsonvalue.Rank(value) > jsonvalue.Rank("") && p.want == Accepted && p.site.parameter == nil { // a branch, a list
		d.value = withReferences(d.value, c.have)
	}
	r, err := c.write(d)
	if err != nil {
		return nil, false
	}
	title := p.title()
	if shown := brief(value); !p.hidesValue && shown != "" {
		title += ": " + shown
	}
	made, only = c.classified(p, d, r, title)
	if made == nil {
		return nil, only
	}
	c.seen[signature] = struct{}{}
	if made.Expected == Refused && p.site.text() && mayBeRead(value, p.site.constraints.Types) {
		made.Expected, made.Violation = Anything, nil
	}
	if at, _ := p.site.of(base); p.basis == Bound && !p.site.isPlain() && !continues(value, at) {
		made.Basis = Own
	}
	made.Control = func() *Case { return c.control(p.site, base, value) }
	return made, only
}

// isPlain reports whether the name of a text says neither that it tells items apart nor that it is a secret, so
// that no rule is likely for one that is cut.
func (s *site) isPlain() bool {
	if s.constraints.Types&schema.String == 0 || len(s.tokens) == 0 {
		return false
	}
	name := s.tokens[len(s.tokens)-1]
	isRuled := func(word string) bool { return words.Parts.Has(word, "ruled") }
	return !mayBeNaturalKey(name) && !auth.IsSecretName(name) && !slices.ContainsFunc(naming.Words(name), isRuled)
}

// continues reports whether value extends other: only its length is new.
func continues(value, other any) bool {
	switch v := value.(type) {
	case string:
		text, ok := other.(string)
		return ok && strings.HasPrefix(v, text)
	case []any:
		items, ok := other.([]any)
		return ok && !slices.ContainsFunc(v, func(item any) bool {
			return !slices.ContainsFunc(items, func(o any) bool { return jsonvalue.Equals(item, o) })
		})
	}
	return true
}

// control makes the case of a request with another value at a site than a changed one has: the value that was
// accepted in a plain request, if there is one, else the value of the request before it was changed.
func (c *coverage) control(s *site, base *draft, changed any) *Case {
	before, _ := s.of(base)
	if plain := c.source.plain.Load(); plain != nil {
		if value, ok := s.of(plain); ok && !jsonvalue.Equals(value, changed) {
			before = value
		}
	}
	d, ok := s.put(base, before)
	if jsonvalue.Equals(before, changed) || !ok {
		d = c.template
	}
	made, err := c.accepted(d, "the changed value restored", "")
	if err != nil {
		return nil
	}
	return made
}

// signature identifies what is sent at the proposal's site.
func (c *coverage) signature(p *proposal, value any) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	add := func(text string) { h.WriteString(text); h.WriteByte(0xff) }
	about := p.site.at("")
	add(about.In)
	add(about.Name)
	if p.site.body != nil {
		add(p.site.body.Range)
	}
	add(about.Pointer)
	if v := p.site.variant; v != nil {
		add(v.branch + v.site.at("").Pointer)
	}
	if p.want == Accepted && p.hidesValue {
		add(p.what)
	} else {
		h.Write(jsontext.Append(nil, value))
	}
	return h.Sum64()
}

func (c *coverage) edited(p *proposal, key generate.Key) *Case {
	base := p.base
	if base == nil {
		base = c.plain
	}
	d := base(key)
	if d == nil {
		return nil
	}
	r, err := c.write(d)
	if err != nil || !p.edit(r) {
		return nil
	}
	made, _ := c.classified(p, d, r, p.title())
	if made != nil {
		made.Control = func() *Case {
			control, err := c.accepted(c.plain(key), "the same, unchanged", "")
			if err != nil {
				return nil
			}
			return control
		}
		made.made.edit = p.edit
	}
	return made
}

// brief returns a value for a title, "" for one that is too long.
func brief(value any) string {
	text := string(jsontext.Append(nil, value))
	if len(text) <= shown {
		return text
	}
	if s, ok := value.(string); ok {
		return strconv.Itoa(len([]rune(s))) + " characters"
	}
	return ""
}

// spread returns the numbers below total in an order of which the first most are evenly spread, so that the
// last places of a large request are tested as well as the first: every eighth, say, and then what is between
// them, with every distance half of the one before. All are in order if total is not above most, or most
// is 0.
func spread(total, most int) iter.Seq[int] {
	return func(yield func(int) bool) {
		stride := 1
		for most > 0 && total > most*stride {
			stride *= 2
		}
		for i := 0; i < total; i += stride {
			if !yield(i) {
				return
			}
		}
		for ; stride > 1; stride /= 2 {
			for i := stride / 2; i < total; i += stride {
				if !yield(i) {
					return
				}
			}
		}
	}
}
