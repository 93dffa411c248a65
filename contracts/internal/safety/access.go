package safety

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Why a run ends whose credentials, or all of whose requests, are refused from some request on.
var (
	errLockedOut   = errors.New("the credentials do not work any more")
	errUnavailable = errors.New("the backend is not available any more")
)

const (
	// minRefused is after how many refusals in a row, of operations that were accepted before, the credentials are
	// tried with a request that was accepted. It doubles each time that they still work.
	minRefused = 3
	// maxSuspected bounds the requests that are remembered as those that may have ended the credentials.
	maxSuspected = 64
	// maxNamed is how many of them a message names.
	maxNamed = 8
)

// logins watches whether the credentials of the run still work.
type logins struct {
	mu       sync.Mutex
	clock    int                 // counts what was begun and ended
	sets     map[string]*watched // by the names of the schemes
	suspects []suspect
	underway map[*checks.Exchange]bool // requests whose answer is not noted yet
	ended    map[*spec.Operation]bool  // operations that ended credentials, which were renewed
	locked   bool                      // the run ended because no credential works any more
	over     bool                      // what follows only undoes what the run did
}

// watched is the credentials of one alternative of security requirements.
type watched struct {
	accepted map[string]bool // operations that were, with these credentials
	read     refusals        // of all requests; a success of any ends the row
	change   refusals        // of those that change something, of which a success does
	refused  int             // times with 401, in all
	ended    bool
}

// setOf names the credentials that a request carries; "" if they are not the unchanged ones of the run.
func setOf(all []cases.Credential) string {
	var names []string
	for _, c := range all {
		if c.Form != cases.Given {
			return ""
		}
		names = append(names, c.Scheme.Key)
	}
	return strings.Join(names, " and ")
}

func (a *logins) of(set string) *watched {
	if a.sets == nil {
		a.sets = map[string]*watched{}
	}
	w := a.sets[set]
	if w == nil {
		w = &watched{accepted: map[string]bool{}}
		w.read.refused, w.change.refused = map[string]bool{}, map[string]bool{}
		a.sets[set] = w
	}
	return w
}

// refusals are consecutive refusals of operations that were accepted before.
type refusals struct {
	probe   *checks.Exchange // that was accepted, and shows whether the credentials are at fault
	count   int
	next    int             // of them, at which the probe is sent
	refused map[string]bool // operations
	began   int             // the last request that was accepted
}

// accept notes a request that was accepted and began at a time. It is the probe if that may be sent again.
func (r *refusals) accept(x *checks.Exchange, began int, mayProbe bool) {
	r.count, r.next, r.began, r.refused = 0, minRefused, max(r.began, began), map[string]bool{}
	if r.probe == nil && mayProbe {
		r.probe = x.Kept()
	}
}

// refuse notes a refusal, and reports whether to send the probe: of least operations, many were refused.
func (r *refusals) refuse(name string, least int) bool {
	r.count++
	r.refused[name] = true
	if r.probe == nil || r.count < max(r.next, minRefused) || len(r.refused) < least {
		return false
	}
	r.next = 2 * r.count
	return true
}

// suspect is a request that may have ended the credentials, and when it ended.
type suspect struct {
	*checks.Exchange
	at int
}

// Begin notes that a request is on its way until the function that it returns is called, which returns the times of
// its beginning and its end.
func (g *Guard) Begin(x *checks.Exchange) (end func() (began, ended int)) {
	a := &g.access
	tick := func() int {
		a.clock++
		return a.clock
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.underway == nil {
		a.underway = map[*checks.Exchange]bool{}
	}
	a.underway[x] = true
	began := tick()
	return func() (int, int) {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.underway, x)
		return began, tick()
	}
}

// Watch notes how a request was answered that began and ended at a time, and finds out whether credentials of the run
// have ended, or may change nothing any more.
func (g *Guard) Watch(ctx context.Context, x *checks.Exchange, began, ended int) {
	if !g.Keyring.IsGiven() {
		return
	}
	isSafe, group := itempool.IsSafe(x.Request.Method), g.groups[x.Case.Operation]
	ends := group == Destructive && x.Succeeded() && !isSafe
	w, probes := g.note(suspect{x, ended}, began, group == Ordinary, ends)
	for _, probe := range probes {
		if g.tryCredentials(ctx, w, probe, x, ends) {
			return
		}
	}
}

// note notes how a request was answered that began at a time, and returns the probes to send: the request may end the
// credentials, or others were refused that had been accepted.
func (g *Guard) note(x suspect, began int, isOrdinary, ends bool) (w *watched, probes []*checks.Exchange) {
	a, o := &g.access, x.Case.Operation
	isRead, set, name := itempool.IsSafe(x.Request.Method), setOf(x.Case.Credentials), findings.OperationName(o)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !isRead || set == "" || g.endsSession(o) {
		a.suspects = append(a.suspects[max(0, len(a.suspects)-maxSuspected):], x)
	}
	w = a.of(set)
	triesRead, triesChange := ends, ends && x.Request.Method != "DELETE"
	switch {
	case set == "":
	case x.Succeeded():
		w.accepted[name] = true
		w.read.accept(x.Exchange, began, isRead && isOrdinary)
		if !isRead {
			w.change.accept(x.Exchange, began, isOrdinary && x.Case.Phase == findings.PlainPhase)
		}
		a.suspects = slices.DeleteFunc(a.suspects, func(s suspect) bool { return s.at < w.change.began })
	case x.Case.Expected == cases.Unauthorized:
	case IsRefusal(x.Response) && w.accepted[name]:
		triesRead = w.read.refuse(name, 1)
		// one operation that is refused may have a quota
		triesChange = !isRead && w.change.refuse(name, 2)
	}
	if set != "" && x.Status() == 401 && x.Case.Expected != cases.Unauthorized {
		w.refused++
		triesRead = triesRead || w.refused&(w.refused-1) == 0 // for the first, the second, the fourth, …
	}
	if w.ended || a.over {
		return w, nil
	}
	if triesRead && w.read.probe != nil {
		probes = append(probes, w.read.probe)
	}
	if triesChange && w.change.probe != nil {
		probes = append(probes, w.change.probe)
	}
	return w, probes
}

