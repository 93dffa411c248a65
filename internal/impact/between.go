package impact

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/diff"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/visible"
)

// Document is one of two versions of a document.
type Document struct {
	Location string
	Options  spec.Options
}

// load returns the document, and its bundle.
func (d *Document) load(ctx context.Context) (*spec.Contract, *spec.Bundle, error) {
	c, err := spec.Load(ctx, d.Location, d.Options)
	if err != nil {
		return nil, nil, err
	}
	bundle, err := spec.LoadBundle(ctx, d.Location, d.Options)
	return c, bundle, err
}

// specification returns the version of the specification that a document follows, without its patch: "2.0" or "3.1".
func specification(c *spec.Contract) string {
	name, files := c.Trees()
	root := files[name].Root
	major, rest, _ := strings.Cut(cmp.Or(root.Get("swagger").Str(), root.Get("openapi").Str()), ".")
	minor, _, _ := strings.Cut(rest, ".")
	return major + "." + minor
}

// Between returns the changes between two documents that may break a client, each with the old document in which it is
// the only one. skipped are changes that no smallest difference of the documents makes alone.
func Between(ctx context.Context, old, new Document) (changes []*Change, skipped []Skipped, err error) {
	before, oldBundle, err := old.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	after, newBundle, err := new.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	var oldOrigin, newOrigin *spec.Bundle
	if specification(before) != specification(after) { // their bundles are both OpenAPI 3.1
		oldOrigin, newOrigin = oldBundle, newBundle
		old.Options.Text, new.Options.Text = oldBundle.Text, newBundle.Text
		if before, oldBundle, err = old.load(ctx); err != nil {
			return nil, nil, err
		}
		if after, newBundle, err = new.load(ctx); err != nil {
			return nil, nil, err
		}
	}
	all, err := diff.Compare(ctx, oldBundle, newBundle)
	if err != nil {
		return nil, nil, err
	}
	older, newer := versionsOf(before, after)
	var hunks []*hunk
	for _, name := range older.names() {
		if newer.files[name] == nil {
			continue
		}
		for _, h := range hunksOf(older.files[name], newer.files[name]) {
			h.file, h.isElsewhere = name, name != older.document
			hunks = append(hunks, h)
		}
	}
	if len(hunks) > maxHunks {
		skipped = append(skipped, Skipped{fmt.Sprintf("%d of %d differences", len(hunks)-maxHunks, len(hunks)),
			"the documents differ too much"})
		hunks = hunks[:maxHunks]
	}
	alone := func(h *hunk) (found []diff.Change, err error) {
		if h.files, err = h.apply(older, newer).texts(older, newer, before.Size+after.Size); err != nil {
			return nil, err
		}
		alone := old.Options
		alone.Text, alone.Source = nil, h.files
		bundle, err := spec.LoadBundle(ctx, older.document, alone)
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil || mistakes(bundle) > mistakes(oldBundle): // a component is gone that something refers to
			return nil, nil
		case bytes.Equal(bundle.Text, oldBundle.Text): // prose
			return nil, nil
		}
		found, err = diff.Compare(ctx, oldBundle, bundle)
		h.hasNoRule = len(found) == 0 && (h.isElsewhere || len(h.at) == 0 || h.at[0] != "info")
		return found, err
	}
	found, failed := make([][]diff.Change, len(hunks)), make([]error, len(hunks))
	var running sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for i, h := range hunks {
		free <- true
		running.Go(func() {
			found[i], failed[i] = alone(h)
			<-free
		})
	}
	running.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, nil, err
	}
	made := map[string]bool{}
	changes = []*Change{}
	for i, h := range hunks {
		if c := h.change(before, after, found[i], made); c != nil {
			c.Document, c.Files = older.document, h.files
			switch {
			case h.new != nil && newOrigin != nil:
				c.Place = newOrigin.Place(c.Place.Line)
			case oldOrigin != nil:
				c.Place = oldOrigin.Place(c.Place.Line)
			}
			changes = append(changes, c)
		} else if h.hasNoRule {
			skipped = append(skipped, Skipped{visible.Line(h.pointer()), "no rule says what this difference means for clients"})
		}
	}
	for _, c := range all {
		if c.Severity <= exchange.Warning && !made[key(c)] {
			title := strings.TrimSpace(c.Method + " " + c.Path + ": " + c.Text)
			skipped = append(skipped, Skipped{visible.Line(title), "it cannot be applied alone"})
		}
	}
	return changes, skipped, nil
}

