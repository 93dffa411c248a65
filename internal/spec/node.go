package spec

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
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

// Node is one value of a document, with its place. Nodes are shared (by YAML
// aliases and references) and never change once they are read.
type Node struct {
	Kind    Kind
	Text    string   // of a string, number or boolean
	Members []Member // of an object, in the document's order; names are unique
	Items   []*Node  // of an array
	file    *file
	offset  int32 // of its first byte in file.text
}

// Member is a name and a value of an object.
type Member struct {
	Name   string
	Value  *Node
	offset int32 // of the name
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
		if n = n.child(exchange.UnescapePointer(token)); n == nil {
			return nil
		}
	}
	return n
}

// child gives the member or the array item that a pointer's token names.
func (n *Node) child(token string) *Node {
	if n.Kind != Array {
		return n.Get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
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

// Place says where the node stands. It is safe on nil.
func (n *Node) Place() exchange.Place {
	if n == nil || n.file == nil {
		return exchange.Place{}
	}
	place := n.file.place(n.offset)
	place.Pointer = n.file.pointer(n)
	return place
}

func itoa(i int) string { return strconv.Itoa(i) }
