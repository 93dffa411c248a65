package stateful

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// defaults finds properties that were left out and that an answer does not show
// with their defaults: those of an item, and of objects in it that were sent.
func (t *tester) defaults(by *resource.Binding, sent, shown any, in *resource.Binding) []difference {
	mine, ok := sent.(map[string]any)
	theirs, also := shown.(map[string]any)
	if !ok || !also || by.Request.Value == nil {
		return nil
	}
	fits := func(name string, value any) bool { return showable(in, theirs, name, value) }
	return t.leftOutOf(by, taken(by.Request.Value, mine), mine, theirs, propertiesOf(in.Response), "", fits, 0)
}

// leftOutOf is defaults for one object, of the properties that its schema has as
// it was sent. fits reports whether the answer may show it with another value.
func (t *tester) leftOutOf(by *resource.Binding, request map[string]*spec.Keywords, mine, theirs map[string]any, response map[string]*spec.Keywords, pointer string, fits func(name string, value any) bool, depth int) []difference {
	if depth > maxNesting {
		return nil
	}
	var all []difference
	for _, name := range slices.Sorted(maps.Keys(request)) {
		k := request[name]
		if k.ReadOnly || k.WriteOnly || depth == 0 && t.madeByServer(name) {
			continue
		}
		at := pointer + "/" + exchange.EscapePointer(name)
		is, has := theirs[name]
		if value, given := mine[name]; given {
			inner, ok := value.(map[string]any)
			shown, also := is.(map[string]any)
			if !ok || !also || response[name] == nil {
				continue
			}
			listed := map[string]*spec.Keywords{}
			collect(response[name], listed, 0, true)
			within := func(below string, value any) bool {
				changed := maps.Clone(shown)
				changed[below] = value
				return fits(name, changed)
			}
			all = append(all, t.leftOutOf(by, taken(k, inner), inner, shown, listed, at, within, depth+1)...)
			continue
		}
		usual := defaultOf(by, k)
		if usual == nil || !fits(name, usual) {
			continue
		}
		switch {
		case has && len(differ(usual, is, k, "")) > 0:
			all = append(all, difference{at, fmt.Sprintf("was left out; its default is %s, and it is %s", text(usual), text(is))})
		case !has && depth == 0 && response[name] != nil && !response[name].WriteOnly: // objects are kept whole by many
			all = append(all, difference{at, fmt.Sprintf("was left out; its default is %s, and it is not shown", text(usual))})
		}
	}
	return all
}

// taken gives the properties of a schema, and those of the one alternative of a
// oneOf that an object was made by: one that was not taken has no defaults.
func taken(k *spec.Keywords, object map[string]any) map[string]*spec.Keywords {
	all := map[string]*spec.Keywords{}
	collect(k, all, 0, false)
	for _, group := range choices(k, 0) {
		var only *spec.Keywords
		for _, alternative := range group {
			if !mayBe(alternative, object) {
				continue
			}
			if only != nil {
				only = nil
				break
			}
			only = alternative
		}
		collect(only, all, 0, false)
	}
	return all
}

// choices gives the oneOfs of a schema, through references and allOf.
func choices(k *spec.Keywords, depth int) [][]*spec.Keywords {
	if k == nil || depth > maxNesting {
		return nil
	}
	all := choices(k.Ref, depth+1)
	if len(k.OneOf) > 0 {
		all = append(all, k.OneOf)
	}
	for _, part := range k.AllOf {
		all = append(all, choices(part, depth+1)...)
	}
	return all
}

// mayBe reports whether an object may be of an alternative: it has what is
// required and not readOnly, and no property that says otherwise.
func mayBe(alternative *spec.Keywords, object map[string]any) bool {
	properties := map[string]*spec.Keywords{}
	collect(alternative, properties, 0, false)
	for _, name := range required(alternative, 0) {
		if k := properties[name]; k != nil && k.ReadOnly {
			continue
		}
		if _, has := object[name]; !has {
			return false
		}
	}
	for name, value := range object {
		k := properties[name]
		if k == nil && resolved(alternative).AdditionalProperties == false || k != nil && !conforms(k, value) {
			return false
		}
	}
	return true
}

func required(k *spec.Keywords, depth int) []string {
	if k == nil || depth > maxNesting {
		return nil
	}
	all := append(required(k.Ref, depth+1), k.Required...)
	for _, part := range k.AllOf {
		all = append(all, required(part, depth+1)...)
	}
	return all
}
