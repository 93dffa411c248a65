package tree

import "github.com/coldframe/coldframe/internal/jsontext"

// jsonReader reads a JSON text. Members and items wait on stacks until their object or array is complete, so that its
// list gets exactly the right length.
type jsonReader struct {
	*jsontext.Scanner
	*reader
	openMembers []Member // of the objects that are not complete yet
	openItems   []*Node  // of the arrays that are not complete yet
}

func (r *jsonReader) node() (n *Node, err *jsontext.SyntaxError) {
	c := r.Peek()
	n = r.nodes.new()
	n.File, n.Offset = r.file, int32(r.Offset())
	switch c {
	case '{':
		n.Kind = Object
		err = r.object(n)
	case '[':
		n.Kind = Array
		err = r.array(n)
	case '"':
		n.Kind = String
		n.Text, err = r.String()
	case 't':
		n.Kind, n.Text, err = Bool, "true", r.Literal("true")
	case 'f':
		n.Kind, n.Text, err = Bool, "false", r.Literal("false")
	case 'n':
		err = r.Literal("null")
	default:
		n.Kind = Number
		n.Text, err = r.Number()
	}
	return n, err
}

func (r *jsonReader) object(n *Node) *jsontext.SyntaxError {
	begin := len(r.openMembers)
	var index map[string]int32
	err := r.Object(func(name string, offset int) *jsontext.SyntaxError {
		value, err := r.node()
		if err != nil {
			return err
		}
		m, own := Member{name, value, int32(offset)}, r.openMembers[begin:]
		if i := find(own, index, name); i >= 0 {
			r.replace(n, &own[i], m)
			return nil
		}
		if r.openMembers = append(r.openMembers, m); index != nil {
			index[name] = int32(len(own))
		} else {
			index = indexOf(r.openMembers[begin:])
		}
		return nil
	})
	if own := r.openMembers[begin:]; len(own) > 0 {
		n.inner = r.inner.new()
		n.inner.members, n.inner.index = r.members.copy(own), index
	}
	r.openMembers = r.openMembers[:begin]
	return err
}

func (r *jsonReader) array(n *Node) *jsontext.SyntaxError {
	begin := len(r.openItems)
	err := r.Array(func() *jsontext.SyntaxError {
		item, err := r.node()
		r.openItems = append(r.openItems, item)
		return err
	})
	if own := r.openItems[begin:]; len(own) > 0 {
		n.inner = r.inner.new()
		n.inner.items = r.items.copy(own)
	}
	r.openItems = r.openItems[:begin]
	return err
}
