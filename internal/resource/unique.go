package resource

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// uniqueFacts are what the rules about unique properties look at: a property of an item, and the response that a
// creation with a value that is taken would have.
type uniqueFacts struct {
	*Property
	isRefused bool   // a 409 refuses a creation that sends the property, and no error code has another reason for it
	code      string // error code of the response that says that a value of the property is taken
	lookup    string // operation that finds an item by the property
	isNaming  bool   // the only property that names an item, which creations require
	hasOther  bool   // another property is unique
}

var uniqueRules = rules[*uniqueFacts]{
	{name: "error code", weight: 1, source: "enums of error bodies", example: "email_taken", sees: func(f *uniqueFacts) string { return f.code }},
	{name: "finds an item", weight: 1, source: byPath, example: "GET /plants/by-label/{label}", sees: func(f *uniqueFacts) string { return when(f.isRefused, f.lookup) }},
	{name: "format of an address", weight: 1, source: "JSON Schema Validation section 7.3.2", example: "format: email", sees: func(f *uniqueFacts) string { return when(f.isRefused && f.Format == "email", f.Format) }},
	{name: "name of a unique key", weight: 1, source: byName, example: "isbn, sku, slug", sees: func(f *uniqueFacts) string {
		return when(f.isRefused && uniqueNames.Has(naming.Fold(f.Name)), f.Name)
	}},
	{name: "required name", weight: 0.6, source: byName, example: "reference, plantNumber, else name, title", sees: func(f *uniqueFacts) string {
		return when(f.isRefused && f.isNaming && !f.hasOther, f.Name)
	}},
}

// uniqueNames are names of properties that no two items have the same value of.
var uniqueNames = words.RoleOf("unique-name")

// itemNames are names of properties by which people identify items.
var itemNames = words.RoleOf("item-name")

// findUnique finds the properties of which no two items have the same value, and notes with each operation that may
// change them which error code says so.
func (in *inference) findUnique(plan *Plan) {
	for _, r := range plan.Resources {
		for _, o := range in.about[r] {
			in.findUniqueOf(plan, r, o)
		}
		if len(r.Unique) == 0 {
			continue
		}
		for _, b := range r.Bindings {
			in.findTaken(plan, r, b)
		}
	}
}

// findUniqueOf finds the unique properties by one operation that creates items.
func (in *inference) findUniqueOf(plan *Plan, r *Resource, o *operation) {
	b := o.binding
	if b.Role != Create && b.Role != Upsert || b.Request == nil {
		return
	}
	answer := conflictResponse(b)
	if answer == nil || b.Role == Upsert && answer.Status != strconv.Itoa(conflictStatus) {
		return
	}
	sent := o.request.of(b.Request.Value).flat()
	isConflict := b.Role == Create && answer.Status == strconv.Itoa(conflictStatus) && !explainedOtherwise(plan, r, answer)
	codes, name := in.takenCodes(plan, r, answer), ""
	if b.Headers.IdempotencyKey == "" && (r.Key == nil || r.Key.ChosenBy == Server) { // else the conflict concerns the key
		name = r.requiredName(sent)
	}
	for i := range uniqueRules {
		for p := range r.Properties {
			f := uniqueFacts{Property: &r.Properties[p], hasOther: len(r.Unique) > 0}
			if !r.canBeUnique(f.Property) || slices.Contains(r.Unique, f.Name) {
				continue
			}
			f.isRefused = isConflict && sent.member(f.Name).ok()
			f.code, f.lookup, f.isNaming = codes[f.Name], r.lookupBy(f.Name), f.Name == name
			if saw := uniqueRules[i].sees(&f); saw != "" {
				r.Unique = append(r.Unique, f.Name)
				if uniqueRules[i].weight < 1 {
					r.MaybeUnique = f.Name
				}
				r.Evidence = append(r.Evidence, Evidence{"unique", uniqueRules[i].name, uniqueRules[i].weight, f.Name + ": " + saw})
			}
		}
	}
}

// lookupBy returns the operation that finds an item by a property besides its key; "" if none.
func (r *Resource) lookupBy(name string) string {
	for _, b := range r.Bindings {
		if slices.Equal(b.Lookup, []string{name}) {
			return b.Operation.Method + " " + b.Operation.Path
		}
	}
	return ""
}

// requiredName returns the only property by whose natural key people name an item, else by its name, of those that a
// creation requires; "" if none or several.
func (r *Resource) requiredName(sent view) string {
	if !sent.ok() {
		return ""
	}
	required := schema.Required(sent.k)
	own := naming.SingularName(lastName(r))
	only := func(names func(string) bool) (found string) {
		for i := range r.Properties {
			p := &r.Properties[i]
			folded := naming.Fold(p.Name)
			if !r.canBeUnique(p) || !required[p.Name] || !names(folded) && !names(strings.TrimPrefix(folded, own)) {
				continue
			}
			if found != "" {
				return ""
			}
			found = p.Name
		}
		return found
	}
	return cmp.Or(only(naturalNames.Has), only(itemNames.Has))
}

// conflictResponse returns the response to a value that is taken: 409, else the one to invalid values; nil if none.
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
// by its name or format: the description names one of them, or one concerns nothing that the document creates
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
