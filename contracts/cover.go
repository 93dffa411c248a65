package contracts

import (
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
)

// cover counts what of the tested operations the answered requests exercise. It
// is safe for concurrent use; its size is that of the document, however many
// requests there are.
type cover struct {
	counts   *coverage.Coverage
	router   *route.Router
	decoders map[*spec.Operation]*decode.Operation
	paths    map[string][]*spec.Operation // those that document a 405
}

// newCover counts for the operations that are tested, so that what was left out
// on purpose does not count as missing. constraints also counts which of them
// were tried.
func newCover(c *spec.Contract, subjects []*subject, constraints bool) *cover {
	tested := *c
	tested.Operations = nil
	all := &cover{decoders: make(map[*spec.Operation]*decode.Operation, len(subjects)), paths: map[string][]*spec.Operation{}}
	for _, s := range subjects {
		tested.Operations = append(tested.Operations, s.Operation)
		all.decoders[s.Operation] = decode.New(s.Operation)
		if slices.ContainsFunc(s.Responses, func(r *spec.Response) bool { return r.Status == "405" }) {
			all.paths[s.Path] = append(all.paths[s.Path], s.Operation)
		}
	}
	all.counts, all.router = coverage.New(&tested), route.New(&tested)
	if constraints {
		all.counts.Constraints()
	}
	return all
}

// add counts an exchange. One without an answer exercises nothing. A method that
// the document does not have exercises the 405 of all operations of its path.
func (c *cover) add(x *checks.Exchange) {
	o := x.Case.Operation
	if x.Response == nil {
		return
	}
	if x.Request.Method != o.Method {
		for _, other := range c.paths[o.Path] {
			if x.Response.Status == 405 {
				c.counts.Count(coverage.Use{Operation: other, Response: x.Response})
			}
		}
		return
	}
	decoder := c.decoders[o]
	if decoder == nil {
		return
	}
	var path []string
	if len(x.Case.Path) > 0 {
		var m route.Match
		if c.router.Find(x.Request.Method, x.Request.Path, x.Request.Query, &m) == route.Found && m.Operation == o {
			path = m.Values
		}
	}
	values, _ := decoder.Request(x.Request, path)
	c.counts.Count(coverage.Use{Operation: o, Values: &values, Response: x.Response, Broken: x.Case.Violation})
}

// report says of each point whether it was exercised. How often would differ
// from run to run, as what is known already is not counted again.
func (c *cover) report() *coverage.Report {
	if r := c.counts.Session(""); r != nil {
		return r
	}
	return c.counts.Empty("")
}
