package decode

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
)

// maxBrackets limits the nesting of name[a][b]. The specification defines one level; qs, Rails and PHP write nested
// objects with more.
const maxBrackets = 16

// branch collects the fields of a deepObject parameter for one value.
type branch struct {
	values   []string // decoded
	children map[string]*branch
}

// deep reads name[a]=1&name[b][c]=2 and, for arrays, name[]=1&name[0]=2.
func (p *param) deep(all []field, head int) (any, *fault) {
	root := &branch{}
	for j := head; j != noField; j = all[j].next {
		at, wrong := root.find(all[j].name, all[j].name[len(p.name):])
		if wrong != nil {
			return nil, wrong
		}
		text, wrong := p.escape.decode(all[j].value)
		if wrong != nil {
			return nil, wrong
		}
		at.values = append(at.values, text)
	}
	return root.value(p.shape, "")
}

func (b *branch) find(name, brackets string) (*branch, *fault) {
	for depth := 0; brackets != ""; depth++ {
		end := strings.IndexByte(brackets, ']')
		if brackets[0] != '[' || end < 0 || strings.IndexByte(brackets[1:end], '[') >= 0 {
			return nil, malformed("%s is not of the form name[property]", name)
		}
		if depth == maxBrackets {
			return nil, malformed("%s nests too deep", name)
		}
		key := brackets[1:end]
		if b.children == nil {
			b.children = map[string]*branch{}
		}
		if b.children[key] == nil {
			b.children[key] = &branch{}
		}
		b, brackets = b.children[key], brackets[end+1:]
	}
	return b, nil
}

func (b *branch) value(s shape, pointer string) (any, *fault) {
	switch {
	case b.children == nil:
		return b.leaf(s, pointer)
	case b.values != nil:
		return nil, &fault{CodeMalformedParameter, pointer, "is given as a value and with properties in brackets"}
	case s.has(schema.Array) && b.isArray():
		return b.array(s, pointer)
	}
	object := make(map[string]any, len(b.children))
	for _, name := range slices.Sorted(maps.Keys(b.children)) {
		if name == "" {
			return nil, &fault{CodeMalformedParameter, pointer, "brackets are empty, want a property's name"}
		}
		value, wrong := b.children[name].value(s.property(name), pointer+"/"+exchange.EscapePointer(name))
		if wrong != nil {
			return nil, wrong
		}
		object[name] = value
	}
	return object, nil
}

func (b *branch) leaf(s shape, pointer string) (any, *fault) {
	switch {
	case len(b.values) == 1 && s.kinds() != schema.Array:
		return s.nested(b.values[0]), nil
	case !s.has(schema.Array):
		return nil, &fault{CodeRepeatedParameter, pointer, "is given more than once, takes one value"}
	}
	return s.listOf(s.elements(b.values)), nil
}

// isArray reports whether the keys are an array's: either numbers counting from 0, or all empty.
func (b *branch) isArray() bool {
	if b.children[""] != nil {
		return len(b.children) == 1
	}
	for i := range len(b.children) {
		if b.children[strconv.Itoa(i)] == nil {
			return false
		}
	}
	return true
}

func (b *branch) array(s shape, pointer string) (any, *fault) {
	only := b.children[""]
	if only != nil && only.children == nil {
		return s.listOf(s.elements(only.values)), nil
	}
	array := make([]any, len(b.children))
	for i := range array {
		child := only
		if child == nil {
			child = b.children[strconv.Itoa(i)]
		}
		var wrong *fault
		if array[i], wrong = child.value(s.item(i), pointer+"/"+strconv.Itoa(i)); wrong != nil {
			return nil, wrong
		}
	}
	return s.listOf(array), nil
}
