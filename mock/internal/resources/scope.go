package resources

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Collection names the collection of an operation: the collection of the resource, below the items in the path if keys
// repeat below them. text returns the values of the path's variables.
func (op *Operation) Collection(text func(variable string) string) string {
	k := op.runtime
	switch {
	case !k.Scoped:
		return "/" + k.Name
	case op.variables != nil:
		return k.collectionBelow(k.named, len(k.named.Scope), k.Name, func(v string) string { return text(op.variables[v]) })
	}
	return k.collectionBelow(op.Binding, len(op.Scope), k.Name, text)
}

// variablesOf matches the variables of an operation's path with those before the key
// in the paths that name items: see Operation.
func (k *Runtime) variablesOf(b *resource.Binding) (variables map[string]string, extra []resource.Variable) {
	if !k.Scoped || k.named == nil {
		return nil, b.Scope
	}
	variables = make(map[string]string, len(k.named.Scope))
	used := make([]bool, len(b.Scope))
	for i, v := range k.named.Scope {
		at := slices.IndexFunc(b.Scope, func(w resource.Variable) bool {
			return w.Name == v.Name || v.Parent != nil && w.Parent == v.Parent
		})
		if at < 0 && len(b.Scope) == len(k.named.Scope) {
			at = i
		}
		if at < 0 || used[at] {
			return nil, b.Scope
		}
		variables[v.Name], used[at] = b.Scope[at].Name, true
	}
	for i, v := range b.Scope {
		isOfPart := b.Part != nil && v.Name == b.Part.Variable
		if !used[i] && !isOfPart {
			extra = append(extra, v)
		}
	}
	return variables, extra
}

// collectionBelow names a collection under the first so many variables of a path, whose values text returns.
func (k *Runtime) collectionBelow(b *resource.Binding, variables int, name string, text func(string) string) string {
	c := ""
	for i := range variables {
		parent := b.Scope[i].Parent
		if c == "" || parent != nil && !parent.Scoped {
			c = "/" + k.parentName(b, i)
		}
		next := name
		if i+1 < variables {
			next = k.parentName(b, i+1)
		}
		c = state.Below(c, text(b.Scope[i].Name), next)
	}
	if c == "" {
		return "/" + name
	}
	return c
}

// parentName names what a variable before the key stands for, whatever an operation
// calls it: as the operation does that reads the item, or the first that names one.
func (k *Runtime) parentName(b *resource.Binding, i int) string {
	if k.named != nil && len(k.named.Scope) == len(b.Scope) {
		b = k.named
	} else if first := k.Bindings[0]; b.Scope[i].Parent == nil && len(first.Scope) == len(b.Scope) {
		b = first
	}
	if parent := b.Scope[i].Parent; parent != nil {
		return parent.Name
	}
	return b.Scope[i].Name
}

// listsAllParents reports whether a list shows items of all parents: its path names
// fewer than an item's does.
func (op *Operation) listsAllParents() bool {
	k := op.runtime
	return k.Scoped && k.named != nil && len(k.named.Scope) > 0 && op.variables == nil
}

// MissingParent finds the first item that a path names before the key and that is
// missing: deleted, or never created if unknown items are refused. get returns kept items.
func (s *Set) MissingParent(
	op *Operation, get func(collection, key string) (item *state.Item, deleted bool), text func(variable string) string,
) *MissingParent {
	for m := range s.parents(op, text) {
		item, deleted := get(m.Collection, m.Key)
		if m.Deleted = deleted; deleted || item == nil && s.options.RefuseUnknown && m.Runtime.creates {
			return m
		}
	}
	return nil
}

// parents goes over the items that a path names before the key, as if they were missing.
func (s *Set) parents(op *Operation, text func(variable string) string) iter.Seq[*MissingParent] {
	return func(yield func(*MissingParent) bool) {
		k := op.runtime
		for i, v := range op.Scope {
			parent := s.runtimes[v.Parent]
			if v.Parent == nil || parent == nil || v.Parent == k.Resource && !k.Singleton {
				continue
			}
			name := "/" + parent.Name
			if parent.Scoped {
				name = k.collectionBelow(op.Binding, i, parent.Name, text)
			}
			if !yield(&MissingParent{Runtime: parent, Variable: v.Name, Key: text(v.Name), Collection: name}) {
				return
			}
		}
	}
}

// MissingParent is an item that is not there.
type MissingParent struct {
	Runtime    *Runtime
	Variable   string
	Key        string
	Collection string
	Deleted    bool
}

