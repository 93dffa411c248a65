package findings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/rules"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

const (
	maxFaults = 10_000 // that are kept
	// maxShown is how many bytes of exchanges all findings show together. The exchanges of later findings are shown by
	// their beginnings.
	maxShown       = 4 << 20
	maxConstraints = 20_000 // that are remembered as accepted, and as refused
	maxPlaces      = 50_000 // of all faults
	// PlainPhase counts the plain requests that every run begins with.
	PlainPhase = "plain"
	// statefulPhase has the sequences of requests.
	statefulPhase = "stateful"
)

// Options say what a collector is for.
type Options struct {
	Contract   *spec.Contract
	Operations []*spec.Operation // those that are tested, in the document's order
	// Constraints also counts which constraints were tried.
	Constraints bool
	// Show returns an exchange as reports show it.
	Show func(*checks.Exchange) report.Sent
	// HideIn returns a text about an exchange without credentials, Hide any other.
	HideIn func(x *checks.Exchange, text string) string
	Hide   func(text string) string
	Clock  func() time.Time
	// Rules say which findings count, and as what. Default: none.
	Rules *rules.Set
}

// Collector keeps what a run finds. It is safe for concurrent use.
type Collector struct {
	Options
	exercised  *exercised
	index      map[string]int // of operations in the document
	operations []*report.Operation

	mu           sync.Mutex
	cases, found int
	shown        int // bytes of exchanges that findings show
	places       int // of faults
	phases       []report.Phase
	phase        int // the current one
	phaseBegan   time.Time
	faults       map[faultID]*fault
	suspects     map[faultID]*fault             // those that are suspected: few, at any time
	shared       map[string]bool                // what faults of several operations have in common
	tried        map[string]map[string]bool     // operations by trial
	accepted     map[violatedConstraint]faultID // wrongly accepted violations
	refused      map[refusal]bool
	sequences    map[string]bool        // operations that had a part in stateful tests
	skipped      map[report.Skipped]int // cases, by all but their number
	refusals     refusals
	positives    positives
	news         []*fault // first seen since the last call of Progress
	tested       []bool   // operations with requests since then, by index
}

// Progress is what happened since the last call, and sums.
type Progress struct {
	Phase        string // the current one
	Cases, Found int    // so far
	News         []report.Finding
	Tested       []report.Operation
}

// OperationName names an operation in reports: "POST /plants".
func OperationName(o *spec.Operation) string { return o.Method + " " + o.Path }

// NewCollector makes the collector of a run.
func NewCollector(o Options) *Collector {
	c := &Collector{
		Options: o, exercised: newExercised(o.Contract, o.Operations, o.Constraints), index: map[string]int{},
		faults: map[faultID]*fault{}, suspects: map[faultID]*fault{},
		shared: map[string]bool{}, tried: map[string]map[string]bool{},
		accepted: map[violatedConstraint]faultID{}, refused: map[refusal]bool{}, skipped: map[report.Skipped]int{},
		refusals:  refusals{},
		sequences: map[string]bool{}, tested: make([]bool, len(o.Operations)),
	}
	for i, op := range o.Operations {
		name := OperationName(op)
		c.index[name] = i
		c.operations = append(c.operations, &report.Operation{
			Name: name, ID: op.ID, Tags: op.Tags, Place: op.Place, Statuses: map[int]int{}, Plain: map[int]int{},
		})
	}
	return c
}

// operation returns the report of a tested operation, nil for others.
func (c *Collector) operation(name string) *report.Operation {
	if i, ok := c.index[name]; ok {
		return c.operations[i]
	}
	return nil
}

// BeginPhase ends the current phase, and begins another or goes on with an earlier one.
func (c *Collector) BeginPhase(id, meaning string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.endPhase()
	isIt := func(p report.Phase) bool { return p.ID == id }
	if c.phase = slices.IndexFunc(c.phases, isIt); c.phase < 0 {
		c.phase = len(c.phases)
		c.phases = append(c.phases, report.Phase{ID: id, Meaning: meaning})
	}
	c.phaseBegan = c.Clock()
}

func (c *Collector) endPhase() {
	if len(c.phases) > 0 {
		c.phases[c.phase].Took += c.Clock().Sub(c.phaseBegan)
	}
}

// Progress returns how far the run is, with the findings and operations that are new to the caller.
func (c *Collector) Progress() Progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := Progress{Cases: c.cases, Found: c.found}
	if len(c.phases) > 0 {
		p.Phase = c.phases[c.phase].ID
	}
	for _, f := range c.news {
		f := f.Finding
		f.Excerpt = c.Contract.Excerpt(f.Place)
		p.News = append(p.News, f)
	}
	for i, isTested := range c.tested {
		if isTested {
			o := *c.operations[i]
			o.Statuses, o.Plain = maps.Clone(o.Statuses), maps.Clone(o.Plain)
			p.Tested = append(p.Tested, o)
		}
	}
	c.news = nil
	clear(c.tested)
	return p
}

