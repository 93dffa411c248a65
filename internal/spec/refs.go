package spec

import (
	"errors"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// maxRefChain bounds how often a reference may lead to another.
const maxRefChain = 64

// lookup gives the node that a $ref standing in from means. within is the
// schema that from belongs to, or nil: what is not found from the document's
// root is looked for from there, since many documents carry "#/$defs" of a
// JSON Schema that was pasted in.
func (l *loader) lookup(from *Node, ref string, within *Node) (*Node, error) {
	location, fragment, _ := strings.Cut(ref, "#")
	if unescaped, err := url.PathUnescape(fragment); err == nil {
		fragment = unescaped
	}
	root, err := l.resource(from, location)
	if err != nil {
		return nil, err
	}
	target := l.fragment(root, fragment)
	if target == nil && location == "" {
		target = l.fragment(from.file.root, fragment)
	}
	if target == nil && location == "" && within != nil {
		target = l.fragment(within, fragment)
	}
	if target == nil {
		return nil, errors.New("nothing stands there")
	}
	return target, nil
}

// resource gives the root that the part of a $ref before "#" names: a schema
// with that $id, or a file.
func (l *loader) resource(from *Node, location string) (*Node, error) {
	ids := from.file.identifiers()
	if len(ids) > 0 {
		base := from.file.base(from)
		if target, ok := ids[joinURI(base, location)]; ok {
			return target, nil
		}
	}
	if location == "" {
		return from.file.root, nil
	}
	f, err := l.reference(from.file, location)
	if err != nil {
		return nil, err
	}
	return f.root, nil
}

func joinURI(base, ref string) string {
	b, err := url.Parse(base)
	if err != nil {
		return ref
	}
	u, err := b.Parse(ref)
	if err != nil {
		return ref
	}
	return strings.TrimSuffix(u.String(), "#")
}

// fragment follows a JSON Pointer or an anchor within root. A pointer may pass
// through other references.
func (l *loader) fragment(root *Node, fragment string) *Node {
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		return findAnchor(root, fragment, 0)
	}
	n := root
	for token := range tokens(fragment) {
		for range maxRefChain {
			child := n.child(token)
			if child != nil {
				n = child
				break
			}
			ref := n.Get("$ref").Str()
			if ref == "" {
				return nil
			}
			next, err := l.lookup(n, ref, nil)
			if err != nil || next == n {
				return nil
			}
			n = next
		}
	}
	return n
}

// tokens gives the unescaped tokens of a JSON Pointer.
func tokens(pointer string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if pointer == "" {
			return
		}
		for token := range strings.SplitSeq(pointer[1:], "/") {
			if !yield(exchange.UnescapePointer(token)) {
				return
			}
		}
	}
}

// findAnchor looks for the $anchor or $dynamicAnchor of a name, not entering
// schemas that have an $id of their own (JSON Schema Core section 8.2.2).
func findAnchor(n *Node, name string, depth int) *Node {
	if depth > maxDocumentDepth {
		return nil
	}
	if n.Get("$anchor").Str() == name || n.Get("$dynamicAnchor").Str() == name {
		return n
	}
	for _, m := range n.Members {
		if m.Value.Get("$id").Str() != "" {
			continue
		}
		if found := findAnchor(m.Value, name, depth+1); found != nil {
			return found
		}
	}
	for _, item := range n.Items {
		if found := findAnchor(item, name, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// identifiers gives the schemas of the file that have an $id, by absolute or
// document-relative URI.
func (f *file) identifiers() map[string]*Node {
	if f.ids == nil {
		f.ids = map[string]*Node{}
		if strings.Contains(f.text, "$id") {
			f.collectIDs(f.root, "", 0)
		}
	}
	return f.ids
}

func (f *file) collectIDs(n *Node, base string, depth int) {
	if n == nil || depth > maxDocumentDepth {
		return
	}
	if id := n.Get("$id").Str(); id != "" {
		base = joinURI(base, id)
		if _, ok := f.ids[base]; !ok {
			f.ids[base] = n
		}
	}
	for _, m := range n.Members {
		f.collectIDs(m.Value, base, depth+1)
	}
	for _, item := range n.Items {
		f.collectIDs(item, base, depth+1)
	}
}

// base gives the URI that references standing in target are relative to: the
// $ids on the way down to it.
func (f *file) base(target *Node) string {
	base := ""
	for n := f.root; n != nil; {
		if id := n.Get("$id").Str(); id != "" {
			base = joinURI(base, id)
		}
		if n == target {
			break
		}
		_, n = n.last(target.offset)
	}
	return base
}

// resolve follows the $refs of n to what is no reference any more.
func (l *loader) resolve(n *Node) (*Node, error) {
	for range maxRefChain {
		ref := n.Get("$ref").Str()
		if ref == "" {
			return n, nil
		}
		target, err := l.lookup(n, ref, nil)
		if err != nil {
			return nil, err
		}
		n = target
	}
	return nil, errors.New("the references go round in a circle")
}