// mistakes returns the number of errors in a document.
func mistakes(b *spec.Bundle) (n int) {
	for _, f := range b.Findings {
		if f.Severity == exchange.Error {
			n++
		}
	}
	return n
}

func key(c diff.Change) string { return c.ID + "\x00" + c.Method + "\x00" + c.Path + "\x00" + c.Text }

// hunk is a smallest difference of two documents.
type hunk struct {
	file  string   // in which it is
	at    []string // the object or the list that differs
	name  string   // of the member; "" in a list
	old   *tree.Node
	new   *tree.Node // nil: old is removed
	other *hunk      // applied together with it: a property and that it is required
	files spec.Texts // the old document with the hunk alone
	// isElsewhere says that the file is not the document, but one that it refers to.
	isElsewhere bool
	// hasNoRule says that the hunk changes the meaning of the document, and no rule of package diff is about that.
	hasNoRule bool
}

// change returns the change that a hunk makes, nil if it breaks no client. made notes what it makes.
func (h *hunk) change(before, after *spec.Contract, found []diff.Change, made map[string]bool) *Change {
	var c *Change
	for _, f := range found {
		if f.Severity > exchange.Warning {
			continue
		}
		made[key(f)] = true
		if c == nil {
			c = newChange(f.ID, h.pointer(), f.Text, h.place(before, after, f))
		}
		for _, op := range before.Operations {
			matches := strings.EqualFold(op.Method, f.Method) && op.Path == f.Path || f.Path == ""
			if matches && !slices.Contains(c.Operations, name(op)) {
				c.Operations = append(c.Operations, name(op))
			}
		}
	}
	return c
}

// pointer names what differs. An item of a list has what identifies it in place of its index.
func (h *hunk) pointer() string {
	at := ""
	if h.isElsewhere {
		at = cmp.Or(h.new, h.old).File.Name + "#"
	}
	return at + tree.Pointer(append(slices.Clone(h.at), cmp.Or(h.name, identity(cmp.Or(h.new, h.old)))))
}

// place returns the place of the change in the new document; for something removed, its place in the old one.
func (h *hunk) place(before, after *spec.Contract, f diff.Change) exchange.Place {
	if h.new != nil {
		place := h.new.Place()
		return after.PlaceOfName(place)
	}
	if h.old != nil {
		return before.PlaceOfName(h.old.Place())
	}
	return f.Old
}

// edit returns a copy of n with the node at tokens changed. Objects on the way that do not exist are made.
func edit(n *tree.Node, tokens []string, change func(*tree.Node) *tree.Node) *tree.Node {
	if len(tokens) == 0 {
		return change(n)
	}
	if n.Kind == tree.Array {
		items := slices.Clone(n.List())
		if i, err := strconv.Atoi(tokens[0]); err == nil && i < len(items) {
			items[i] = edit(items[i], tokens[1:], change)
		}
		return n.New(tree.Array).AppendItems(items...)
	}
	child := n.Get(tokens[0])
	if child == nil {
		child = n.New(tree.Object)
	}
	return withMember(n, tokens[0], edit(child, tokens[1:], change))
}

// withMember returns a copy of an object with a member changed, added, or, for nil, removed.
func withMember(n *tree.Node, name string, value *tree.Node) *tree.Node {
	var members []tree.Member
	found := false
	for _, m := range n.Fields() {
		if m.Name == name {
			found = true
			if value == nil {
				continue
			}
			m.Value = value
		}
		members = append(members, m)
	}
	if !found && value != nil {
		members = append(members, tree.Member{Name: name, Value: value})
	}
	changed := n.New(tree.Object)
	changed.SetMembers(members)
	return changed
}

