package tree

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/visible"
)

// File is one text and its tree.
type File struct {
	Name  string // the file's name in places: as the user wrote it, or relative to the file that refers to it
	Path  string // absolute path or URL; empty unless the opener sets it
	Text  string
	Root  *Node
	lines []int32  // offset of each line's first byte
	runes []int32  // the number of code points before each stretch of the text
	asked sync.Map // word → whether the text contains it
}

func newFile(name, text string) *File {
	f := &File{Name: name, Text: text, lines: make([]int32, 1, 1+strings.Count(text, "\n")),
		runes: make([]int32, 1, 1+len(text)/stretch)}
	for i := stretch; i <= len(text); i += stretch {
		f.runes = append(f.runes, f.runes[len(f.runes)-1]+int32(runesIn(text[i-stretch:i])))
	}
	for end := 0; len(f.lines) < cap(f.lines); {
		end += 1 + strings.IndexByte(text[end:], '\n')
		f.lines = append(f.lines, int32(end))
	}
	return f
}

// Has reports whether the text contains a word. It searches once for each word: texts are long, and every schema
// asks.
func (f *File) Has(word string) bool {
	has, known := f.asked.Load(word)
	if !known {
		has = strings.Contains(f.Text, word)
		f.asked.Store(word, has)
	}
	return has.(bool)
}

// offset returns the offset of a line and column as YAML counts them: from 1, in characters.
func (f *File) offset(line, column int) int32 {
	if line < 1 || line > len(f.lines) {
		return 0
	}
	at := int(f.lines[line-1])
	want := f.runesBefore(int32(at)) + column - 1
	near := sort.Search(len(f.runes), func(i int) bool { return int(f.runes[i]) > want }) - 1
	at = max(at, near*stretch)
	for count := f.runesBefore(int32(at)); at < len(f.Text); at++ {
		if !utf8.RuneStart(f.Text[at]) {
			continue
		}
		if count == want {
			break
		}
		count++
	}
	return int32(at)
}

// Place returns the line and column of an offset.
func (f *File) Place(offset int32) exchange.Place {
	line := sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset }) - 1
	column := f.runesBefore(offset) - f.runesBefore(f.lines[line]) + 1
	return exchange.Place{File: f.Name, Line: line + 1, Column: column}
}

// stretch is the number of bytes whose code points are counted together: a document can be a single line of
// megabytes.
const stretch = 1 << 10

func (f *File) runesBefore(offset int32) int {
	whole := int(offset) / stretch
	before, rest := int(f.runes[whole]), int(offset)-whole*stretch
	if whole+1 < len(f.runes) && int(f.runes[whole+1])-before == stretch { // each byte is a code point
		return before + rest
	}
	return before + runesIn(f.Text[whole*stretch:offset])
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

// Way returns the nodes above target, the file's root first, and for each the token that leads to the next one.
// Values have the same order in the text and in the tree, so at each level the way leads to the last value that
// begins at or before target.
func (f *File) Way(target *Node) (above []*Node, tokens []string) { return f.way(target, nil, nil) }

// way is like Way, but appends to the given lists.
func (f *File) way(target *Node, above []*Node, tokens []string) ([]*Node, []string) {
	for n := f.Root; !n.standsFor(target); {
		token, child := n.toward(target)
		above = append(above, n)
		if child == nil {
			break
		}
		tokens = append(tokens, token)
		n = child
	}
	return above, tokens
}

// standsFor reports whether target is n or its normalized copy. The first member that a YAML merge key adds to an
// object begins at the offset of the object.
func (n *Node) standsFor(target *Node) bool {
	if n == target || n.Offset != target.Offset || n.Kind != target.Kind {
		return n == target
	}
	return !slices.ContainsFunc(n.Fields(), func(m Member) bool { return m.Value == target })
}

// toward returns the child of n that is target, or the last one that begins at or before it. All members that a YAML
// merge key adds begin at the same offset.
func (n *Node) toward(target *Node) (token string, child *Node) {
	if n.Kind == Array {
		items := n.List()
		i := sort.Search(len(items), func(i int) bool { return items[i].Offset > target.Offset }) - 1
		if i < 0 {
			return "", nil
		}
		return strconv.Itoa(i), items[i]
	}
	members := n.Fields()
	end := sort.Search(len(members), func(i int) bool { return members[i].Offset > target.Offset }) - 1
	if end < 0 {
		return "", nil
	}
	for i := end; i >= 0 && members[i].Offset == members[end].Offset; i-- {
		if members[i].Value == target {
			return members[i].Name, target
		}
	}
	return members[end].Name, members[end].Value
}

// Count returns the number of lines.
func (f *File) Count() int {
	if strings.HasSuffix(f.Text, "\n") {
		return len(f.lines) - 1
	}
	return len(f.lines)
}

// maxShown is the length of the longest line that Lines returns whole, in bytes.
const maxShown = 4 << 10

// Lines returns the lines from one to another, counted from 1, as far as there are any. Passwords in URLs are left out.
func (f *File) Lines(from, to int) []string {
	lines := []string{}
	for i := max(from, 1); i <= min(to, f.Count()); i++ {
		line, _, _ := strings.Cut(f.Text[f.lines[i-1]:], "\n")
		line = visible.WithoutUserinfo(strings.TrimSuffix(line[:min(len(line), 4*maxShown)], "\r"))
		if len(line) > maxShown {
			line = strings.ToValidUTF8(line[:maxShown], "") + "…"
		}
		lines = append(lines, line)
	}
	return lines
}

// Line returns the text of a line without surrounding white space; of a line longer than most bytes, the part from
// the place on. It returns "" for an unknown place. Passwords in URLs are left out.
func (f *File) Line(p exchange.Place, most int) string {
	if p.Line < 1 || p.Line > len(f.lines) {
		return ""
	}
	start := f.lines[p.Line-1]
	line, _, _ := strings.Cut(f.Text[start:], "\n")
	line = strings.TrimRight(line, " \t\r")
	if len(line) > most {
		if at := int(f.offset(p.Line, p.Column) - start); at < len(line) {
			line = line[at:]
		}
	}
	line = visible.WithoutUserinfo(strings.TrimSpace(line[:min(len(line), 4*most)]))
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
