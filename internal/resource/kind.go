package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Kind is the JSON type of a schema's values, null aside.
type Kind uint8

const (
	Any Kind = iota
	Boolean
	Integer
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"any", "boolean", "integer", "number", "string", "array", "object"}

func (k Kind) String() string { return kindNames[k] }

// isScalar reports whether values of the kind can be keys.
func (k Kind) isScalar() bool { return k != Object && k != Array && k != Boolean }

var (
	numeric = []Kind{Integer, Number, Any}
	textual = []Kind{String, Array, Any}
)

const maxDepth = 12 // of references and compositions that are followed

func kindOf(k *spec.Keywords, depth int) Kind {
	if depth > maxDepth {
		return Any
	}
	for part := range schema.All(k) {
		if kind, known := ownKind(part); known {
			return kind
		}
		if kind := branchKind(part, depth+1); kind != Any {
			return kind
		}
	}
	return Any
}

func ownKind(k *spec.Keywords) (found Kind, settled bool) {
	for _, name := range schema.Types(k) {
		kind := Kind(max(slices.Index(kindNames[:], name), 0))
		switch {
		case kind == Any: // null
		case found == Any || found == kind, found == Integer && kind == Number:
			found = kind
		default:
			return Any, true
		}
	}
	switch {
	case found != Any:
	case len(k.Properties) > 0:
		found = Object
	case k.Items2020 != nil || len(k.PrefixItems) > 0:
		found = Array
	}
	return found, found != Any
}

func branchKind(k *spec.Keywords, depth int) Kind {
	found := Any
	for _, branches := range [][]*spec.Keywords{k.AnyOf, k.OneOf} {
		for i, branch := range branches {
			if schema.IsNull(branch) {
				continue
			}
			kind := kindOf(branch, depth)
			if i > 0 && found != Any && kind != found {
				if oneOrMany(branches) != nil {
					return Object
				}
				return Any
			}
			found = kind
		}
	}
	return found
}

// onlyBranch gives the one branch that is not null, nil where there are more.
func onlyBranch(branches []*spec.Keywords) *spec.Keywords {
	var only *spec.Keywords
	for _, branch := range branches {
		if schema.IsNull(branch) {
			continue
		}
		if only != nil {
			return oneOrMany(branches)
		}
		only = branch
	}
	return only
}

// oneOrMany gives the first of two branches of which one is an object and the other an array of such, as APIs
// have it that take and show several at once; nil where it is otherwise.
func oneOrMany(branches []*spec.Keywords) *spec.Keywords {
	if len(branches) != 2 {
		return nil
	}
	for i, branch := range branches {
		if isObject(branch) && isObject(schema.Items(branches[1-i])) {
			return branch
		}
	}
	return nil
}

// isObject reports whether a schema is that of an object; anyOf and oneOf are not followed.
func isObject(k *spec.Keywords) bool {
	for part := range schema.All(k) {
		if types := schema.Types(part); len(part.Properties) > 0 || len(types) == 1 && types[0] == "object" {
			return true
		}
	}
	return false
}
