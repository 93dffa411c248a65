package schema

import (
	"encoding/json"
	"math/big"
	"math/bits"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Type is a set of JSON types. A number is an Integer or a Fraction, so Number is a set of two.
type Type uint8

// The JSON types, and sets of them.
const (
	Null Type = 1 << iota
	Boolean
	Integer
	Fraction // a number that is not an integer
	String
	Array
	Object

	Number   = Integer | Fraction
	Scalar   = Null | Boolean | Number | String
	AnyType  = Scalar | Array | Object
	noneType = Type(0)
)

// typesByBit maps the bits of jsonschema.Types to types.
var typesByBit = map[jsonschema.Types]Type{
	nullBit: Null, booleanBit: Boolean, integerBit: Integer, numberBit: Number, stringBit: String,
	arrayBit: Array, objectBit: Object,
}

// Has reports whether the sets have a type in common.
func (t Type) Has(other Type) bool { return t&other != 0 }

// Count returns the number of types in the set. Number counts once.
func (t Type) Count() int {
	if t&Number == Number {
		t &^= Fraction
	}
	return bits.OnesCount8(uint8(t))
}

// TypeOf returns the type of a JSON value: 1.0 and 1e2 are integers (JSON Schema 2020-12 core, section 4.2.3).
func TypeOf(value any) Type {
	switch v := value.(type) {
	case nil:
		return Null
	case bool:
		return Boolean
	case string:
		return String
	case []any:
		return Array
	case map[string]any:
		return Object
	case json.Number:
		return numberType(string(v))
	}
	return noneType
}

// maxExponent limits the digits of an exponent: expanding a longer one would take too long.
const maxExponent = 4

func numberType(text string) Type {
	if !strings.ContainsAny(text, ".eE") {
		return Integer
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 && len(strings.TrimLeft(text[at+1:], "+-0")) > maxExponent {
		if strings.Contains(text[at:], "-") {
			return Fraction
		}
		return Integer
	}
	if r, ok := new(big.Rat).SetString(text); ok && !r.IsInt() {
		return Fraction
	}
	return Integer
}

// OwnTypes returns the types in a schema's own "type", AnyType if it has none.
func OwnTypes(k *Keywords) Type {
	if k == nil || k.Types == nil || k.Types.IsEmpty() {
		return AnyType
	}
	allowed := noneType
	for bit, t := range typesByBit {
		if *k.Types&bit != 0 {
			allowed |= t
		}
	}
	return allowed
}

// listedTypes returns the types of the values that a schema's own enum and const list, AnyType if it has neither.
func listedTypes(k *Keywords) Type {
	allowed := AnyType
	if k.Const != nil {
		allowed &= TypeOf(*k.Const)
	}
	if k.Enum != nil {
		listed := noneType
		for _, value := range k.Enum.Values {
			listed |= TypeOf(value)
		}
		allowed &= listed
	}
	return allowed
}

// AssertedTypes returns the types that a schema's own keywords apply to, without type, enum, const and format.
func AssertedTypes(k *Keywords) Type {
	asserted := noneType
	if AssertsObject(k) {
		asserted |= Object
	}
	if AssertsArray(k) {
		asserted |= Array
	}
	if k.Minimum != nil || k.Maximum != nil || k.ExclusiveMinimum != nil || k.ExclusiveMaximum != nil ||
		k.MultipleOf != nil {
		asserted |= Number
	}
	if k.MinLength != nil || k.MaxLength != nil || k.Pattern != nil {
		asserted |= String
	}
	return asserted
}

// CertainTypes returns the types that a schema allows by type, enum and const, through references and allOf.
func CertainTypes(k *Keywords) Type {
	left := AnyType
	for part := range All(k) {
		if part.Bool != nil && !*part.Bool {
			return noneType
		}
		left &= OwnTypes(part) & listedTypes(part)
	}
	return left
}

// typeNames are the names of the types, in the order in which String lists them.
var typeNames = []struct {
	of   Type
	name string
}{{Object, "object"}, {Array, "array"}, {String, "string"}, {Number, "number"}, {Integer, "integer"},
	{Fraction, "number"}, {Boolean, "boolean"}, {Null, "null"}}

// String returns the names of the types as JSON Schema has them, with "or" between them: "string or null". AnyType is
// "any".
func (t Type) String() string {
	if t == AnyType {
		return "any"
	}
	var names []string
	for _, n := range typeNames {
		if t&n.of == n.of {
			names = append(names, n.name)
			t &^= n.of
		}
	}
	return strings.Join(names, " or ")
}
