package spec

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
)

// file is one source text of a document.
type file struct {
	name     string // as people named it, or relative to the document that refers to it
	path     string // absolute path or URL; the key under which it is loaded
	text     string
	lines    []int32 // offset of each line's first byte
	runes    []int32 // code points before each stretch of the text
	root     *Node
	gathered bool                        // see loader.gather
	ids      map[string]map[string]*Node // by keyword; see identifiers
}

func newFile(name, path, text string) *file {
	f := &file{name: name, path: path, text: text, lines: []int32{0}, runes: []int32{0}}
	for i := stretch; i <= len(text); i += stretch {
		f.runes = append(f.runes, f.runes[len(f.runes)-1]+int32(runesIn(text[i-stretch:i])))
	}
	for i := 0; ; {
		j := strings.IndexByte(text[i:], '\n')
		if j < 0 {
			return f
		}
		i += j + 1
		f.lines = append(f.lines, int32(i))
	}
}

// offset is the place of a line and column as YAML counts them: from 1, in
// characters.
func (f *file) offset(line, column int) int32 {
	if line < 1 || line > len(f.lines) {
		return 0
	}
	at := int(f.lines[line-1])
	for ; column > 1 && at < len(f.text); column-- {
		if f.text[at] < utf8.RuneSelf {
			at++
			continue
		}
		_, size := utf8.DecodeRuneInString(f.text[at:])
		at += size
	}
	return int32(at)
}

// place gives the line and column of an offset.
func (f *file) place(offset int32) exchange.Place {
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset }) - 1
	column := f.runesBefore(offset) - f.runesBefore(f.lines[line]) + 1
	return exchange.Place{File: f.name, Line: line + 1, Column: column}
}

// stretch is how many bytes of a text are counted at a time: a document can be
// one line of megabytes.
const stretch = 1 << 10

// runesBefore counts the code points before an offset.
func (f *file) runesBefore(offset int32) int {
	whole := int(offset) / stretch
	return int(f.runes[whole]) + runesIn(f.text[whole*stretch:offset])
}

// runesIn counts the code points that begin in a part of a text.
func runesIn(text string) int {
	n := 0
	for i := range len(text) {
		if utf8.RuneStart(text[i]) {
			n++
		}
	}
	return n
}

// pointer finds the JSON Pointer of a node of the file: values stand in the
// text in the order of the tree, so the way down is the last value that begins
// at or before the node.
func (f *file) pointer(target *Node) string {
	var b strings.Builder
	for n := f.root; n != nil && !n.same(target); {
		token, child := n.last(target)
		if child == nil {
			break
		}
		b.WriteByte('/')
		b.WriteString(exchange.EscapePointer(token))
		n = child
	}
	return b.String()
}

// same reports whether target is n, or what mending made of it.
func (n *Node) same(target *Node) bool {
	return n == target || n.offset == target.offset && n.Kind == target.Kind
}

// ancestors gives the nodes above target, the file's root first.
func (f *file) ancestors(target *Node) []*Node {
	var above []*Node
	for n := f.root; n != nil && !n.standsFor(target); {
		above = append(above, n)
		_, n = n.last(target)
	}
	return above
}

// standsFor reports whether target is n or the mended copy of it. What a YAML
// merge key puts first into an object begins where the object does.
func (n *Node) standsFor(target *Node) bool {
	if n == target || n.offset != target.offset || n.Kind != target.Kind {
		return n == target
	}
	for i := range n.Members {
		if n.Members[i].Value == target {
			return false
		}
	}
	return true
}

// last gives the child of n that is target, or the last one that begins at or
// before it. Those that a YAML merge key put there begin all at one place.
func (n *Node) last(target *Node) (token string, child *Node) {
	if n.Kind == Array {
		i := sort.Search(len(n.Items), func(i int) bool { return n.Items[i].offset > target.offset }) - 1
		if i < 0 {
			return "", nil
		}
		return itoa(i), n.Items[i]
	}
	end := sort.Search(len(n.Members), func(i int) bool { return n.Members[i].offset > target.offset }) - 1
	if end < 0 {
		return "", nil
	}
	for i := end; i >= 0 && n.Members[i].offset == n.Members[end].offset; i-- {
		if n.Members[i].Value == target {
			return n.Members[i].Name, target
		}
	}
	return n.Members[end].Name, n.Members[end].Value
}
