package cases

import (
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
)

// The ranks of proposals: what is tried first if time is short.
const (
	essential = iota // a constraint broken in the plainest way
	usual            // bounds met exactly, and plausible mistakes
	exotic           // rare values
)

// proposal is a change of a plain request. Whether the request then conforms is found out when it is made;
// one that does not become what was wanted is dropped.
type proposal struct {
	site *site
	rank int
	what string // what is special: "below its minimum"
	want Outcome
	// code is the code of the finding expected on refusal; "" for any.
	code string
	// token leads from the site to the place that it concerns, "" for the site.
	token  string
	change change
	// edit changes the finished request in place of change; false if it cannot.
	edit func(*exchange.Request) bool
	// base makes the request that edit changes, nil if it cannot; nil for a plain one.
	base       base
	hidesValue bool  // the title has no value
	basis      Basis // of one that is wanted to be accepted
	lenient    bool  // see Case.Lenient
}

type base func(generate.Key) *draft

// change returns alternatives of a site's value to try, until that reports false. The first that fits is taken.
type change func(at any, try func(any) bool)

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

// refused proposes values that break a keyword: alternatives, of which the first
// that breaks nothing else is taken.
func (p *proposals) refused(rank int, code, what string, alternatives ...any) {
	p.refuse(rank, code, what, constants(alternatives...))
}

func (p *proposals) accepted(rank int, what string, alternatives ...any) *proposal {
	return p.accept(rank, what, constants(alternatives...))
}

// request proposes a change of a finished request, which base makes.
func (p *proposals) request(rank int, want Outcome, what string, b base, edit func(*exchange.Request) bool) *proposal {
	one := p.add(rank, want, "", what, nil)
	one.base, one.edit = b, edit
	return one
}

func unchanged(*exchange.Request) bool { return true }

// at says that the proposal concerns a member of the site's value.
func (p *proposal) at(token string) *proposal { p.token = token; return p }

// on says what names the value.
func (p *proposal) on(b Basis) *proposal { p.basis = b; return p }

// bare leaves the value out of the title.
func (p *proposal) bare() *proposal { p.hidesValue = true; return p }

func constants(values ...any) change {
	return func(_ any, try func(any) bool) {
		for _, value := range values {
			if !try(value) {
				return
			}
		}
	}
}

// once is a change with one alternative, or none.
func once(edit func(at any) (any, bool)) change {
	return func(at any, try func(any) bool) {
		if value, ok := edit(at); ok {
			try(value)
		}
	}
}

// onceOf is once for values of one type.
func onceOf[T any](edit func(T) (any, bool)) change {
	return once(func(at any) (any, bool) {
		value, ok := at.(T)
		if !ok {
			return nil, false
		}
		return edit(value)
	})
}

func (p *proposal) title() string {
	title := p.site.at(p.token).Where() + " " + p.what
	if v := p.site.variant; v != nil {
		title += " in " + v.branch + " of " + v.site.at("").Where()
	}
	return title
}
