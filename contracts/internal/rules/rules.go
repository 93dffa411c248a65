// Package rules has users' settings for single operations and findings: rules change how operations are tested,
// waivers keep findings from failing a run. Each has a reason, and may have a last day.
package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/spec"
)

// Rules are what users say of operations and findings. The zero value says nothing.
type Rules struct {
	Operations []OperationRule
	Waivers    []Waiver
}

// OperationRule changes how operations are tested. Of several rules of one operation all hold; the last decides
// if they differ.
type OperationRule struct {
	// Operation is "POST /plants", "/plants/*", "tag:plants", an operationId or a glob of these.
	Operation string
	// Skip sends nothing to the operations, not even to create items for others.
	Skip bool
	// Checks are the checks that judge the operations, or, after "!", do not. Default: the checks of the run.
	Checks []string
	// Severity is "error" or "warning", by check; "" stands for all checks that are not named.
	Severity map[string]string
	// Timeout bounds each request, in place of Options.Limits.Timeout.
	Timeout time.Duration
	// Statuses are expected although the document does not have them.
	Statuses []int
	// Reason is needed: why it is so.
	Reason string
	// Until is when it ends to hold; the reports then say so. Default: never.
	Until time.Time
	// Origin is where it is written, for messages: "coldframe.yaml:5:3".
	Origin string
}

// Waiver keeps findings from failing a run: they are listed apart. It has findings of Check in Operation, at
// Place or of Kind if it names them.
type Waiver struct {
	// Check is the id of a check.
	Check string
	// Operation is as in an OperationRule.
	Operation string
	// Place is Finding.About: "body.tag", "query.limit"; "*" stands for any text. Default: every place.
	Place string
	// Kind is Finding.Kind: "null", "invalid-utf8", "trailing-data"; "*" stands for any text. Default: every kind.
	Kind string
	// Reason is needed: why it is so.
	Reason string
	// Until is when it ends to hold; the reports then say so. Default: never.
	Until time.Time
	// Origin is where it is written, for messages: "coldframe.yaml:5:3".
	Origin string
}

// note is what rules and waivers both have.
type note struct {
	reason, origin string
	until          time.Time
}

func (r *OperationRule) note() *note {
	return &note{r.Reason, cmp.Or(r.Origin, fmt.Sprintf("the rule of %q", r.Operation)), r.Until}
}

func (w *Waiver) note() *note {
	return &note{w.Reason, cmp.Or(w.Origin, fmt.Sprintf("the waiver of %q", w.Operation)), w.Until}
}

// day returns the last day on which it holds.
func (n *note) day() string { return n.until.Add(-1).Format(time.DateOnly) }

func (n *note) hasRunOut(now time.Time) bool { return !n.until.IsZero() && !now.Before(n.until) }

// why is the reason, with the last day if there is one.
func (n *note) why() string {
	if n.until.IsZero() {
		return n.reason
	}
	return n.reason + " (until " + n.day() + ")"
}

// Error has what is wrong in rules.
type Error struct{ Problems []string }

func (e *Error) Error() string { return "the rules cannot be used:\n" + strings.Join(e.Problems, "\n") }

// Set is the rules of a run. It is safe for concurrent use; nil has none.
type Set struct {
	rules   map[*spec.Operation][]*OperationRule // that hold
	waivers []*waiver
	stale   []string // those that have run out
}

type waiver struct {
	*Waiver
	operations  []*spec.Operation
	place, kind func(string) bool
	holds       bool
	used        atomic.Bool
}

// New makes the rules of a run on a contract. The error says what is wrong, with where it is written.
func New(c *spec.Contract, r Rules, now time.Time) (*Set, error) {
	b := binder{contract: c, now: now, set: &Set{rules: map[*spec.Operation][]*OperationRule{}}}
	for i := range r.Operations {
		b.rule(&r.Operations[i])
	}
	for i := range r.Waivers {
		w := &waiver{Waiver: &r.Waivers[i], holds: !r.Waivers[i].note().hasRunOut(now)}
		w.operations = b.bind(w.note(), "waiver", w.Operation, w.Check)
		w.place, w.kind = spec.Glob(cmp.Or(w.Place, "*")), spec.Glob(cmp.Or(w.Kind, "*"))
		b.set.waivers = append(b.set.waivers, w)
	}
	if b.problems != nil {
		return nil, &Error{b.problems}
	}
	return b.set, nil
}

// binder finds what rules name.
type binder struct {
	contract *spec.Contract
	now      time.Time
	set      *Set
	problems []string
}

func (b *binder) rule(r *OperationRule) {
	var ids []string
	for _, id := range r.Checks {
		ids = append(ids, strings.TrimPrefix(id, "!"))
	}
	for _, id := range slices.Sorted(maps.Keys(r.Severity)) {
		if id != "" {
			ids = append(ids, id)
		}
		if severity := r.Severity[id]; severity != exchange.Error.String() && severity != exchange.Warning.String() {
			b.problem(r.note(), "%q is no severity; there are error and warning", severity)
		}
	}
	for _, o := range b.bind(r.note(), "rule", r.Operation, ids...) {
		if !r.note().hasRunOut(b.now) {
			b.set.rules[o] = append(b.set.rules[o], r)
		}
	}
}

