package contracts

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
)

// tally keeps what a run has found. It is safe for concurrent use.
type tally struct {
	base     func() string // what stands before the paths of requests, for people
	commands *commands
	cover    *cover
	sent     atomic.Int64
	found    atomic.Int64

	mu         sync.Mutex
	phases     []PhaseReport
	began      time.Time // of the phase at hand
	now        func() time.Time
	operations map[string]*OperationReport
	findings   map[cause]*kept
	shared     map[string]bool            // what findings of several operations have in common
	tried      map[string]map[string]bool // operations by trial
	accepted   map[fact]cause             // what was wrongly accepted
	refused    map[refusal]bool           // what was refused
	dropped    int                        // findings beyond maxFindings
	leftOut    []Skipped
	leftAt     map[Skipped]int // where in leftOut, by all but the number
}

// cause is what makes verdicts one finding.
type cause struct{ check, operation, cause string }

// kept is a finding with what it is shown by.
type kept struct {
	Finding
	by    weight
	cause cause
	// shared is what makes it one with findings of other operations; "" for none.
	shared string
	// family is what it has in common with others that are wrong in the same way; ""
	// for none.
	family string
	// trial is what most operations can show it in; "" where it was seen otherwise.
	trial string
	// leader is the first of what explains it: the exchange wrongly went well.
	leader *cause
	alone  bool // seen where nothing explains it
	// facts say what a body shows wrongly in an answer that is a success; of others
	// they are empty.
	facts [2]fact
	sent  []string // the operations of the exchanges that it is shown by
}

// maxBroken bounds what is kept of what was sent.
const maxBroken = 20_000

// weight orders the exchanges of one cause: the smallest is shown, whenever it
// was sent.
type weight struct {
	requests, size int
	text           string
}

// weigh weighs a case and not what was sent, in which keys may stand that the
// backend made and that are other ones in every run.
func weigh(x *checks.Exchange, before []*checks.Exchange) weight {
	r := x.Case.Request
	return weight{len(before), len(r.Path) + len(r.Query) + len(r.Body), r.Path + "?" + r.Query + " " + x.Case.Title}
}

func (a weight) compare(b weight) int {
	return cmp.Or(a.requests-b.requests, a.size-b.size, cmp.Compare(a.text, b.text))
}

// maxFindings bounds what a run keeps: a backend that does all wrong is told so
// long before.
const maxFindings = 2_000

// maxShown is how many bytes of a body a finding shows.
const maxShown = 16 << 10

func newTally(base func() string, commands *commands, cover *cover, now func() time.Time) *tally {
	return &tally{base: base, commands: commands, cover: cover, now: now, operations: map[string]*OperationReport{}, findings: map[cause]*kept{}, leftAt: map[Skipped]int{},
		shared: map[string]bool{}, tried: map[string]map[string]bool{}, accepted: map[fact]cause{}, refused: map[refusal]bool{}}
}

// begin begins a phase.
func (t *tally) begin(p *Phase) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end()
	t.phases = append(t.phases, PhaseReport{ID: p.ID, Meaning: p.Meaning})
	t.began = t.now()
}

// end ends the phase at hand.
func (t *tally) end() {
	if n := len(t.phases); n > 0 {
		t.phases[n-1].Took = t.now().Sub(t.began)
	}
}

// subject makes room for an operation.
func (t *tally) subject(s *subject) {
	t.operations[s.name] = &OperationReport{Name: s.name, ID: s.ID, Tags: s.Tags, Place: s.Place, Statuses: map[int]int{}, Plain: map[int]int{}}
}

// add counts an exchange and keeps what was found in it. before are the
// exchanges that led to it. It reports whether something was found for the first
// time.
func (t *tally) add(x *checks.Exchange, verdicts []checks.Violation, before ...*checks.Exchange) bool {
	t.sent.Add(1)
	t.cover.add(x)
	name := nameOf(x.Case.Operation)
	t.mu.Lock()
	defer t.mu.Unlock()
	if o := t.operations[name]; o != nil {
		o.Cases++
		o.Statuses[x.Status()]++
		if x.Case.Phase == plainPhase.ID {
			o.Plain[x.Status()]++
		}
	}
	t.phases[len(t.phases)-1].Cases++
	t.try(x, name)
	return t.keep(x, verdicts, before)
}

// try notes in which way an operation was tried, and what it refused.
func (t *tally) try(x *checks.Exchange, name string) {
	for _, check := range []string{"", "credentials-ignored", "valid-refused"} {
		if way := trial(x, check); way != "" {
			if t.tried[way] == nil {
				t.tried[way] = map[string]bool{}
			}
			t.tried[way][name] = true
		}
	}
	if f := x.Case.Violation; f != nil && f.In == exchange.InBody && x.Status()/100 == 4 && len(t.refused) < maxBroken {
		for _, is := range factsOf(x.Case.Operation, f) {
			t.refused[refusal{is, name}] = true
		}
	}
}

// accuse keeps what was found in exchanges that are counted already.
func (t *tally) accuse(x *checks.Exchange, verdicts []checks.Violation, before ...*checks.Exchange) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(x, verdicts, before)
}

