package resource

import (
	"slices"
	"strings"
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
		for i := range r.Properties {
			p := &r.Properties[i]
			if p.ReadOnly || p.Kind != String && p.Kind != Integer || p.Schema != nil && p.Schema.Enum != nil || slices.Contains(found, p.Name) ||
				r.Key != nil && slices.Equal(r.Key.Property, []string{p.Name}) {
				continue
			}
			name := strings.ToLower(p.Name)
			if p.Format == "email" || slices.Contains(natural, name) || names(said, p.Name) {
				found = append(found, p.Name)
			}
		}
	}
	return found
}

// names reports whether a text has a name, written as in code or in words.
func names(text, name string) bool {
	parts := words(name)
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
