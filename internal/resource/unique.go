package resource

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// uniqueFacts are what the rules about unique properties look at: a property of an item, and the response that a
// creation with a value that is taken would have.
type uniqueFacts struct {
	*Property
	isConflict bool     // the response is a 409, not one for invalid values
	conflict   string   // description of a 409, in lower case
	named      []string // by the sentences of the operation
	code       string   // error code of the response that says that a value of the property is taken
	isOther    bool     // other error codes explain the 409
}

var uniqueRules = rules[*uniqueFacts]{
	{name: "error code", weight: 1, source: "enums of error bodies", example: "email_taken", sees: func(f *uniqueFacts) string { return f.code }},
	{name: "format of an address", weight: 1, source: "JSON Schema Validation section 7.3.2", example: "format: email", sees: func(f *uniqueFacts) string { return when(f.isConflict && !f.isOther && f.Format == "email", f.Format) }},
	{name: "name of a natural key", weight: 1, source: byName, example: "isbn, sku, slug", sees: func(f *uniqueFacts) string {
		return when(f.isConflict && !f.isOther && naming.IsNaturalKey(f.Name), f.Name)
	}},
	{name: "named by the 409", weight: 1, source: "descriptions", example: "an archive with the given name already exists", sees: func(f *uniqueFacts) string {
		return when(containsAny(f.conflict, conflictWords) && mentions(f.conflict, f.Name), f.conflict)
	}},
	{name: "named by the operation", weight: 1, source: "descriptions", example: "no two plants have the same serial number (409)", sees: func(f *uniqueFacts) string { return when(slices.Contains(f.named, f.Name), f.Name) }},
}

var conflictWords = []string{"already", "duplicate", "exist", "unique", "taken", "in use", "with this", "has this"}

// findUnique finds the properties of which no two items have the same value, and notes with each operation that may
// change them which error code says so.
func (in *inference) findUnique(plan *Plan) {
	for _, r := range plan.Resources {
		for _, b := range r.Bindings {
			if b.Role != Create && b.Role != Upsert || b.Request == nil {
				continue
			}
			answer := conflictResponse(b)
			if answer == nil || b.Role == Upsert && answer.Status != strconv.Itoa(conflictStatus) {
				continue
			}
			f := uniqueFacts{isConflict: answer.Status == strconv.Itoa(conflictStatus)}
			if f.isConflict {
				f.conflict = strings.ToLower(answer.Description)
				f.named = namedUnique(b.Operation.Summary+"\n\n"+b.Operation.Description, r.Properties)
			}
			codes := in.takenCodes(plan, r, answer)
			f.isOther = explainedOtherwise(plan, r, answer)
			for i := range r.Properties {
				f.Property = &r.Properties[i]
				f.code = codes[f.Name]
				if !r.canBeUnique(f.Property) || slices.Contains(r.Unique, f.Name) {
					continue
				}
				if b.Role == Upsert && f.code == "" {
					continue
				}
				if rule, saw := uniqueRules.first(&f); rule != nil {
					r.Unique = append(r.Unique, f.Name)
					r.Evidence = append(r.Evidence, Evidence{"unique", rule.name, rule.weight, f.Name + ": " + saw})
				}
			}
		}
		if len(r.Unique) == 0 {
			continue
		}
		for _, b := range r.Bindings {
			in.findTaken(plan, r, b)
		}
	}
}

// conflictResponse returns the response to a value that is taken: 409, else the one to invalid values; nil for none.
func conflictResponse(b *Binding) *spec.Response {
	for _, status := range []int{conflictStatus, 422, 400} {
		if r := b.Operation.Response(status); r != nil && r.Status == strconv.Itoa(status) {
			return r
		}
	}
	return nil
}

// takenCodes returns the error codes of a response that say that a value is taken, by the property of a resource's
// items. A response to invalid values refuses a taken one only if its codes say so of no other type.
func (in *inference) takenCodes(plan *Plan, r *Resource, answer *spec.Response) map[string]string {
	codes := map[string]string{}
	for _, text := range errorCodes(answer) {
		c := readCode(text)
		property := c.uniqueProperty(r)
		if property == "" && NamesCode(answer.Description, text) {
			property = c.property(r, beginsWith) // ADDRESS_SUBSCRIBED
		}
		if property == "" || codes[property] != "" {
			continue
		}
		isOther := func(other *Resource) bool {
			return other != r && other.Has(Create) && c.uniqueProperty(other) != ""
		}
		_, isTyped := c.withoutType(r)
		if answer.Status != strconv.Itoa(conflictStatus) && !isTyped && !NamesCode(answer.Description, text) &&
			slices.ContainsFunc(plan.Resources, isOther) {
			continue
		}
		codes[property] = text
	}
	return codes
}

// explainedOtherwise reports whether the error codes of a 409 explain it by something else than a value that is unique
// by its name or format: the description names one of them, or one is about nothing that the document creates
// elsewhere, as slot_taken.
func explainedOtherwise(plan *Plan, r *Resource, answer *spec.Response) bool {
	for _, text := range errorCodes(answer) {
		if NamesCode(answer.Description, text) {
			return true
		}
		c := readCode(text)
		own, isTyped := c.withoutType(r)
		if c.terms == 0 || len(own) == 0 {
			continue
		}
		isElsewhere := slices.ContainsFunc(plan.Resources, func(other *Resource) bool {
			_, hasType := c.withoutType(other)
			return other != r && (hasType || c.uniqueProperty(other) != "" || c.state(other, false) != "")
		})
		if isTyped || !isElsewhere {
			return true
		}
	}
	return false
}

// findTaken notes whether an operation refuses values of unique properties that are taken.
func (in *inference) findTaken(plan *Plan, r *Resource, b *Binding) {
	switch b.Role {
	case Create, Upsert, Replace, Update:
	default:
		return
	}
	answer := conflictResponse(b)
	if answer == nil {
		return
	}
	codes := in.takenCodes(plan, r, answer)
	isConflict := answer.Status == strconv.Itoa(conflictStatus)
	for _, name := range r.Unique {
		if isConflict || codes[name] != "" {
			if b.Taken == nil {
				b.Taken = map[string]string{}
			}
			b.Taken[name] = codes[name]
		}
	}
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
