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
