// Package runner runs the phases of a contract test: it chooses the operations,
// completes and sends their cases, checks the answers, and collects what is found.
package runner

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/rules"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/contracts/internal/stateful"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Tester takes cases the whole way: it completes and sends them, checks the
// answers and collects what is found. It is safe for concurrent use.
type Tester struct {
	Options
	Targets  []*Target
	of       map[*spec.Operation]*Target
	pool     *itempool.Pool
	stateful *stateful.Options
	readBack map[string]bool // phases whose accepted cases are read again
	done     atomic.Int64    // operations of the current phase
	waited   atomic.Int64    // for reads that were behind, in nanoseconds
	guard    *safety.Guard
	last     bool // the round of the destructive operations

	reductions  int // requests sent to show faults by less; between phases only
	experiments int // on violations; between phases only

	alone sync.RWMutex // held for reading while a request is on its way

	mu       sync.Mutex
	builders map[*spec.Operation]*cases.Builder // of the cases of all operations, under test or not
}

// Options are what a tester works with.
type Options struct {
	Contract  *spec.Contract
	Plan      *resource.Plan
	Transport *Transport
	Checker   *checks.Checker
	Collector *findings.Collector
	Setup     *Setup
	Headers   http.Header // sent with every request, unless a case has the field
	Seed      uint64
	FuzzCases int // of each operation
	Workers   int
	Settle    time.Duration // how long reads may take to show a change
	ReadOnly  bool
	// Private reports whether the user says that the items of an operation are their creator's alone; nil: nobody does.
	Private func(*spec.Operation) bool
	// Destructive sends also what may change what the run did not create.
	Destructive bool
	Rules       *rules.Set // of single operations; nil if none
}

// New makes a tester of operations.
func New(operations []*spec.Operation, o Options) *Tester {
	t := &Tester{
		Options: o, of: map[*spec.Operation]*Target{}, builders: map[*spec.Operation]*cases.Builder{},
		readBack: map[string]bool{},
	}
	if t.Setup == nil {
		t.Setup = &Setup{}
	}
	t.pool = &itempool.Pool{
		Plan: o.Plan, Builder: t.builder, ReadOnly: o.ReadOnly,
		Await: func(ctx context.Context, look func() bool) bool { return t.stateful.Settling.Await(ctx, look) },
		Send:  func(ctx context.Context, c *cases.Case) *checks.Exchange { return t.exchange(ctx, c, false) },
	}
	t.guard = safety.New(safety.Options{
		Plan: o.Plan, Operations: o.Contract.Operations, Pool: t.pool, Keyring: o.Transport.Keyring,
		Destructive: o.Destructive, Builder: t.builder, Send: t.pool.Send, Try: t.try, Stop: o.Transport.Stop,
		IsTested: func(o *spec.Operation) bool { return t.of[o] != nil },
		Note:     func(o *spec.Operation, phase, reason string) { t.skip(o, phase, 0, reason) },
	})
	for _, o := range operations {
		t.of[o] = &Target{Operation: o, builder: t.builder(o), group: t.guard.Group(o), Skipped: t.Rules.Skipped(o)}
		if isUpgrade(o) {
			t.of[o].Skipped = upgrades
		}
		t.Targets = append(t.Targets, t.of[o])
	}
	t.Transport.Restarted = t.pool.Clear
	t.stateful = t.statefulOptions()
	for _, p := range phases {
		t.readBack[p.ID] = p.readBack
	}
	return t
}

// exchange takes a case the whole way. plain says that the operation's plain request has been accepted. It is
// nil if nothing could be sent any more, or the backend was down.
func (t *Tester) exchange(ctx context.Context, c *cases.Case, plain bool) *checks.Exchange {
	if t.of[c.Operation].givenUp() != "" {
		return nil
	}
	x := t.send(ctx, c)
	if x == nil {
		return nil
	}
	x.Plain = plain
	violations := append(t.Checker.Check(x), stateful.CheckShown(t.stateful, x)...)
	if plain && c.Control != nil && slices.ContainsFunc(violations, isRefusalOfValid) && !t.controlled(ctx, c) {
		x.Plain = false
		violations = t.Checker.Check(x)
	}
	if t.Collector.Add(x, violations) {
		t.shrink(ctx, x, violations)
	}
	if len(violations) == 0 && t.readBack[c.Phase] {
		stateful.CheckStored(ctx, t.stateful, x)
	}
	return x
}

