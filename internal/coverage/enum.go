package coverage

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// enum lays out the values that a schema lists, as enum or as the const of
// alternatives.
type enum struct {
	*layout
	schema *spec.Schema
	within int
	left   int // values that it may still have
}

func (e *enum) values(f *field, k *spec.Keywords, name string, depth int) {
	if k == nil || depth == 0 {
		return
	}
	switch {
	case k.Enum != nil:
		node := e.schema.Node(k)
		for i, value := range k.Enum.Values {
			e.value(f, name, value, inner(node, "/enum/"+strconv.Itoa(i)))
		}
		return
	case k.Const != nil:
		e.value(f, name, *k.Const, inner(e.schema.Node(k), "/const"))
		return
	}
	e.values(f, k.Ref, name, depth-1)
	for _, parts := range [][]*spec.Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, part := range parts {
			e.values(f, part, name, depth-1)
		}
	}
}

// inner follows a pointer from a node, n itself where it leads nowhere.
func inner(n *tree.Node, pointer string) *tree.Node {
	if n == nil {
		return nil
	}
	if at := n.At(pointer); at != nil {
		return at
	}
	return n
}

func (e *enum) value(f *field, name string, value any, at *tree.Node) {
	into, text := &f.others, ""
	switch v := value.(type) {
	case string:
		into, text = &f.texts, v
	case map[string]any, []any:
		return
	default:
		text = string(jsontext.Append(nil, v))
	}
	if _, known := (*into)[text]; known || e.left == 0 {
		return
	}
	e.left--
	if *into == nil {
		*into = map[string]int{}
	}
	shown := name + " = " + string(jsontext.Append(nil, value))
	(*into)[text] = e.add(point{kind: KindValue, name: shown, within: e.within, node: at})
}
