// Package verify compares the exchanges of the journal with a test's expectation.
package verify

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// Evidence is the data for checking an expectation.
type Evidence struct {
	Journal  *journal.Journal
	Contract *spec.Contract
	// Request returns an exchange in the form that conditions read.
	Request func(*journal.Entry) *scenario.Request
}

// maxSteps limits the steps of all evaluations of an expectation: ten times the limit of one.
const maxSteps = 10_000_000

// codeTooCostly is the code for an expectation whose conditions exceed their steps or the time.
const codeTooCostly = "too-costly"

// Check returns the number of matching exchanges, or a problem with the status 417. Findings are about the
// expectation itself; if there are any, there is no result. Comparing stops when work is over.
func Check(work *exchange.Work, ev Evidence, e client.Expectation) (
	matched int, problem *client.Problem, findings []exchange.Finding,
) {
	q, findings := compile(ev.Contract, e)
	if len(findings) > 0 {
		return 0, nil, findings
	}
	entries, lost := ev.Journal.Entries()
	if e.Session != nil {
		f := journal.Filter{Session: e.Session}
		entries = f.Choose(entries)
	}
	candidates, allowance := make([]*candidate, len(entries)), allowance{work, maxSteps}
	for i, entry := range entries {
		candidates[i] = &candidate{Entry: entry, request: ev.Request, allowance: &allowance}
	}
	check := q.count
	if q.inOrder {
		check = q.sequence
	}
	matches, misses, detail := check(candidates)
	if allowance.spent() {
		return 0, nil, []exchange.Finding{{Code: codeTooCostly, In: exchange.InBody, Message: fmt.Sprintf(
			"the conditions take more than %d steps on %d exchanges, or longer than the option request-timeout allows; "+
				"write simpler ones, or name an operation", maxSteps, len(entries))}}
	}
	if detail == "" {
		return len(matches), nil, nil
	}
	if lost > 0 {
		detail += fmt.Sprintf("; the journal no longer has %d older exchanges (option journal)", lost)
	}
	return len(matches), report(detail, matches, misses), nil
}

type query struct {
	steps       []step // one, or the steps of a sequence
	inOrder     bool   // for a sequence
	least, most int
}

// step has the conditions for one exchange.
type step struct {
	operation *spec.Operation     // nil: any
	where     *scenario.Condition // nil: none
	source    string              // of where
}

func compile(c *spec.Contract, e client.Expectation) (q query, findings []exchange.Finding) {
	find := func(code, pointer, message string) {
		findings = append(findings, exchange.Finding{Code: code, Message: message, In: exchange.InBody, Pointer: pointer})
	}
	const invalid, inSequence = "expectation", "does not go with sequence"
	bounds := []struct {
		key   string
		bound *int
	}{{"/count", e.Count}, {"/atLeast", e.AtLeast}, {"/atMost", e.AtMost}}
	for _, b := range bounds {
		if b.bound != nil && *b.bound < 0 {
			find(invalid, b.key, "must be >= 0")
		}
	}
	if q.inOrder = len(e.Sequence) > 0; q.inOrder {
		if e.Operation != "" {
			find(invalid, "/operation", inSequence)
		}
		if e.Where != "" {
			find(invalid, "/where", inSequence)
		}
		for _, b := range bounds {
			if b.bound != nil {
				find(invalid, b.key, inSequence)
			}
		}
	} else {
		e.Sequence = []client.Step{{Operation: e.Operation, Where: e.Where}}
		if q.least, q.most = limits(e); q.least > q.most {
			find(invalid, "/atLeast", "is more than atMost")
		} else if e.Count != nil && (e.AtLeast != nil || e.AtMost != nil) {
			find(invalid, "/count", "does not go with atLeast and atMost")
		}
	}
	for i, s := range e.Sequence {
		pointer := ""
		if q.inOrder {
			pointer = "/sequence/" + strconv.Itoa(i)
		}
		compiled := step{source: s.Where}
		var err error
		if s.Operation != "" {
			if compiled.operation, err = scenario.FindOperation(c, s.Operation); err != nil {
				find(scenario.CodeOperation, pointer+"/operation", err.Error())
			}
		}
		if s.Where != "" && err == nil {
			if compiled.where, err = scenario.NewCondition(s.Where, compiled.operation); err != nil {
				find(scenario.CodeExpression, pointer+"/where", err.Error())
			}
		}
		q.steps = append(q.steps, compiled)
	}
	return q, findings
}