// hunksOf returns the smallest differences of two documents, in the order of the old one.
func hunksOf(old, new *tree.Node) []*hunk {
	var all []*hunk
	var compare func(at []string, old, new *tree.Node)
	child := func(at []string, token string) []string { return append(slices.Clip(at), token) }
	compare = func(at []string, old, new *tree.Node) {
		for _, m := range old.Fields() {
			other := new.Get(m.Name)
			switch {
			case other != nil && other.Kind == m.Value.Kind && (other.Kind == tree.Object || other.Kind == tree.Array):
				compare(child(at, m.Name), m.Value, other)
			case other == nil || other.Kind != m.Value.Kind || other.Text != m.Value.Text:
				all = append(all, &hunk{at: at, name: m.Name, old: m.Value, new: other})
			}
		}
		for _, m := range new.Fields() {
			if old.Get(m.Name) == nil {
				all = append(all, &hunk{at: at, name: m.Name, new: m.Value})
			}
		}
		gone, added := unmatched(old.List(), new.List()), unmatched(new.List(), old.List())
		for i, item := range old.List() {
			if slices.Contains(gone, item) {
				if i < len(new.List()) && len(old.List()) == len(new.List()) && slices.Contains(added, new.List()[i]) &&
					item.Kind == tree.Object && new.List()[i].Kind == tree.Object {
					compare(child(at, strconv.Itoa(i)), item, new.List()[i])
					added = slices.DeleteFunc(added, func(n *tree.Node) bool { return n == new.List()[i] })
				} else {
					all = append(all, &hunk{at: at, old: item})
				}
				continue
			}
			at := child(at, strconv.Itoa(i))
			same := func(n *tree.Node) bool { return identity(n) == identity(item) }
			if j := slices.IndexFunc(new.List(), same); item.Kind == tree.Object && j >= 0 {
				compare(at, item, new.List()[j])
			}
		}
		for _, item := range added {
			all = append(all, &hunk{at: at, new: item})
		}
	}
	compare(nil, old, new)
	return paired(slices.DeleteFunc(all, (*hunk).isProse))
}

// isProse reports whether a hunk changes a text for people. A schema property with such a name has no string there.
func (h *hunk) isProse() bool {
	return slices.Contains([]string{"description", "summary", "title"}, h.name) &&
		cmp.Or(h.old, h.new).Kind == tree.String
}

// unmatched returns the items that have no counterpart in others.
func unmatched(items, others []*tree.Node) (all []*tree.Node) {
	known := map[string]bool{}
	for _, other := range others {
		known[identity(other)] = true
	}
	for _, item := range items {
		if !known[identity(item)] {
			all = append(all, item)
		}
	}
	return all
}

// identity returns what identifies an item of a list: the place and the name of a parameter, or all of it.
func identity(n *tree.Node) string {
	if in, name := n.Get("in").Str(), n.Get("name").Str(); in != "" && name != "" {
		return in + " " + name
	}
	if n.Kind == tree.String {
		return n.Text
	}
	text, _ := write(n, int64(len(n.File.Text)))
	return string(text)
}

// paired joins the hunk of a property with the hunk of its name in `required`.
func paired(all []*hunk) []*hunk {
	required := map[string]*hunk{}
	of := func(at []string, name string) string { return tree.Pointer(append(slices.Clone(at[:len(at)-1]), name)) }
	for _, h := range all {
		if len(h.at) > 0 && h.at[len(h.at)-1] == "required" {
			required[of(h.at, identity(cmp.Or(h.new, h.old)))] = h
		}
	}
	for _, h := range all {
		if len(h.at) > 0 && h.at[len(h.at)-1] == "properties" && (h.old == nil || h.new == nil) {
			h.other = required[of(h.at, h.name)]
		}
	}
	return slices.DeleteFunc(all, func(h *hunk) bool {
		return slices.ContainsFunc(all, func(other *hunk) bool { return other.other == h })
	})
}

// maxHunks limits the differences of two documents that are applied.
const maxHunks = 2000

// write returns a node as JSON, with its members in their order. YAML aliases may make it much larger than the size of
// the files, which is an error.
func write(n *tree.Node, size int64) ([]byte, error) {
	const factor = 8
	most := int(max(factor*size, 1<<20))
	text := appendNode(nil, n, most)
	if len(text) > most {
		return nil, fmt.Errorf("the document with its aliases is larger than %d MiB", most>>20)
	}
	return text, nil
}

// appendNode appends a node as JSON. It stops when dst is longer than most.
func appendNode(dst []byte, n *tree.Node, most int) []byte {
	switch n.Kind {
	case tree.Object:
		dst = append(dst, '{')
		for i, m := range n.Fields() {
			if len(dst) > most {
				return dst
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendNode(append(jsontext.AppendString(dst, m.Name), ':'), m.Value, most)
		}
		return append(dst, '}')
	case tree.Array:
		dst = append(dst, '[')
		for i, item := range n.List() {
			if len(dst) > most {
				return dst
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendNode(dst, item, most)
		}
		return append(dst, ']')
	}
	return jsontext.Append(dst, n.Value())
}
