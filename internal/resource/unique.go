package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// natural are names of properties that no two items have alike.
var natural = []string{"email", "isbn", "issn", "ean", "sku", "slug", "username", "login", "handle", "code", "vin", "iban"}

// taken are words with which a document says that there is an item already.
var taken = []string{"already", "duplicate", "exist", "unique", "taken", "in use"}

// uniqueOf finds the properties, besides the key, of which no two items have the
// same value: where a creation can meet a conflict, those that go by the name of a
// natural key, and those that the conflict names.
func uniqueOf(r *Resource) []string {
	var found []string
	for _, b := range r.Bindings {
		conflict := b.Operation.Response(409)
		if b.Role != Create || b.Request == nil || conflict == nil || conflict.Status != "409" {
			continue
		}
		said := strings.ToLower(conflict.Description)
		if !slices.ContainsFunc(taken, func(word string) bool { return strings.Contains(said, word) }) {
			said = ""
		}
		ruled := ruledBy(b.Operation.Summary+"\n\n"+b.Operation.Description, r.Properties)
		for i := range r.Properties {
			p := &r.Properties[i]
			if p.ReadOnly || p.Kind != String && p.Kind != Integer || p.Schema != nil && p.Schema.Enum != nil || slices.Contains(found, p.Name) ||
				r.Key != nil && slices.Equal(r.Key.Property, []string{p.Name}) {
				continue
			}
			name := strings.ToLower(p.Name)
			if p.Format == "email" || slices.Contains(natural, name) || names(said, p.Name) || slices.Contains(ruled, p.Name) {
				found = append(found, p.Name)
			}
		}
	}
	return found
}

// ruledBy gives the properties of which an operation's own words say that no two
// items have the same: a sentence that speaks of the conflict, or of two items,
// and of one property. Several are meant together.
func ruledBy(text string, properties []Property) []string {
	var found []string
	text = strings.NewReplacer(". ", "\n\n", ".\n", "\n\n", "; ", "\n\n").Replace(strings.ToLower(text))
	for sentence := range strings.SplitSeq(text, "\n\n") {
		has := func(word string) bool { return strings.Contains(sentence, word) }
		sentence = strings.Join(strings.Fields(sentence), " ")
		if !slices.ContainsFunc(rulers, has) || !slices.ContainsFunc(likeness, has) || slices.ContainsFunc(doubled, has) {
			continue
		}
		var named []string
		for i := range properties {
			if names(sentence, properties[i].Name) {
				named = append(named, properties[i].Name)
			}
		}
		if len(named) == 1 {
			found = append(found, named[0])
		}
	}
	return found
}

// rulers are words of a sentence that says when a creation is a conflict,
// likeness those that say it is one for what is the same, and doubled those that say that
// the same is right.
var (
	rulers   = []string{"409", "conflict", "no two", "must be unique"}
	likeness = []string{"no two", "the same", "unique", "duplicate", "already exist", "already taken", "already in use"}
	doubled  = []string{"not unique", "not be unique", "need not", "non-unique", "may have the same", "can have the same", "may share", "the same time", "the same as"}
)

// names reports whether a text has a name, written as in code or in words.
func names(text, name string) bool {
	parts := naming.Words(name)
	if text == "" || len(parts) == 0 {
		return false
	}
	said := strings.FieldsFunc(text, func(r rune) bool { return !(r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9') })
	if slices.Contains(said, strings.ToLower(name)) {
		return true
	}
	for i := range said {
		if i+len(parts) <= len(said) && slices.Equal(said[i:i+len(parts)], parts) {
			return true
		}
	}
	return false
}