func limits(e client.Expectation) (least, most int) {
	switch {
	case e.Count != nil:
		return *e.Count, *e.Count
	case e.AtLeast != nil && e.AtMost != nil:
		return *e.AtLeast, *e.AtMost
	case e.AtMost != nil:
		return 0, *e.AtMost
	case e.AtLeast != nil:
		return *e.AtLeast, math.MaxInt
	}
	return 1, math.MaxInt
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

// allowance is the remaining cost of all evaluations of an expectation.
type allowance struct {
	work *exchange.Work
	left int // steps
}

func (a *allowance) spent() bool { return a.left <= 0 || a.work.Over() }

type candidate struct {
	*journal.Entry
	*allowance
	request func(*journal.Entry) *scenario.Request
	decoded *scenario.Request // nil until a condition needs it
	failed  []scenario.Miss   // the failed conditions, if it does not match
}

// misses returns the conditions of a step that fail for an exchange.
func (s *step) misses(c *candidate) []scenario.Miss {
	if s.operation != nil {
		if name := s.operation.Method + " " + s.operation.Path; !c.Operation.Is(name) {
			return []scenario.Miss{{Condition: operationIs + name, Value: c.Operation.String(), HasValue: true}}
		}
	}
	if s.where == nil || c.spent() {
		return nil
	}
	if c.decoded == nil {
		c.decoded = c.request(c.Entry)
		c.decoded.Allowance = &c.left
	}
	return s.where.Misses(c.decoded)
}

// count returns the exchanges that match and those that do not. detail says why their number is wrong, "" if it is
// right.
func (q *query) count(candidates []*candidate) (matches, misses []*candidate, detail string) {
	s := &q.steps[0]
	for _, c := range candidates {
		if c.failed = s.misses(c); len(c.failed) > 0 {
			misses = append(misses, c)
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
		misses = nil // there are too many matches, not too few
	}
	return matches, misses, fmt.Sprintf("%d of %d exchanges match, expected %s: %s", n, len(candidates), want, s)
}

// sequence finds the steps in order, each as early as possible, which finds all of them if that is possible. detail
// names the missing step.
func (q *query) sequence(candidates []*candidate) (matches, misses []*candidate, detail string) {
	from := 0
	for i := range q.steps {
		s := &q.steps[i]
		matching := func(c *candidate) bool { return len(s.misses(c)) == 0 }
		if at := slices.IndexFunc(candidates[from:], matching); at >= 0 {
			matches = append(matches, candidates[from+at])
			from += at + 1
			continue
		}
		misses = candidates[from:]
		for _, c := range misses {
			c.failed = s.misses(c)
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

const (
	// maxShown limits the matches, and the misses, that a problem lists.
	maxShown = 5
	// maxValue limits the size of a value that a problem shows, in bytes.
	maxValue = 200
	// operationIs is the beginning of the condition on the operation.
	operationIs = "operation is "
)

// distance returns the number of failed conditions; another operation is farthest.
func (c *candidate) distance() int {
	if len(c.failed) > 0 && strings.HasPrefix(c.failed[0].Condition, operationIs) {
		return math.MaxInt
	}
	return len(c.failed)
}

// report returns the problem: the newest matches and the nearest misses. A miss is nearer if fewer conditions fail;
// equal ones are sorted newest first.
func report(detail string, matches, misses []*candidate) *client.Problem {
	p := &client.Problem{
		Status: http.StatusExpectationFailed, Title: "Expectation Failed", Detail: detail,
		Matched: len(matches), Matches: []client.Match{}, Misses: []client.Miss{},
	}
	for _, c := range matches[max(0, len(matches)-maxShown):] {
		p.Matches = append(p.Matches, c.match())
	}
	slices.SortStableFunc(misses, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.distance(), b.distance()), cmp.Compare(b.Number, a.Number))
	})
	for _, m := range misses[:min(len(misses), maxShown)] {
		shown := client.Miss{Match: m.match()}
		for _, f := range m.failed {
			failed := client.Failed{Condition: f.Condition, Failure: f.Failure}
			if f.HasValue {
				failed.Value = shorten(f.Value)
			}
			shown.Failed = append(shown.Failed, failed)
		}
		p.Misses = append(p.Misses, shown)
	}
	return p
}

func (c *candidate) match() client.Match {
	m := client.Match{Number: c.Number, Request: c.Request.Method + " " + c.Request.Path, Status: c.Response.Status}
	if c.Operation.Path != "" {
		m.Operation = c.Operation.ID
	}
	return m
}

// shorten returns a value as JSON; a long one as a string with the beginning of its text.
func shorten(v any) []byte {
	text := jsontext.Append(nil, v)
	if len(text) <= maxValue {
		return text
	}
	return jsontext.AppendString(nil, strings.ToValidUTF8(string(text[:maxValue]), "")+"…")
}
