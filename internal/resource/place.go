package resource

import (
	"slices"
)

// place says where the items stand in the operation's bodies, and what the
// variables of its path are.
func (in *inference) place(o *operation) {
	b := o.binding
	f := in.familyOf(o)
	r := b.Resource
	switch b.Role {
	case List:
		in.list(o, f)
	case Create, Upsert, Replace, Update:
		b.Request = f.itemIn(o.request)
		if o.request.kind() == Array {
			if e := o.request.element(); isItem(e) && b.Role == Create {
				b.Request = &Shape{Many: true, Value: e.plain().k}
			}
		}
		b.Response = in.shown(o, f)
		if b.Request != nil && b.Request.Many && o.answer.kind() == Array {
			b.Response = f.readIn(o.answer)
		}
		b.Rename = renames(o, f)
	case Read:
		b.Response = f.readIn(o.answer)
	case Delete:
		b.Response = in.shown(o, f)
	case Action:
		if b.Reads {
			b.Response = in.shown(o, f)
		}
	}
	in.applyShapes(o)
	scope := o.variables()
	if b.KeyIn == InPath && len(scope) > 0 {
		if i := slices.Index(scope, b.Variable); i >= 0 {
			scope = scope[:i]
		}
	}
	for _, name := range scope {
		v := Variable{Name: name}
		var stems []string
		if g := in.owner(o, name); g != nil {
			v.Parent = g.resource
			stems = g.names
			if g.resource == r {
				v.Parent = nil
			}
		}
		v.Property = parentProperty(name, stems, f.value)
		b.Scope = append(b.Scope, v)
	}
}

// renames finds the properties of a request that the item spells otherwise.
func renames(o *operation, f *family) map[string]string {
	if o.binding.Request == nil {
		return nil
	}
	var names map[string]string
	for _, m := range o.request.of(o.binding.Request.Value).members() {
		if f.value.member(m.name).ok() {
			continue
		}
		for _, own := range f.value.members() {
			if own.folded == m.folded {
				if names == nil {
					names = map[string]string{}
				}
				names[m.name] = own.name
				break
			}
		}
	}
	return names
}

// familyOf gives the family whose things an operation is about.
func (in *inference) familyOf(o *operation) *family {
	if f := in.families[o.at]; f != nil {
		return f
	}
	return in.families[o.at.parent]
}

// owner gives the family whose items a variable of an operation's path names.
func (in *inference) owner(o *operation, variable string) *family {
	depth := 0
	for i, s := range o.segments {
		if slices.Contains(s.variables, variable) {
			depth = i + 1
			break
		}
	}
	n := o.at
	for range len(o.segments) - depth {
		n = n.parent
	}
	if f := in.families[n]; f != nil && f.item == n {
		return f
	}
	return nil
}

// shown finds the item in the answer to a change; nil where that only says how
// it went.
func (in *inference) shown(o *operation, f *family) *Shape {
	s := f.itemIn(o.answer)
	if s == nil || s.Value == nil {
		return nil
	}
	v := o.answer.of(s.Value)
	if isStatus(v) && !isStatus(f.value) {
		return nil
	}
	if o.binding.Role == Delete && f.value.ok() && alike(v, f.value) < 0.6 {
		return nil
	}
	return s
}

// list describes a list's body and parameters.
func (in *inference) list(o *operation, f *family) {
	l, _ := asList(o.answer, f.names)
	if l == nil {
		l = &Listing{Items: Shape{Many: true}}
	}
	item := f.value
	if l.Items.Value != nil {
		if v := o.answer.of(l.Items.Value); len(v.members()) >= len(item.members()) || !item.ok() {
			item = v
		}
	}
	l.Params = in.listParams(o.Operation, item)
	l.Header = pageHeaders(o.binding.Success)
	o.binding.List = l
}
