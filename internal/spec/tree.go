package spec

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// ReadTree reads a JSON or YAML text into a tree whose nodes know their places.
// name is the file's in those places. The findings are on the text itself.
func ReadTree(name string, text []byte) (*Node, []exchange.Finding, error) {
	l := &loader{files: map[string]*file{}}
	f, err := l.add(name, name, text)
	if err != nil {
		return nil, nil, err
	}
	return f.root, exchange.Sort(l.findings), nil
}

// Suggest gives the hint that ends a message about an unknown name, "" where
// none of those that are known is near.
func Suggest(name string, known []string) string { return suggest(name, known) }

// PlaceOf gives the place of a member's name, that of n where there is none.
func (n *Node) PlaceOf(name string) exchange.Place {
	for _, m := range n.Members {
		if m.Name == name && n.file != nil {
			place := n.file.place(m.offset)
			place.Pointer = m.Value.Place().Pointer
			return place
		}
	}
	return n.Place()
}

// Named gives the place of the name under which something stands in its object,
// which is where readers look for it; p itself where it has none. Its pointer
// stays.
func (c *Contract) Named(p exchange.Place) exchange.Place {
	f, end := c.files[p.File], strings.LastIndexByte(p.Pointer, '/')
	if f == nil || end < 0 {
		return p
	}
	parent, name := f.root.At(p.Pointer[:end]), exchange.UnescapePointer(p.Pointer[end+1:])
	if parent.Get(name) == nil {
		return p
	}
	for _, m := range parent.Members {
		if m.Name == name {
			p.Line, p.Column = f.place(m.offset).Line, f.place(m.offset).Column
		}
	}
	return p
}
