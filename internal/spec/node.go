package spec

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// Kind is the JSON type of a Node.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// Node is one value of a document, with its place. Nodes are shared (aliases,
// references) and must not be changed once the document is bundled.
type Node struct {
	Kind    Kind
	Text    string   // of a string, number or boolean
	Members []Member // of an object, in the document's order; names are unique
	Items   []*Node  // of an array
	file    *file
	offset  int32 // in file.text, in bytes
}

// Member is a name and a value of an object.
type Member struct {
	Name   string
	Value  *Node
	offset int32 // of the name
}

// file is one source text.
type file struct {
	name  string  // as it is shown: relative to where the document was named
	path  string  // absolute path or URL
	lines []int32 // offsets of line starts
	text  string
}

// Get gives the member named name, nil where there is none or n is no object.
// It is safe on nil.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return n.Members[i].Value
		}
	}
	return nil
}

// Str gives the text of a string, "" for everything else. It is safe on nil.
func (n *Node) Str() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// True reports whether n is the boolean true. It is safe on nil.
func (n *Node) True() bool {
	return n != nil && n.Kind == Bool && n.Text == "true"
}

// At follows a JSON Pointer (RFC 6901), nil where it leads nowhere.
func (n *Node) At(pointer string) *Node {
	if pointer == "" {
		return n
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if n == nil {
			return nil
		}
		token = exchange.UnescapePointer(token)
		if n.Kind == Array {
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n.Items) {
				return nil
			}
			n = n.Items[i]
			continue
		}
		n = n.Get(token)
	}
	return n
}

// Value gives the node as jsontext.Decode would: map[string]any, []any,
// json.Number, string, bool, nil.
func (n *Node) Value() any {
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Number:
		return json.Number(n.Text)
	case String:
		return n.Text
	case Array:
		array := make([]any, len(n.Items))
		for i, item := range n.Items {
			array[i] = item.Value()
		}
		return array
	case Object:
		object := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			object[m.Name] = m.Value.Value()
		}
		return object
	}
	return nil
}

// Place gives file, line and column of the value; the pointer is the caller's
// to fill. It is safe on nil.
func (n *Node) Place() exchange.Place {
	if n == nil || n.file == nil {
		return exchange.Place{}
	}
	return n.file.place(n.offset)
}

func (f *file) place(offset int32) exchange.Place {
	line, column := jsontext.Position(f.text, int(offset))
	return exchange.Place{File: f.name, Line: line, Column: column}
}
