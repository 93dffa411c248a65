package safety

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/words"
)

// Group says when the operations of a phase are tested.
type Group uint8

const (
	Ordinary    Group = iota // several at once
	Bulk                     // alone: it changes what other requests concern
	Destructive              // in the last round, alone: it may end credentials, users or the service
)

// destructiveExtension is a field of an operation or its path item: true says that the operation is destructive,
// false that it is neither that nor a bulk operation.
const destructiveExtension = "x-coldframe-destructive"

// says reports whether words of an operation have a role: one of them, or two that follow each other.
func says(role string, parts []string) bool {
	of := words.RoleOf(role)
	for i := range parts {
		if of.Has(parts[i]) || i > 0 && of.Has(parts[i-1]+parts[i]) {
			return true
		}
	}
	return false
}

// groupOf says when an operation is tested. b is its part in a resource, act what it does with the access of users.
func groupOf(o *spec.Operation, b *resource.Binding, act resource.Act) Group {
	parts, last := WordsOf(o)
	changes := slices.Contains([]string{"PUT", "PATCH", "DELETE"}, o.Method)
	switch isDeclared, is := declaresDestructive(o); {
	case isDeclared && is, !isDeclared && (act == resource.LogOut || says("harm-session", parts)): // by GET too
		return Destructive
	case isDeclared, itempool.IsSafe(o.Method):
		return Ordinary
	case act == resource.NewPassword, says("harm-ending", parts),
		says("harm-access", []string{last}) && (changes || act == resource.NoAct && len(o.Security) > 0 &&
			!naming.IsPlural(last) && (b == nil || b.Role != resource.Create)),
		doubt.In(doubt.Ends, nil, append(slices.Clip(o.Tags), o.Summary, o.Description)...) != "":
		return Destructive
	case changes && ItemVariable(o) == "", says("harm-shared", parts),
		b != nil && (b.Role == resource.DeleteMany || b.Keys != nil):
		return Bulk
	}
	return Ordinary
}

// actOf returns what an operation does with the access of users.
func actOf(plan *resource.Plan, o *spec.Operation) resource.Act {
	if l := plan.Login(o); l != nil {
		return l.Act
	}
	return resource.NoAct
}

// declaresDestructive reports whether the document says whether an operation is destructive, and what it says.
func declaresDestructive(o *spec.Operation) (isDeclared, is bool) {
	for _, n := range []*tree.Node{o.Extension(destructiveExtension), o.PathExtension(destructiveExtension)} {
		if n != nil && n.Kind == tree.Bool {
			return true, n.True()
		}
	}
	return false, false
}

// WordsOf returns the words of an operation's path and operationId, and the last literal segment, folded.
func WordsOf(o *spec.Operation) (words []string, last string) {
	for segment := range strings.SplitSeq(o.Path, "/") {
		if segment != "" && !strings.Contains(segment, "{") {
			words, last = append(words, naming.Words(segment)...), naming.Fold(segment)
		}
	}
	if !strings.Contains(o.ID, "/") {
		words = append(append(words, "."), naming.Words(o.ID)...)
	}
	return words, last
}

// ItemVariable returns the last variable of an operation's path, which names what it concerns; "" if none.
func ItemVariable(o *spec.Operation) string {
	open := strings.LastIndexByte(o.Path, '{')
	if open < 0 {
		return ""
	}
	name, _, _ := strings.Cut(o.Path[open+1:], "}")
	return name
}
