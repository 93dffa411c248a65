package spec

import (
	"errors"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

// maxRefChain limits the length of a chain of references.
const maxRefChain = 64

var (
	errNothingThere = errors.New("it leads nowhere")
	errEndless      = errors.New("the references go round in a circle")
)

// lookup returns the node that a $ref in from refers to.
func (l *loader) lookup(from *tree.Node, ref string) (*tree.Node, error) {
	target, err := l.follow(from, ref, "$id")
	if err != nil && len(l.identifiers(from.File, "id")) > 0 {
		if target, ok := l.followOldID(from, ref); ok {
			return target, nil
		}
	}
	return target, err
}

// follow resolves a reference, with identifiers of the given keyword.
func (l *loader) follow(from *tree.Node, ref, idKeyword string) (*tree.Node, error) {
	location, fragment, _ := strings.Cut(ref, "#")
	if unescaped, err := url.PathUnescape(fragment); err == nil {
		fragment = unescaped
	}
	root, err := l.identified(from, location, idKeyword)
	if err != nil {
		return nil, err
	}
	if target := l.fragment(root, fragment); target != nil && !(fragment == "" && isDocument(root)) {
		return target, nil
	}
	if location != "" {
		return nil, errNothingThere
	}
	// A pasted JSON Schema has pointers from its own root.
	above, _ := from.File.Way(from)
	for _, ancestor := range append(above, from) {
		if fragment == "" && !l.embedded[ancestor] {
			continue
		}
		if target := l.fragment(ancestor, fragment); target != nil {
			return target, nil
		}
	}
	return nil, errNothingThere
}

// isDocument reports whether n is an OpenAPI document, which is not a schema.
func isDocument(n *tree.Node) bool { return n.Get("openapi") != nil || n.Get("swagger") != nil }

// identified returns the root that the part of a $ref before "#" names: a schema with this identifier, or a file.
func (l *loader) identified(from *tree.Node, location, idKeyword string) (*tree.Node, error) {
	base := ""
	if ids := l.identifiers(from.File, idKeyword); len(ids) > 0 {
		base = baseURI(from, idKeyword)
		if target, ok := ids[joinURI(base, location)]; ok {
			return target, nil
		}
	}
	if location == "" {
		return from.File.Root, nil
	}
	f, err := l.reference(from.File, location)
	if err == nil {
		return f.Root, nil
	}
	if isURL(base) {
		if f, err := l.reference(from.File, joinURI(base, location)); err == nil {
			return f.Root, nil
		}
	}
	return nil, err
}

// followOldID resolves a reference if "id" is the identifier, as in JSON Schema draft 4. There "id" also names places
// inside a schema ("id": "#name").
func (l *loader) followOldID(from *tree.Node, ref string) (*tree.Node, bool) {
	ids := l.identifiers(from.File, "id")
	if target, ok := ids[joinURI(baseURI(from, "id"), ref)]; ok {
		return target, true
	}
	if target, err := l.follow(from, ref, "id"); err == nil {
		return target, true
	}
	location, fragment, _ := strings.Cut(ref, "#")
	root, err := l.identified(from, location, "id")
	if err != nil || location == "" || fragment == "" {
		return nil, false
	}
	target, ok := l.identifiers(root.File, "id")["#"+fragment]
	return target, ok
}

func joinURI(base, ref string) string {
	if base == "" {
		return strings.TrimSuffix(ref, "#")
	}
	b, err := url.Parse(base)
	if err == nil {
		b, err = b.Parse(ref)
	}
	if err != nil {
		return ref
	}
	return strings.TrimSuffix(b.String(), "#")
}

// fragment follows a JSON Pointer or an anchor within root. A pointer may pass through other references.
func (l *loader) fragment(root *tree.Node, fragment string) *tree.Node {
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		return l.anchor(root, fragment)
	}
	key := pointerKey{root, fragment}
	if known, ok := l.pointers[key]; ok {
		return known
	}
	if l.following++; l.following > maxRefChain {
		l.following--
		return nil
	}
	defer func() { l.following-- }()
	l.pointers[key] = nil // a reference that depends on itself leads nowhere
	n := root
	for token := range exchange.Tokens(fragment) {
		child := n.Child(token)
		for range maxRefChain {
			ref := n.Get("$ref").Str()
			if child != nil || ref == "" {
				break
			}
			next, err := l.lookup(n, ref)
			if err != nil || next == n {
				break
			}
			n = next
			child = n.Child(token)
		}
		if child == nil {
			return nil
		}
		n = child
	}
	l.pointers[key] = n
	return n
}

