package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// uniqueFacts are what the rules about unique properties look at: a property of
// an item whose creation documents a conflict.
type uniqueFacts struct {
	*Property
	conflict string   // description of the 409, in lower case
	named    []string // by the operation's own sentences
}

var uniqueRules = rules[*uniqueFacts]{
	{name: "format of an address", weight: 1, source: "JSON Schema Validation section 7.3.2", example: "format: email", sees: func(f *uniqueFacts) string { return when(f.Format == "email", f.Format) }},
	{name: "name of a natural key", weight: 1, source: byName, example: "isbn, sku, slug", sees: func(f *uniqueFacts) string { return when(naming.IsNaturalKey(f.Name), f.Name) }},
	{name: "named by the 409", weight: 1, source: "descriptions", example: "an archive with the given name already exists", sees: func(f *uniqueFacts) string {
		return when(containsAny(f.conflict, conflictWords) && mentions(f.conflict, f.Name), f.conflict)
	}},
	{name: "named by the operation", weight: 1, source: "descriptions", example: "no two plants have the same serial number (409)", sees: func(f *uniqueFacts) string { return when(slices.Contains(f.named, f.Name), f.Name) }},
}

var conflictWords = []string{"already", "duplicate", "exist", "unique", "taken", "in use", "with this", "has this"}

func uniqueProperties(r *Resource) []string {
	var found []string
	for _, b := range r.Bindings {
		conflict := b.Operation.Response(409)
		if b.Role != Create || b.Request == nil || conflict == nil || conflict.Status != "409" {
			continue
		}
		f := uniqueFacts{conflict: strings.ToLower(conflict.Description)}
		f.named = namedUnique(b.Operation.Summary+"\n\n"+b.Operation.Description, r.Properties)
		for i := range r.Properties {
			f.Property = &r.Properties[i]
			if !r.canBeUnique(f.Property) || slices.Contains(found, f.Name) {
				continue
			}
			if rule, saw := uniqueRules.first(&f); rule != nil {
				found = append(found, f.Name)
				r.Evidence = append(r.Evidence, Evidence{"unique", rule.name, rule.weight, f.Name + ": " + saw})
			}
		}
	}
	return found
}

func (r *Resource) canBeUnique(p *Property) bool {
	isKey := r.Key != nil && slices.Equal(r.Key.Property, []string{p.Name})
	isListed := p.Schema != nil && p.Schema.Enum != nil
	return !isKey && !p.ReadOnly && !isListed && (p.Kind == schema.String || p.Kind == schema.Integer)
}

// The words of a sentence that says when a creation is a conflict, that says it
// is one for what is the same, and that says that the same is right.
var (
	ruleWords     = []string{"409", "conflict", "no two", "must be unique"}
	sameWords     = []string{"no two", "the same", "unique", "duplicate", "already exist", "already taken", "already in use"}
	repeatedWords = []string{"not unique", "not be unique", "need not", "non-unique", "may have the same", "can have the same", "may share",
		"the same time ", "the same time,", "the same as "}
)

// namedUnique returns the properties of which an operation's own words say that no two items have the same: a
// sentence that speaks of the conflict, or of two items, and of one property. Several are meant together.
func namedUnique(text string, properties []Property) []string {
	var found []string
	text = strings.NewReplacer(". ", "\n\n", ".\n", "\n\n", "; ", "\n\n").Replace(strings.ToLower(text))
	for sentence := range strings.SplitSeq(text, "\n\n") {
		sentence = strings.Join(strings.Fields(sentence), " ") + " "
		if !containsAny(sentence, ruleWords) || !containsAny(sentence, sameWords) || containsAny(sentence, repeatedWords) {
			continue
		}
		var named []string
		for i := range properties {
			if mentions(sentence, properties[i].Name) {
				named = append(named, properties[i].Name)
			}
		}
		if len(named) == 1 {
			found = append(found, named[0])
		}
	}
	return found
}

func containsAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// mentions reports whether a text has a name, written as in code or in words.
func mentions(text, name string) bool {
	parts := naming.Words(name)
	if text == "" || len(parts) == 0 {
		return false
	}
	said := strings.FieldsFunc(text, func(r rune) bool {
		return !(r == '_' || r >= 'a' && r <= 'z' ||
			r >= '0' && r <= '9')
	})
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
