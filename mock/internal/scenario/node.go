package scenario

import (
	"encoding/json"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/coldframe/coldframe/internal/exchange"
)

type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindText
	kindList
	kindMap
)

func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "a mapping"}[k]
}

// node is one value of a scenario file with its place.
type node struct {
	kind    kind
	text    string // of a string, number or boolean
	members []member
	items   []*node
	parent  *node
	token   string // in the parent
	line    int
	column  int
	style   yaml.Style
}

type member struct {
	name  string
	key   *node
	value *node
}

func (n *node) place(file string) exchange.Place {
	return exchange.Place{Pointer: n.pointer(), File: file, Line: n.line, Column: n.column}
}

// pointer is made only for findings: aliases can nest long keys without end.
func (n *node) pointer() string {
	if n.parent == nil {
		return ""
	}
	return n.parent.pointer() + "/" + exchange.EscapePointer(n.token)
}

func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// at follows a JSON Pointer as far as it leads.
func (n *node) at(pointer string) *node {
	if pointer == "" {
		return n
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		next := n.get(exchange.UnescapePointer(token))
		if i, err := strconv.Atoi(token); err == nil && n.kind == kindList && 0 <= i && i < len(n.items) {
			next = n.items[i]
		}
		if next == nil {
			break
		}
		n = next
	}
	return n
}

// value gives a node as jsontext.Decode would.
func (n *node) value() any {
	switch n.kind {
	case kindBool:
		return n.text == "true"
	case kindNumber:
		return json.Number(n.text)
	case kindText:
		return n.text
	case kindList:
		items := make([]any, len(n.items))
		for i, item := range n.items {
			items[i] = item.value()
		}
		return items
	case kindMap:
		object := make(map[string]any, len(n.members))
		for _, m := range n.members {
			object[m.name] = m.value.value()
		}
		return object
	}
	return nil
}
