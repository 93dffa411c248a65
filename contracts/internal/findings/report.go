// Package findings collects what a run of the contract tester finds, groups it
// by cause, and gives the report as plain values.
package findings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// Report is what a run found. It is complete and sorted: the same document, backend and options give the same
// cases and findings in the same order. Times differ, and so does what depends on the order in which a
// backend got concurrent requests: keys that it created, and which of several requests shows a finding.
type Report struct {
	Title    string        `json:"title"`      // of the document
	Version  string        `json:"apiVersion"` // of the document
	Document string        `json:"document"`
	URL      string        `json:"url"`
	Seed     uint64        `json:"seed"`
	Began    time.Time     `json:"began"`
	Took     time.Duration `json:"-"`
	Requests int           `json:"requests"`
	Ended    string        `json:"ended,omitempty"` // why the run ended early; "" where it was complete
	// Insufficient says why too little could be tested; "" if it was enough.
	Insufficient string             `json:"insufficient,omitempty"`
	Operations   []*OperationReport `json:"operations"` // in the document's order
	Phases       []PhaseReport      `json:"phases"`
	Findings     []Finding          `json:"findings"` // errors first, causes before what they lead to, then by operation
	Flaky        []Finding          `json:"flaky"`    // what did not come again when its requests were repeated alone
	Waived       []Finding          `json:"waived"`   // those that a waiver has, which do not fail a run
	Resolved     []string           `json:"resolved"` // findings of the baseline that were not seen
	Stale        []string           `json:"stale"`    // rules and waivers that have run out, and waivers without findings
	Skipped      []Skipped          `json:"skipped"`
	Coverage     *Coverage          `json:"coverage,omitempty"`
}

// Coverage says what of the tested operations was exercised, with the place of
// each operation, parameter, value, media type, status, property and constraint.
// Hits are 0 or 1. Reaches and Missing query it; Text, LCOV and JSON write it.
type Coverage = coverage.Report

// OperationReport is what was done with one operation.
type OperationReport struct {
	Name     string         `json:"name"` // POST /plants
	ID       string         `json:"operationId"`
	Tags     []string       `json:"tags"`
	Place    exchange.Place `json:"document"`
	Cases    int            `json:"cases"`
	Accepted bool           `json:"accepted"` // a plain request was accepted
	Statuses map[int]int    `json:"statuses"` // how often each status came; 0 is no answer
	Plain    map[int]int    `json:"plain"`    // likewise, for the plain requests at the start
	Findings int            `json:"findings"`
	Skipped  string         `json:"skipped,omitempty"` // why it was not tested; "" where it was
	Refused  *Refused       `json:"refused,omitempty"` // where it accepted no request
	Checks   []string       `json:"-"`                 // that were in use for it, in the table's order
}

// PhaseReport is what one phase did.
type PhaseReport struct {
	ID       string        `json:"id"`
	Meaning  string        `json:"-"`
	Cases    int           `json:"cases"`
	Findings int           `json:"findings"`
	Took     time.Duration `json:"-"`
}

// Skipped is what was not sent, and why.
type Skipped struct {
	Operation string `json:"operation,omitempty"`
	Phase     string `json:"phase,omitempty"`
	Cases     int    `json:"cases"` // 0: not known
	Reason    string `json:"reason"`
}

// Finding is one fault of the backend, however often it was seen.
type Finding struct {
	Check        string            `json:"check"`
	Severity     exchange.Severity `json:"severity"`
	Operation    string            `json:"operation"`  // POST /plants: the first of Operations, which Sent shows
	Operations   []string          `json:"operations"` // in which it was seen, in the document's order
	Phase        string            `json:"phase"`
	Title        string            `json:"title"` // of the case
	Message      string            `json:"message"`
	About        string            `json:"about,omitempty"`  // body.name
	Kind         string            `json:"kind,omitempty"`   // what was special about the request: null, max-length
	Places       []string          `json:"places,omitempty"` // all that it was seen at, where there are several
	Place        exchange.Place    `json:"document"`
	Excerpt      string            `json:"excerpt,omitempty"` // the line of the document that Place is on
	Source       string            `json:"source"`
	Sent         []Sent            `json:"sent"` // the requests that lead to it; the last was checked
	Count        int               `json:"count"`
	Fingerprint  string            `json:"fingerprint"` // the same in every run
	Known        bool              `json:"known,omitempty"`
	Reason       string            `json:"reason,omitempty"`       // of the waiver that has it
	Consequences []Consequence     `json:"consequences,omitempty"` // findings that this one explains

	waiver int // that has it, from 1; 0 for none
}

