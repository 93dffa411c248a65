package runner

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
)

// maxPlain is how many plain requests are tried before an operation counts as one
// that refuses them.
const maxPlain = 3

// Introduce sends each operation a plain request, so that later refusals can be
// told from those of an operation that refuses everything. Where other credentials
// than those of the first requests turn out to be accepted, operations that had no
// items for want of them are tried again.
func (t *Tester) Introduce(ctx context.Context) {
	t.beginPhase(findings.PlainPhase, "one plain request of each operation")
	if t.plainRequests(ctx) {
		t.pool.Retry()
		t.plainRequests(ctx)
	}
}

// plainRequests sends plain requests to each operation that has accepted none. It
// reports whether other credentials were found for one.
func (t *Tester) plainRequests(ctx context.Context) bool {
	var found atomic.Bool
	t.parallel(ctx, func(target *Target) {
		if !target.Accepted && target.Skipped == "" && t.introduce(ctx, target) {
			found.Store(true)
		}
	})
	return found.Load()
}

func (t *Tester) introduce(ctx context.Context, target *Target) (otherCredentials bool) {
	found, unknown := t.pool.References(ctx, target.Operation)
	target.references = t.Setup.properties(target.Operation, found)
	isGiven := func(name string) bool { return target.references[name] != nil }
	target.unknown = strings.Join(slices.DeleteFunc(unknown, isGiven), ", ")
	for n := range maxPlain {
		x, err := t.plain(ctx, target, n)
		switch {
		case err != nil:
			target.Skipped = err.Error()
			return otherCredentials
		case x == nil:
			return otherCredentials
		case x.Succeeded():
			target.Accepted = true
			if len(found) > 0 && target.Method == "POST" { // does it use up what its body refers to?
				if again, _ := t.plain(ctx, target, maxPlain); again.Status() == 409 {
					t.pool.Consume(target.Operation)
				}
			}
			return otherCredentials
		case x.Status() == 401 && !otherCredentials:
			otherCredentials = t.findCredentials(ctx, target)
		case x.Status() == 409 && len(found) > 0:
			t.pool.Consume(target.Operation)
			found, _ = t.pool.References(ctx, target.Operation)
			target.references = t.Setup.properties(target.Operation, found)
		}
	}
	return otherCredentials
}

// plain sends a plain request; nil where nothing could be sent.
func (t *Tester) plain(ctx context.Context, target *Target, n int) (*checks.Exchange, error) {
	c, err := target.builder.Plain(n, target.references)
	if err != nil {
		return nil, err
	}
	c.Phase = findings.PlainPhase
	target.markUncertain(c)
	return t.exchange(ctx, c, target.Accepted), nil
}

// findCredentials looks for the alternative of an operation's security that is
// accepted where the preferred one is refused: each alone, then all at once.
func (t *Tester) findCredentials(ctx context.Context, target *Target) bool {
	first := target.builder.Preferred()
	var others []int
	for i, alternative := range target.Security {
		if i != first && t.Transport.Keyring.HasAll(alternative) {
			others = append(others, i)
		}
	}
	if len(others) == 0 {
		return false
	}
	for _, i := range append(others, cases.All) {
		target.builder.Prefer(i)
		if x, _ := t.plain(ctx, target, maxPlain); x != nil && x.Status() != 401 {
			return true
		}
	}
	target.builder.Prefer(first)
	return false
}
