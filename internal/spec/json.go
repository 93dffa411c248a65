package spec

import (
	"cmp"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// readJSON reads a JSON text into a tree. A name that stands twice in an
// object is a finding; its last value counts, as in every JSON parser that
// people have used on the document so far.
func (l *loader) readJSON(f *file) (*Node, *jsontext.SyntaxError) {
	r := jsonReader{loader: l, file: f, Scanner: jsontext.NewScanner(f.text)}
	root, err := r.node()
	if err == nil {
		err = r.End()
	}
	return root, err
}

type jsonReader struct {
	*jsontext.Scanner
	loader *loader
	file   *file
}

func (r *jsonReader) node() (n *Node, err *jsontext.SyntaxError) {
	c := r.Peek()
	n = &Node{file: r.file, offset: int32(r.Offset())}
	switch c {
	case '{':
		n.Kind = Object
		err = r.Object(func(name string, offset int) *jsontext.SyntaxError {
			value, err := r.node()
			if err == nil {
				r.loader.addMember(n, Member{name, value, int32(offset)})
			}
			return err
		})
	case '[':
		n.Kind = Array
		err = r.Array(func() *jsontext.SyntaxError {
			item, err := r.node()
			n.Items = append(n.Items, item)
			return err
		})
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

// addMember appends a member, or replaces the one of the same name and says so.
func (l *loader) addMember(n *Node, m Member) {
	if len(n.Members) < 16 {
		for i := range n.Members {
			if n.Members[i].Name == m.Name {
				l.duplicate(n, i, m)
				return
			}
		}
		n.Members = append(n.Members, m)
		return
	}
	names := l.names[n]
	if names == nil { // a large object is indexed, lest reading it be quadratic
		names = make(map[string]int, 2*len(n.Members))
		for i := range n.Members {
			names[n.Members[i].Name] = i
		}
		if l.names == nil {
			l.names = map[*Node]map[string]int{}
		}
		l.names[n] = names
	}
	if i, ok := names[m.Name]; ok {
		l.duplicate(n, i, m)
		return
	}
	names[m.Name] = len(n.Members)
	n.Members = append(n.Members, m)
}

// sortMembers puts members back into the order of their offsets, which
// replacing a duplicate breaks.
func (l *loader) sortMembers() {
	slices.SortFunc(l.unsorted, func(a, b *Node) int { return cmp.Compare(a.offset, b.offset) })
	for _, n := range slices.Compact(l.unsorted) {
		slices.SortStableFunc(n.Members, func(a, b Member) int { return cmp.Compare(a.offset, b.offset) })
	}
	l.unsorted, l.names = nil, nil
}

func (l *loader) duplicate(n *Node, i int, m Member) {
	place := n.file.place(m.offset)
	l.find(exchange.Finding{
		Code:     "duplicate-key",
		Message:  quote(m.Name) + " stands twice in the same object (first at line " + itoa(n.file.place(n.Members[i].offset).Line) + "): the last one counts; remove the other",
		Document: place,
	})
	n.Members[i] = m
	l.unsorted = append(l.unsorted, n)
}