// Add counts an exchange and keeps its violations. before are the exchanges that
// led to it. It reports whether something was found for the first time.
func (c *Collector) Add(x *checks.Exchange, violations []checks.Violation, before ...*checks.Exchange) bool {
	c.exercised.add(x, c.notePositive)
	c.noteRefusal(x)
	name := OperationName(x.Case.Operation)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cases++
	if i, ok := c.index[name]; ok {
		o := c.operations[i]
		c.tested[i] = true
		o.Cases++
		o.Statuses[x.Status()]++
		if x.Case.Phase == PlainPhase {
			o.Plain[x.Status()]++
		}
	}
	c.phases[c.phase].Cases++
	c.sequences[name] = c.sequences[name] || x.Case.Phase == statefulPhase
	for _, check := range []string{"", credentialsIgnored, "valid-refused"} {
		if trial := trialOf(x, check); trial != "" && isDecided(x, check) {
			if c.tried[trial] == nil {
				c.tried[trial] = map[string]bool{}
			}
			c.tried[trial][name] = true
		}
	}
	if f := x.Case.Violation; f != nil && f.In == exchange.InBody && x.Status()/100 == 4 &&
		len(c.refused) < maxConstraints {
		for _, violated := range violatedConstraints(x.Case.Operation, f) {
			c.refused[refusal{violated, name}] = true
		}
	}
	return c.keep(x, violations, before)
}

// Report keeps violations in an exchange that is counted already.
func (c *Collector) Report(x *checks.Exchange, violations []checks.Violation, before ...*checks.Exchange) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keep(x, violations, before)
}

func (c *Collector) keep(x *checks.Exchange, violations []checks.Violation, before []*checks.Exchange) (isNew bool) {
	violations = c.Rules.Judge(x, violations)
	if len(violations) == 0 {
		return false
	}
	cause, shownBy := c.causeIn(x, violations, OperationName(x.Case.Operation)), sizeOf(x, before)
	for i := range violations {
		v := &violations[i]
		name := OperationName(v.Operation(x))
		if f := v.Finding; f != nil && f.Code == spec.CodeTooComplex { // unknown whether it is one
			reason := "check " + v.Check.ID + ": " + f.Message
			c.skipped[report.Skipped{Operation: name, Phase: x.Case.Phase, Reason: reason}]++
			continue
		}
		id := idOf(v, name)
		f := c.faults[id]
		if f == nil {
			if len(c.faults) >= maxFaults {
				c.skipped[report.Skipped{Operation: name, Phase: x.Case.Phase, Reason: fmt.Sprintf(
					"check %s: the run has found %d faults, which are all that are kept", v.Check.ID, maxFaults)}]++
				continue
			}
			f = &fault{id: id, pattern: patternOf(id, v), shared: sharedBy(x, v), trial: trialOf(x, id.check)}
			if v.Check.ID == "server-error" {
				f.textless = v.Textless
			}
			c.faults[id], isNew = f, true
			if v.Waiver == 0 && (f.shared == "" || !c.shared[f.shared]) {
				c.found++
				c.news = append(c.news, f)
			}
			c.shared[f.shared] = true
		}
		f.relate(x, v, cause)
		place := generalPlace(v)
		if i, has := slices.BinarySearch(f.places, place); !has && (len(f.places) == 0 || c.places < maxPlaces) {
			f.places = slices.Insert(f.places, i, place)
			c.places++
		}
		count := f.Count + 1
		moreSevere := cmp.Compare(v.Severity, f.Severity)
		if f.Count == 0 || f.state == flaky || moreSevere < 0 ||
			f.state == suspected && cmp.Or(moreSevere, shownBy.compare(f.shownBy)) < 0 {
			f.shownBy, f.state, c.suspects[id] = shownBy, suspected, f
			c.show(f, v, append(slices.Clip(before), x))
		}
		f.Count = count
	}
	return isNew
}

// show makes exchanges, of which the last was checked, the ones that show a fault.
func (c *Collector) show(f *fault, v *checks.Violation, sent []*checks.Exchange) {
	x := sent[len(sent)-1]
	f.Finding = report.Finding{
		Check: v.Check.ID, Severity: v.Severity, Operation: OperationName(v.Operation(x)),
		Kind:  c.HideIn(x, v.Kind(x)),
		Phase: x.Case.Phase, Title: c.HideIn(x, x.Case.Title), Message: c.HideIn(x, withPlace(v)),
		About: c.HideIn(x, v.About), Place: v.Place, Source: v.Check.Source, Fingerprint: f.id.fingerprint(),
		Count: f.Count,
	}
	f.sentTo = nil
	c.shown -= f.shown
	f.shown = 0
	for _, b := range sent {
		shown := c.Show(b)
		if c.shown+f.shown > maxShown {
			shorten(&shown)
		}
		f.shown += bytesOf(&shown)
		f.Sent = append(f.Sent, shown)
		f.sentTo = append(f.sentTo, OperationName(b.Case.Operation))
	}
	c.shown += f.shown
	f.smallest = nil
	for _, b := range sent {
		f.smallest = append(f.smallest, b.Kept())
	}
	if f.first == nil {
		f.first = f.smallest
	}
}

