package runner

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
	"github.com/coldframe/coldframe/internal/exchange"
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

// loginWatch watches whether the credentials of the run still work.
type loginWatch struct {
	mu       sync.Mutex
	accepted map[string]bool // operations that were, with credentials
	read     refusals        // of all requests; a success of any ends the row
	change   refusals        // of those that change something, of which a success does
	suspects []suspect
	underway map[*checks.Exchange]bool // requests whose answer is not noted yet
	ended    bool
	over     bool // what follows only undoes what the run did

	following sync.Mutex // a password that the run has set
	followed  bool
}

// refusals are consecutive refusals of operations that were accepted before.
type refusals struct {
	probe   *checks.Exchange // that was accepted, and tells whether the credentials are at fault
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

// begin notes that a request is on its way until the function that it returns is called.
func (a *loginWatch) begin(x *checks.Exchange) (end func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.underway[x] = true
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.underway, x)
	}
}

// watch notes how a request was answered that began and ended at a time, and finds out whether the credentials of the
// run have ended, or may change nothing any more.
func (t *Tester) watch(ctx context.Context, x *checks.Exchange, began, at int) {
	noteRefusal(t.of[x.Case.Operation], x)
	if !t.Transport.Keyring.IsGiven() {
		return
	}
	isOrdinary := t.groups[x.Case.Operation] == ordinary
	ends := t.groups[x.Case.Operation] == destructive && x.Succeeded() && !isSafe(x.Request.Method)
	for _, probe := range t.access.note(suspect{x, at}, began, isOrdinary, ends) {
		if t.tryCredentials(ctx, probe, x, ends) {
			return
		}
	}
}

// noteRefusal counts the refusals of an operation since it accepted a request last.
func noteRefusal(target *Target, x *checks.Exchange) {
	switch {
	case target == nil:
	case x.Succeeded():
		target.refused.Store(0)
	case isRefusal(x.Response) && x.Case.Expected != cases.Unauthorized,
		x.Status() == 404 && x.Exists && x.Case.Expected == cases.Accepted:
		target.refused.Add(1)
	}
}

// note notes how a request was answered that began at a time, and returns the probes to send: the request may end the
// credentials, or others were refused that had been accepted.
func (a *loginWatch) note(x suspect, began int, isOrdinary, ends bool) (probes []*checks.Exchange) {
	isRead, isGood := isSafe(x.Request.Method), hasGood(x.Case.Credentials)
	name := findings.OperationName(x.Case.Operation)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !isRead || !isGood || endsSession(x.Case.Operation) {
		a.suspects = append(a.suspects[max(0, len(a.suspects)-maxSuspected):], x)
	}
	triesRead, triesChange := ends, ends && x.Request.Method != "DELETE"
	switch {
	case !isGood:
	case x.Succeeded():
		a.accepted[name] = true
		a.read.accept(x.Exchange, began, isRead && isOrdinary)
		if !isRead {
			a.change.accept(x.Exchange, began, isOrdinary && mayRepeatChange(x.Exchange))
		}
		a.suspects = slices.DeleteFunc(a.suspects, func(s suspect) bool { return s.at < a.change.began })
	case isRefusal(x.Response) && a.accepted[name] && x.Case.Expected != cases.Unauthorized:
		triesRead = a.read.refuse(name, 1)
		// one operation that is refused may have a quota
		triesChange = !isRead && a.change.refuse(name, 2)
	}
	if a.ended || a.over {
		return nil
	}
	if triesRead && a.read.probe != nil {
		probes = append(probes, a.read.probe)
	}
	if triesChange && a.change.probe != nil {
		probes = append(probes, a.change.probe)
	}
	return probes
}

// mayRepeatChange reports whether a change is a plain one, which leaves the credentials as they are.
func mayRepeatChange(x *checks.Exchange) bool {
	return x.Case.Phase == findings.PlainPhase && len(setPasswords(x)) == 0
}

// hasGood reports whether credentials are the unchanged ones of the run.
func hasGood(all []cases.Credential) bool {
	return len(all) > 0 && !slices.ContainsFunc(all, func(c cases.Credential) bool { return c.Form != cases.Given })
}

// tryCredentials sends a request that was accepted. If it is refused, the run ends, unless there are new
// credentials; ends says that last is the only request that can have ended them. It reports whether the run ends.
func (t *Tester) tryCredentials(ctx context.Context, probe, last *checks.Exchange, ends bool) bool {
	a := &t.access
	renewals := t.Transport.Keyring.Renewals()
	again := &checks.Exchange{Case: probe.Case}
	bare, _, reason := t.complete(ctx, probe.Case, false)
	if reason != "" || t.Transport.send(ctx, again, bare) != answered {
		return false
	}
	t.pool.See(again)
	if isRefusal(again.Response) && again.Status() != 503 && !t.hasEnded() && followPassword(ctx, t, probe) {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.ended:
	case isRefusal(again.Response):
		a.ended = true
		cause := errLockedOut
		if again.Status() == 503 {
			cause = errUnavailable
		}
		t.Transport.Stop(fmt.Errorf("%w: %s, which was accepted before, is answered with %d; %s", cause,
			findings.OperationName(probe.Case.Operation), again.Status(), a.culprit(last, ends, probe == a.change.probe)))
	case ends && t.Transport.Keyring.Renewals() != renewals:
		if target := t.of[last.Case.Operation]; target != nil {
			target.ended.Store(true)
			t.skip(last.Case.Operation, last.Case.Phase, 0, "that began the credentials of the run, which were renewed")
		}
	}
	return a.ended
}

// culprit says which request ended the credentials, or which may have. For changes says that only these are refused.
func (a *loginWatch) culprit(last *checks.Exchange, certain, forChanges bool) string {
	named := func(x *checks.Exchange) string {
		return fmt.Sprintf("%s (%s)", findings.OperationName(x.Case.Operation), x.Case.Title)
	}
	if certain {
		return "that began with " + named(last)
	}
	var changes, bad []suspect
	for _, s := range a.suspects {
		switch {
		case s.at < a.read.began && !forChanges:
		case s.Case.Expected == cases.Unauthorized:
			bad = append(bad, s)
		case s.Succeeded():
			changes = append(changes, s)
		}
	}
	for x := range a.underway { // it may have been answered before those that were refused
		if x != last && !isSafe(x.Case.Operation.Method) && x.Case.Expected != cases.Unauthorized {
			changes = append(changes, suspect{x, 0})
		}
	}
	if len(changes) == 0 && len(bad) == 0 {
		changes = slices.Clone(a.suspects) // it may have been one that was refused
	}
	ending := slices.IndexFunc(changes, func(s suspect) bool { return groupOf(s.Case.Operation, nil) == destructive })
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
		slices.Reverse(changes) // those that set a password first, then the newest
		slices.SortStableFunc(changes, func(x, y suspect) int {
			return cmp.Compare(len(setPasswords(y.Exchange)), len(setPasswords(x.Exchange)))
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

// finish ends the watch.
func (a *loginWatch) finish() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
}

// hasEnded reports whether the run was locked out.
func (t *Tester) hasEnded() bool {
	t.access.mu.Lock()
	defer t.access.mu.Unlock()
	return t.access.ended
}

// isRefusal reports whether an answer refuses the credentials, or everything.
func isRefusal(r *exchange.Response) bool {
	return r != nil && (r.Status == 401 || r.Status == 403 || r.Status == 503)
}