// hidden begins the names of members that are kept with an item and are no
// property of it: the keys of parents that it does not name.
const hidden = "coldframe:"

// IsHidden reports whether a member is kept with an item and never shown.
func IsHidden(name string) bool { return strings.HasPrefix(name, hidden) }

// WithoutHidden returns an item without its hidden members.
func WithoutHidden(item map[string]any) map[string]any {
	for name := range item {
		if IsHidden(name) {
			shown := maps.Clone(item)
			maps.DeleteFunc(shown, func(name string, _ any) bool { return IsHidden(name) })
			return shown
		}
	}
	return item
}

// hiddenProperty is where an item keeps the key of a parent for which it has no property, or one that cannot hold it.
func hiddenProperty(v resource.Variable) []string {
	if v.Parent != nil {
		return []string{hidden + v.Parent.Name}
	}
	return []string{hidden + v.Name}
}

// ParentProperty is where an item keeps the key of a parent.
func ParentProperty(v resource.Variable) []string {
	if v.Property != nil {
		return v.Property
	}
	return hiddenProperty(v)
}

// SetParent returns an item with the key of a parent.
func (k *Runtime) SetParent(item map[string]any, v resource.Variable, key any) map[string]any {
	typed, _ := k.Typed(v.Property, key)
	return setProperty(item, ParentProperty(v), typed)
}

// isBelow reports whether an item belongs to the parents that a path names and its collection does not.
func (op *Operation) isBelow(path, item map[string]any) bool {
	for _, v := range op.extra {
		key, ok := jsonvalue.Property(item, hiddenProperty(v))
		if !ok && v.Property != nil {
			key, _ = jsonvalue.Property(item, v.Property)
		}
		if key != nil && !jsonvalue.Same(key, path[v.Name]) {
			return false
		}
	}
	return true
}

func withParents(q *Request, item map[string]any) map[string]any {
	k := q.op.runtime
	for _, v := range q.op.Scope {
		isExtra := func(e resource.Variable) bool { return e.Name == v.Name }
		value, ok := q.Values.Path[v.Name]
		if !ok || k.Scoped && v.Property == nil && !slices.ContainsFunc(q.op.extra, isExtra) {
			continue
		}
		item = withReferencesOf(q, k.SetParent(item, v, value), v)
	}
	return item
}

// withReferencesOf returns a new item with the references of its parent that no request sends, if the parent is of the
// same type: a reply is in the channel of its message.
func withReferencesOf(q *Request, item map[string]any, v resource.Variable) map[string]any {
	k, parent := q.op.runtime, q.set.runtimes[v.Parent]
	if parent == nil || parent.Scoped || parent.Value == nil || parent.Value != k.Value {
		return item
	}
	kept, _ := q.get("/"+parent.Name, q.pathText(v.Name))
	if kept == nil {
		return item
	}
	for name, value := range DecodeItem(kept) {
		if _, has := item[name]; !has && k.isSetByServer(name) && k.referred(name) != nil {
			item = jsonvalue.WithMember(item, name, value)
		}
	}
	return item
}

// collectionOfNew names the collection of an item that was created if the path does
// not name all parents: its properties do.
func collectionOfNew(q *Request, item map[string]any) string {
	k := q.op.runtime
	if !q.op.listsAllParents() {
		return q.collection
	}
	keys := make(map[string]string, len(k.named.Scope))
	for _, v := range k.named.Scope {
		if keys[v.Name] = q.pathText(v.Name); keys[v.Name] == "" && v.Property != nil {
			value, _ := jsonvalue.Property(item, v.Property)
			keys[v.Name], _ = jsonvalue.Text(value)
		}
		if keys[v.Name] == "" {
			return q.collection
		}
	}
	return k.collectionBelow(k.named, len(k.named.Scope), k.Name, func(variable string) string { return keys[variable] })
}

func location(q *Request, item Item) string {
	var to *resource.Binding
	for _, b := range q.op.runtime.Bindings {
		isKnown := len(b.Scope) <= len(q.op.Scope) || q.op.listsAllParents() && b == q.op.runtime.named
		if namesItem(b) && isKnown && (to == nil || b == q.op.runtime.reader) {
			to = b
		}
	}
	if to == nil {
		return ""
	}
	base := q.Path
	for range strings.Count(q.op.Binding.Operation.Path, "/") {
		base = base[:max(0, strings.LastIndexByte(base, '/'))]
	}
	return base + q.itemPath(to, item.Key, item.Value)
}
