package tree

import (
	"encoding/json"
	"iter"
	"slices"
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

// Node is one value of a text, with its place. Nodes are shared (by YAML
// aliases and references) and never change once they are read.
type Node struct {
	Kind    Kind
	Text    string           // of a string, number or boolean
	Members []Member         // of an object, in the text's order; names are unique
	Items   []*Node          // of an array
	File    *File            // nil for a node without a place
	Offset  int32            // of its first byte in File.Text
	index   map[string]int32 // of Members, where they are many; nil else
}

// manyMembers is from how many on the members of an object that was read are found by an index.
const manyMembers = 64

// reindex makes the index of an object whose members are in their order.
func (n *Node) reindex() {
	n.index = nil
	if len(n.Members) < manyMembers {
		return
	}
	n.index = make(map[string]int32, len(n.Members))
	for i := range n.Members {
		n.index[n.Members[i].Name] = int32(i)
	}
}

// Member is a name and a value of an object.
type Member struct {
	Name   string
	Value  *Node
	Offset int32 // of the name
}

// Get gives the member named name, nil where there is none or n is no object. It is safe on nil.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	if i := n.find(name); i >= 0 {
		return n.Members[i].Value
	}
	return nil
}

// find gives the position of a member, -1 where there is none.
func (n *Node) find(name string) int {
	if len(n.index) == len(n.Members) && n.index != nil {
		if i, ok := n.index[name]; ok {
			return int(i)
		}
		return -1
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// Map gives an object of the same names whose values are converted, without those that become nil; nil for nil.
func (n *Node) Map(convert func(*Node) *Node) *Node {
	if n == nil {
		return nil
	}
	mapped := n.New(Object)
	for _, m := range n.Members {
		if value := convert(m.Value); value != nil {
			mapped.Members = append(mapped.Members, Member{m.Name, value, m.Offset})
		}
	}
	return mapped
}

// Fields gives the members of an object. It is safe on nil.
func (n *Node) Fields() []Member {
	if n == nil {
		return nil
	}
	return n.Members
}

// List gives the items of an array. It is safe on nil.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Items
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
	for _, token := range exchange.SplitPointer(pointer) {
		if n = n.Child(token); n == nil {
			return nil
		}
	}
	return n
}

// maxPointer bounds the JSON Pointers of places, in bytes: names can be as long as a document, and each place below
// one would hold it.
const maxPointer = 4 << 10

// Pointer makes a JSON Pointer of tokens.
func Pointer(tokens []string) string {
	size := 0
	for _, token := range tokens {
		size += 1 + len(token) + strings.Count(token, "/") + strings.Count(token, "~")
	}
	var b strings.Builder
	b.Grow(size)
	for _, token := range tokens {
		exchange.WriteToken(&b, token)
	}
	return b.String()
}

// Child gives the member or the array item that a pointer's token names.
func (n *Node) Child(token string) *Node {
	if n.Kind != Array {
		return n.Get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(n.Items) {
		return nil
	}
	return n.Items[i]
}

// Value gives the node as jsontext.Decode would: map[string]any, []any, json.Number, string, bool, nil.
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

// Place says where the node stands; a pointer that would be very long ends above it. It is safe on nil.
func (n *Node) Place() exchange.Place {
	if n == nil || n.File == nil {
		return exchange.Place{}
	}
	place := n.File.Place(n.Offset)
	_, tokens := n.File.Way(n)
	size := 0
	for i, token := range tokens {
		if size += 1 + len(token); size > maxPointer {
			tokens = tokens[:i]
			break
		}
	}
	place.Pointer = Pointer(tokens)
	return place
}

// PlaceOf gives the place of a member's name, that of n where there is none.
func (n *Node) PlaceOf(name string) exchange.Place {
	if i := n.find(name); i >= 0 && n.File != nil {
		return n.PlaceOfMember(n.Members[i])
	}
	return n.Place()
}

// PlaceOfMember gives the place of a member's name.
func (n *Node) PlaceOfMember(m Member) exchange.Place {
	place := n.File.Place(m.Offset)
	place.Pointer = m.Value.Place().Pointer
	return place
}

// Describe gives the text of a scalar and the kind of everything else.
func (n *Node) Describe() string {
	if n.Kind == Number || n.Kind == Bool || n.Kind == String {
		return exchange.Quote(n.Text)
	}
	return n.Kind.String()
}

// New gives an empty node at the place of n.
func (n *Node) New(kind Kind) *Node { return &Node{Kind: kind, File: n.File, Offset: n.Offset} }

// NewText gives a string at the place of n.
func (n *Node) NewText(text string) *Node {
	return &Node{Kind: String, Text: text, File: n.File, Offset: n.Offset}
}

// NewBool gives a boolean at the place of n.
func (n *Node) NewBool(value bool) *Node {
	return &Node{Kind: Bool, Text: strconv.FormatBool(value), File: n.File, Offset: n.Offset}
}

// Add appends a member at the place of its value, if there is a value, and gives n. It is
// only for nodes that are being made.
func (n *Node) Add(name string, value *Node) *Node {
	if value != nil {
		n.Members = append(n.Members, Member{name, value, value.Offset})
	}
	return n
}

// Remove takes a member out of a node that is being made.
func (n *Node) Remove(name string) {
	n.Members = slices.DeleteFunc(n.Members, func(m Member) bool { return m.Name == name })
	n.index = nil
}

// Children gives the values of an object's members or the items of an array.
func (n *Node) Children() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, m := range n.Members {
			if !yield(m.Value) {
				return
			}
		}
		for _, item := range n.Items {
			if !yield(item) {
				return
			}
		}
	}
}

// With gives a member of the same name and place with another value.
func (m Member) With(value *Node) Member { return Member{m.Name, value, m.Offset} }