func isRefusalOfValid(v checks.Violation) bool {
	return v.Check.ID == "valid-refused" && v.Severity == exchange.Error
}

// controlled reports whether the backend accepts a case without what it varies.
func (t *Tester) controlled(ctx context.Context, c *cases.Case) bool {
	control := c.Control()
	if control == nil {
		return false
	}
	control.Phase = c.Phase
	return t.send(ctx, control).Succeeded()
}

// maxShrinking bounds the requests that make one finding's request smaller.
const maxShrinking = 60

// shrink looks for smaller requests that show the same violations. The collector keeps the smallest.
func (t *Tester) shrink(ctx context.Context, x *checks.Exchange, violations []checks.Violation) {
	if x.Fault != nil && x.Fault.Code == wire.Timeout {
		return
	}
	builder, sent := t.builder(x.Case.Operation), 0
	for _, v := range violations {
		best := x.Case
		for better := best; better != nil; {
			best, better = better, nil
			for c := range builder.Smaller(best) {
				if sent++; sent > maxShrinking || t.Transport.Budget.Spent() {
					return
				}
				smaller := t.send(ctx, c)
				if smaller == nil {
					return
				}
				smaller.Plain = x.Plain
				found := t.Checker.Check(smaller)
				t.Collector.Add(smaller, found)
				if slices.ContainsFunc(found, func(f checks.Violation) bool { return f.Check == v.Check && f.Cause == v.Cause }) {
					better = c
					break
				}
			}
		}
	}
}

// send completes and sends a case. If its item has been deleted meanwhile, or
// no longer admits the request, it is sent once more with another.
func (t *Tester) send(ctx context.Context, c *cases.Case) *checks.Exchange {
	x := t.sendOnce(ctx, c, false)
	if x.Status() == 428 && c.Expected != cases.Unauthorized {
		x = cmp.Or(t.sendOnce(ctx, c, true), x)
	}
	if x != nil && x.Exists && strings.Contains(c.Request.Path, "{") && c.Expected != cases.NotAllowed &&
		slices.Contains([]int{404, 409, 410}, x.Status()) {
		t.pool.Forget(c.Operation)
		x = cmp.Or(t.sendOnce(ctx, c, false), x)
	}
	return x
}

// sendOnce completes and sends a case. versioned adds the version of its item even if the case has none.
func (t *Tester) sendOnce(ctx context.Context, c *cases.Case, versioned bool) *checks.Exchange {
	reason := t.Rules.Skipped(c.Operation)
	if reason == "" {
		reason = t.guard.Harm(c)
	}
	var r exchange.Request
	var exists bool
	if reason == "" {
		r, exists, reason = t.complete(ctx, c, versioned)
	}
	if reason != "" {
		t.leaveOut(c, reason)
		return nil
	}
	if !exists && c.Expected == cases.Accepted && c.Phase != "stateful" && c.Phase != itempool.Phase &&
		t.guard.NeedsOwn(c) && safety.ItemVariable(c.Operation) != "" {
		unknown := *c // nobody knows how an operation answers for an item that does not exist
		unknown.Expected, unknown.Varied = cases.Anything, ""
		c = &unknown
	}
	x := &checks.Exchange{Case: c, Exists: exists}
	end := t.guard.Begin(x)
	defer end()
	switch t.deliver(wire.WithTimeout(ctx, t.Rules.Timeout(c.Operation)), x, r) {
	case ended:
		return nil
	case lost:
		t.Collector.Add(x, nil)
		return nil
	}
	if x.Fault != nil && x.Fault.Code == wire.Timeout && isStreaming(c.Operation) {
		if target := t.of[c.Operation]; target != nil {
			target.timeouts.Add(1)
		}
		t.skip(c.Operation, c.Phase, 1, "no whole answer in time, which the document says of it")
		return nil
	}
	x.Denied = t.Checker.Denies(x)
	t.pool.See(x)
	t.guard.NoteChange(x)
	t.Transport.Keyring.Learn(x)
	if c.As == "" { // the refusals of others say nothing of the run's credentials
		noteRefusal(t.of[c.Operation], x)
		began, ended := end()
		t.guard.Watch(ctx, x, began, ended)
	}
	if target := t.of[c.Operation]; target != nil {
		if x.Fault != nil && x.Fault.Code == wire.Timeout {
			target.timeouts.Add(1)
		} else if target.timeouts.Load() < maxTimeouts {
			target.timeouts.Store(0)
		}
	}
	return x
}

