package findings

import (
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
)

// exercised counts what of the tested operations the answered requests exercise.
// It is safe for concurrent use; its size is that of the document.
type exercised struct {
	counts        *coverage.Coverage
	router        *route.Router
	decoders      map[*spec.Operation]*decode.Operation
	documents405s map[string][]*spec.Operation // by path
}

// newExercised counts for the operations that are tested, so that those that were
// excluded on purpose do not count as missing.
func newExercised(c *spec.Contract, operations []*spec.Operation, constraints bool) *exercised {
	tested := *c
	tested.Operations = operations
	e := &exercised{
		counts: coverage.New(&tested), router: route.New(&tested),
		decoders: make(map[*spec.Operation]*decode.Operation, len(operations)), documents405s: map[string][]*spec.Operation{},
	}
	for _, o := range operations {
		e.decoders[o] = decode.New(o)
		if slices.ContainsFunc(o.Responses, func(r *spec.Response) bool { return r.Status == "405" }) {
			e.documents405s[o.Path] = append(e.documents405s[o.Path], o)
		}
	}
	if constraints {
		e.counts.Constraints()
	}
	return e
}

// add counts an exchange. One without an answer exercises nothing. An undocumented
// method exercises the 405 of all operations of its path.
func (e *exercised) add(x *checks.Exchange) {
	o := x.Case.Operation
	if x.Response == nil {
		return
	}
	if x.Request.Method != o.Method {
		for _, other := range e.documents405s[o.Path] {
			if x.Response.Status == 405 {
				e.counts.Count(coverage.Use{Operation: other, Response: x.Response})
			}
		}
		return
	}
	decoder := e.decoders[o]
	if decoder == nil {
		return
	}
	var path []string
	if len(x.Case.Path) > 0 {
		var m route.Match
		if e.router.Find(x.Request.Method, x.Request.Path, x.Request.Query, &m) == route.Found && m.Operation == o {
			path = m.Values
		}
	}
	values, _ := decoder.Request(x.Request, path)
	e.counts.Count(coverage.Use{Operation: o, Values: &values, Response: x.Response, Broken: x.Case.Violation})
}

// report says of each point whether it was exercised. How often would differ from
// run to run, as known points are not counted again.
func (e *exercised) report() *coverage.Report {
	if r := e.counts.Session(""); r != nil {
		return r
	}
	return e.counts.Empty("")
}
