package cases

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
)

// Coverage goes through the constraints of the operation's requests, keyword by
// keyword: at, just inside and just outside of each. What matters most comes
// first. Every case changes one place of a plain request of its own, so that no
// two create the same item. Where there may be more than most, 0 for no bound,
// what comes first is evenly spread over all. It stops when the context ends,
// also between two cases: those of a large schema can be seconds apart.
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
			p := all[n]
			made := c.make(p, n)
			if made == nil {
				continue
			}
			if _, again := titles[made.Title]; again && p.body() == c.template.body {
				continue
			}
			titles[made.Title] = struct{}{}
			if !yield(made) {
				return
			}
		}
	}
}

// The ranks of proposals: what is tried first where time is short.
const (
	essential = iota // a constraint broken in the plainest way
	usual            // bounds met exactly, and plausible mistakes
	exotic           // rare values
)

// proposal is a change of a plain request. Whether the request then conforms is
// found out when it is made; one that does not become what was wanted is
// dropped.
type proposal struct {
	site *site
	rank int
	what string // what is special: "below its minimum"
	want Outcome
	// code is that of the finding that a refused one is meant for; "" for any.
	code string
	// token leads from the site to the place that it is about, "" for the site.
	token  string
	change change
	// edit changes the finished request in place of change; false where it cannot.
	edit func(*exchange.Request) bool
	// base makes the request that edit changes, in place of a plain one.
	base       func(generate.Key) (*draft, bool)
	hidesValue bool // the title has no value
}

// change gives alternatives of a site's value, false after the last. The first
// that fits is taken.
type change func(at any, alternative int) (any, bool)

// techniques propose, in the order of what matters most within a rank.
var techniques = []func(*coverage, *site, *proposals){
	proposeMissing,
	proposeTypes,
	proposeNull,
	proposeEnum,
	proposeNumberBounds,
	proposeLengths,
	proposePattern,
	proposeFormats,
	proposeItems,
	proposeClosed,
	proposeProperties,
	proposeChoices,
	proposeGiven,
	proposeNumbers,
	proposeTexts,
}

// proposals collects those of one site.
type proposals struct {
	site *site
	all  []*proposal
}

func (p *proposals) add(rank int, want Outcome, code, what string, c change) *proposal {
	one := &proposal{site: p.site, rank: rank, want: want, code: code, what: what, change: c}
	p.all = append(p.all, one)
	return one
}

// refuse proposes a change that breaks a keyword.
func (p *proposals) refuse(rank int, code, what string, c change) *proposal {
	return p.add(rank, Refused, code, what, c)
}

// accept proposes a change that keeps to the schema.
func (p *proposals) accept(rank int, what string, c change) *proposal {
	return p.add(rank, Accepted, "", what, c)
}

// try proposes a change that the server may accept or refuse.
func (p *proposals) try(rank int, what string, c change) *proposal {
	return p.add(rank, Anything, "", what, c)
}

// refused proposes values that break a keyword: alternatives, of which the first
// that breaks nothing else is taken.
func (p *proposals) refused(rank int, code, what string, alternatives ...any) {
	p.refuse(rank, code, what, constants(alternatives...))
}

func (p *proposals) accepted(rank int, what string, alternatives ...any) {
	p.accept(rank, what, constants(alternatives...))
}

// at says that the proposal is about a member of the site's value.
func (p *proposal) at(token string) *proposal { p.token = token; return p }

// bare leaves the value out of the title.
func (p *proposal) bare() *proposal { p.hidesValue = true; return p }

func constants(values ...any) change {
	return func(_ any, i int) (any, bool) {
		if i >= len(values) {
			return nil, false
		}
		return values[i], true
	}
}

// once is a change with one alternative.
func once(change func(at any) (any, bool)) change {
	return func(at any, i int) (any, bool) {
		if i > 0 {
			return nil, false
		}
		return change(at)
	}
}

