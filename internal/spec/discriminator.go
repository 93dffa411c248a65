package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/tree"
)

// maxDiscriminated bounds the alternatives that a discriminator tells apart: each lists the values of all others.
const maxDiscriminated = 500

// discriminate tells the alternatives of a oneOf apart by the value of the discriminator, where schemas alone may not:
// an object with the value of one alternative is none of the others (OpenAPI 3.0 section 4.7.25: a hint). Other values
// decide nothing.
func (t *translator) discriminate(n *tree.Node, out map[string]any) {
	branches, _ := out["oneOf"].([]any)
	alternatives := n.Get("oneOf").List()
	property := n.Get("discriminator").Get("propertyName").Str()
	if property == "" || len(alternatives) < 2 {
		return
	}
	if len(alternatives) > maxDiscriminated || len(n.Get("discriminator").Get("mapping").Fields()) > 4*maxDiscriminated {
		t.warn(n.Get("discriminator"), "schema-too-large", "a discriminator tells at most "+
			strconv.Itoa(maxDiscriminated)+" alternatives apart; it is ignored")
		return
	}
	if len(branches) != len(alternatives) { // none can be met
		return
	}
	values := make([][]string, len(branches))
	for i, branch := range alternatives {
		if t.lists(branch, property) {
			return // as the discriminator would
		}
		values[i] = discriminatorValues(n, branch.Get("$ref").Str())
	}
	var all []any
	seen := map[string]bool{}
	for _, value := range slices.Concat(values...) {
		if !seen[value] {
			all = append(all, value)
		}
		seen[value] = true
	}
	for i, branch := range branches {
		others := slices.DeleteFunc(slices.Clone(all), func(v any) bool { return slices.Contains(values[i], v.(string)) })
		if schema, ok := branch.(map[string]any); ok && schema["not"] == nil && len(values[i]) > 0 && len(others) > 0 {
			schema["not"] = map[string]any{"required": []any{property},
				"properties": map[string]any{property: map[string]any{"enum": others}}}
		}
	}
}

// lists reports whether a schema says itself which values of a property it takes.
func (t *translator) lists(n *tree.Node, property string) bool {
	for part := range t.composed(n) {
		for p := range t.composed(part.Get("properties").Get(property)) {
			if p.Get("const") != nil || p.Get("enum") != nil {
				return true
			}
		}
	}
	return false
}

// discriminatorValues gives the values of the discriminator beside a oneOf or anyOf that stand for the schema that ref
// leads to: its keys in the mapping, else its own name; nil where there is no reference (OpenAPI 3.1 section 4.8.25).
func discriminatorValues(n *tree.Node, ref string) []string {
	if ref == "" {
		return nil
	}
	own := lastSegment(ref)
	var values []string
	for _, m := range n.Get("discriminator").Get("mapping").Fields() {
		if target := m.Value.Str(); target == ref || lastSegment(target) == own {
			values = append(values, m.Name)
		}
	}
	if values == nil {
		values = []string{own}
	}
	return values
}

func lastSegment(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
