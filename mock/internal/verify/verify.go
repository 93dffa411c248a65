// Package verify compares the exchanges of the journal with what a test
// expects of them.
package verify

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// Unmet is the status of a problem about a journal that is not as expected.
const Unmet = 417

// Evidence is what an expectation is compared with.
type Evidence struct {
	Journal  *journal.Journal
	Contract *spec.Contract
	// Request gives an exchange as conditions see it.
	Request func(*journal.Entry) *scenario.Request
}

// Check gives how many exchanges match an expectation, or a problem with the
// status Unmet. The findings are on the expectation itself; nothing is
// compared where there are any.
func Check(ev Evidence, e client.Expectation) (matched int, problem *client.Problem, findings []exchange.Finding) {
	q, findings := compile(ev.Contract, e)
	if len(findings) > 0 {
		return 0, nil, findings
	}
	entries, lost := ev.Journal.Entries()
	if e.Session != nil {
		f := journal.Filter{Session: e.Session}
		entries = f.Choose(entries)
	}
	candidates := make([]*candidate, len(entries))
	for i, entry := range entries {
		candidates[i] = &candidate{Entry: entry, request: ev.Request}
	}
	check := q.count
	if q.inOrder {
		check = q.sequence
	}
	matches, misses, detail := check(candidates)
	if detail == "" {
		return len(matches), nil, nil
	}
	if lost > 0 {
		detail += fmt.Sprintf("; the journal no longer has %d older exchanges (option journal)", lost)
	}
	return len(matches), report(detail, matches, misses), nil
}

// query is an expectation compiled.
type query struct {
	steps       []step // one, or those of a sequence
	inOrder     bool   // a sequence
	least, most int
}

// step is what one exchange must fulfil.
type step struct {
	operation *spec.Operation     // nil: any
	where     *scenario.Condition // nil: none
	source    string              // of where
}

func compile(c *spec.Contract, e client.Expectation) (q query, findings []exchange.Finding) {
	invalid := func(pointer, message string) {
		findings = append(findings, finding("expectation", pointer, message))
	}
	bounds := []struct {
		key   string
		bound *int
	}{{"/count", e.Count}, {"/atLeast", e.AtLeast}, {"/atMost", e.AtMost}}
	for _, b := range bounds {
		if b.bound != nil && *b.bound < 0 {
			invalid(b.key, "must be >= 0")
		}
	}
	if q.inOrder = len(e.Sequence) > 0; q.inOrder {
		const message = "does not go with sequence"
		if e.Operation != "" {
			invalid("/operation", message)
		}
		if e.Where != "" {
			invalid("/where", message)
		}
		for _, b := range bounds {
			if b.bound != nil {
				invalid(b.key, message)
			}
		}
	} else {
		e.Sequence = []client.Step{{Operation: e.Operation, Where: e.Where}}
		q.least, q.most = 1, math.MaxInt
		if e.AtMost != nil {
			q.least, q.most = 0, *e.AtMost
		}
		if e.AtLeast != nil {
			q.least = *e.AtLeast
		}
		switch {
		case e.Count == nil && q.least > q.most:
			invalid("/atLeast", "is more than atMost")
		case e.Count != nil && (e.AtLeast != nil || e.AtMost != nil):
			invalid("/count", "does not go with atLeast and atMost")
		case e.Count != nil:
			q.least, q.most = *e.Count, *e.Count
		}
	}
	for i, s := range e.Sequence {
		pointer := ""
		if q.inOrder {
			pointer = "/sequence/" + strconv.Itoa(i)
		}
		compiled, found := compileStep(c, s, pointer)
		q.steps, findings = append(q.steps, compiled), append(findings, found...)
	}
	return q, findings
}

func compileStep(c *spec.Contract, s client.Step, pointer string) (compiled step, _ []exchange.Finding) {
	compiled.source = s.Where
	var err error
	if s.Operation != "" {
		if compiled.operation, err = scenario.FindOperation(c, s.Operation); err != nil {
			return compiled, []exchange.Finding{finding(scenario.CodeOperation, pointer+"/operation", err.Error())}
		}
	}
	if s.Where != "" {
		if compiled.where, err = scenario.NewCondition(s.Where, compiled.operation); err != nil {
			return compiled, []exchange.Finding{finding(scenario.CodeExpression, pointer+"/where", err.Error())}
		}
	}
	return compiled, nil
}

func finding(code, pointer, message string) exchange.Finding {
	return exchange.Finding{Code: code, Message: message, In: exchange.InBody, Pointer: pointer}
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

// candidate is an exchange that may match.
type candidate struct {
	*journal.Entry
	request func(*journal.Entry) *scenario.Request
	decoded *scenario.Request // once a condition has asked for it
}

// misses gives the conditions of a step that an exchange fails.
func (s *step) misses(c *candidate) []scenario.Miss {
	if s.operation != nil {
		if name := s.operation.Method + " " + s.operation.Path; !c.Operation.Is(name) {
			return []scenario.Miss{{Condition: operationIs + name, Value: c.Operation.String(), HasValue: true}}
		}
	}
	if s.where == nil {
		return nil
	}
	if c.decoded == nil {
		c.decoded = c.request(c.Entry)
	}
	return s.where.Misses(c.decoded)
}

// count gives the exchanges that match and those that do not. detail says why
// their number is not as expected, "" where it is.
func (q *query) count(candidates []*candidate) (matches []*candidate, misses []miss, detail string) {
	s := &q.steps[0]
	for _, c := range candidates {
		if failed := s.misses(c); len(failed) > 0 {
			misses = append(misses, miss{c, failed})
		} else {
			matches = append(matches, c)
		}
	}
	n := len(matches)
	if q.least <= n && n <= q.most {
		return matches, nil, ""
	}
	var want string
	switch {
	case q.most == q.least:
		want = "exactly " + strconv.Itoa(q.least)
	case q.most == math.MaxInt:
		want = "at least " + strconv.Itoa(q.least)
	case q.least == 0:
		want = "at most " + strconv.Itoa(q.most)
	default:
		want = fmt.Sprintf("%d to %d", q.least, q.most)
	}
	if n > q.least {
		misses = nil // there are too many, not too few
	}
	return matches, misses, fmt.Sprintf("%d of %d exchanges match, expected %s: %s", n, len(candidates), want, s)
}

// sequence finds the steps one after the other, each as early as possible,
// which finds all of them where that is possible at all. detail says which step
// is missing.
func (q *query) sequence(candidates []*candidate) (matches []*candidate, misses []miss, detail string) {
	from := 0
	for i := range q.steps {
		s := &q.steps[i]
		matching := func(c *candidate) bool { return len(s.misses(c)) == 0 }
		if at := slices.IndexFunc(candidates[from:], matching); at >= 0 {
			matches = append(matches, candidates[from+at])
			from += at + 1
			continue
		}
		for _, c := range candidates[from:] {
			misses = append(misses, miss{c, s.misses(c)})
		}
		if i == 0 {
			return matches, misses, fmt.Sprintf("step 1 of %d was not seen: %s", len(q.steps), s)
		}
		last := candidates[from-1].Number
		detail = fmt.Sprintf("step %d of %d was not seen after exchange %d: %s", i+1, len(q.steps), last, s)
		if before := slices.IndexFunc(candidates[:from-1], matching); before >= 0 {
			detail += fmt.Sprintf("; exchange %d matches, but comes before", candidates[before].Number)
		}
		return matches, misses, detail
	}
	return matches, nil, ""
}
