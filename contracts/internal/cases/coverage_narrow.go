package cases

import (
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// made gives a change to a value that is generated for the site's schema, in
// which every part is changed by loosen and the whole by tighten. The generator
// is made when the change is first asked for.
func (s *site) made(key generate.Key, loosen, tighten func(*spec.Keywords)) func(any, int) (any, bool) {
	var g *generate.Generator
	return func(_ any, i int) (any, bool) {
		if i >= madeAlternatives || s.schema == nil || len(s.facts.schemas) == 0 {
			return nil, false
		}
		if g == nil {
			g = s.generator(loosen, tighten)
		}
		v, err := g.Value(key.Child(altName[i]))
		return v, err == nil
	}
}

const madeAlternatives = 2

var altName = [madeAlternatives]string{"first", "second"}

// generator makes the generator of a schema like the site's.
func (s *site) generator(loosen, tighten func(*spec.Keywords)) *generate.Generator {
	parts := make([]*spec.Keywords, len(s.facts.schemas))
	for i, k := range s.facts.schemas {
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
