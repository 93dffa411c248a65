package safety

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// Group says when the operations of a phase are tested.
type Group uint8

const (
	Ordinary    Group = iota // several at once
	Bulk                     // alone: it changes what other requests are about
	Destructive              // in the last round, alone: it may end credentials, users or the service
)

// destructiveExtension is a field of an operation or its path item: true says that the operation is destructive,
// false that it is neither that nor a bulk operation.
const destructiveExtension = "x-coldframe-destructive"

// text has the words of operations that are destructive or change much at once, a line for each list.
//
//go:embed words.txt
var text string

// lists returns the lists of words by their names, words and phrases in lower case.
var lists = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(text) {
		if name, words, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.HasPrefix(line, "#") {
			all[name] = append(all[name], strings.Split(words, ", ")...)
		}
	}
	return all
})

// says reports whether words of an operation are in a list: one of them, or several that follow each other.
func says(list string, words []string) bool {
	all := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(lists()[list], func(phrase string) bool { return strings.Contains(all, " "+phrase+" ") })
}

// groupOf says when an operation is tested. b is its part in a resource, act what it does with the access of users.
func groupOf(o *spec.Operation, b *resource.Binding, act resource.Act) Group {
	words, last := WordsOf(o)
	changes := slices.Contains([]string{"PUT", "PATCH", "DELETE"}, o.Method)
	described := strings.ToLower(strings.Join(append(o.Tags, o.Summary, o.Description), "\n"))
	switch isDeclared, is := declaresDestructive(o); {
	case isDeclared && is, !isDeclared && (act == resource.LogOut || says("session", words)): // by GET too
		return Destructive
	case isDeclared, itempool.IsSafe(o.Method):
		return Ordinary
	case act == resource.NewPassword, says("ending", words),
		says("access", []string{last}) && (changes || act == resource.NoAct && len(o.Security) > 0 &&
			!naming.IsPlural(last) && (b == nil || b.Role != resource.Create)),
		slices.ContainsFunc(lists()["described"], func(phrase string) bool { return strings.Contains(described, phrase) }):
		return Destructive
	case changes && ItemVariable(o) == "", says("shared", words),
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

// ItemVariable returns the last variable of an operation's path, which names what it is about; "" for none.
func ItemVariable(o *spec.Operation) string {
	open := strings.LastIndexByte(o.Path, '{')
	if open < 0 {
		return ""
	}
	name, _, _ := strings.Cut(o.Path[open+1:], "}")
	return name
}
