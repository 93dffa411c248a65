package spec

import (
	"maps"
	"reflect"
	"slices"

	"github.com/coldframe/coldframe/internal/tree"
)

// Two versions of a document may write one schema with and without allOf, or distribute its properties otherwise. In a
// Bundle the parts of an allOf are merged into the schema around it, as far as the result means exactly the same.

// merged is what merging added to a schema.
type merged struct {
	properties map[string]*tree.Node // the nodes that have them, by name
	resources  []*resource           // that became part of it
}

// partsOf returns the parts of an allOf; a reference beside other keywords is one.
func partsOf(schema map[string]any) []any {
	parts, _ := schema["allOf"].([]any)
	link, ok := schema[linkKeyword]
	if !ok {
		return parts
	}
	delete(schema, linkKeyword)
	parts = slices.Concat([]any{map[string]any{linkKeyword: link}}, parts)
	schema["allOf"] = parts
	return parts
}

// annotationsBeside are keywords with which a reference is still only a reference. It is not merged, because then a
// schema would be repeated wherever it is used.
var annotationsBeside = []string{"allOf", "default", "deprecated", "discriminator", "readOnly", "writeOnly"}

// maxMerged limits the schemas that are merged within each other: with each level a few lines can double the text.
const maxMerged = 6

// merged merges parts into a schema. A part that cannot be merged stays in its allOf, and so does a schema that is
// being written.
func (b *bundler) merged(schema map[string]any, parts []any) (m merged) {
	isAnnotated := !slices.ContainsFunc(slices.Collect(maps.Keys(schema)),
		func(name string) bool { return !slices.Contains(annotationsBeside, name) })
	if len(parts) == 0 || len(parts) == 1 && isAnnotated || closes(schema) {
		return m
	}
	m.properties = map[string]*tree.Node{}
	var rest []any
	for _, value := range parts {
		part, n := b.annotated(value)
		var to *resource
		for range maxRefChain {
			link, ok := part[linkKeyword].(*resource)
			if !ok || len(part) > 1 || b.expanded[link] || link.foreign != "" || len(b.expanded) > maxMerged {
				break
			}
			to = link
			part, n = b.annotated(b.translated(to))
		}
		if part == nil || part[linkKeyword] != nil {
			rest = append(rest, value)
			continue
		}
		if to != nil {
			b.expanded[to] = true
		}
		inner := b.merged(part, partsOf(part))
		if joined, ok := join(schema, part); ok {
			for name := range joined {
				schema[name] = joined[name]
			}
			properties, _ := part["properties"].(map[string]any)
			for name := range properties {
				if m.properties[name] = n.Get("properties"); inner.properties[name] != nil {
					m.properties[name] = inner.properties[name]
				}
			}
			m.resources = append(m.resources, inner.resources...)
			if to != nil {
				m.resources = append(m.resources, to)
			}
			continue
		}
		rest = append(rest, value)
		for _, r := range append(inner.resources, to) {
			delete(b.expanded, r)
		}
	}
	if schema["allOf"] = rest; rest == nil {
		delete(schema, "allOf")
	}
	return m
}

// apart are the keywords whose meaning depends on other keywords of the same schema.
var apart = []string{"additionalProperties", "patternProperties", "unevaluatedProperties", "unevaluatedItems",
	"prefixItems", "if", "then", "else", "contains", "minContains", "maxContains"}

// closes reports whether a schema has a keyword that would mean something else with the keywords of another.
func closes(schema map[string]any) bool {
	return slices.ContainsFunc(apart, func(name string) bool { return schema[name] != nil && schema[name] != true })
}

// join returns what a part changes in a schema. ok is false if the two cannot be one schema.
func join(schema, part map[string]any) (changed map[string]any, ok bool) {
	if closes(part) {
		return nil, false
	}
	changed = map[string]any{}
	for name, value := range part {
		own, has := schema[name]
		switch {
		case name == "discriminator" || name == "additionalProperties":
		case !has || name == "allOf" && own == nil:
			changed[name] = value
		case name == "allOf":
			return nil, false
		case name == "default" || name == "deprecated" || name == "readOnly" || name == "writeOnly":
		case name == "properties":
			changed[name] = joinProperties(own.(map[string]any), value.(map[string]any))
		case name == "required":
			all := slices.Clone(own.([]any))
			for _, one := range value.([]any) {
				if !slices.Contains(all, one) {
					all = append(all, one)
				}
			}
			changed[name] = all
		case name == "type":
			both := commonTypes(own.([]any), value.([]any))
			if both == nil {
				return nil, false
			}
			changed[name] = both
		case !same(own, value):
			return nil, false
		}
	}
	return changed, true
}

func joinProperties(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	for name, value := range b {
		if own, ok := all[name]; ok && !same(own, value) {
			value = map[string]any{"allOf": []any{own, value}}
		}
		all[name] = value
	}
	return all
}

// commonTypes returns the types that two lists have in common.
func commonTypes(a, b []any) (both []any) {
	has := func(types []any, one any) bool {
		return slices.Contains(types, one) || one == "integer" && slices.Contains(types, any("number"))
	}
	for _, one := range a {
		if has(b, one) {
			both = append(both, one)
		}
	}
	for _, one := range b {
		if has(a, one) && !has(both, one) {
			both = append(both, one)
		}
	}
	return both
}

// same reports whether two translated schemas, or values of keywords, are equal wherever the document has them.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok {
			return false
		}
		for name := range a {
			if _, ok := b[name]; name != nodeKeyword && (!ok || !same(a[name], b[name])) {
				return false
			}
		}
		for name := range b {
			if _, ok := a[name]; name != nodeKeyword && !ok {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case *resource:
		return a == b
	}
	return reflect.DeepEqual(a, b)
}
