// Package scenario reads scenario files: YAML rules that change the mock's responses. All errors of a file are found
// when it is read, with line and column. docs/scenarios.md describes the format.
//
// A file is read (report.go), validated against scenario.schema.json (schema.go) and compiled against the contract
// (compile.go) into a Scenario, which requests only read. A State (state.go) holds the changing parts: counters and
// named states.
package scenario

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// Outline describes a file independently of a document.
type Outline struct {
	Name        string
	Description string
	File        string // as given; empty for a merged scenario, or one without a file
	Active      bool   // applies to requests that choose no scenario
}

// Scenario is a compiled file of rules: immutable and safe for concurrent use.
type Scenario struct {
	Outline
	Source []byte  // the file's text; nil for a merged scenario
	All    []*Rule // first to last
	rules  map[*spec.Operation]Rules
	states *states // nil if no rule has states
	identity
}

// identity is equal for scenarios whose rules share their counts: files with the same name and content, whatever
// their comments, or the same text that was put.
type identity struct {
	content [sha256.Size]byte // a digest of name, rules and initial state
	put     *putID            // nil for a file
}

// identify returns the identity of a file.
func identify(name string, root *tree.Node) identity {
	text := jsontext.Append(nil, []any{name, valueOf(root.Get("initial")), valueOf(root.Get("rules"))})
	return identity{content: sha256.Sum256(text)}
}

func valueOf(n *tree.Node) any {
	if n == nil {
		return nil
	}
	return n.Value()
}

// States returns the names of the scenario's states, the initial one first; none if its rules have none.
func (s *Scenario) States() []string {
	if s.states == nil {
		return nil
	}
	return s.states.names
}

// Rules returns the rules for an operation, without allocating.
func (s *Scenario) Rules(op *spec.Operation) Rules { return s.rules[op] }

// merge combines several scenarios: their rules one after the other, all active.
func merge(scenarios ...*Scenario) *Scenario {
	if len(scenarios) == 1 {
		return scenarios[0]
	}
	joined := &Scenario{rules: map[*spec.Operation]Rules{}}
	for _, s := range scenarios {
		for op, rules := range s.rules {
			before := joined.rules[op]
			joined.rules[op] = Rules{
				slices.Concat(before.list, rules.list), before.reads || rules.reads, before.locks || rules.locks,
				cmp.Or(before.itemPath, rules.itemPath),
			}
		}
		joined.All = append(joined.All, s.All...)
	}
	return joined
}

// Rule is one rule. Its counts are in a State.
type Rule struct {
	Scenario    string   // its scenario's name
	Number      int      // in the file, from 1
	On          []string // as it is written
	Description string
	Place       exchange.Place
	Fault       string // the way in which the response fails below HTTP, as in package httpserver; "" if none
	Bandwidth   int    // for the body, in bytes a second; 0 is unlimited
	Violates    bool   // the response may violate the document
	delay       *delay // nil if none
	when        *expression
	cycle       bool // the first response follows the last

	times     uint64        // the rule applies at most so often; 0 is unlimited
	every     uint64        // it applies to every n-th request; at least 1
	chance    float64       // the share of these to which it applies; 0 is all
	states    *states       // the named states; nil if the rule has none
	state     int           // the required one; -1 is any
	then      int           // the new one; -1 is none
	limit     *limit        // the rule applies only beyond it; nil is always
	after     time.Duration // it applies from then on, see State.passed; 0 is at once
	forItem   bool          // it has counts and states for each item
	key       uint64        // seed of random draws, beside seed and ordinal
	stateless bool          // it depends on no earlier requests
}

func (r *Rule) always() bool {
	return r.times == 0 && r.every == 1 && r.chance == 0 && r.state < 0 && r.limit == nil && r.after == 0
}

// locks reports whether the decision has several parts that must be atomic, together with the other rules for the
// operation: each request reads one state and changes it before the next request reads it.
func (r *Rule) locks() bool {
	return r.states != nil || r.chance > 0 || r.limit != nil || r.after > 0 || r.forItem
}

type boundRule struct {
	*Rule
	sequence []*Response
}

// Hit is a rule applied to one request. Rule is nil if none applies.
type Hit struct {
	*Rule
	Response *Response     // nil: the mock answers as without the rule
	Delay    time.Duration // before the response
	applied  uint64        // number of this application, from 1
	window                 // of the rule's limit
}

// Rules are the rules for one operation, first to last.
type Rules struct {
	list  []boundRule
	reads bool // one of them reads the request; otherwise Match and Hit.Answer accept a nil Request
	locks bool // one of them locks
	// itemPath is the path of the operation's item; "" if no rule counts for each item.
	itemPath string
}

// Match finds the first rule that applies to a request, and counts it. If a rule's when fails for this request (a
// number compared with a string, a field of null), the rule does not apply, and there is a finding.
func (rs Rules) Match(r *Request, st *State) (Hit, []exchange.Finding) {
	var findings []exchange.Finding
	if r != nil {
		r.state = st
	}
	var about namedItem
	if rs.itemPath != "" {
		about = r.namedItem(rs.itemPath) // before the rules decide under the lock
	}
	if rs.locks {
		st.mu.Lock()
		defer st.mu.Unlock()
	}
	for _, rule := range rs.list {
		if rule.when != nil {
			holds, err := rule.when.holds(r)
			if r.Work.Ended() != nil {
				return Hit{}, findings
			}
			if err != nil {
				findings = append(findings, exchange.Finding{
					Code:     CodeFailed,
					Severity: exchange.Warning,
					Message:  "when of scenario " + rule.Scenario + " failed, so the rule is passed over: " + err.Error(),
					Document: rule.when.place,
				})
			}
			if !holds {
				continue
			}
		}
		if a, ok := st.apply(rule.Rule, about); ok {
			delay := rule.delay.of(st.Seed, a.key, a.reached)
			return Hit{rule.Rule, rule.answer(a.applied), delay, a.applied, a.window}, findings
		}
	}
	return Hit{}, findings
}

// answer returns the response of the n-th application, from 1.
func (r *boundRule) answer(n uint64) *Response {
	count := uint64(len(r.sequence))
	switch {
	case count == 0:
		return nil
	case r.cycle:
		return r.sequence[(n-1)%count]
	}
	return r.sequence[max(min(n, count), 1)-1]
}
