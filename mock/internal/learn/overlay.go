package learn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/validate"
)

// action is an action of an overlay (OpenAPI Overlay 1.0): it merges an update into what target selects, or removes
// that.
type action struct{ target, change string }

// newAction returns an action on the object at a JSON Pointer into the document; without an update it removes the
// object.
func newAction(pointer []string, update map[string]any) *action {
	var target strings.Builder
	target.WriteByte('$')
	for i, name := range pointer {
		if i > 0 && slices.Contains(lists, pointer[i-1]) && strings.Trim(name, "0123456789") == "" {
			target.WriteString("[" + name + "]")
			continue
		}
		target.WriteString("['" + jsonPathEscaper.Replace(name) + "']")
	}
	if update == nil {
		return &action{target.String(), "remove: true"}
	}
	return &action{target.String(), "update: " + string(jsontext.Marshal(update))}
}

// lists are the fields of documents with lists on the way to a schema.
var lists = []string{"parameters", "allOf", "anyOf", "oneOf", "prefixItems"}

// jsonPathEscaper escapes a name in single quotes (RFC 9535 section 2.3.1.1).
var jsonPathEscaper = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

// findings counts where the upstream leaves the document.
func (c *comparison) findings() {
	type object = map[string]any
	counted := map[place]bool{}
	for _, f := range c.Findings {
		at := c.at(ofDocument, strings.TrimSpace(general(f.Pointer)+" "+f.Code))
		if counted[at] {
			continue
		}
		counted[at] = true
		var fix *action
		path := exchange.SplitPointer(f.Document.Pointer)
		switch {
		case f.Document.File != c.Operation.Place.File || len(path) == 0: // overlays are for one file
		case f.Code == validate.CodeUndocumentedStatus:
			status := strconv.Itoa(c.Upstream.Status)
			fix = newAction(append(path, "responses"), object{status: object{"description": "seen from the upstream"}})
		case f.Code == "additional-properties":
			value, ok := valueAt(c.Upstream.Body, f.Pointer)
			tokens := exchange.SplitPointer(f.Pointer)
			if types := typeText(typesOf([]any{value})); ok && types != "null" {
				property := object{tokens[len(tokens)-1]: object{"type": types}}
				fix = newAction(path[:len(path)-1], object{"properties": property})
			}
		case f.Code == "type" && c.Upstream.Media != nil:
			value, ok := valueAt(c.Upstream.Body, f.Pointer)
			if k := schema.At(c.Upstream.Media.Schema.Keywords, exchange.SplitPointer(f.Pointer)); ok && k != nil {
				fix = c.allowing(path[:len(path)-1], schema.Types(k), typeText(typesOf([]any{value})))
			}
		default:
			continue
		}
		c.note(at, f.Message, "").action = fix
	}
}

// allowing returns the action that allows another type; nil if the version of the document has no form for it.
func (c *comparison) allowing(path []string, types []string, other string) *action {
	switch {
	case !c.learner.isOld:
		list := make([]any, 0, len(types)+1)
		for _, name := range append(slices.Clone(types), other) {
			list = append(list, name)
		}
		return newAction(path, map[string]any{"type": list})
	case other == "null":
		return newAction(path, map[string]any{"nullable": true})
	}
	return nil
}

// general returns a pointer with "*" for the elements of lists.
func general(pointer string) string {
	tokens := exchange.SplitPointer(pointer)
	var b strings.Builder
	for _, token := range tokens {
		if strings.Trim(token, "0123456789") == "" {
			token = "*"
		}
		exchange.WriteToken(&b, token)
	}
	return b.String()
}

func valueAt(body any, pointer string) (any, bool) {
	for place, value := range jsonvalue.Walk(body) {
		if slices.Equal(place, exchange.SplitPointer(pointer)) {
			return value, true
		}
	}
	return nil, false
}
