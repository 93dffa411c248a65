package cases

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
)

// parameterProposals proposes what is about whole parameters: left out, empty, given
// twice, not known.
func (c *coverage) parameterProposals() []*proposal {
	var all []*proposal
	query := false
	for _, p := range c.parameters {
		if _, ok := c.parameterValues[p]; !ok || p.In == exchange.InPath {
			continue
		}
		s := &site{parameter: p}
		query = query || p.In == exchange.InQuery
		if p.Required {
			all = append(all, &proposal{site: s, rank: essential, what: "left out", want: Refused, code: "missing-parameter",
				edit: func(*exchange.Request) bool { return true }, base: func(key generate.Key) (*draft, bool) {
					d := c.plain(key).clone()
					delete(d.values, p)
					return d, true
				}})
		}
		if p.In == exchange.InQuery {
			all = append(all, c.queryProposals(s)...)
		}
	}
	if query {
		all = append(all, &proposal{site: &site{}, rank: exotic, what: "with a query parameter that is not known",
			want: Anything,
			edit: func(r *exchange.Request) bool {
				if r.Query != "" {
					r.Query += "&"
				}
				r.Query += "unexpectedParameter=1"
				return true
			}})
	}
	all = append(all, c.allOptional()...)
	return all
}

// queryProposals is for a parameter of the query, which servers read in different ways
// where it is empty or repeated: only what no way can make sense of is refused.
func (c *coverage) queryProposals(s *site) []*proposal {
	p := s.parameter
	given := func(key generate.Key) (*draft, bool) {
		d := c.plain(key).clone()
		if _, ok := d.values[p]; !ok {
			d.values[p] = c.parameterValues[p]
		}
		return d, true
	}
	want := Anything
	if p.Required {
		want = Refused
	}
	mine := func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return name == p.Name
	}
	return []*proposal{
		{site: s, rank: usual, what: "empty", want: want, base: given, edit: func(r *exchange.Request) bool {
			pairs := strings.Split(r.Query, "&")
			at := slices.IndexFunc(pairs, mine)
			if at < 0 {
				return false
			}
			pairs[at] = p.Name + "="
			pairs = slices.DeleteFunc(pairs, func(pair string) bool { return mine(pair) && pair != p.Name+"=" })
			r.Query = strings.Join(pairs, "&")
			return true
		}},
		{site: s, rank: exotic, what: "given twice", want: Anything, base: given, edit: func(r *exchange.Request) bool {
			pairs := strings.Split(r.Query, "&")
			at := slices.IndexFunc(pairs, mine)
			if at < 0 {
				return false
			}
			r.Query += "&" + pairs[at]
			return true
		}},
	}
}

// allOptional sends all that is optional at once.
func (c *coverage) allOptional() []*proposal {
	var optional []*parameter
	for _, p := range c.parameters {
		if _, ok := c.parameterValues[p]; ok && !p.Required && !unguessable(p) {
			optional = append(optional, p)
		}
	}
	if len(optional) < 2 {
		return nil
	}
	return []*proposal{{site: &site{}, rank: usual, what: "with all optional parameters", want: Accepted,
		edit: func(*exchange.Request) bool { return true }, base: func(key generate.Key) (*draft, bool) {
			d := c.plain(key).clone()
			for _, p := range optional {
				d.values[p] = c.root(p, key)
			}
			return d, true
		}}}
}