func (t *tally) keep(x *checks.Exchange, verdicts []checks.Violation, before []*checks.Exchange) (fresh bool) {
	name := nameOf(x.Case.Operation)
	var leader *cause
	for _, v := range verdicts {
		if c := (cause{v.Check.ID, name, v.Cause}); v.Check.Relation == checks.Cause && leader == nil {
			leader = &c
			t.accept(x, c)
		}
	}
	for _, v := range verdicts {
		c := cause{v.Check.ID, name, v.Cause}
		by := weigh(x, before)
		k := t.findings[c]
		if k == nil {
			if len(t.findings) >= maxFindings {
				t.dropped++
				continue
			}
			k, fresh = &kept{cause: c, family: familyOf(c, &v), shared: sharedBy(x, &v), trial: trial(x, v.Check.ID)}, true
			t.findings[c] = k
			if k.shared == "" || !t.shared[k.shared] {
				t.found.Add(1)
			}
			t.shared[k.shared] = true
		}
		k.explain(x, &v, leader)
		count := k.Count + 1
		if k.Count == 0 || by.compare(k.by) < 0 {
			k.by = by
			k.Finding = Finding{
				Check: v.Check.ID, Severity: v.Check.Severity, Operation: name, Phase: x.Case.Phase, Title: x.Case.Title,
				Message: whole(&v), About: v.About, Place: v.Place, Source: v.Check.Source, Fingerprint: c.fingerprint(),
			}
			k.sent = operationsOf(before)
			for _, b := range append(slices.Clip(before), x) {
				k.Sent = append(k.Sent, t.shown(b))
			}
		}
		k.Count = count
	}
	return fresh
}

// whole is a verdict's message with what it is about, so that it can stand alone.
func whole(v *checks.Violation) string {
	part, _, _ := strings.Cut(v.About, ".")
	switch part {
	case exchange.InBody, exchange.InHeader, exchange.InQuery, exchange.InPath, exchange.InCookie:
		if !strings.Contains(v.Message, v.About) {
			return v.About + ": " + v.Message
		}
	}
	return v.Message
}

// accept notes what was wrongly accepted.
func (t *tally) accept(x *checks.Exchange, c cause) {
	f := x.Case.Violation
	if c.check != "invalid-accepted" || f == nil || len(t.accepted) >= maxBroken {
		return
	}
	for _, is := range factsOf(x.Case.Operation, f) {
		if first, known := t.accepted[is]; !known || c.compare(first) < 0 {
			t.accepted[is] = c
		}
	}
}

// explain notes what may explain a verdict: what was wrongly accepted in the same
// exchange, or the property that its answer shows.
func (k *kept) explain(x *checks.Exchange, v *checks.Violation, leader *cause) {
	if trial(x, v.Check.ID) != k.trial {
		k.trial = ""
	}
	switch {
	case leader == nil || v.Check.Relation != checks.Consequence:
		k.alone = true
	case k.leader == nil || leader.compare(*k.leader) < 0:
		k.leader = leader
	}
	k.shared = min(k.shared, sharedBy(x, v)) // the place may be another for the same cause
	if v.Finding != nil && v.Check.ID == "body" && x.Succeeded() {
		facts := factsOf(x.Case.Operation, v.Finding)
		if k.facts[0].property == "" || facts[0].where < k.facts[0].where {
			k.facts = facts
		}
	}
}

func (c cause) compare(other cause) int {
	return cmp.Or(cmp.Compare(c.check, other.check), cmp.Compare(c.operation, other.operation), cmp.Compare(c.cause, other.cause))
}

// fingerprint names a cause in every run alike.
func (c cause) fingerprint() string { return fingerprint(c.check, c.operation, c.cause) }

func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\n")))
	return hex.EncodeToString(sum[:6])
}

// shown gives an exchange as findings show it: without credentials, and with no
// more of its bodies than people read.
func (t *tally) shown(x *checks.Exchange) Sent {
	r := t.commands.redact(x)
	s := Sent{Request: r, RequestSize: len(r.Body), Curl: t.commands.line(t.base(), x, r)}
	if len(r.Body) > maxShown {
		cut := *r
		cut.Body = r.Body[:maxShown]
		s.Request = &cut
	}
	if x.Response != nil {
		cut := *x.Response
		s.ResponseSize = len(cut.Body)
		given := t.commands.secrets.Sent(x.Request) // which a backend may repeat
		cut.Header = given.HideHeader(cut.Header)
		cut.Body = given.HideBytes(cut.Body)
		cut.Body = cut.Body[:min(len(cut.Body), maxShown)]
		s.Response = &cut
	}
	if x.Fault != nil {
		s.Fault = x.Fault.Message
	}
	return s
}

// leave notes what is not sent.
func (t *tally) leave(l Skipped) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := l
	key.Cases = 0
	i, known := t.leftAt[key]
	if !known {
		t.leftAt[key] = len(t.leftOut)
		t.leftOut = append(t.leftOut, l)
		return
	}
	t.leftOut[i].Cases += l.Cases
}