// Consequence is what a finding leads to: answers to a request that should have
// been refused, and bodies that show what it created.
type Consequence struct {
	Check       string   `json:"check"`
	Operations  []string `json:"operations"`
	Message     string   `json:"message"`
	Count       int      `json:"count"`
	Fingerprint string   `json:"fingerprint"`
}

// Of reports whether a finding was seen in an operation.
func (f *Finding) Of(operation string) bool {
	return f.Operation == operation || slices.Contains(f.Operations, operation)
}

// Sent is one request and its answer, with credentials redacted.
type Sent struct {
	Request  *exchange.Request
	Response *exchange.Response // nil where none came
	Fault    string
	Curl     string
	// RequestSize and ResponseSize are the bytes of the bodies, of which at most the first 16 KiB are kept.
	RequestSize, ResponseSize int
	// FieldsLeftOut says how many fields of the response are not in its Header, and how many bytes of all of them.
	FieldsLeftOut, FieldBytesLeftOut int
}

// New returns the errors among the findings that the baseline does not know.
func (r *Report) New() []Finding {
	var all []Finding
	for _, f := range r.Findings {
		if f.Severity == exchange.Error && !f.Known {
			all = append(all, f)
		}
	}
	return all
}

// Finish completes the report of a run, of which it is known where, when and how it ran.
func (c *Collector) Finish(r *Report, known BaselineUse) *Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endPhase()
	r.Flaky = c.takeFlaky()
	g := c.group()
	r.Ended = c.Hide(r.Ended)
	r.Title, r.Version, r.Document = c.Contract.Title, c.Contract.Version, c.Contract.File
	r.Took, r.Operations, r.Phases, r.Findings = c.Clock().Sub(r.Began), c.operations, c.phases, g.findings
	r.Coverage = c.exercised.report()
	r.Findings, r.Waived = c.splitWaived(g.findings)
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Excerpt = c.Contract.Excerpt(f.Place)
		for _, name := range f.Operations {
			if o := c.operation(name); o != nil {
				o.Findings++
			}
		}
		for j := range r.Phases {
			if r.Phases[j].ID == f.Phase {
				r.Phases[j].Findings++
			}
		}
	}
	for i, o := range c.Operations {
		c.operations[i].Checks = c.checksOf(o, known.Uses)
	}
	for s, n := range c.skipped {
		s.Cases, s.Reason = n, c.Hide(s.Reason)
		r.Skipped = append(r.Skipped, s)
	}
	slices.SortFunc(r.Skipped, func(a, b Skipped) int {
		return cmp.Or(cmp.Compare(a.Phase, b.Phase), cmp.Compare(c.index[a.Operation], c.index[b.Operation]),
			cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Operation, b.Operation))
	})
	if known.Baseline != nil {
		c.compareBaseline(r, g, known)
	}
	r.Stale = c.Rules.Stale(func(check string, o *spec.Operation) bool {
		tested := c.operation(OperationName(o))
		return r.Ended == "" && known.RanAll && known.Uses(check) && tested != nil && tested.Cases > 0
	})
	return r
}

// checksOf returns the checks that were in use for an operation; those of several answers only where it had such tests.
func (c *Collector) checksOf(o *spec.Operation, uses func(check string) bool) []string {
	r := c.operation(OperationName(o))
	var ids []string
	for _, check := range checks.All() {
		if r.Cases > 0 && uses(check.ID) && c.Rules.Uses(check.ID, o) && (!check.Stateful() || c.sequences[r.Name]) {
			ids = append(ids, check.ID)
		}
	}
	return ids
}

