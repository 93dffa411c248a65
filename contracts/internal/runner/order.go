package runner

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// group says when the operations of a phase are tested.
type group uint8

const (
	ordinary    group = iota // several at once
	bulk                     // alone: it changes what other requests are about
	destructive              // in the last round, alone: it may end credentials, users or the service
)

// destructiveExtension is a field of an operation or its path item: true says that the operation is destructive,
// false that it is neither that nor a bulk operation.
const destructiveExtension = "x-coldframe-destructive"

// The words by which an operation is known to be destructive, in lower case.
var (
	// endings of sessions, in the path or the operationId: another token can be fetched.
	sessionVerbs = naming.LazySet("logout signout logoff signoff")
	sessionPairs = []string{"log out", "sign out", "log off", "sign off", "end session", "end sessions"}
	// endings of credentials and of the service.
	endingVerbs = naming.LazySet(`revoke rotate regenerate deactivate shutdown restart reboot terminate invalidate suspend`)
	endingPairs = []string{"shut down", "change password", "reset password", "password change", "password reset",
		"set password", "update password", "roll key", "roll secret", "drop role"}
	// accessNouns are what credentials are made of: a change of it is destructive if it stands at the end of the path.
	accessNouns = naming.LazySet(`me self account accounts user users token tokens session sessions credential credentials password
passwords passphrase apikey apikeys secret secrets role roles permission permissions grant grants`)
	// endingPhrases say in a summary, a description or a tag that the operation ends the caller's credentials.
	endingPhrases = []string{"logs out", "log out", "logout", "signs out", "sign out", "ends the session",
		"ends all sessions", "revokes", "invalidates the token", "invalidates all", "rotates the", "shuts down",
		"current password", "access any more", "access anymore", "loses access", "lose access", "no longer valid",
		"no longer accepted", "not taken any more", "not accepted any more", "are not taken", "becomes invalid",
		"become invalid", "is revoked", "are revoked", "second factor", "two-factor", "maintenance mode", "all other requests"}
	// questions are words of POSTs that ask something about an item.
	questions = naming.LazySet(`search query find filter lookup preview calculate estimate simulate count check validate render
export download suggest autocomplete explain compare`)
	// sharedWork are words of actions on many items at once.
	sharedWork = naming.LazySet(`bulk batch clear purge truncate flush reset import restore wipe`)
)

// groupOf says when an operation is tested. b is its part in a resource; nil if it has none.
func groupOf(o *spec.Operation, b *resource.Binding) group {
	words, last := wordsOf(o)
	pairs := " " + strings.Join(words, " ") + " "
	changes := slices.Contains([]string{"PUT", "PATCH", "DELETE"}, o.Method)
	switch isDeclared, is := declaresDestructive(o); {
	case isDeclared && is, endsSession(o):
		return destructive
	case isDeclared, isSafe(o.Method):
		return ordinary
	case slices.ContainsFunc(words, endingVerbs.Has), containsPair(pairs, endingPairs), changes && accessNouns.Has(last),
		slices.ContainsFunc(endingPhrases, func(phrase string) bool {
			return strings.Contains(strings.ToLower(strings.Join(append(o.Tags, o.Summary, o.Description), "\n")), phrase)
		}):
		return destructive
	case changes && itemVariable(o) == "", slices.ContainsFunc(words, sharedWork.Has),
		b != nil && (b.Role == resource.DeleteMany || b.Keys != nil):
		return bulk
	}
	return ordinary
}

// isSafe reports whether a method changes nothing (RFC 9110 section 9.2.1).
func isSafe(method string) bool { return method == "GET" || method == "HEAD" || method == "OPTIONS" }

// declaresDestructive reports whether the document says whether an operation is destructive, and what it says.
func declaresDestructive(o *spec.Operation) (isDeclared, is bool) {
	for _, n := range []*tree.Node{o.Extension(destructiveExtension), o.PathExtension(destructiveExtension)} {
		if n != nil && n.Kind == tree.Bool {
			return true, n.True()
		}
	}
	return false, false
}

// endsSession reports whether an operation ends the caller's session and nothing else, by its path or operationId.
func endsSession(o *spec.Operation) bool {
	words, _ := wordsOf(o)
	return slices.ContainsFunc(words, sessionVerbs.Has) ||
		containsPair(" "+strings.Join(words, " ")+" ", sessionPairs)
}

func containsPair(words string, pairs []string) bool {
	return slices.ContainsFunc(pairs, func(pair string) bool { return strings.Contains(words, " "+pair+" ") })
}

// wordsOf returns the words of an operation's path and operationId, and the last literal segment, folded.
func wordsOf(o *spec.Operation) (words []string, last string) {
	for segment := range strings.SplitSeq(o.Path, "/") {
		if segment != "" && !strings.Contains(segment, "{") {
			words, last = append(words, naming.Words(segment)...), naming.Fold(segment)
		}
	}
	if !strings.Contains(o.ID, "/") {
		words = append(append(words, ""), naming.Words(o.ID)...)
	}
	return words, last
}

// itemVariable returns the last variable of an operation's path, which names what it is about; "" for none.
func itemVariable(o *spec.Operation) string {
	open := strings.LastIndexByte(o.Path, '{')
	if open < 0 {
		return ""
	}
	name, _, _ := strings.Cut(o.Path[open+1:], "}")
	return name
}

// isNow reports whether an operation is tested in the current round: the destructive ones in the last.
func (t *Tester) isNow(target *Target) bool { return (target.group == destructive) == t.last }

// batches returns the targets of the current round: those that are tested at once, and then each that is alone.
func (t *Tester) batches() [][]*Target {
	var all [][]*Target
	var together []*Target
	for _, target := range t.Targets {
		switch {
		case !t.isNow(target):
		case target.group == ordinary:
			together = append(together, target)
		default:
			all = append(all, []*Target{target})
		}
	}
	return append([][]*Target{together}, all...)
}