// tryCredentials sends a request that was accepted with some credentials. If it is refused, and no new ones are to be
// had, they are not used any more; the run ends if it has no others. ends says that last is the only request that can
// have ended them. It reports whether they have ended.
func (g *Guard) tryCredentials(ctx context.Context, w *watched, probe, last *checks.Exchange, ends bool) bool {
	a := &g.access
	renewals := g.Keyring.Renewals()
	again := g.Try(ctx, probe.Case)
	if again == nil {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case w.ended:
	case IsRefusal(again.Response):
		w.ended = true
		cause := errLockedOut
		if again.Status() == 503 {
			cause = errUnavailable
		}
		err := fmt.Errorf("%w: %s, which was accepted before, is answered with %d; %s", cause,
			findings.OperationName(probe.Case.Operation), again.Status(), g.culprit(w, last, ends, probe == w.change.probe))
		if again.Status() != 503 && a.hasOthers() {
			g.Note(last.Case.Operation, last.Case.Phase, err.Error()+". The credentials of "+setOf(probe.Case.Credentials)+
				" were not used any more")
			break
		}
		a.locked = true
		g.Stop(err)
	case ends && g.Keyring.Renewals() != renewals:
		if a.ended == nil {
			a.ended = map[*spec.Operation]bool{}
		}
		a.ended[last.Case.Operation] = true
		g.Note(last.Case.Operation, last.Case.Phase, "that ended the credentials of the run, which were renewed")
	}
	return w.ended
}

// hasOthers reports whether there are credentials that still work. The lock must be held.
func (a *logins) hasOthers() bool {
	for _, w := range a.sets {
		if !w.ended && len(w.accepted) > 0 {
			return true
		}
	}
	return false
}

// HaveEnded reports whether credentials have ended that a request carries.
func (g *Guard) HaveEnded(all []cases.Credential) bool {
	set := setOf(all)
	g.access.mu.Lock()
	defer g.access.mu.Unlock()
	w := g.access.sets[set]
	return set != "" && w != nil && w.ended
}

// EndedAccess reports whether a request of an operation has ended credentials, which were renewed.
func (g *Guard) EndedAccess(o *spec.Operation) bool {
	g.access.mu.Lock()
	defer g.access.mu.Unlock()
	return g.access.ended[o]
}

// culprit says which request ended credentials, or which may have. forChanges says that only changes are refused.
func (g *Guard) culprit(w *watched, last *checks.Exchange, certain, forChanges bool) string {
	a := &g.access
	named := func(x *checks.Exchange) string {
		return fmt.Sprintf("%s (%s)", findings.OperationName(x.Case.Operation), x.Case.Title)
	}
	if certain {
		return "that began with " + named(last)
	}
	var changes, bad []suspect
	for _, s := range a.suspects {
		switch {
		case s.at < w.read.began && !forChanges:
		case s.Case.Expected == cases.Unauthorized:
			bad = append(bad, s)
		case s.Succeeded():
			changes = append(changes, s)
		}
	}
	for x := range a.underway { // it may have been answered before those that were refused
		if x != last && !itempool.IsSafe(x.Case.Operation.Method) && x.Case.Expected != cases.Unauthorized {
			changes = append(changes, suspect{x, 0})
		}
	}
	if len(changes) == 0 && len(bad) == 0 {
		changes = slices.Clone(a.suspects) // it may have been one that was refused
	}
	ending := slices.IndexFunc(changes, func(s suspect) bool { return g.groups[s.Case.Operation] == Destructive })
	switch n := len(changes); {
	case ending >= 0:
		return "that began with " + named(changes[ending].Exchange)
	case len(bad) > 0:
		return fmt.Sprintf("that began after requests with bad credentials, the last of which is %s",
			named(bad[len(bad)-1].Exchange))
	case n == 0:
		return "no request of the run is known to have done that"
	case n == 1:
		return "that began most likely with " + named(changes[0].Exchange)
	default:
		slices.Reverse(changes) // those that set what access depends on first, then the newest
		slices.SortStableFunc(changes, func(x, y suspect) int {
			return cmp.Compare(setsAccess(y.Case), setsAccess(x.Case))
		})
		var all []string
		for _, s := range changes {
			if name := named(s.Exchange); !slices.Contains(all, name) && len(all) < maxNamed {
				all = append(all, name)
			}
		}
		return fmt.Sprintf("that began most likely with one of %d requests, such as %s", n, strings.Join(all, ", "))
	}
}

// setsAccess returns 1 for a body that may set what access depends on, else 0.
func setsAccess(c *cases.Case) int {
	if changesAccess(c.Value) {
		return 1
	}
	return 0
}

// Finish ends the watch: what follows only undoes what the run did.
func (g *Guard) Finish() {
	g.access.mu.Lock()
	defer g.access.mu.Unlock()
	g.access.over = true
}

// LockedOut reports whether the run was locked out.
func (g *Guard) LockedOut() bool {
	g.access.mu.Lock()
	defer g.access.mu.Unlock()
	return g.access.locked
}

// IsRefusal reports whether an answer refuses the credentials, or everything.
func IsRefusal(r *exchange.Response) bool {
	return r != nil && (r.Status == 401 || r.Status == 403 || r.Status == 503)
}
