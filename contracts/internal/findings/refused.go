package findings

import (
	"cmp"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// maxRefusals bounds the different refusals that are kept of an operation.
const maxRefusals = 50

// refusals count the refusals of operations that have accepted nothing yet, by all but their number. An
// operation that has accepted something has nil.
type refusals map[string]map[report.Refusal]int

// noteRefusal counts the answer to a conforming request.
func (c *Collector) noteRefusal(x *checks.Exchange) {
	name, status := OperationName(x.Case.Operation), x.Status()
	succeeded := status/100 == 2 || status/100 == 3
	isPlain := x.Case.Expected == cases.Accepted || x.Case.Phase == PlainPhase
	c.mu.Lock()
	of, known := c.refusals[name]
	if succeeded {
		c.refusals[name] = nil
	}
	c.mu.Unlock()
	if succeeded || known && of == nil || !isPlain || x.Request.Method != x.Case.Operation.Method {
		return
	}
	r := report.Refusal{Status: status}
	r.Message, r.About = checks.Refusal(x)
	r.Message = c.HideIn(x, r.Message)
	c.mu.Lock()
	defer c.mu.Unlock()
	if of, known = c.refusals[name]; !known {
		of = map[report.Refusal]int{}
		c.refusals[name] = of
	}
	if of[r] > 0 || of != nil && len(of) < maxRefusals {
		of[r]++
	}
}

// Refusals returns the answers of an operation that accepted no request, the commonest first.
func (c *Collector) Refusals(o *spec.Operation) []report.Refusal {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := []report.Refusal{}
	for r, n := range maps.All(c.refusals[OperationName(o)]) {
		r.Count = n
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b report.Refusal) int {
		return cmp.Or(b.Count-a.Count, a.Status-b.Status, cmp.Compare(a.Message, b.Message), cmp.Compare(a.About, b.About))
	})
	return all
}

// SetRefused says of an operation that it accepted no request, and what would help.
func (c *Collector) SetRefused(o *spec.Operation, needs []report.Need) {
	refused := &report.Refused{Refusals: c.Refusals(o), Needs: []report.Need{}}
	for _, need := range needs {
		text := string(need.Sent)
		if hidden := c.Hide(text); hidden != text {
			need.Sent = jsontext.AppendString(nil, hidden)
		}
		refused.Needs = append(refused.Needs, need)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.operation(OperationName(o)); r != nil {
		r.Refused = refused
	}
}
