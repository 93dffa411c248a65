package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// settle decides what all operations of a resource say together: its key, who
// makes it, and whether its parents tell its items apart.
func settle(r *Resource) {
	for _, b := range r.Bindings {
		if r.ParentProperty == nil && r.Parent != nil {
			for _, v := range b.Scope {
				if v.Parent == r.Parent && v.Property != nil {
					r.ParentProperty = v.Property
				}
			}
		}
	}
	if r.Singleton {
		r.Scoped = slices.ContainsFunc(r.Bindings, func(b *Binding) bool { return len(b.Scope) > 0 })
		return
	}
	items, global := 0, false
	for _, b := range r.Bindings {
		if b.KeyIn == InPath {
			items++
			global = global || len(b.Scope) == 0
		}
	}
	r.Scoped = items > 0 && !global
	if items == 0 {
		r.Scoped = !slices.ContainsFunc(r.Bindings, func(b *Binding) bool { return len(b.Scope) == 0 })
	}
}

// keys finds the keys of all resources.
func (in *inference) keys() {
	for _, f := range in.order {
		if f.into != nil || f.singleton {
			continue
		}
		in.key(f)
	}
}

func (in *inference) key(f *family) {
	r := f.resource
	r.Key = &Key{Kind: String}
	best := in.commonKey(f)
	if best != nil {
		r.Key.Property, _ = matchKey(best, best.binding.Variable, f.value, f.names)
	}
	for _, o := range in.ops {
		if o.binding.Resource == r && o.override != nil && o.override.key != nil {
			r.Key.Property = o.override.key
		}
	}
	if r.Key.Property == nil {
		r.Key.Property = in.unseenKey(f, best)
	}
	r.Key.Unique = r.Key.Property != nil
	if r.Key.Property != nil {
		v := f.value.at(r.Key.Property)
		if !v.ok() {
			v = in.inCreation(f, r.Key.Property)
		}
		r.Key.Kind, r.Key.Format, r.Key.Schema = v.kind(), v.format(), v.k
		if v.readOnly() {
			r.Key.ChosenBy = Server
		}
	} else if best != nil {
		if p := best.parameter("path", best.binding.Variable); p != nil {
			v := in.known.parameter(p)
			r.Key.Kind, r.Key.Format, r.Key.Schema = v.kind(), v.format(), v.k
		}
	}
	in.maker(f)
	for _, o := range in.ops { // other properties by which items are found
		b := o.binding
		if b.Resource != r || b.KeyIn != InPath {
			continue
		}
		if property, s := matchKey(o, b.Variable, f.value, f.names); s >= 0.9 && !slices.Equal(property, r.Key.Property) {
			b.Lookup = property
		}
	}
}

// commonKey gives an operation whose variable names the items' key: the
// property that matches well in most operations.
func (in *inference) commonKey(f *family) *operation {
	var best *operation
	score := 0.0
	uses := map[string]int{}
	for _, o := range in.ops {
		b := o.binding
		if b.Resource != f.resource || b.KeyIn != InPath {
			continue
		}
		property, s := matchKey(o, b.Variable, f.value, f.names)
		uses[strings.Join(property, "/")]++
		score = max(score, s)
	}
	most := 0
	for _, o := range in.ops {
		b := o.binding
		if b.Resource != f.resource || b.KeyIn != InPath {
			continue
		}
		property, s := matchKey(o, b.Variable, f.value, f.names)
		n := 2 * uses[strings.Join(property, "/")]
		if len(property) > 0 && strings.HasSuffix(naming.Fold(property[len(property)-1]), "id") {
			n++
		}
		if s >= score-0.1 && n > most {
			best, most = o, n
		}
	}
	return best
}

// unseenKey finds the key where the items that are shown have none: in what
// creations are sent or answer, or, where no path names items, the item's id.
func (in *inference) unseenKey(f *family, item *operation) []string {
	for _, o := range in.ops {
		if o.binding.Resource != f.resource || o.binding.Role != Create {
			continue
		}
		for _, body := range []view{o.answer, o.request} {
			s := asItem(body, f.names, view{})
			if s == nil || item == nil {
				continue
			}
			if path, score := matchKey(item, item.binding.Variable, body.of(s.Value), f.names); score >= 0.7 {
				return path
			}
		}
	}
	if item != nil {
		return nil
	}
	own := func(v view) []string {
		for _, m := range v.members() {
			k, n := m.view.kind(), m.folded
			if k != Object && k != Array && (n == "id" || n == "uuid" || n == "sid" || slices.ContainsFunc(f.names, func(name string) bool { return n == name+"id" })) {
				return []string{m.name}
			}
		}
		return nil
	}
	if path := own(f.value); path != nil {
		return path
	}
	for _, o := range in.ops {
		if o.binding.Resource == f.resource && o.binding.Role == Create && o.binding.Request != nil {
			return own(o.request.of(o.binding.Request.Value))
		}
	}
	return nil
}

// inCreation gives a property of what creations answer or are sent.
func (in *inference) inCreation(f *family, path []string) view {
	for _, o := range in.ops {
		if o.binding.Resource != f.resource || o.binding.Role != Create {
			continue
		}
		for _, body := range []view{o.answer, o.request} {
			if s := asItem(body, f.names, view{}); s != nil {
				if v := body.of(s.Value).at(path); v.ok() {
					return v
				}
			}
		}
	}
	return view{}
}

// maker decides who makes the keys of new items.
func (in *inference) maker(f *family) {
	key := f.resource.Key
	creations := 0
	for _, o := range in.ops {
		b := o.binding
		if b.Resource != f.resource || b.Role != Create {
			continue
		}
		creations++
		if key.Property == nil || b.Request == nil || b.Request.Value == nil {
			continue
		}
		sent := o.request.of(b.Request.Value)
		property := key.Property
		for from, to := range b.Rename {
			if len(property) == 1 && property[0] == to {
				property = []string{from}
			}
		}
		at := sent.at(property)
		switch {
		case !at.ok() || at.readOnly() || f.value.at(key.Property).readOnly():
		case len(property) == 1 && sent.required()[property[0]]:
			key.ChosenBy = Client
		case key.ChosenBy == Server:
			key.ChosenBy = Either
		}
	}
	if creations == 0 && f.resource.Has(Upsert) {
		key.ChosenBy = Client
	}
}