// causeIn returns the violation that explains others in an exchange, if there is one,
// and remembers what was wrongly accepted.
func (c *Collector) causeIn(x *checks.Exchange, violations []checks.Violation, name string) faultID {
	for _, v := range violations {
		if v.Check.Relation != checks.Cause {
			continue
		}
		id := idOf(&v, name)
		if f := x.Case.Violation; f != nil && id.check == "invalid-accepted" && len(c.accepted) < maxConstraints {
			for _, violated := range violatedConstraints(x.Case.Operation, f) {
				if first, ok := c.accepted[violated]; !ok || id.compare(first) < 0 {
					c.accepted[violated] = id
				}
			}
		}
		return id
	}
	return faultID{}
}

// withPlace is a violation's message with its place, so that it stands alone.
func withPlace(v *checks.Violation) string {
	part, _, _ := strings.Cut(v.About, ".")
	switch part {
	case exchange.InBody, exchange.InHeader, exchange.InQuery, exchange.InPath, exchange.InCookie:
		if !strings.Contains(v.Message, v.About) {
			return v.About + ": " + v.Message
		}
	}
	return v.Message
}

// Skip notes what is not sent, and why.
func (c *Collector) Skip(s report.Skipped) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := s.Cases
	s.Cases = 0
	c.skipped[s] += n
}

// AllUnauthorized reports whether every request so far was refused with 401 or 403.
func (c *Collector) AllUnauthorized() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	refused, all := 0, 0
	for _, o := range c.operations {
		for status, n := range o.Statuses {
			if all += n; status == 401 || status == 403 {
				refused += n
			}
		}
	}
	return all > 0 && refused == all
}

// Succeeded reports whether an operation has accepted a request, and whether any was sent.
func (c *Collector) Succeeded(o *spec.Operation) (succeeded, sent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.operation(OperationName(o))
	if r == nil {
		return false, false
	}
	for status := range r.Statuses {
		succeeded = succeeded || status/100 == 2 || status/100 == 3
	}
	return succeeded, r.Cases > 0
}

// Seen reports whether an operation has answered with a status.
func (c *Collector) Seen(o *spec.Operation, status int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.operation(OperationName(o))
	return r != nil && r.Statuses[status] > 0
}

// SetResult says whether an operation accepted a plain request, why it was not tested, "" if it was, and which of its
// parts no accepted request had.
func (c *Collector) SetResult(o *spec.Operation, accepted bool, skipped string, weak []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r := c.operation(OperationName(o)); r != nil {
		r.Accepted, r.Skipped, r.Weak = accepted, skipped, weak
	}
}

// noting is called with an exchange and the values of its request.
type noting func(*checks.Exchange, *decode.Values)

// exercised counts what of the tested operations the answered requests exercise.
// It is safe for concurrent use; it is as large as the document.
type exercised struct {
	counts   *coverage.Coverage
	router   *route.Router
	decoders map[*spec.Operation]*decode.Decoder
}

// newExercised counts for the operations that are tested, so that those that were
// excluded on purpose do not count as missing.
func newExercised(c *spec.Contract, operations []*spec.Operation, constraints bool) *exercised {
	tested := *c
	tested.Operations = operations
	e := &exercised{
		counts: coverage.New(&tested), router: route.New(&tested),
		decoders: make(map[*spec.Operation]*decode.Decoder, len(operations)),
	}
	for _, o := range operations {
		e.decoders[o] = decode.New(o)
	}
	if constraints {
		e.counts.Constraints()
	}
	return e
}

// add counts an exchange, and calls note with the values of its request. One without an answer exercises nothing. An
// undocumented method exercises the 405 of all operations of its path.
func (e *exercised) add(x *checks.Exchange, note noting) {
	o := x.Case.Operation
	switch decoder := e.decoders[o]; {
	case x.Response == nil, x.Request.Method != o.Method && x.Response.Status != 405:
	case x.Request.Method != o.Method:
		documents405 := func(r *spec.Response) bool { return r.Status == "405" }
		for other := range e.decoders {
			if other.Template() == o.Template() && slices.ContainsFunc(other.Responses, documents405) {
				e.counts.Count(coverage.Use{Operation: other, Response: x.Response})
			}
		}
	case decoder != nil:
		var m route.Match
		if len(x.Case.Path) > 0 &&
			(e.router.Find(x.Request.Method, x.Request.Path, &m) != route.Found ||
				m.Operation != o && !slices.Contains(m.Alternatives, o)) {
			m.Values = nil
		}
		values, _ := decoder.Request(x.Request, m.Values)
		e.counts.Count(coverage.Use{Operation: o, Values: &values, Response: x.Response, Broken: x.Case.Violation})
		note(x, &values)
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
