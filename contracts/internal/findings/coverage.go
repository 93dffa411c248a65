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
	counts   *coverage.Coverage
	router   *route.Router
	decoders map[*spec.Operation]*decode.Operation
}

// newExercised counts for the operations that are tested, so that those that were
// excluded on purpose do not count as missing.
func newExercised(c *spec.Contract, operations []*spec.Operation, constraints bool) *exercised {
	tested := *c
	tested.Operations = operations
	e := &exercised{
		counts: coverage.New(&tested), router: route.New(&tested),
		decoders: make(map[*spec.Operation]*decode.Operation, len(operations)),
	}
	for _, o := range operations {
		e.decoders[o] = decode.New(o)
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
	switch decoder := e.decoders[o]; {
	case x.Response == nil, x.Request.Method != o.Method && x.Response.Status != 405:
	case x.Request.Method != o.Method:
		documents405 := func(r *spec.Response) bool { return r.Status == "405" }
		for other := range e.decoders {
			if other.Path == o.Path && slices.ContainsFunc(other.Responses, documents405) {
				e.counts.Count(coverage.Use{Operation: other, Response: x.Response})
			}
		}
	case decoder != nil:
		var m route.Match
		if len(x.Case.Path) > 0 &&
			(e.router.Find(x.Request.Method, x.Request.Path, x.Request.Query, &m) != route.Found || m.Operation != o) {
			m.Values = nil
		}
		values, _ := decoder.Request(x.Request, m.Values)
		e.counts.Count(coverage.Use{Operation: o, Values: &values, Response: x.Response, Broken: x.Case.Violation})
	}
}

// report says of each point whether it was exercised. How often would differ from
// run to run, as known points are not counted again.
func (e *exercised) report() *coverage.Report {
	if r := e.counts.Session(""); r != nil {
		return r
	}
	return e.counts.Empty("")
}
