package respond

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
)

// elementForm is what the texts of an element of a list of errors say: the names of its members, "" if none.
type elementForm struct {
	part   string // the part of the request, listed by an enum: body, query
	field  string // the name of the property or parameter
	reason string // what is wrong with it
}

// formOf reads the form of an element by its structure: an enum of the parts of requests, and two other texts. One of
// them has a name that takes a reason or a place, which decides the other; or the one is called name.
func formOf(s *schema.Shape, object map[string]any) elementForm {
	var form elementForm
	var others []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !isText(object, name) {
			continue
		}
		property := s.Property(name)
		switch listed := listedTexts(property); {
		case slices.Contains(listed, exchange.InQuery) || slices.Contains(listed, exchange.InBody):
			form.part = name
		case len(listed) > 0 || isCode(name) || property.Bounds().Format != "":
		case placeRole(name) != "":
			form.field = name
		case isReason(name):
			form.reason = name
		case hasRole(name, "element"):
			others = append([]string{name}, others...)
		case mayBeReason(name):
			others = append(others, name)
		}
	}
	switch hasName := len(others) > 0 && hasRole(others[0], "element"); {
	case form.field != "" && form.reason != "":
	case form.field != "" && len(others) == 1:
		form.reason = others[0]
	case form.reason != "" && (hasName || len(others) == 1 && len(object) == 2):
		form.field = others[0]
	case form.field == "" && form.reason == "" && hasName && len(others) == 2:
		form.field, form.reason = others[0], others[1]
	}
	return form
}

// describesFinding reports whether an element of a list says what is wrong with which part of the request.
func (f elementForm) describesFinding() bool { return f.field != "" && f.reason != "" }

// listsFindings reports whether the elements of a list are objects that describe findings, whatever the list is called.
func listsFindings(p errorPart) bool {
	list, _ := p.value.([]any)
	if len(list) == 0 {
		return false
	}
	object, ok := list[0].(map[string]any)
	return ok && formOf(p.shape.Item(0), object).describesFinding()
}

// fillElement fills the texts of an element of a list of errors whose roles only their structure shows.
func (e *errorBody) fillElement(p errorPart, object map[string]any, why explanation) {
	if !p.inList || !why.isPlaced() {
		return
	}
	form, f := formOf(p.shape, object), why.findings[0]
	set := func(name, text string) {
		part := p.child(name)
		if name != "" && text != "" && e.try(part.value, part.set, text) {
			e.carry(part)
		}
	}
	if form.part != "" {
		set(form.part, f.In)
	}
	if form.describesFinding() {
		if placeRole(form.field) == "" {
			set(form.field, e.fieldName(f))
		}
		if !isReason(form.reason) {
			set(form.reason, f.Message)
		}
	}
}

// namedReason returns a finding as a line that begins with the name of what is at fault, as the messages of validators
// do.
func (e *errorBody) namedReason(f exchange.Finding) string {
	if name := e.fieldName(f); name != "" && hasPlace(f) {
		return name + ": " + strings.TrimPrefix(f.Message, name+": ")
	}
	return f.String()
}
