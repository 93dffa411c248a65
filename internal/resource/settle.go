package resource

import (
	"slices"
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
	var best *operation
	score := 0.0
	for _, o := range in.ops {
		b := o.binding
		if b.Resource != r || b.KeyIn != InPath || o.override != nil && o.override.key != nil {
			continue
		}
		property, s := matchKey(o, b.Variable, f.value, f.names)
		if best == nil || s > score {
			best, score = o, s
			r.Key.Property = property
		}
	}
	for _, o := range in.ops {
		if o.binding.Resource == r && o.override != nil && o.override.key != nil {
			r.Key.Property, score = o.override.key, 1
		}
	}
	if best == nil && r.Key.Property == nil { // no path names items: the item's own id
		for _, m := range f.value.members() {
			k := m.view.kind()
			if n := fold(m.name); k != Object && k != Array && (n == "id" || n == "uuid" || n == "sid" || slices.ContainsFunc(f.names, func(name string) bool { return n == name+"id" })) {
				r.Key.Property = []string{m.name}
				break
			}
		}
	}
	r.Key.Unique = r.Key.Property != nil
	if r.Key.Property != nil {
		v := f.value.at(r.Key.Property)
		r.Key.Kind, r.Key.Format, r.Key.Schema = v.kind(), v.format(), v.k
		if v.readOnly() {
			r.Key.Maker = Server
		}
	} else if best != nil {
		if p := best.parameter("path", best.binding.Variable); p != nil {
			v := paramView(p)
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
		at := sent.at(key.Property)
		switch {
		case !at.ok() || at.readOnly() || f.value.at(key.Property).readOnly():
		case len(key.Property) == 1 && sent.required()[key.Property[0]]:
			key.Maker = Client
		case key.Maker == Server:
			key.Maker = Either
		}
	}
	if creations == 0 && f.resource.Has(Upsert) {
		key.Maker = Client
	}
}
