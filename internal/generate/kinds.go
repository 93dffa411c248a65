package generate

import (
	"encoding/json"
	"math/bits"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// kinds is a set of the JSON types, numbers split as JSON Schema's integer
// does.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	integer
	fraction // a number that is no integer
	text
	array
	object

	numbers = integer | fraction
	anyKind = null | boolean | numbers | text | array | object
)

func (ks kinds) count() int {
	if ks&numbers == numbers { // one shape makes both
		ks &^= fraction
	}
	return bits.OnesCount8(uint8(ks))
}

// kindsOfTypes reads the type keyword.
func kindsOfTypes(names []string) kinds {
	var ks kinds
	for _, name := range names {
		switch name {
		case "null":
			ks |= null
		case "boolean":
			ks |= boolean
		case "integer":
			ks |= integer
		case "number":
			ks |= numbers
		case "string":
			ks |= text
		case "array":
			ks |= array
		case "object":
			ks |= object
		}
	}
	return ks
}

// kindOf gives the kind of a value.
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

// kindsOf gives the kinds that k's type, const and enum leave, and those of
// what it refers to and of its allOf.
func kindsOf(k *spec.Keywords) kinds { return kindsAll(merged(k)) }

// kindsAll gives the kinds that the type, const and enum of all leave.
func kindsAll(list []*spec.Keywords) kinds {
	ks := kinds(anyKind)
	for _, k := range list {
		ks &= kindsSaid(k)
	}
	return ks
}

func kindsSaid(k *spec.Keywords) kinds {
	if k.Bool != nil {
		if *k.Bool {
			return anyKind
		}
		return 0
	}
	ks := kinds(anyKind)
	if k.Types != nil && !k.Types.IsEmpty() {
		ks &= kindsOfTypes(k.Types.ToStrings())
	}
	if k.Const != nil {
		ks &= kindOf(*k.Const)
	}
	if k.Enum != nil {
		var of kinds
		for _, v := range k.Enum.Values {
			of |= kindOf(v)
		}
		ks &= of
	}
	return ks
}
