package generate

import (
	"encoding/json"
	"math/bits"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
)

// kinds is a set of JSON types; number is split into integers and fractions.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	integer
	fraction // a number that is not an integer
	text
	array
	object

	numbers = integer | fraction
	anyKind = null | boolean | numbers | text | array | object
)

var typeKinds = map[string]kinds{
	"null": null, "boolean": boolean, "integer": integer, "number": numbers, "string": text,
	"array": array, "object": object,
}

func (ks kinds) count() int {
	if ks&numbers == numbers { // one shape generates both
		ks &^= fraction
	}
	return bits.OnesCount8(uint8(ks))
}

func kindOf(value any) kinds {
	switch v := value.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case string:
		return text
	case []any:
		return array
	case map[string]any:
		return object
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			return integer
		}
		if r := rat(v); r != nil && r.IsInt() {
			return integer
		}
		return fraction
	}
	return 0
}

// kindsOf returns the kinds that a schema leaves: by type, const and enum, through references and allOf.
func kindsOf(k *schema.Keywords) kinds {
	left := anyKind
	for k := range schema.All(k) {
		if k.Bool != nil && !*k.Bool {
			return 0
		}
		left &= typesOf(k)
		if k.Const != nil {
			left &= kindOf(*k.Const)
		}
		if k.Enum != nil {
			var listed kinds
			for _, v := range k.Enum.Values {
				listed |= kindOf(v)
			}
			left &= listed
		}
	}
	return left
}

func typesOf(k *schema.Keywords) kinds {
	names := schema.Types(k)
	if len(names) == 0 {
		return anyKind
	}
	var left kinds
	for _, name := range names {
		left |= typeKinds[name]
	}
	return left
}