// try completes and sends a case without checking the answer.
func (t *Tester) try(ctx context.Context, c *cases.Case) *checks.Exchange {
	x := &checks.Exchange{Case: c}
	bare, _, reason := t.complete(ctx, c, false)
	if reason != "" || t.Transport.send(ctx, x, bare) != answered {
		return nil
	}
	x.Denied = t.Checker.Denies(x)
	t.pool.See(x)
	return x
}

// noteRefusal counts the refusals of an operation since it accepted a request last.
func noteRefusal(target *Target, x *checks.Exchange) {
	switch {
	case target == nil:
	case x.Succeeded():
		target.refused.Store(0)
	case safety.IsRefusal(x.Response) && x.Case.Expected != cases.Unauthorized,
		x.Status() == 404 && x.Exists && x.Case.Expected == cases.Accepted:
		target.refused.Add(1)
	}
}

// leaveOut notes why a case is not sent.
func (t *Tester) leaveOut(c *cases.Case, reason string) {
	if target := t.of[c.Operation]; target != nil && safety.IsSpared(reason) {
		target.spared.Store(true)
	}
	switch target := t.of[c.Operation]; {
	case reason == safety.MayName && target != nil:
		target.unnamed.Store(true) // there are other values; see ReportRefused
	case reason != safety.MayDelete: // there are other methods
		t.skip(c.Operation, c.Phase, 1, reason)
	}
}

// Locate finds out whether there is a backend, and where: a URL without a path is
// tried with the base path of the document's servers as well.
func (t *Tester) Locate(ctx context.Context) error {
	client, root := t.Transport.Client, &exchange.Request{Method: "GET", Path: "/"}
	a := client.Send(ctx, root)
	for t.Transport.warmUp(ctx, &checks.Exchange{Result: a}) {
		a = client.Send(ctx, root)
	}
	switch {
	case a.Response == nil && slices.Contains([]string{wire.Unreachable, wire.Certificate, wire.Garbage}, a.Fault.Code):
		return errors.New(a.Fault.Message)
	case a.Response != nil && a.Response.Status == 400 && wantsTLS(string(a.Response.Body)):
		return errors.New("the backend speaks TLS there, so the URL should begin with https")
	case a.Response != nil:
		t.Transport.probe = root
	}
	t.Transport.prefixes = t.findPrefixes(ctx, client.Prefix)
	client.Prefix = cmp.Or(client.Prefix, t.Transport.prefixes[strings.Join(t.Contract.BasePaths, " ")])
	return nil
}

// findPrefixes returns where the operations of the same servers are found, by these servers' base paths. given is the
// path of the URL: it is the prefix of the operations that have the servers of the document, and if it ends in one of
// their base paths, the others have their own base paths in the place of that.
func (t *Tester) findPrefixes(ctx context.Context, given string) map[string]string {
	prefixes, root := map[string]string{}, given
	for _, base := range t.Contract.BasePaths { // the longest first
		if before, ok := strings.CutSuffix(given, base); ok && base != "" {
			root = before
			break
		}
	}
	main := strings.Join(t.Contract.BasePaths, " ")
	if given != "" {
		prefixes[main] = given
	}
	for _, target := range t.Targets {
		bases := basesOf(target.Operation)
		if _, known := prefixes[bases]; known || target.Method != "GET" || target.Skipped != "" ||
			strings.Contains(target.Path, "{") {
			continue
		}
		if prefix, ok := t.findPrefix(ctx, target, root); ok {
			prefixes[bases] = prefix
		}
	}
	for _, target := range t.Targets {
		if bases := basesOf(target.Operation); bases != main && len(target.BasePaths) > 0 {
			if _, known := prefixes[bases]; !known && (given != root || prefixes[main] != "") {
				prefixes[bases] = root + target.BasePaths[0]
			}
		}
	}
	return prefixes
}

// findPrefix returns the prefix, beginning with root, at which an operation is found; false if it is not found.
func (t *Tester) findPrefix(ctx context.Context, target *Target, root string) (prefix string, found bool) {
	c, err := target.builder.Plain(0, nil)
	if err != nil {
		return "", false
	}
	for _, base := range append([]string{""}, target.BasePaths...) {
		r := *c.Request
		t.Transport.Keyring.Apply(&r, c.Credentials)
		a := t.Transport.Client.Send(wire.WithPrefix(ctx, root+base), &r)
		if a.Response == nil && base == "" || a.Response != nil && a.Response.Status != 404 {
			return root + base, true
		}
	}
	return "", false
}
