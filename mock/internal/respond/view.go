package respond

import (
	"maps"
	"sync"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// View is how a part of a response shows an object. It is safe for concurrent use.
type View struct {
	Properties map[string]*spec.Keywords  // empty: any property
	schema     *spec.Schema               // nil if the document has none
	mask       func() *schema.Mask        // of what is writeOnly
	generator  func() *generate.Generator // nil without schema
}

// NewView returns how the values of a schema show objects; the schema may be nil.
func NewView(s *spec.Schema, o generate.Options) *View {
	v := &View{schema: s, generator: generatorOf(s, o)}
	if s != nil {
		v.Properties = s.Members()
	}
	v.mask = sync.OnceValue(func() *schema.Mask {
		if s == nil {
			return nil
		}
		return schema.MaskOf(s.Shape(), (*schema.Member).WriteOnly)
	})
	return v
}

// WithoutWriteOnly returns an object without the properties that answers do not show.
func (v *View) WithoutWriteOnly(object map[string]any) map[string]any {
	return v.mask().Value(object).(map[string]any)
}

// HidesNothing reports whether what is listed of an object is as the object has it.
func (v *View) HidesNothing() bool { return v.mask() == nil }

// Show returns the part of an object that the response lists, without what does not conform.
func (v *View) Show(object map[string]any) map[string]any {
	if len(v.Properties) == 0 {
		return object
	}
	return v.conforming(v.Listed(object))
}

// Listed returns the part of an object that the response lists.
func (v *View) Listed(object map[string]any) map[string]any {
	return Listed(v.WithoutWriteOnly(object), v.Properties)
}

// Listed returns the listed properties of an object.
func Listed(object map[string]any, properties map[string]*spec.Keywords) map[string]any {
	have := make(map[string]any, len(properties))
	for name := range properties {
		if value, ok := object[name]; ok {
			have[name] = value
		}
	}
	return have
}

// conforming leaves out what does not conform to its property's schema, unless it is a number that the property has as
// text, or the other way. Where a schema has alternatives, another than the listed one may allow the value: an object
// that conforms as a whole stays unchanged.
func (v *View) conforming(object map[string]any) map[string]any {
	have, isCopy := object, false
	for name, value := range object {
		if spec.Conforms(v.Properties[name], value) {
			continue
		}
		if !isCopy {
			if v.Conforms(object) {
				return object
			}
			have, isCopy = maps.Clone(object), true
		}
		if delete(have, name); v.Properties[name] != nil {
			if typed, ok := Typed(value, v.Properties[name]); ok {
				have[name] = typed
			}
		}
	}
	return have
}

// Conforms reports whether a value is as the schema demands.
func (v *View) Conforms(value any) bool { return spec.Conforms(v.schema.Keywords, value) }

// Fill makes an object around the properties that it has; it leaves out those that are unsent if the schema does not
// require them.
func (v *View) Fill(key generate.Key, have map[string]any, unsent ...string) (any, error) {
	return v.generator().Fill(key, have, unsent...)
}

// Part returns the schema of a part of what a schema describes.
func Part(whole *spec.Schema, k *spec.Keywords) *spec.Schema {
	c := *whole
	c.Keywords = k
	return &c
}

// Sendable returns the properties that requests of a schema can have, under their names and their names in rename.
func Sendable(s *spec.Schema, rename map[string]string) map[string]*spec.Keywords {
	sendable := map[string]*spec.Keywords{}
	for name, property := range s.Members() {
		if schema.ReadOnly(property) {
			continue
		}
		sendable[name] = property
		if renamed, ok := rename[name]; ok {
			sendable[renamed] = property
		}
	}
	return sendable
}
