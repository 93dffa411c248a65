package generate

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// discriminator gives the property and the value by which the document tells
// branch n of k's oneOf or anyOf from the others (OpenAPI 3.1 section 4.8.25).
func (g *Generator) discriminator(k *spec.Keywords, n int) (name, value string) {
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
	return name, discriminates(raw, ref)
}

// discriminates gives the value that stands for the schema that ref leads to:
// its key in the mapping, else its own name.
func discriminates(raw *spec.Node, ref string) string {
	own := ref[lastSlash(ref)+1:]
	if mapping := raw.Get("discriminator").Get("mapping"); mapping != nil {
		for _, m := range mapping.Members {
			if target := m.Value.Str(); target == ref || target[lastSlash(target)+1:] == own {
				return m.Name
			}
		}
	}
	return own
}

func lastSlash(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return i
		}
	}
	return -1
}
