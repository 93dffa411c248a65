package impact

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Kind is a kind of variation: what a server may do at any time without leaving the document.
type Kind struct {
	Name    string
	Meaning string
	// possible reports whether the document allows the variation of a property; nil for what is not about properties.
	possible func(p *place) bool
	// varies reports whether a value differs from what the variation makes of it.
	varies func(value any) bool
	// apply changes the value of a property of an object.
	apply func(p *place, object map[string]any)
	title string // %s is the place
}

// The names of kinds that are not about properties.
const (
	emptyKind    = "empty"
	lastPageKind = "last-page"
	absentKind   = "absent"
	errorKind    = "error"
)

// kinds is the table, in the order in which variations run.
var kinds = []*Kind{
	{Name: absentKind, Meaning: "an optional property or header field is absent", title: "%s is absent",
		possible: func(p *place) bool { return !p.member.Required },
		varies:   func(any) bool { return true },
		apply:    func(p *place, object map[string]any) { delete(object, p.member.Name) }},
	{Name: "null", Meaning: "a property that may be null is null", title: "%s is null",
		possible: func(p *place) bool {
			s := p.member.Shape()
			return s.Types().Has(schema.Null) && s.Types() != schema.AnyType
		},
		varies: func(value any) bool { return value != nil },
		apply:  func(p *place, object map[string]any) { object[p.member.Name] = nil }},
	{Name: emptyKind, Meaning: "a list is empty; the list of a collection, until the suite changes the collection",
		title: "%s is empty",
		possible: func(p *place) bool {
			s := p.member.Shape()
			return s.Types().Has(schema.Array) && s.Bounds().MinItems == 0
		},
		varies: func(value any) bool { list, ok := value.([]any); return ok && len(list) > 0 },
		apply:  func(p *place, object map[string]any) { object[p.member.Name] = []any{} }},
	{Name: lastPageKind, Meaning: "no page follows, until the suite changes the collection"},
	{Name: "enum", Meaning: "an open enum has a value that the document does not list",
		title:    "%s has a value that its open enum does not list",
		possible: func(p *place) bool { return unlisted(p) != "" },
		varies:   func(value any) bool { _, ok := value.(string); return ok },
		apply:    func(p *place, object map[string]any) { object[p.member.Name] = unlisted(p) }},
	{Name: errorKind, Meaning: "an operation answers with a documented error that the suite has not seen"},
}

// Kinds returns the table of kinds.
func Kinds() []*Kind { return kinds }

func kindOf(name string) *Kind {
	return kinds[slices.IndexFunc(kinds, func(k *Kind) bool { return k.Name == name })]
}

// unlisted returns a string that an open enum does not list and its schema allows; "" if the enum is closed or missing.
func unlisted(p *place) string {
	var listed []any
	for k := range schema.Possible(p.member.Schema) {
		if k.Enum != nil {
			listed = append(listed, k.Enum.Values...)
		} else if k.Const != nil {
			listed = append(listed, *k.Const)
		}
	}
	if n := p.schema.Resolve(p.schema.Node(p.member.Schema)); n.Get("x-extensible-enum") != nil {
		for _, item := range n.Get("x-extensible-enum").List() {
			listed = append(listed, item.Str())
		}
	}
	for _, value := range listed {
		text, ok := value.(string)
		if !ok || text == "" {
			continue
		}
		other := text + "_other"
		if text == strings.ToUpper(text) {
			other = strings.ToUpper(other)
		}
		if !slices.Contains(listed, any(other)) && spec.Conforms(p.member.Schema, other) {
			return other
		}
	}
	return ""
}
