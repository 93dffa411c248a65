package runner

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/naming"
)

// maxPasswords is how many passwords are tried that requests of the run have set, so that no account is locked.
const maxPasswords = 4

// newPassword is a password that a request may have set for the caller.
type newPassword struct {
	*checks.Exchange
	text string
}

// followPassword continues the run with a password that one of its requests has set, if a request that was accepted
// before is accepted with it, and restores the account's first password if it can. It reports whether the run
// goes on.
func followPassword(ctx context.Context, t *Tester, probe *checks.Exchange) bool {
	a, keyring := &t.access, t.Transport.Keyring
	a.following.Lock()
	defer a.following.Unlock()
	if a.followed && isAccepted(ctx, t, probe) {
		return true // another worker has done so
	}
	for _, p := range a.passwords() {
		before, ok := keyring.ChangePassword(ctx, p.text)
		if !ok {
			continue
		}
		if !isAccepted(ctx, t, probe) {
			keyring.ChangePassword(ctx, before)
			continue
		}
		reason := "that changed the password of the run, which goes on with the new one"
		if before != "" && restorePassword(ctx, t, p, before, probe) {
			reason = "that changed the password of the run, which has changed it back"
		}
		a.followed = true
		if target := t.of[p.Case.Operation]; target != nil {
			target.ended.Store(true)
			t.skip(p.Case.Operation, p.Case.Phase, 0, reason)
		}
		return true
	}
	return false
}

// restorePassword returns the account its password back by the request that has changed it.
func restorePassword(ctx context.Context, t *Tester, p newPassword, before string, probe *checks.Exchange) bool {
	c, r := *p.Case, *p.Case.Request
	r.Body = bytes.ReplaceAll(r.Body, jsontext.AppendString(nil, p.text), jsontext.AppendString(nil, before))
	c.Request, c.Title = &r, "change the password back"
	x := &checks.Exchange{Case: &c}
	bare, _, reason := t.complete(ctx, &c, false)
	if reason != "" || t.Transport.send(ctx, x, bare) != answered || !x.Succeeded() {
		return false
	}
	t.Transport.Keyring.ChangePassword(ctx, before)
	if isAccepted(ctx, t, probe) {
		return true
	}
	t.Transport.Keyring.ChangePassword(ctx, p.text)
	return false
}

// isAccepted reports whether the credentials of the run are good for a request that was accepted before.
func isAccepted(ctx context.Context, t *Tester, probe *checks.Exchange) bool {
	again := &checks.Exchange{Case: probe.Case}
	bare, _, reason := t.complete(ctx, probe.Case, false)
	return reason == "" && t.Transport.send(ctx, again, bare) == answered && !isRefusal(again.Response)
}

// passwords returns those that requests may have set: of requests on their way, and of those that were accepted, the
// last first.
func (a *loginWatch) passwords() (all []newPassword) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for x := range a.underway {
		all = append(all, setPasswords(x)...)
	}
	for _, s := range slices.Backward(a.suspects) {
		if s.Succeeded() {
			all = append(all, setPasswords(s.Exchange)...)
		}
	}
	return all[:min(len(all), maxPasswords)]
}

// setPasswords returns the passwords that a request may set for the caller.
func setPasswords(x *checks.Exchange) (all []newPassword) {
	body, _ := x.Case.Value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if text, isText := body[name].(string); isText && isNewPassword(name) && hasGood(x.Case.Credentials) {
			all = append(all, newPassword{x, text})
		}
	}
	return all
}

// isNewPassword reports whether a property of a request sets a password, by its name.
func isNewPassword(name string) bool {
	isOther := func(word string) bool {
		return slices.Contains([]string{"old", "current", "previous", "confirm", "confirmation", "repeat"}, word)
	}
	folded := naming.Fold(name)
	return (strings.Contains(folded, "password") || strings.Contains(folded, "passphrase")) &&
		!slices.ContainsFunc(naming.Words(name), isOther)
}