// coverage makes the cases of one operation.
type coverage struct {
	*Builder
	have            map[string]any
	template        *draft // a plain request, that everything is found out with
	sites           []*site
	parameterValues map[*parameter]any // a value of each parameter, in which its sites are
	completeBodies  map[*body]any      // likewise, with all that is optional
	reusesTemplate  bool               // the operation creates nothing: one template will do
	seen            map[uint64]struct{}
	expired         func() bool // the context has ended
}

// newCoverage looks at an operation; nil where no plain request can be made.
func newCoverage(ctx context.Context, m *Builder, have map[string]any) *coverage {
	c := &coverage{Builder: m, have: have, seen: map[uint64]struct{}{}, expired: func() bool { return ctx.Err() != nil }}
	switch m.operation.Method {
	case "GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "QUERY":
		c.reusesTemplate = true
	}
	var err error
	for n := range 4 {
		if c.template, err = m.draft(m.key.Child("coverage").Child(fmt.Sprint("template ", n)), have); err == nil {
			break
		}
	}
	if err != nil {
		return nil
	}
	c.findSites()
	return c
}

// proposals gives all of them, what matters most first.
func (c *coverage) proposals() []*proposal {
	var all []*proposal
	for _, propose := range techniques {
		for _, s := range c.sites {
			if c.expired() {
				return nil
			}
			p := proposals{site: s}
			propose(c, s, &p)
			all = append(all, s.chosen(p.all)...)
		}
	}
	all = append(all, c.parameterProposals()...)
	all = append(all, c.bodyProposals()...)
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

// make makes the case of a proposal; nil where it does not come to what was
// wanted, or where it has been made before. Each number gives values of its own.
func (c *coverage) make(p *proposal, n int) *Case {
	key := c.key.Child("coverage").Child(fmt.Sprint(n + 1))
	if c.reusesTemplate {
		key = c.key.Child("coverage").Child("template 0")
	}
	if p.edit != nil {
		return c.edited(p, key)
	}
	var second *Case
	for base := range c.bases(p.site, key) {
		if c.expired() {
			return nil
		}
		at, _ := p.site.of(base)
		for i := 0; ; i++ {
			value, ok := p.change(at, i)
			if !ok || c.expired() {
				break
			}
			made, only := c.changed(p, base, value)
			if made == nil {
				continue
			}
			if only {
				return made
			}
			if second == nil {
				second = made
			}
		}
		if second != nil {
			return second
		}
	}
	return nil
}

// changed makes the case with a value at the proposal's site. only says that it
// breaks just what it is meant to, if anything.
func (c *coverage) changed(p *proposal, base *draft, value any) (made *Case, only bool) {
	d, ok := p.site.put(base, value)
	if !ok || !c.isNew(p, value) {
		return nil, false
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
	if made != nil {
		c.remember(p, value)
	}
	return made, only
}

// edited makes the case of a proposal that changes the written request.
func (c *coverage) edited(p *proposal, key generate.Key) *Case {
	d, ok := (*draft)(nil), false
	if p.base != nil {
		if d, ok = p.base(key); !ok {
			return nil
		}
	} else {
		d = c.plain(key)
	}
	r, err := c.write(d)
	if err != nil || !p.edit(r) {
		return nil
	}
	made, _ := c.classified(p, d, r, p.title())
	return made
}

func (p *proposal) body() *body { return p.site.body }

func (p *proposal) where() string { return p.site.place(p.token).Where() }

func (p *proposal) title() string {
	if v := p.site.variant; v != nil {
		return p.where() + " " + p.what + " in " + v.branch + " of " + v.site.place("").Where()
	}
	return p.where() + " " + p.what
}

// fnv is FNV-1a, of 64 bits.
type fnv uint64

func (h *fnv) add(text []byte) {
	if *h == 0 {
		*h = 14695981039346656037
	}
	for _, b := range text {
		*h = (*h ^ fnv(b)) * 1099511628211
	}
	*h = (*h ^ 0xff) * 1099511628211
}

// spread gives the numbers below total in an order of which the first most are
// evenly spread, so that the last places of a large request are tested as well as
// the first: every eighth, say, and then what is between them, with every
// distance half of the one before. All are in order where total is not above
// most, or most is 0.
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
