package schema

import (
	"reflect"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// Flat validates small objects in their encoded form. It allocates nothing for ordinary members; decoding and
// validating them takes ten times as long (BenchmarkConforms).
type Flat struct {
	members []flatMember // like Members, sorted by name
	closed  bool         // there are no others
}

type flatMember struct {
	name     string
	required bool
	types    jsonschema.Types // 0: all
	bits     int              // 32 or 64 for int32 and int64; 0 without such a format
	rest     []*Keywords      // the schemas that Flat does not handle
}

// maxFlatMembers limits the cost of finding a member by name.
const maxFlatMembers = 64

// FlatOf compiles a schema; it returns nil if the schema has keywords for objects that Flat does not support.
func FlatOf(k *Keywords) *Flat {
	parts, ok := flatParts(nil, k, 0)
	if !ok {
		return nil
	}
	isClosed := func(part *Keywords) bool { return part.AdditionalProperties == false }
	f := &Flat{closed: slices.ContainsFunc(parts, isClosed)}
	names, required := Members(k), Required(k)
	if len(names) > maxFlatMembers {
		return nil
	}
	for name := range names {
		m := flatMember{name: name, required: required[name]}
		for _, part := range parts {
			switch property := part.Properties[name]; {
			case property == nil && isClosed(part):
				return nil // no schema lists it, or only another part does
			case property != nil && (m.types != 0 || !m.takes(property)):
				m.rest = append(m.rest, property)
			}
		}
		f.members = append(f.members, m)
	}
	slices.SortFunc(f.members, func(a, b flatMember) int { return strings.Compare(a.name, b.name) })
	return f
}

// flatParts appends the schemas that make up a schema of objects: the schema itself, its reference, and the parts of
// allOf. It refuses a schema that is a part of itself, as Validate does.
func flatParts(parts []*Keywords, k *Keywords, depth int) ([]*Keywords, bool) {
	const deepest = 16
	isOfObjects := k.Types == nil || k.Types.IsEmpty() || *k.Types&objectBit != 0
	if depth > deepest || len(parts) > maxFlatMembers || !isOfObjects || !supported(k) ||
		!onlyHas(k, "Types", "Properties", "Required", "AdditionalProperties", "Ref", "AllOf") {
		return nil, false
	}
	if _, isBool := k.AdditionalProperties.(bool); k.AdditionalProperties != nil && !isBool {
		return nil, false
	}
	parts = append(parts, k)
	ok := true
	if k.Ref != nil {
		parts, ok = flatParts(parts, k.Ref, depth+1)
	}
	for _, part := range k.AllOf {
		if ok {
			parts, ok = flatParts(parts, part, depth+1)
		}
	}
	return parts, ok
}

// takes reports whether a schema only has a type, or an integer format.
func (m *flatMember) takes(k *Keywords) bool {
	if !supported(k) || k.Types == nil || !onlyHas(k, "Types", "Format") {
		return false
	}
	switch {
	case k.Format == nil:
	case k.Format.Name == "int32":
		m.bits = 32
	case k.Format.Name == "int64":
		m.bits = 64
	default:
		return false
	}
	m.types = *k.Types
	return true
}

// onlyHas reports whether a schema has no keywords except the named ones and annotations.
func onlyHas(k *Keywords, names ...string) bool {
	v := reflect.ValueOf(k).Elem()
	for field, value := range v.Fields() {
		isSaid := field.IsExported() && !value.IsZero()
		if isSaid && !slices.Contains(names, field.Name) && !slices.Contains(annotations, field.Name) {
			return false
		}
	}
	return true
}

var annotations = []string{
	"DraftVersion", "Location", "ID", "Anchor", "DynamicAnchor", "Title", "Description", "Default", "Comment", "ReadOnly",
	"WriteOnly", "Examples", "Deprecated",
}

// Names returns the members that the schema lists or requires, in order.
func (f *Flat) Names() []string {
	names := make([]string, len(f.members))
	for i, m := range f.members {
		names[i] = m.name
	}
	return names
}

// Conforms returns true only if an object certainly conforms to the schema.
func (f *Flat) Conforms(object *jsontext.Flat) bool {
	listed, ok := f.conforming(object)
	return ok && (!f.closed || listed == object.Len())
}

// ConformsListed is Conforms after removing unlisted members.
func (f *Flat) ConformsListed(object *jsontext.Flat) bool {
	_, ok := f.conforming(object)
	return ok
}

// conforming returns the number of listed members, and whether they conform.
func (f *Flat) conforming(object *jsontext.Flat) (listed int, ok bool) {
	for i := range f.members {
		m := &f.members[i]
		switch at := object.Index(m.name); {
		case at < 0 && m.required:
			return 0, false
		case at < 0:
		case !m.conforms(object.JSON(at)):
			return 0, false
		default:
			listed++
		}
	}
	return listed, true
}

func (m *flatMember) conforms(text string) bool {
	if m.types != 0 && !m.isOf(text) {
		return false
	}
	for _, k := range m.rest {
		if !conformsPlain(k, text) {
			return false
		}
	}
	return true
}

func (m *flatMember) isOf(text string) bool {
	switch text[0] {
	case '"':
		return m.types&stringBit != 0
	case 't', 'f':
		return m.types&booleanBit != 0
	case 'n':
		return m.types&nullBit != 0
	}
	n, isSmall := jsonvalue.SmallInteger(text)
	if !isSmall && m.bits > 0 || m.bits == 32 && n != int64(int32(n)) {
		return false
	}
	return m.types&numberBit != 0 || isSmall && m.types&integerBit != 0
}

func conformsPlain(k *Keywords, text string) bool {
	conforms, decided := FastValidate(k, jsontext.PlainValue(text), Unmatched())
	return conforms && decided
}
