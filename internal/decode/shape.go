package decode

import (
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// shape is a schema.Shape that decides how texts are read.
type shape struct{ *schema.Shape }

// anything is the shape of an empty schema.
var anything = shape{schema.Anything}

func shapeOf(of *spec.Schema) shape { return shape{of.Shape()} }

// kinds returns the types that a text may be read as.
func (s shape) kinds() schema.Type { return s.LikelyTypes() }

// has reports whether values may have one of the types.
func (s shape) has(types schema.Type) bool { return s.kinds().Has(types) }

// names is has, but false for a schema without a type.
func (s shape) names(types schema.Type) bool { return s.kinds() != schema.AnyType && s.has(types) }

func (s shape) items() shape { return shape{s.Items()} }

func (s shape) item(i int) shape { return shape{s.Item(i)} }

func (s shape) additional() shape { return shape{s.Additional()} }

// property returns the shape of a property, additional if no schema lists it.
func (s shape) property(name string) shape { return shape{s.Property(name)} }

// holds reports whether a value satisfies the schemas. It only serves to choose between readings of a text that may
// have several types.
func (s shape) holds(value any) bool {
	for _, k := range s.All() {
		if conforms, decided := schema.FastValidate(k, value, schema.Unmatched()); decided && !conforms {
			return false
		}
	}
	for _, k := range s.Some() {
		if conforms, decided := schema.FastValidate(k, value, schema.Unmatched()); conforms || !decided {
			return true
		}
	}
	return len(s.Some()) == 0
}
