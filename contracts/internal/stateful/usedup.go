package stateful

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
)

// usedUp sends the same creation twice, where the document says that what it
// refers to cannot be taken again: a book that is lent.
func (t *tester) usedUp(b *resource.Binding) {
	if !documents(b.Operation, 409) {
		return
	}
	found, _ := t.Pool.References(t.ctx, b.Operation)
	for _, name := range sortedNames(found) {
		if !usesUp(b.Operation.Summary+". "+b.Operation.Description, t.Plan.Referred(name)) {
			continue
		}
		i := t.create(nil, request{title: "create an item that takes what its " + name + " refers to"})
		if i == nil {
			return
		}
		if second := t.afresh(i, "create the same again"); second != nil && second.Succeeded() {
			t.report("duplicate", "body."+name, fmt.Sprintf("the same creation twice is answered %d and %d, though the document has 409 for what its %s refers to being taken again", i.made.Status(), second.Status(), name), i.made, second)
		}
		return
	}
}

// usesUp reports whether a sentence of a text says that it is a conflict to take
// an item of a resource again.
func usesUp(text string, r *resource.Resource) bool {
	if r == nil {
		return false
	}
	name := strings.TrimSuffix(strings.ToLower(r.Name[strings.LastIndexByte(r.Name, '/')+1:]), "s")
	for sentence := range strings.SplitSeq(strings.NewReplacer(".\n", ". ", "\n", " ").Replace(strings.ToLower(text)), ". ") {
		has := func(word string) bool { return strings.Contains(sentence, word) }
		if has(name) && has("409") && slices.ContainsFunc(refusals, has) && slices.ContainsFunc(repeats, has) {
			return true
		}
	}
	return false
}

// refusals and repeats are words of a sentence that says that something cannot be
// done a second time.
var (
	refusals = []string{"cannot", "can not", "can't", "must not", "may not"}
	repeats  = []string{" again", " twice", " a second time"}
)
