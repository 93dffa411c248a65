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

// Node is one value of a text, with its place. Nodes are shared (by YAML aliases and references) and do not change
// after reading.
type Node struct {
	Kind   Kind
	Offset int32  // of its first byte in File.Text
	File   *File  // nil for a node without a place
	Text   string // of a string, number or boolean
	inner  *inner // nil for a scalar
}

// inner holds the children of an object or an array. Two thirds of all nodes have none.
type inner struct {
	members []Member         // of an object, in the text's order; names are unique
	items   []*Node          // of an array
	index   map[string]int32 // the position of each member by name, if there are many; otherwise nil
}

// manyMembers is the number of members from which an object that was read has an index.
const manyMembers = 64

// indexOf returns the index of members, nil if they are few.
func indexOf(members []Member) map[string]int32 {
	if len(members) < manyMembers {
		return nil
	}
	index := make(map[string]int32, len(members))
	for i := range members {
		index[members[i].Name] = int32(i)
	}
	return index
}

// Member is a name and a value of an object.
type Member struct {
	Name   string
	Value  *Node
	Offset int32 // of the name
}

// Get returns the member with a name, nil if none or n is not an object. It is safe on nil.
func (n *Node) Get(name string) *Node {
	if n == nil {
		return nil
	}
	if i := n.find(name); i >= 0 {
		return n.inner.members[i].Value
	}
	return nil
}

// find returns the position of a member, -1 if none.
func (n *Node) find(name string) int {
	if n.inner == nil {
		return -1
	}
	return find(n.inner.members, n.inner.index, name)
}

// find is Node.find for a list of members. An index of other members is ignored.
func find(members []Member, index map[string]int32, name string) int {
	if len(index) == len(members) && index != nil {
		if i, ok := index[name]; ok {
			return int(i)
		}
		return -1
	}
	for i := range members {
		if members[i].Name == name {
			return i
		}
	}
	return -1
}

// Map returns an object with the same names and converted values. It leaves out values that become nil, and returns
// nil for nil.
func (n *Node) Map(convert func(*Node) *Node) *Node {
	if n == nil {
		return nil
	}
	mapped := n.New(Object)
	for _, m := range n.Fields() {
		if value := convert(m.Value); value != nil {
			mapped.Append(m.With(value))
		}
	}
	return mapped
}

// Fields returns the members of an object, for reading. It is safe on nil.
func (n *Node) Fields() []Member {
	if n == nil || n.inner == nil {
		return nil
	}
	return n.inner.members
}

// List returns the items of an array, for reading. It is safe on nil.
func (n *Node) List() []*Node {
	if n == nil || n.inner == nil {
		return nil
	}
	return n.inner.items
}

// Str returns the text of a string, "" for everything else. It is safe on nil.
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

// At returns the node at a JSON Pointer (RFC 6901), nil if none.
func (n *Node) At(pointer string) *Node {
	for token := range exchange.Tokens(pointer) {
		if n = n.Child(token); n == nil {
			return nil
		}
	}
	return n
}

// maxPointer limits the JSON Pointers in places, in bytes: a name can be as long as a document, and every place below
// it would repeat it.
const maxPointer = 4 << 10

// Pointer returns the JSON Pointer of tokens.
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

// Child returns the member or the array item that a pointer's token names.
func (n *Node) Child(token string) *Node {
	if n.Kind != Array {
		return n.Get(token)
	}
	i, err := strconv.Atoi(token)
	if items := n.List(); err == nil && i >= 0 && i < len(items) {
		return items[i]
	}
	return nil
}

// Value returns the node as jsontext.Decode would: map[string]any, []any, json.Number, string, bool or nil.
func (n *Node) Value() any {
	switch n.Kind {
	case Bool:
		return n.Text == "true"
	case Number:
		return json.Number(n.Text)
	case String:
		return n.Text
	case Array:
		array := make([]any, len(n.List()))
		for i, item := range n.List() {
			array[i] = item.Value()
		}
		return array
	case Object:
		object := make(map[string]any, len(n.Fields()))
		for _, m := range n.Fields() {
			object[m.Name] = m.Value.Value()
		}
		return object
	}
	return nil
}

