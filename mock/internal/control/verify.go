package control

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// step is one thing to find in the journal.
type step struct {
	operation *spec.Operation // nil: any
	where     *scenario.Condition
	source    string // of where, "" for none
}

// expectation is what verify is asked.
type expectation struct {
	steps    []step // more than one, or of a sequence, in order
	sequence bool
	least    int
	most     int // -1: no bound
	session  *string
}

// verify holds the journal to an expectation.
func (h *Handler) verify(c *call) Answer {
	if h.Journal == nil {
		return noJournal()
	}
	object, _ := c.Body.(map[string]any)
	e, findings := h.expectation(object)
	if len(findings) > 0 {
		return invalid(422, findings)
	}
	entries, lost := h.Journal.Entries()
	if e.session != nil {
		f := journal.Filter{Session: e.session}
		entries = f.Choose(entries)
	}
	if e.sequence {
		return h.verifySequence(e, h.witnesses(entries), lost)
	}
	return h.verifyCount(e, h.witnesses(entries), lost)
}

// expectation reads what the document has allowed.
func (h *Handler) expectation(object map[string]any) (e expectation, findings []exchange.Finding) {
	e.least, e.most = 1, -1
	if session, ok := object["session"].(string); ok {
		e.session = &session
	}
	_, counts := object["count"]
	least, hasLeast := object["atLeast"]
	most, hasMost := object["atMost"]
	sequence, ok := object["sequence"].([]any)
	wrong := func(pointer, message string) {
		findings = append(findings, exchange.Finding{Code: "expectation", Message: message, In: exchange.InBody, Pointer: pointer})
	}
	if ok {
		e.sequence = true
		for _, name := range []string{"operation", "where", "count", "atLeast", "atMost"} {
			if _, ok := object[name]; ok {
				wrong("/"+name, "does not go with sequence")
			}
		}
		for i, item := range sequence {
			inner, _ := item.(map[string]any)
			s, found := h.step(inner, "/sequence/"+strconv.Itoa(i))
			e.steps, findings = append(e.steps, s), append(findings, found...)
		}
		return e, findings
	}
	s, found := h.step(object, "")
	e.steps, findings = []step{s}, append(findings, found...)
	switch {
	case counts && (hasLeast || hasMost):
		wrong("/count", "does not go with atLeast and atMost")
	case counts:
		e.least = number(object["count"], 0)
		e.most = e.least
	default:
		if hasMost {
			e.least, e.most = 0, number(most, 0)
		}
		if hasLeast {
			e.least = number(least, 1)
		}
		if e.most >= 0 && e.least > e.most {
			wrong("/atLeast", "is more than atMost")
		}
	}
	return e, findings
}

func (h *Handler) step(object map[string]any, pointer string) (s step, findings []exchange.Finding) {
	if name, ok := object["operation"].(string); ok {
		if s.operation, findings = h.operation(name, exchange.InBody, "", pointer+"/operation"); findings != nil {
			return s, findings
		}
	}
	source, ok := object["where"].(string)
	if !ok {
		return s, nil
	}
	s.source = source
	var err error
	if s.where, err = scenario.NewCondition(source, s.operation); err != nil {
		return s, []exchange.Finding{{Code: scenario.CodeExpression, Message: err.Error(), In: exchange.InBody, Pointer: pointer + "/where"}}
	}
	return s, nil
}

// operation finds an operation by name, or says that there is none.
func (h *Handler) operation(name, in, parameter, pointer string) (*spec.Operation, []exchange.Finding) {
	contract := h.Contract()
	if op := contract.Operation(strings.Join(strings.Fields(name), " ")); op != nil {
		return op, nil
	}
	message := fmt.Sprintf("unknown operation %q", name)
	var names []string
	for _, op := range contract.Operations {
		names = append(names, op.Method+" "+op.Path)
	}
	if len(names) <= 12 {
		message += "; the document has " + strings.Join(names, ", ")
	}
	return nil, []exchange.Finding{{Code: scenario.CodeOperation, Message: message, In: in, Name: parameter, Pointer: pointer}}
}

// witness is an exchange as conditions see it, read when one asks.
type witness struct {
	*journal.Entry
	handler *Handler
	seen    *scenario.Request
}

func (h *Handler) witnesses(entries []*journal.Entry) []*witness {
	all := make([]*witness, len(entries))
	for i, e := range entries {
		all[i] = &witness{Entry: e, handler: h}
	}
	return all
}

// operationIs begins the condition on the operation.
const operationIs = "operation is "

// misses gives what of a step does not hold for the exchange; none where it
// matches.
func (s *step) misses(w *witness) []scenario.Miss {
	if op := s.operation; op != nil && !w.Operation.Is(op.Method+" "+op.Path) {
		return []scenario.Miss{{Condition: operationIs + op.Method + " " + op.Path, Value: w.Operation.String(), HasValue: true}}
	}
	if s.where == nil {
		return nil
	}
	if w.seen == nil {
		w.seen = w.handler.Seen(w.Entry)
	}
	return s.where.Misses(w.seen)
}

func (s *step) String() string {
	text := "any operation"
	if s.operation != nil {
		text = s.operation.Method + " " + s.operation.Path
	}
	if s.source != "" {
		text += " where " + s.source
	}
	return text
}

func (h *Handler) verifyCount(e expectation, witnesses []*witness, lost uint64) Answer {
	s := &e.steps[0]
	var matches []*witness
	var near []nearMiss
	for _, w := range witnesses {
		if misses := s.misses(w); len(misses) > 0 {
			near = append(near, nearMiss{w, misses})
		} else {
			matches = append(matches, w)
		}
	}
	if n := len(matches); n >= e.least && (e.most < 0 || n <= e.most) {
		return answer(map[string]any{"matched": n})
	}
	var want string
	switch {
	case e.most == e.least:
		want = "exactly " + strconv.Itoa(e.least)
	case e.most < 0:
		want = "at least " + strconv.Itoa(e.least)
	case e.least == 0:
		want = "at most " + strconv.Itoa(e.most)
	default:
		want = fmt.Sprintf("%d to %d", e.least, e.most)
	}
	detail := fmt.Sprintf("%d of %d exchanges match, expected %s: %s", len(matches), len(witnesses), want, s)
	if len(matches) > e.least {
		near = nil // there are too many, not too few
	}
	return disappointment(detail, len(matches), matches, near, lost)
}

// verifySequence finds the steps one behind the other, each as early as it can
// be, which finds all of them where that is possible at all.
func (h *Handler) verifySequence(e expectation, witnesses []*witness, lost uint64) Answer {
	var matches []*witness
	from := 0
	for i := range e.steps {
		s := &e.steps[i]
		at := slices.IndexFunc(witnesses[from:], func(w *witness) bool { return len(s.misses(w)) == 0 })
		if at >= 0 {
			matches = append(matches, witnesses[from+at])
			from += at + 1
			continue
		}
		detail := fmt.Sprintf("step %d of %d was not seen: %s", i+1, len(e.steps), s)
		if i > 0 {
			last := witnesses[from-1].Number
			detail = fmt.Sprintf("step %d of %d was not seen after exchange %d: %s", i+1, len(e.steps), last, s)
			for _, w := range witnesses[:from-1] {
				if len(s.misses(w)) == 0 {
					detail += fmt.Sprintf("; exchange %d matches, but comes before", w.Number)
					break
				}
			}
		}
		var near []nearMiss
		for _, w := range witnesses[from:] {
			near = append(near, nearMiss{w, s.misses(w)})
		}
		return disappointment(detail, len(matches), matches, near, lost)
	}
	return answer(map[string]any{"matched": len(matches)})
}
