package resource

import (
	"github.com/coldframe/coldframe/internal/naming"
)

// isAlias reports whether a path ends in another name of an item of the collection above: /plants/default beside
// /plants/{id}. Its GET answers an item of the same type, which other methods change as well, or which is the newest or
// the oldest. A name of the logged-in user is not one.
func (in *inference) isAlias(n *node) bool {
	c := in.candidates[n.parent]
	get, last := n.method("GET"), naming.Fold(n.last.text)
	isBeside := c != nil && !c.singleton && c.collection == n.parent && c.item != nil
	if !isBeside || get == nil || n.last.variable() || n.last.custom {
		return false
	}
	isOrder := orderWords[last] == "newest" || orderWords[last] == "oldest"
	isUser := meNames.Has(last) || in.logins[get] != nil
	return (isOrder || n.methods("PUT", "PATCH") != "") && !isUser && c.item.method("GET") != nil && get.answersOneOf(c) &&
		similarity(get.answer.of(c.itemIn(get.answer).Value), c.value) == 1
}

// Newest reports whether the other name of an item in the path means the newest one.
func (b *Binding) Newest() bool {
	return b.KeyIn == ByName && orderWords[naming.Fold(b.Variable)] == "newest"
}

var aliasRoles = map[string]Role{"GET": Read, "HEAD": Read, "PUT": Replace, "PATCH": Update, "DELETE": Delete}

// bindAlias binds an operation at another name of an item; it reports whether it is one.
func (f *bindFacts) bindAlias() bool {
	role, isRole := aliasRoles[f.Method]
	if !isRole || f.place != elsewhere || f.candidate == nil || !f.in.isAlias(f.at) {
		return false
	}
	rule := roleRule{elsewhere, "", role, byPlace{name: "another name of an item", weight: 0.7, source: bySchema}, false}
	rule.decide(f, f.at.last.text)
	f.binding.KeyIn, f.binding.Variable = ByName, f.at.last.text
	return true
}
