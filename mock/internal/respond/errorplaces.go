package respond

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
)

// hasPlace reports whether a finding concerns a part of the request that has a name.
func hasPlace(f exchange.Finding) bool {
	return f.In != "" && f.In != exchange.InRequest && (f.Name != "" || f.Pointer != "")
}

// fieldName names the part of the request that a finding concerns as validators of frameworks do, without the part of
// the request and the wrapper of the item before it: name, address.city, items.0.sku. It is "" for a whole body or
// request.
func (e *errorBody) fieldName(f exchange.Finding) string {
	tokens := exchange.SplitPointer(f.Pointer)
	if wrapper := e.wrapper(); f.In == exchange.InBody && len(tokens) > len(wrapper) &&
		slices.Equal(tokens[:len(wrapper)], wrapper) {
		tokens = tokens[len(wrapper):]
	}
	if f.Name != "" {
		tokens = append([]string{f.Name}, tokens...)
	}
	return strings.Join(tokens, ".")
}

// wrapper is the way to the item in the body of the request: pupil of {pupil: {name}}; nil if the body is the item.
func (e *errorBody) wrapper() []string {
	if e.request == nil || e.request.Operation == nil || e.request.Operation.About == nil ||
		e.request.Operation.About.Request == nil {
		return nil
	}
	return e.request.Operation.About.Request.Path
}

// placeText names the part of the request in the terms of a member: "pointer" takes a JSON Pointer into the body
// (JSON:API 1.1 error objects), as a URI fragment in problem details (RFC 9457 section 3), "parameter" the name of a
// parameter, "location" both with the part of the request before them, others the name alone. It is "" if the member
// cannot name the part.
func (e *errorBody) placeText(object map[string]any, role string, f exchange.Finding) string {
	_, pointed := object["pointer"]
	switch {
	case !hasPlace(f):
	case role == "pointer" && f.In != exchange.InBody, role == "parameter" && f.In == exchange.InBody && pointed:
	case role == "pointer" && e.isProblem:
		return "#" + f.Pointer
	case role == "pointer":
		return f.Pointer
	case role == "location":
		return f.Where()
	default:
		return e.fieldName(f)
	}
	return ""
}

// setPlace puts the part of the request that is at fault into a text. A made-up place is left out.
func (e *errorBody) setPlace(p errorPart, object map[string]any, name string, why explanation) {
	role, set := placeRole(name), member(object, name)
	if role == "path" && e.isRequestPath(p, object) {
		if e.request != nil && e.try(object[name], set, e.request.Path) {
			e.carry(p.child(name))
			return
		}
	} else if why.isPlaced() {
		f := why.findings[0]
		if text := e.placeText(object, role, f); text != "" && e.try(object[name], set, text) {
			e.carry(p.child(name))
			return
		}
		if slices.Contains(listedTexts(p.shape.Property(name)), f.In) && e.try(object[name], set, f.In) {
			e.carry(p.child(name)) // {"location": "query", "name": …}
			return
		}
	}
	if len(listedTexts(p.shape.Property(name))) > 0 {
		return
	}
	before := object[name]
	delete(object, name)
	if !e.conforms() {
		object[name] = before
		e.try(before, set, "")
	}
}

// isRequestPath reports whether a member named path is the path of the request and not a part of its body: it stands
// beside the status or the time, as in the errors of Spring.
func (e *errorBody) isRequestPath(p errorPart, object map[string]any) bool {
	if p.inList {
		return false
	}
	for name, value := range object {
		_, isNumber := value.(json.Number)
		if isNumber && hasRole(name, "status") || isTime(p.shape.Property(name)) {
			return true
		}
	}
	return false
}

func isTime(s *schema.Shape) bool { return s.Bounds().Format == "date-time" }

// setPlaceList fills a list of texts and numbers that names parts of the request: the steps to the first one, as
// "loc" and "path" of validators do, or, if its name is a plural, the names of all.
func (e *errorBody) setPlaceList(p errorPart, why explanation) bool {
	role, f := placeRole(p.name), why.findings[0]
	var names, steps []any
	for _, f := range why.findings {
		if name := e.fieldName(f); name != "" {
			names = append(names, name)
		}
	}
	if role != "location" && role != "path" {
		return len(names) > 0 && e.try(p.value, p.set, names)
	}
	if role == "location" {
		steps = append(steps, f.In)
	}
	if f.Name != "" {
		steps = append(steps, f.Name)
	}
	asTexts := slices.Clone(steps)
	for token := range exchange.Tokens(f.Pointer) {
		asTexts = append(asTexts, token)
		if index, err := strconv.Atoi(token); err == nil && strconv.Itoa(index) == token {
			steps = append(steps, json.Number(token))
		} else {
			steps = append(steps, token)
		}
	}
	return e.try(p.value, p.set, steps) || e.try(p.value, p.set, asTexts)
}

// isPlaceList reports whether a list may name parts of the request: its elements are texts and numbers.
func isPlaceList(p errorPart) bool {
	if placeRole(p.name) == "" {
		return false
	}
	types := p.shape.Items().Types()
	return types&(schema.Object|schema.Array) == 0 || types == schema.AnyType
}

// fillMap fills a map from names of parts of the request to what is wrong with them, as {"name": ["…"]} of Laravel and
// ASP.NET. Findings without names stand under "error" in a map of texts. It returns false if the map takes none.
func (e *errorBody) fillMap(p errorPart, object map[string]any, why explanation) bool {
	made := map[string]any{}
	template, _ := firstMember(object)
	byName := map[string][]exchange.Finding{}
	var names []string
	for _, f := range why.findings[:min(len(why.findings), maxErrors)] {
		name := e.fieldName(f)
		if name == "" || !why.isPlaced() {
			continue
		}
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], f)
	}
	if len(names) == 0 && mapsTexts(p.shape) {
		names, byName["error"] = []string{"error"}, []exchange.Finding{{Message: why.reason}}
	}
	if len(names) == 0 || !e.try(object, p.set, made) {
		return false
	}
	for _, name := range names {
		example := template
		if listed, ok := object[name]; ok {
			example = listed
		}
		e.setEntry(p, made, name, example, byName[name])
	}
	if len(made) == 0 {
		p.set(object)
		return false
	}
	return true
}

func firstMember(object map[string]any) (any, bool) {
	first, found := "", false
	for name := range object {
		if !found || name < first {
			first, found = name, true
		}
	}
	return object[first], found
}

// setEntry adds what is wrong with one part of the request to a map, in the form of another entry.
func (e *errorBody) setEntry(p errorPart, made map[string]any, name string, template any, findings []exchange.Finding) {
	texts, messages := make([]any, len(findings)), make([]string, len(findings))
	for i, f := range findings {
		texts[i], messages[i] = f.Message, f.Message
	}
	whole := explanation{reason: strings.Join(messages, "; "), findings: findings}
	set := func(v any) {
		if delete(made, name); v != nil {
			made[name] = v
		}
	}
	entry := p.child(name)
	entry.set, entry.shape, entry.inList = set, p.shape.Property(name), true
	if list, ok := template.([]any); ok && len(list) > 0 {
		if _, isText := list[0].(string); !isText {
			if e.try(nil, set, []any{clone(list[0])}) {
				entry.value = made[name]
				e.fillList(entry, made[name].([]any), whole)
			}
			return
		}
	}
	if object, ok := template.(map[string]any); ok {
		if entry.value = clone(object); e.try(nil, set, entry.value) {
			e.fill(entry, whole)
		}
		return
	}
	if e.try(nil, set, texts) || e.try(nil, set, whole.reason) {
		e.carryAll(entry)
	}
}
