package cases

import (
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// generated gives a change to a value that is generated for the site's schema, in
// which every part is changed by loosen and the whole by tighten. The generator
// is made when the change is first asked for.
func (s *site) generated(key generate.Key, loosen, tighten func(*spec.Keywords)) change {
	var g *generate.Generator
	return func(_ any, i int) (any, bool) {
		if i >= generatedAlternatives || s.schema == nil || len(s.constraints.schemas) == 0 {
			return nil, false
		}
		if g == nil {
			g = s.generator(loosen, tighten)
		}
		v, err := g.Value(key.Child(alternativeNames[i]))
		return v, err == nil
	}
}

const generatedAlternatives = 2

var alternativeNames = [generatedAlternatives]string{"first", "second"}

// generator makes the generator of a schema like the site's.
func (s *site) generator(loosen, tighten func(*spec.Keywords)) *generate.Generator {
	parts := make([]*spec.Keywords, len(s.constraints.schemas))
	for i, k := range s.constraints.schemas {
		own := *k
		own.Ref, own.DynamicRef, own.AllOf, own.AnyOf, own.OneOf = nil, nil, nil, nil, nil
		own.If, own.Then, own.Else, own.DependentSchemas = nil, nil, nil, nil
		if loosen != nil {
			loosen(&own)
		}
		parts[i] = &own
	}
	root := parts[0]
	root.AllOf = parts[1:]
	if tighten != nil {
		tighten(root)
	}
	schema := *s.schema
	schema.Keywords = root
	return generate.New(&schema, generate.Options{})
}

// generatorOf makes the generator of a schema that is reached from the site's.
func (s *site) generatorOf(k *spec.Keywords) *generate.Generator {
	schema := *s.schema
	schema.Keywords = k
	return generate.New(&schema, generate.Options{})
}
