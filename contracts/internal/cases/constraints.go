package cases

import (
	"slices"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// constraints are what all schemas of one place require together, including the branches that the value takes.
type constraints struct {
	*schema.Bounds
	choices []schema.Choice
}

// constraintsOf merges what schemas say of a place where value stands. If none says what type it is, it is the value's.
func constraintsOf(schemas []*spec.Keywords, value any) *constraints {
	f := &constraints{Bounds: schema.BoundsFor(schemas, value)}
	if f.Untyped {
		of := schema.TypeOf(value)
		if of == schema.Integer {
			of = schema.Number
		}
		f.Types = of
	}
	for _, k := range f.Schemas {
		for i, branches := range [...][]*spec.Keywords{k.AnyOf, k.OneOf} {
			if len(branches) > 0 {
				f.choices = append(f.choices, schema.Choice{Owner: k, One: i == 1, Branches: branches})
			}
		}
	}
	return f
}

// requiredInOrder returns the required properties in the order in which the schemas name them.
func (f *constraints) requiredInOrder() []string {
	var names []string
	for _, k := range f.Schemas {
		for _, name := range k.Required {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isMap reports whether an object has no names but those that requests choose.
func (f *constraints) isMap() bool {
	open := false
	for _, k := range f.Schemas {
		if len(k.Properties) > 0 || len(k.PatternProperties) > 0 || k.PropertyNames != nil {
			return false
		}
		a, ok := k.AdditionalProperties.(*spec.Keywords)
		open = open || ok && a.Bool == nil
	}
	return open
}
