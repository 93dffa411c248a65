package resources

import (
	"maps"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// computed returns an item with the properties that formulas compute; itself if there are none.
func (k *Runtime) computed(item map[string]any) map[string]any {
	if len(k.Formulas) == 0 {
		return item
	}
	item = maps.Clone(item)
	for _, f := range k.Formulas {
		k.compute(item, f, nil)
	}
	return item
}

// compute sets a property of an item to the value of a formula, if its schema allows the value, and reports whether it
// does. body is the request's, nil if none.
func (k *Runtime) compute(item map[string]any, f resource.Formula, body map[string]any) bool {
	value, err := f.Value.ValueWith(item, body)
	if err != nil {
		return false
	}
	property := k.properties[f.Property[0]]
	if len(f.Property) > 1 && property != nil {
		property = schema.At(property, f.Property[1:])
	}
	if property == nil || !spec.Conforms(property, value) {
		return false
	}
	object, _ := jsonvalue.WithProperty(item, f.Property, value).(map[string]any)
	item[f.Property[0]] = object[f.Property[0]]
	return true
}