// bind returns the operations that a pattern names, and notes what is wrong with a rule or waiver.
func (b *binder) bind(n *note, what, pattern string, ids ...string) []*spec.Operation {
	matches, all, known := spec.Pattern(pattern), []*spec.Operation(nil), []string(nil)
	for _, o := range b.contract.Operations {
		known = append(known, o.Method+" "+o.Path, o.ID)
		if matches != nil && matches(o) {
			all = append(all, o)
		}
	}
	if len(all) == 0 {
		b.problem(n, "no operation of the document is %q%s", pattern, nearest.Hint(pattern, known))
	}
	for _, id := range ids {
		if check, _ := checks.Find(id); check == nil {
			b.problem(n, "there is no check %q%s", id, nearest.Hint(id, checkIDs()))
		}
	}
	if strings.TrimSpace(n.reason) == "" {
		b.problem(n, "the reason is missing; say why in reason")
	}
	if n.hasRunOut(b.now) {
		b.set.stale = append(b.set.stale, fmt.Sprintf("%s: the %s of %s ran out after %s: %s", n.origin, what, pattern,
			n.day(), n.reason))
	}
	return all
}

func (b *binder) problem(n *note, format string, args ...any) {
	b.problems = append(b.problems, n.origin+": "+fmt.Sprintf(format, args...))
}

func checkIDs() []string {
	var all []string
	for _, c := range checks.All() {
		all = append(all, c.ID)
	}
	return all
}

func (s *Set) of(o *spec.Operation) []*OperationRule {
	if s == nil {
		return nil
	}
	return s.rules[o]
}

// Skipped says why nothing is sent to an operation; "" if it is tested.
func (s *Set) Skipped(o *spec.Operation) string {
	for _, r := range s.of(o) {
		if r.Skip {
			return r.note().why()
		}
	}
	return ""
}

// Timeout returns the time of one request to an operation; 0 for the run's timeout.
func (s *Set) Timeout(o *spec.Operation) (d time.Duration) {
	for _, r := range s.of(o) {
		d = cmp.Or(r.Timeout, d)
	}
	return d
}

// Uses reports whether the rules let a check judge an operation.
func (s *Set) Uses(check string, o *spec.Operation) bool {
	uses := true
	for _, r := range s.of(o) {
		named := slices.ContainsFunc(r.Checks, func(id string) bool { return !strings.HasPrefix(id, "!") })
		uses = (uses && !named || slices.Contains(r.Checks, check)) && !slices.Contains(r.Checks, "!"+check)
	}
	return uses
}

// ofStatus are checks whose findings are that a status comes.
var ofStatus = []string{"server-error", "status-documented", "refusal-documented", "redirect", "valid-refused",
	"credentials-status"}

// Judge returns the violations of an exchange that count by the rules, with their severity and their waiver.
func (s *Set) Judge(x *checks.Exchange, violations []checks.Violation) []checks.Violation {
	if s == nil {
		return violations
	}
	all := make([]checks.Violation, 0, len(violations))
	for _, v := range violations {
		o := v.Operation(x)
		isExpected := func(r *OperationRule) bool { return slices.Contains(r.Statuses, x.Status()) }
		if !s.Uses(v.Check.ID, o) || slices.Contains(ofStatus, v.Check.ID) && slices.ContainsFunc(s.of(o), isExpected) {
			continue
		}
		v.Severity = max(v.Severity, v.Check.Severity)
		for _, r := range s.of(o) {
			switch cmp.Or(r.Severity[v.Check.ID], r.Severity[""]) {
			case exchange.Error.String():
				v.Severity = exchange.Error
			case exchange.Warning.String():
				v.Severity = exchange.Warning
			}
		}
		for i, w := range s.waivers {
			if w.holds && w.Check == v.Check.ID && slices.Contains(w.operations, o) && w.place(v.About) && w.kind(v.Kind(x)) {
				w.used.Store(true)
				v.Waiver = cmp.Or(v.Waiver, i+1)
			}
		}
		all = append(all, v)
	}
	return all
}

// Why returns the reason of a waiver, by Violation.Waiver.
func (s *Set) Why(waiver int) string { return s.waivers[waiver-1].note().why() }

// Stale says which rules and waivers have run out, and which waivers had no finding although the run looked for it.
func (s *Set) Stale(lookedFor func(check string, o *spec.Operation) bool) []string {
	if s == nil {
		return nil
	}
	all := slices.Clone(s.stale)
	for _, w := range s.waivers {
		tried := func(o *spec.Operation) bool { return lookedFor(w.Check, o) && s.Uses(w.Check, o) }
		if !w.holds || w.used.Load() || !slices.ContainsFunc(w.operations, tried) {
			continue
		}
		what := w.Check + " in " + w.Operation
		for _, more := range []string{w.Place, w.Kind} {
			if more != "" {
				what += ", " + strconv.Quote(more)
			}
		}
		all = append(all, w.note().origin+": the waiver of "+what+" had no finding; remove it if that is so in every run")
	}
	return all
}
