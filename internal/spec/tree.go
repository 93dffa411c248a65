package spec

import (
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