// Written returns a number or boolean as the text has it: 007 and 1.10 are numbers to YAML.
func (n *Node) Written() string {
	if n.File == nil || n.Kind != Number && n.Kind != Bool {
		return n.Text
	}
	rest := n.File.Text[min(int(n.Offset), len(n.File.Text)):]
	if end := strings.IndexAny(rest, " \t\r\n,]}#"); end >= 0 {
		rest = rest[:end]
	}
	if rest == "" || strings.ContainsAny(rest[:1], "*&!") { // an alias, an anchor or a tag
		return n.Text
	}
	return rest
}

// Place returns the place of the node. A very long pointer is cut above the node. It is safe on nil.
func (n *Node) Place() exchange.Place {
	if n == nil || n.File == nil {
		return exchange.Place{}
	}
	place := n.File.Place(n.Offset)
	const usual = 16 // levels: usual depths need no allocation
	var nodes [usual]*Node
	var names [usual]string
	_, tokens := n.File.way(n, nodes[:0], names[:0])
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

// PlaceOf returns the place of a member's name, or of n if there is no such member.
func (n *Node) PlaceOf(name string) exchange.Place {
	if i := n.find(name); i >= 0 && n.File != nil {
		return n.PlaceOfMember(n.inner.members[i])
	}
	return n.Place()
}

// PlaceOfMember returns the place of a member's name.
func (n *Node) PlaceOfMember(m Member) exchange.Place {
	place := n.File.Place(m.Offset)
	place.Pointer = m.Value.Place().Pointer
	return place
}

// Describe returns the text of a scalar and the kind of everything else.
func (n *Node) Describe() string {
	if n.Kind == Number || n.Kind == Bool || n.Kind == String {
		return exchange.Quote(n.Text)
	}
	return n.Kind.String()
}

// New returns an empty node at the place of n.
func (n *Node) New(kind Kind) *Node { return &Node{Kind: kind, File: n.File, Offset: n.Offset} }

// NewText returns a string at the place of n.
func (n *Node) NewText(text string) *Node {
	return &Node{Kind: String, Text: text, File: n.File, Offset: n.Offset}
}

// NewBool returns a boolean at the place of n.
func (n *Node) NewBool(value bool) *Node {
	return &Node{Kind: Bool, Text: strconv.FormatBool(value), File: n.File, Offset: n.Offset}
}

// Add appends a member at the place of its value, if there is a value, and returns n. Use it only for nodes under
// construction.
func (n *Node) Add(name string, value *Node) *Node {
	if value != nil {
		n.Append(Member{name, value, value.Offset})
	}
	return n
}

// Append appends members to an object under construction.
func (n *Node) Append(members ...Member) { n.SetMembers(append(n.Fields(), members...)) }

// AppendItems appends items to an array under construction, and returns it.
func (n *Node) AppendItems(items ...*Node) *Node {
	n.own().items = append(n.List(), items...)
	return n
}

// SetMembers replaces the members of a node under construction.
func (n *Node) SetMembers(members []Member) { n.own().members, n.inner.index = members, nil }

// Copy returns a new node with the same members and items.
func (n *Node) Copy() *Node {
	c := *n
	if n.inner != nil {
		c.inner = &inner{slices.Clone(n.inner.members), slices.Clone(n.inner.items), n.inner.index}
	}
	return &c
}

func (n *Node) own() *inner {
	if n.inner == nil {
		n.inner = new(inner)
	}
	return n.inner
}

// Children returns the values of an object's members or the items of an array.
func (n *Node) Children() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for _, m := range n.Fields() {
			if !yield(m.Value) {
				return
			}
		}
		for _, item := range n.List() {
			if !yield(item) {
				return
			}
		}
	}
}

// With returns the member with another value.
func (m Member) With(value *Node) Member { return Member{m.Name, value, m.Offset} }
