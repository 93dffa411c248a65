package generate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// discriminator gives the property and the value by which the document tells
// branch n of k's oneOf or anyOf from the others (OpenAPI 3.1 section 4.8.25).
func (g *Generator) discriminator(k *schema.Keywords, n int) (name, value string) {
	raw := g.schema.Node(k)
	name = raw.Get("discriminator").Get("propertyName").Str()
	if name == "" {
		return "", ""
	}
	branches := raw.Get("oneOf")
	if branches == nil {
		branches = raw.Get("anyOf")
	}
	ref := branches.At("/" + strconv.Itoa(n)).Get("$ref").Str()
	return name, g.discriminatorValue(raw, ref)
}

// discriminatorValue gives the value of the discriminator that stands for the schema that ref leads to: its first key
// in the mapping, else its own name; "" where there is no reference.
func (g *Generator) discriminatorValue(n *tree.Node, ref string) string {
	if ref == "" {
		return ""
	}
	mapping := n.Get("discriminator").Get("mapping")
	own := func(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
	values, ok := g.mapped[mapping]
	if !ok {
		values = map[string]string{}
		for _, m := range slices.Backward(mapping.Fields()) {
			values[own(m.Value.Str())] = m.Name
		}
		g.mapped[mapping] = values
	}
	return cmp.Or(values[own(ref)], own(ref))
}

// discriminate finds the value by which the document tells the shape from
// others that extend the same schema: the name of the schema that does.
func (sh *shape) discriminate(g *Generator) {
	for _, base := range sh.schemas {
		if len(base.OneOf) > 0 || len(base.AnyOf) > 0 {
			continue
		}
		raw := g.schema.Node(base)
		property := raw.Get("discriminator").Get("propertyName").Str()
		if property == "" || sh.preferred[property] != "" {
			continue
		}
		ref := g.refs[base]
		for _, k := range sh.schemas {
			if g.refs[k] != "" && k != base && slices.Contains(slices.Collect(schema.All(k)), base) {
				ref = g.refs[k]
				break
			}
		}
		mapping := raw.Get("discriminator").Get("mapping")
		if value := g.discriminatorValue(raw, ref); value != "" {
			put(&sh.preferred, property, value)
		}
		if ref == g.refs[base] && mapping != nil && len(mapping.Fields()) > 0 && mapping.Get(sh.preferred[property]) == nil {
			put(&sh.preferred, property, mapping.Fields()[0].Name)
		}
	}
}

// refer remembers by what reference the document reaches a schema.
func (g *Generator) refer(k *schema.Keywords) {
	if k.Ref != nil && g.refs[k.Ref] == "" {
		if ref := g.schema.Node(k).Get("$ref").Str(); ref != "" {
			g.refs[k.Ref] = ref
		}
	}
}
