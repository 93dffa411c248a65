package impact

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// version is a version of a document: the roots of its files by their paths. It is never changed.
type version struct {
	document string // the path of the document itself
	files    map[string]*tree.Node
}

// versionsOf returns two versions of a document. Their files with the same path, seen from the document, have the same
// name.
func versionsOf(before, after *spec.Contract) (old, new version) {
	oldDocument, oldFiles := before.Trees()
	newDocument, newFiles := after.Trees()
	missing := max(0, strings.Count(newDocument, "/")-strings.Count(oldDocument, "/"))
	above := strings.Repeat("above/", missing) // folders of files that only the new version has
	old = version{document: above + oldDocument, files: map[string]*tree.Node{}}
	new = version{document: old.document, files: map[string]*tree.Node{}}
	for name, f := range oldFiles {
		old.files[above+name] = f.Root
	}
	for name, f := range newFiles {
		if from, err := filepath.Rel(path.Dir(newDocument), name); err == nil {
			name = path.Join(path.Dir(old.document), filepath.ToSlash(from))
		}
		if f == newFiles[newDocument] {
			name = new.document
		}
		new.files[name] = f.Root
	}
	return old, new
}

// names returns the paths of the files, the document's first.
func (v version) names() []string {
	names := []string{v.document}
	for _, name := range slices.Sorted(maps.Keys(v.files)) {
		if name != v.document {
			names = append(names, name)
		}
	}
	return names
}

// with returns the version with another root of a file.
func (v version) with(file string, root *tree.Node) version {
	v.files = maps.Clone(v.files)
	v.files[file] = root
	return v
}

// texts returns the texts of the files, which may be changed ones of old or new. size limits what is written.
func (v version) texts(old, new version, size int64) (spec.Texts, error) {
	texts := spec.Texts{}
	for name, root := range v.files {
		if root == old.files[name] || root == new.files[name] {
			texts[name] = root.File.Text
			continue
		}
		text, err := write(root, size)
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	return texts, nil
}

// apply returns the old version with a hunk, with the files that only the new version has, and with the components of
// the new version that it refers to.
func (h *hunk) apply(old, new version) version {
	changed := version{document: old.document, files: maps.Clone(new.files)}
	maps.Copy(changed.files, old.files)
	for one := h; one != nil; one = one.other {
		changed = changed.with(h.file, edit(changed.files[h.file], one.at, func(n *tree.Node) *tree.Node {
			if n.Kind == tree.Array {
				items := slices.DeleteFunc(slices.Clone(n.List()), func(item *tree.Node) bool { return item == one.old })
				if one.new != nil {
					items = append(items, one.new)
				}
				return n.New(tree.Array).AppendItems(items...)
			}
			return withMember(n, one.name, one.new)
		}))
	}
	r := referred{old: old, new: new, changed: changed, seen: map[string]bool{}}
	if h.new != nil {
		r.add(h.file, h.new)
	}
	return r.changed
}

// referred adds the components of a new version that a changed old one lacks.
type referred struct {
	old, new, changed version
	seen              map[string]bool
}

// add adds the components to which a node of a file refers.
func (r *referred) add(file string, n *tree.Node) {
	if ref := n.Get("$ref").Str(); ref != "" && !strings.Contains(ref, "://") {
		to, pointer, _ := strings.Cut(ref, "#")
		if to = path.Join(path.Dir(file), to); strings.HasPrefix(ref, "#") {
			to = file
		}
		r.addAt(to, pointer)
	}
	for child := range n.Children() {
		r.add(file, child)
	}
}

func (r *referred) addAt(file, pointer string) {
	from, into := r.new.files[file], r.changed.files[file]
	if from == nil || into == nil || r.seen[file+"#"+pointer] {
		return
	}
	r.seen[file+"#"+pointer] = true
	target, tokens := from.At(pointer), exchange.SplitPointer(pointer)
	switch isNew := r.old.files[file] == nil; {
	case target == nil:
		return
	case !isNew && into.At(pointer) != nil:
		return
	case !isNew && len(tokens) > 1:
		last := len(tokens) - 1
		r.changed = r.changed.with(file, edit(into, tokens[:last], func(n *tree.Node) *tree.Node {
			return withMember(n, tokens[last], target)
		}))
	}
	r.add(file, target)
}