type pointerKey struct {
	root    *tree.Node
	pointer string
}

// anchor returns the schema of an $anchor or $dynamicAnchor in the resource with the given root.
func (l *loader) anchor(root *tree.Node, name string) *tree.Node {
	anchors, ok := l.anchors[root]
	if !ok {
		anchors = map[string]*tree.Node{}
		if strings.Contains(root.File.Text, "nchor") {
			collectAnchors(root, anchors)
		}
		l.anchors[root] = anchors
	}
	return anchors[name]
}

// collectAnchors collects anchors, but does not enter schemas with their own $id (JSON Schema Core section 8.2.2).
func collectAnchors(n *tree.Node, into map[string]*tree.Node) {
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name := n.Get(keyword).Str(); name != "" && into[name] == nil {
			into[name] = n
		}
	}
	for child := range n.Children() {
		if child.Get("$id").Str() == "" {
			collectAnchors(child, into)
		}
	}
}

type idsKey struct {
	file    *tree.File
	keyword string
}

// identifiers returns the schemas of a file that have an $id, or an "id", by absolute or document-relative URI.
func (l *loader) identifiers(f *tree.File, keyword string) map[string]*tree.Node {
	key := idsKey{f, keyword}
	if ids, ok := l.ids[key]; ok {
		return ids
	}
	ids := map[string]*tree.Node{}
	if strings.Contains(f.Text, keyword) || strings.Contains(f.Text, "$self") {
		collectIDs(f.Root, keyword, "", ids)
	}
	l.ids[key] = ids
	return ids
}

func collectIDs(n *tree.Node, keyword, base string, into map[string]*tree.Node) {
	if id := identifier(n, keyword); id != "" {
		if strings.HasPrefix(id, "#") {
			if _, ok := into[joinURI(base, id)]; !ok {
				into[joinURI(base, id)] = n
			}
		} else if base = joinURI(base, id); into[base] == nil {
			into[base] = n
		}
	}
	for child := range n.Children() {
		collectIDs(child, keyword, base, into)
	}
}

// identifier returns a schema's $id, or its id unless it is beside a $ref.
func identifier(n *tree.Node, keyword string) string {
	id := n.Get(keyword).Str()
	if keyword == "$id" && isDocument(n) { // OpenAPI 3.2 section 4.1.2
		return n.Get("$self").Str()
	}
	if id != "" && keyword == "id" && n.Get("$ref") != nil {
		return ""
	}
	return id
}

// baseURI returns the base URI of references in target: it follows from the identifiers on the way down to it.
func baseURI(target *tree.Node, keyword string) string {
	base := ""
	above, _ := target.File.Way(target)
	for _, n := range append(above, target) {
		if id := identifier(n, keyword); id != "" && !strings.HasPrefix(id, "#") {
			base = joinURI(base, id)
		}
	}
	return base
}

// resolve follows $refs from n to a node that is not a reference.
func (l *loader) resolve(n *tree.Node) (*tree.Node, error) {
	for range maxRefChain {
		ref := n.Get("$ref").Str()
		if ref == "" {
			return n, nil
		}
		target, err := l.lookup(n, ref)
		if err != nil {
			return nil, err
		}
		n = target
	}
	return nil, errEndless
}
