package mock

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// theOne is the key of a singleton.
const theOne = "1"

// pathText gives a path variable's value as text.
func (x *visit) pathText(name string) string {
	text, _ := jsonvalue.Text(x.values.Path[name])
	return text
}

// collection names the collection that the request is about: that of the
// resource, below the items that the path names where they tell items apart.
func (x *visit) collection() string {
	return x.operation.keeps.collection(x.operation.binding, x.pathText)
}

// collection names the collection that an operation is about, where text gives
// the values of its path's variables.
func (k *keeping) collection(b *resource.Binding, text func(variable string) string) string {
	if !k.Scoped {
		return "/" + k.Name
	}
	if home := k.homes[b]; home != nil {
		return k.below(k.named, len(home), k.Name, func(variable string) string { return text(home[variable]) })
	}
	return k.below(b, len(b.Scope), k.Name, text)
}

// homeOf finds the variables of an operation's path that stand for those before
// the key in the paths that name items: home gives the operation's name for
// each of theirs, and extra are the operation's that are none of them. home is
// nil where one is missing.
func (k *keeping) homeOf(b *resource.Binding) (home map[string]string, extra []resource.Variable) {
	if !k.Scoped || k.named == nil {
		return nil, b.Scope
	}
	home = make(map[string]string, len(k.named.Scope))
	used := make([]bool, len(b.Scope))
	for i, v := range k.named.Scope {
		at := slices.IndexFunc(b.Scope, func(w resource.Variable) bool { return w.Name == v.Name || v.Parent != nil && w.Parent == v.Parent })
		if at < 0 && len(b.Scope) == len(k.named.Scope) {
			at = i
		}
		if at < 0 || used[at] {
			return nil, b.Scope
		}
		home[v.Name], used[at] = b.Scope[at].Name, true
	}
	for i, v := range b.Scope {
		if !used[i] {
			extra = append(extra, v)
		}
	}
	return home, extra
}

// below names a collection under the first so many variables of a path, whose
// values text gives.
func (k *keeping) below(b *resource.Binding, variables int, name string, text func(variable string) string) string {
	c := ""
	for i := range variables {
		parent := b.Scope[i].Parent
		if c == "" || parent != nil && !parent.Scoped {
			c = "/" + k.segment(b, i)
		}
		next := name
		if i+1 < variables {
			next = k.segment(b, i+1)
		}
		c = state.Below(c, text(b.Scope[i].Name), next)
	}
	if c == "" {
		return "/" + name
	}
	return c
}

// parents refuses a request below an item that was deleted, or that is not
// there where unknown items are refused.
func (x *visit) parents() bool {
	b, k := x.operation.binding, x.operation.keeps
	for i, v := range b.Scope {
		parent := x.in.kept[v.Parent]
		if v.Parent == nil || parent == nil || v.Parent == k.Resource && !k.Singleton {
			continue
		}
		name := "/" + parent.Name
		if parent.Scoped {
			name = k.below(b, i, parent.Name, x.pathText)
		}
		item, gone := x.session.State.Get(name, x.pathText(v.Name))
		if gone || item == nil && x.closed() && parent.creates {
			x.refuse(noItem, []exchange.Finding{noSuch(parent, x.pathText(v.Name), gone, exchange.InPath, v.Name)})
			return false
		}
	}
	return true
}

func (x *visit) closed() bool { return x.options.UnknownItems == "refuse" }

// noSuch is the finding on a key that names no item.
func noSuch(k *keeping, key string, gone bool, in, name string) exchange.Finding {
	message := "there is no item " + strconv.Quote(shorten(key)) + " in " + k.Name
	if gone {
		message = "the item " + strconv.Quote(shorten(key)) + " of " + k.Name + " was deleted"
	}
	if k.Singleton {
		message = k.Name + " is not there"
	}
	return exchange.Finding{Code: "no-such-item", Message: message, In: in, Name: name}
}

// scopeProperty is where an item keeps the key of a parent.
func scopeProperty(v resource.Variable) []string {
	if v.Property != nil {
		return v.Property
	}
	return hiddenScope(v)
}

// scopeIn gives the key of a parent that an item has, nil where it has none.
func scopeIn(item map[string]any, v resource.Variable) any {
	if value, ok := resource.Get(item, hiddenScope(v)); ok {
		return value
	}
	if v.Property == nil {
		return nil
	}
	value, _ := resource.Get(item, v.Property)
	return value
}

// hiddenScope is where an item keeps the key of a parent for which it has no
// property, or one that cannot hold it.
func hiddenScope(v resource.Variable) []string {
	name := v.Name
	if v.Parent != nil {
		name = v.Parent.Name
	}
	return []string{hidden + name}
}

// location gives the path of an item, "" where no operation has it.
func (x *visit) location(key string) string {
	b, k := x.operation.binding, x.operation.keeps
	var to *resource.Binding
	for _, other := range k.Bindings {
		if other.KeyIn == resource.InPath && other.Lookup == nil && len(other.Scope) <= len(b.Scope) && (to == nil || other == k.reader) {
			to = other
		}
	}
	if to == nil {
		return ""
	}
	path := strings.ReplaceAll(to.Operation.Path, "{"+to.Variable+"}", url.PathEscape(key))
	for i, v := range to.Scope {
		value := x.pathText(v.Name)
		if value == "" {
			value = x.pathText(b.Scope[i].Name)
		}
		path = strings.ReplaceAll(path, "{"+v.Name+"}", url.PathEscape(value))
	}
	base := x.request.Path
	for range strings.Count(x.operation.Path, "/") {
		base = base[:max(0, strings.LastIndexByte(base, '/'))]
	}
	return base + path
}

// locates reports whether an answer says where the item is that was made.
func locates(r *spec.Response) bool {
	return r != nil && slices.ContainsFunc(r.Headers, func(h *spec.Parameter) bool { return strings.EqualFold(h.Name, "Location") })
}

// conformsTo reports whether a text is a value of a header.
func conformsTo(h *spec.Parameter, text string) bool {
	if h.Schema == nil {
		return true
	}
	_, ok := asTyped(text, h.Schema.Keywords)
	return ok
}
