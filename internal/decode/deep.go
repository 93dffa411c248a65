package decode

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxBrackets bounds how deep name[a][b] may nest. The specification defines
// one level; more are what qs, Rails and PHP make of nested objects.
const maxBrackets = 16

// branch is what the fields of a deepObject parameter say of one value.
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

// find gives the branch that brackets lead to.
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
		next := b.children[key]
		if next == nil {
			if b.children == nil {
				b.children = map[string]*branch{}
			}
			next = &branch{}
			b.children[key] = next
		}
		b, brackets = next, brackets[end+1:]
	}
	return b, nil
}

func (b *branch) value(s *shape, pointer string) (any, *fault) {
	switch {
	case b.children == nil:
		return b.leaf(s, pointer)
	case b.values != nil:
		return nil, &fault{CodeMalformedParameter, pointer, "is given as a value and with properties in brackets"}
	case s.kinds.has(kindArray):
		if keys, ok := b.indexes(); ok {
			return b.array(s, keys, pointer)
		}
	}
	object := make(map[string]any, len(b.children))
	for _, name := range slices.Sorted(maps.Keys(b.children)) {
		if name == "" {
			return nil, &fault{CodeMalformedParameter, pointer, "brackets are empty, want a property's name"}
		}
		value, wrong := b.children[name].value(s.property(name), pointer+"/"+escapeToken(name))
		if wrong != nil {
			return nil, wrong
		}
		object[name] = value
	}
	return object, nil
}

func (b *branch) leaf(s *shape, pointer string) (any, *fault) {
	arrays := s.kinds != kindAny && s.kinds.has(kindArray)
	if len(b.values) == 1 && (!arrays || s.kinds != kindArray) {
		return s.nested(b.values[0]), nil
	}
	if !s.kinds.has(kindArray) {
		return nil, &fault{CodeRepeatedParameter, pointer, "is given more than once, takes one value"}
	}
	array := make([]any, len(b.values))
	for i, text := range b.values {
		array[i] = s.item(i).nested(text)
	}
	return s.listOf(array), nil
}

// indexes gives the keys in order where they are those of an array: all
// numbers counting from 0, or none.
func (b *branch) indexes() ([]string, bool) {
	if b.children[""] != nil {
		return []string{""}, len(b.children) == 1
	}
	keys := make([]string, len(b.children))
	for i := range keys {
		keys[i] = strconv.Itoa(i)
		if b.children[keys[i]] == nil {
			return nil, false
		}
	}
	return keys, true
}

func (b *branch) array(s *shape, keys []string, pointer string) (any, *fault) {
	array := []any{}
	for _, key := range keys {
		child := b.children[key]
		if key == "" && child.children == nil {
			for _, text := range child.values {
				array = append(array, s.item(len(array)).nested(text))
			}
			continue
		}
		value, wrong := child.value(s.item(len(array)), pointer+"/"+strconv.Itoa(len(array)))
		if wrong != nil {
			return nil, wrong
		}
		array = append(array, value)
	}
	return s.listOf(array), nil
}
