package findings

import (
	"cmp"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/report"
)

// state says what is known of a fault beyond that it was seen.
type state uint8

const (
	suspected state = iota // it was seen
	confirmed              // it was seen again when its requests were repeated alone
	flaky                  // it was not
)

// Suspicion is a fault that was neither confirmed nor refuted.
type Suspicion struct {
	Check, Operation, Cause string
	// Sent are exchanges that show it, the smallest first. The last of each was checked.
	Sent [][]*checks.Exchange

	id faultID
}

// Suspicions returns the faults that were neither confirmed nor refuted, in the document's order.
func (c *Collector) Suspicions() []*Suspicion {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*Suspicion
	for _, f := range slices.SortedFunc(maps.Values(c.suspects), c.inOrder) {
		s := &Suspicion{Check: f.id.check, Operation: f.id.operation, Cause: f.id.cause, id: f.id,
			Sent: [][]*checks.Exchange{f.smallest}}
		if f.first[len(f.first)-1] != f.smallest[len(f.smallest)-1] {
			s.Sent = append(s.Sent, f.first)
		}
		all = append(all, s)
	}
	return all
}

// inOrder orders faults as the document has their operations.
func (c *Collector) inOrder(a, b *fault) int {
	return cmp.Or(cmp.Compare(c.index[a.id.operation], c.index[b.id.operation]), a.id.compare(b.id))
}

// Confirm notes that a fault has come again. It is shown by what was sent then; by what it was shown by before if
// that is nil.
func (c *Collector) Confirm(s *Suspicion, v checks.Violation, sent []*checks.Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.faults[s.id]
	if f == nil {
		return
	}
	if len(sent) > 0 {
		if judged := c.Rules.Judge(sent[len(sent)-1], []checks.Violation{v}); len(judged) > 0 {
			v = judged[0]
		}
		phase, title := f.Phase, f.Title
		c.show(f, &v, sent)
		f.Phase, f.Title = phase, title
	}
	f.state, f.first, f.smallest = confirmed, nil, nil
	delete(c.suspects, s.id)
}

// Refute notes that a fault has not come again.
func (c *Collector) Refute(s *Suspicion) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.faults[s.id]; f != nil {
		f.state, f.first, f.smallest = flaky, nil, nil
		delete(c.suspects, s.id)
	}
}

// takeFlaky removes the faults that have not come again, and returns them.
func (c *Collector) takeFlaky() []report.Finding {
	var all []report.Finding
	for _, f := range slices.SortedFunc(maps.Values(c.faults), c.inOrder) {
		if f.state == flaky {
			f.Operations = []string{f.Operation}
			all = append(all, f.Finding)
			delete(c.faults, f.id)
		}
	}
	return all
}
