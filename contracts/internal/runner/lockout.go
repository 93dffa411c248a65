package runner

import (
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

// errLockedOut ends a run whose credentials are refused from some request on.
var errLockedOut = errors.New("the credentials do not work any more")

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
	probe    *checks.Exchange
	refused  int // in a row
	next     int // refusals at which the probe is sent
	suspects []suspect
	ended    bool
}

// suspect is a request that may have ended the credentials, and when it ended.
type suspect struct {
	*checks.Exchange
	at int
}

// watch notes how a request was answered that began and ended at a time, and finds out whether the credentials of the
// run have ended.
func (t *Tester) watch(ctx context.Context, x *checks.Exchange, began, at int) {
	if !t.Transport.Keyring.IsGiven() {
		return
	}
	isRead := x.Request.Method == "GET" || x.Request.Method == "HEAD"
	ends := t.groups[x.Case.Operation] == destructive && x.Succeeded() && !isRead
	if t.access.note(suspect{x, at}, began, isRead, ends, t.groups[x.Case.Operation] == ordinary) {
		t.tryCredentials(ctx, x, ends)
	}
}

// note notes how a request was answered that began at a time, and reports whether to try the credentials: the
// request may end them, or others were refused that had been accepted.
func (a *loginWatch) note(x suspect, began int, isRead, ends, isOrdinary bool) (tries bool) {
	isGood := len(x.Case.Credentials) > 0 && !slices.ContainsFunc(x.Case.Credentials,
		func(c cases.Credential) bool { return c.Form != cases.Given })
	name := findings.OperationName(x.Case.Operation)
	a.mu.Lock()
	defer a.mu.Unlock()
	if !isRead || !isGood || endsSession(x.Case.Operation) {
		a.suspects = append(a.suspects[max(0, len(a.suspects)-maxSuspected):], x)
	}
	switch {
	case !isGood:
	case x.Succeeded():
		a.refused, a.next, a.accepted[name] = 0, minRefused, true
		a.suspects = slices.DeleteFunc(a.suspects, func(s suspect) bool { return s.at < began })
		if a.probe == nil && isRead && isOrdinary {
			a.probe = x.Exchange
		}
	case (x.Status() == 401 || x.Status() == 403) && a.accepted[name] && x.Case.Expected != cases.Unauthorized:
		a.refused++
	}
	tries = a.probe != nil && !a.ended && (a.refused >= max(a.next, minRefused) || ends)
	if tries && !ends {
		a.next = 2 * a.refused
	}
	return tries
}

// tryCredentials sends a request that was accepted. Where it is refused, the run ends, unless there are new
// credentials; ends says that last is the only request that can have ended them.
func (t *Tester) tryCredentials(ctx context.Context, last *checks.Exchange, ends bool) {
	a := &t.access
	renewals := t.Transport.Keyring.Renewals()
	again := &checks.Exchange{Case: a.probe.Case}
	bare, _, reason := t.complete(ctx, a.probe.Case, false)
	if reason != "" || t.Transport.send(ctx, again, bare) != answered {
		return
	}
	isRefused := again.Status() == 401 || again.Status() == 403
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.ended:
	case isRefused:
		a.ended = true
		t.Transport.Stop(fmt.Errorf("%w: %s, which was accepted before, is answered with %d; %s", errLockedOut,
			findings.OperationName(a.probe.Case.Operation), again.Status(), a.culprit(last, ends)))
	case ends && t.Transport.Keyring.Renewals() != renewals:
		if target := t.of[last.Case.Operation]; target != nil {
			target.ended.Store(true)
			t.skip(last.Case.Operation, last.Case.Phase, 0, "it ended the credentials of the run, which were renewed")
		}
	}
}

// culprit says which request ended the credentials, or which may have.
func (a *loginWatch) culprit(last *checks.Exchange, certain bool) string {
	named := func(x *checks.Exchange) string {
		return fmt.Sprintf("%s (%s)", findings.OperationName(x.Case.Operation), x.Case.Title)
	}
	if certain {
		return "they ended with " + named(last)
	}
	var changes, bad []suspect
	for _, s := range a.suspects {
		switch {
		case s.Case.Expected == cases.Unauthorized:
			bad = append(bad, s)
		case s.Succeeded():
			changes = append(changes, s)
		}
	}
	if len(changes) == 0 && len(bad) == 0 {
		changes = a.suspects // it may have been one that was refused
	}
	ending := slices.IndexFunc(changes, func(s suspect) bool { return groupOf(s.Case.Operation, nil) == destructive })
	switch n := len(changes); {
	case ending >= 0:
		return "they ended with " + named(changes[ending].Exchange)
	case len(bad) > 0:
		return fmt.Sprintf("they ended after requests with bad credentials, the last of which is %s",
			named(bad[len(bad)-1].Exchange))
	case n == 0:
		return "no request of the run is known to have ended them"
	case n == 1:
		return "they ended most likely with " + named(changes[0].Exchange)
	default:
		var all []string
		for _, s := range changes[max(0, n-maxNamed):] {
			all = append(all, named(s.Exchange))
		}
		return fmt.Sprintf("they ended most likely with one of %d requests, the last of which are %s", n,
			strings.Join(all, ", "))
	}
}

// hasEnded reports whether the run was locked out.
func (t *Tester) hasEnded() bool {
	t.access.mu.Lock()
	defer t.access.mu.Unlock()
	return t.access.ended
}

// isRefusal reports whether an answer refuses the credentials.
func isRefusal(r *exchange.Response) bool { return r != nil && (r.Status == 401 || r.Status == 403) }