// splitWaived takes apart the findings that a waiver has.
func (c *Collector) splitWaived(all []Finding) (found, waived []Finding) {
	for _, f := range all {
		if f.waiver == 0 {
			found = append(found, f)
			continue
		}
		f.Reason = c.Rules.Why(f.waiver)
		waived = append(waived, f)
	}
	return found, waived
}

// Baseline is the findings of an earlier report. They are known: they do not fail a run.
type Baseline struct {
	Findings []KnownFinding `json:"findings"`
}

// KnownFinding is what identifies a finding of an earlier report.
type KnownFinding struct {
	Fingerprint  string        `json:"fingerprint"`
	Check        string        `json:"check"`
	Operation    string        `json:"operation"`
	Operations   []string      `json:"operations"`
	Message      string        `json:"message"`
	Phase        string        `json:"phase"`
	Consequences []Consequence `json:"consequences"`
}

// LoadBaseline reads a JSON report.
func LoadBaseline(file string) (*Baseline, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	b := &Baseline{}
	if err := json.Unmarshal([]byte(tree.UTF8(string(text))), b); err != nil {
		return nil, fmt.Errorf("%s is no JSON report: %w", file, err)
	}
	return b, nil
}

// BaselineUse says how a report is compared with a baseline.
type BaselineUse struct {
	Baseline *Baseline               // nil: with none
	Uses     func(check string) bool // reports whether a check was in use
	RanAll   bool                    // no phase was excluded
}

// compareBaseline marks the findings of a report that are known, and names those of the baseline that the run
// looked for and did not see. One of several operations is known by itself, or by a finding on each of them.
func (c *Collector) compareBaseline(r *Report, g *grouping, use BaselineUse) {
	known, seen := map[string]bool{}, map[string]bool{}
	for _, f := range use.Baseline.Findings {
		known[f.Fingerprint] = true
		for _, c := range f.Consequences {
			known[c.Fingerprint] = true
		}
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Known = !slices.ContainsFunc(g.fingerprints[f.Fingerprint], func(prints []string) bool {
			return !slices.ContainsFunc(prints, func(print string) bool { return known[print] })
		})
	}
	for _, members := range g.fingerprints {
		for _, print := range slices.Concat(members...) {
			seen[print] = true
		}
	}
	for _, f := range use.Baseline.Findings {
		operations := f.Operations
		if len(operations) == 0 {
			operations = []string{f.Operation}
		}
		missed := func(operation string) bool { return !c.lookedFor(r, &f, operation, use) }
		if !seen[f.Fingerprint] && !slices.ContainsFunc(operations, missed) {
			r.Resolved = append(r.Resolved, c.Hide(fmt.Sprintf("%s: %s: %s", f.Operation, f.Check, f.Message)))
		}
	}
}

// lookedFor reports whether a run would have seen a finding of the baseline: it was complete, with the check,
// the phase, and the operation unless the document has it no more. A finding without a phase may be of any.
func (c *Collector) lookedFor(r *Report, f *KnownFinding, operation string, use BaselineUse) bool {
	isPhase := func(p PhaseReport) bool { return p.ID == f.Phase }
	isOff := func(o *spec.Operation) bool { return OperationName(o) == operation && !c.Rules.Uses(f.Check, o) }
	if !use.Uses(f.Check) || slices.ContainsFunc(c.Operations, isOff) || r.Ended != "" || f.Phase == "" && !use.RanAll ||
		f.Phase != "" && !slices.ContainsFunc(r.Phases, isPhase) {
		return false
	}
	if o := c.operation(operation); o != nil {
		return o.Cases > 0
	}
	return !slices.ContainsFunc(c.Contract.Operations,
		func(o *spec.Operation) bool { return OperationName(o) == operation })
}
