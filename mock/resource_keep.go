package mock

import (
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// keeping is a resource of the contract with what keeping its items needs.
type keeping struct {
	*resource.Resource
	value       *spec.Schema                              // of an item as responses see it; nil where the document describes none
	listed      map[string]*spec.Keywords                 // its properties
	maker       func() *generate.Generator                // of value
	keys        func() *generate.Generator                // of keys; nil where the document does not describe them
	reader      *resource.Binding                         // shows the item that a path names; nil where nothing does
	named       *resource.Binding                         // reader, or the first that names an item in its path; nil where nothing does
	address     *spec.Schema                              // of keys as named's path has them; nil where it takes any
	addressKeys func() *generate.Generator                // of address; nil where that is
	creates     bool                                      // items can be made
	shown       map[*spec.Keywords]*shownItem             // how answers show items
	sent        map[*resource.Binding]*sentItem           // what requests may say of them
	bases       map[*resource.Binding]func() any          // answers around items, generated once
	homes       map[*resource.Binding]map[string]string   // see homeOf
	extra       map[*resource.Binding][]resource.Variable // likewise
	others      map[*spec.MediaType]*resource.Shape       // of answers beside Binding.Media
	pages       map[*resource.Binding]int                 // items on a page where a request to a list does not say
	openings    sync.Map                                  // *resource.Binding → *opening, of lists without parents
}

// shownItem is the part of an answer that shows an item.
type shownItem struct {
	schema *spec.Schema
	listed map[string]*spec.Keywords
	others *spec.Keywords // of members beyond those; nil where the schema has no word on them
	maker  func() *generate.Generator
	veil   func() *veil
}

// sentItem is the part of a request that says how an item is to be.
type sentItem struct {
	media    *spec.MediaType // that was looked at
	sendable map[string]*spec.Keywords
	open     bool // the schema says that there are other members
	begins   func() *beginning
}

// surely is the least confidence with which an inferred role is acted on.
const surely = 0.4

// keepings finds the resources whose items can be seen, and binds the
// operations to them. A resource that is only ever written is left to what
// answers creations by themselves.
func (c *contract) keepings(plan *resource.Plan, o generate.Options, seed uint64) {
	of := map[*resource.Resource]*keeping{}
	for _, r := range plan.Resources {
		if k := c.keeping(r, o, seed); k != nil {
			of[r] = k
		}
	}
	c.kept = of
	for _, b := range plan.Bindings {
		k := of[b.Resource]
		if k == nil || b.Confidence < surely && !b.Declared || b.Role == resource.Unknown {
			continue
		}
		op := c.operations[b.Operation]
		if !k.concerns(b) {
			b = k.action(b, o, seed)
		}
		op.binding, op.keeps = b, k
	}
}

func (c *contract) keeping(r *resource.Resource, o generate.Options, seed uint64) *keeping {
	k := &keeping{Resource: r, shown: map[*spec.Keywords]*shownItem{}, sent: map[*resource.Binding]*sentItem{}, bases: map[*resource.Binding]func() any{}, others: map[*spec.MediaType]*resource.Shape{}, pages: map[*resource.Binding]int{},
		homes: map[*resource.Binding]map[string]string{}, extra: map[*resource.Binding][]resource.Variable{}}
	seen, made, changed := false, false, false
	for _, b := range r.Bindings {
		switch b.Role {
		case resource.List:
			seen = seen || b.Media != nil && b.List != nil
		case resource.Read:
			if b.Media == nil || b.Response == nil {
				break
			}
			seen = true
			if k.reader == nil && b.Lookup == nil && (b.KeyIn == resource.InPath || r.Singleton) {
				k.reader = b
			}
		case resource.Create, resource.Upsert:
			k.creates = true
			made = made || b.Media != nil && b.Response != nil || b.KeyIn == resource.InPath || locates(b.Success)
			changed = changed || b.Role == resource.Upsert && b.Media != nil && b.Response != nil
		case resource.Update, resource.Replace, resource.Delete:
			changed = true
		}
	}
	if !seen && !(made && changed) {
		return nil
	}
	if k.named = k.reader; k.named == nil {
		if i := slices.IndexFunc(r.Bindings, func(b *resource.Binding) bool { return b.KeyIn == resource.InPath && b.Lookup == nil }); i >= 0 {
			k.named = r.Bindings[i]
		}
	}
	if k.address = addressOf(k.named); k.address != nil {
		k.addressKeys = sync.OnceValue(func() *generate.Generator { return generate.New(k.address, generate.Options{}) })
	}
	all := o
	all.Fill = "all"
	if r.Item != nil && r.Value != nil {
		k.value = part(r.Item, r.Value)
		k.listed = k.value.Members()
		k.maker = sync.OnceValue(func() *generate.Generator { return generate.New(k.value, all) })
		if r.Key != nil && r.Key.Schema != nil {
			k.keys = sync.OnceValue(func() *generate.Generator { return generate.New(part(r.Item, r.Key.Schema), generate.Options{}) })
		}
	}
	for _, b := range r.Bindings {
		k.homes[b], k.extra[b] = k.homeOf(b)
		k.bind(b, o, seed)
	}
	return k
}

// addressOf gives the schema of the variable by which a path names an item.
func addressOf(b *resource.Binding) *spec.Schema {
	if b == nil {
		return nil
	}
	for _, p := range b.Operation.Parameters {
		if p.In == exchange.InPath && p.Name == b.Variable {
			return p.Schema
		}
	}
	return nil
}

func (k *keeping) bind(b *resource.Binding, o generate.Options, seed uint64) {
	if b.Media != nil && b.Media.Schema != nil {
		k.show(b.Media.Schema, b.Response, o)
		if b.List != nil {
			k.pages[b] = pageSize(b.List.Params)
			k.show(b.Media.Schema, &b.List.Items, o)
		}
		k.bases[b] = sync.OnceValue(func() any {
			value, _ := generate.New(b.Media.Schema, o).Value(generate.NewKey(seed, b.Operation.ID, "around"))
			return value
		})
		k.showOthers(b, o)
	}
	if b.Request == nil || b.Operation.Body == nil {
		return
	}
	s := &sentItem{sendable: map[string]*spec.Keywords{}}
	s.begins = sync.OnceValue(func() *beginning { return k.beginningOf(nil, nil, s.sendable) })
	for _, media := range b.Operation.Body.Content {
		if media.Schema == nil || b.Request.Value == nil {
			continue
		}
		s.media = media
		sent := part(media.Schema, b.Request.Value)
		s.open = sent.Undeclared() != nil
		for name, property := range sent.Members() {
			if !readOnly(property, 0) {
				s.sendable[name] = property
				if renamed, ok := b.Rename[name]; ok {
					s.sendable[renamed] = property
				}
			}
		}
		s.begins = sync.OnceValue(func() *beginning { return k.beginningOf(media.Schema, b.Request.Value, s.sendable) })
		break
	}
	k.sent[b] = s
}

// showOthers finds the item in the other answers in which it stands at the same
// place: 201 beside 200.
func (k *keeping) showOthers(b *resource.Binding, o generate.Options) {
	if b.Response == nil || b.Response.Many || len(b.Response.Path) == 0 {
		return
	}
	for _, r := range b.Operation.Responses {
		for _, media := range r.Content {
			if first, _ := r.Code(); first < 200 || first > 299 || media == b.Media || !media.IsJSON() || media.Schema == nil {
				continue
			}
			at := media.Schema
			for _, name := range b.Response.Path {
				if at = part(at, at.Properties()[name]); at.Keywords == nil {
					break
				}
			}
			if at.Keywords != nil {
				k.others[media] = &resource.Shape{Path: b.Response.Path, Value: at.Keywords}
				k.show(media.Schema, k.others[media], o)
			}
		}
	}
}

func (k *keeping) show(in *spec.Schema, shape *resource.Shape, o generate.Options) {
	if shape == nil || shape.Value == nil || k.shown[shape.Value] != nil {
		return
	}
	schema := part(in, shape.Value)
	k.shown[shape.Value] = &shownItem{schema, schema.Members(), schema.Undeclared(), sync.OnceValue(func() *generate.Generator { return generate.New(schema, o) }), sync.OnceValue(func() *veil { return veilOf(schema) })}
}

// part gives the schema of a part of what a schema describes.
func part(whole *spec.Schema, k *spec.Keywords) *spec.Schema {
	c := *whole
	c.Keywords = k
	return &c
}

// concerns reports whether an operation has a part in what is kept. What
// replaces an item has some place in what is shown; what makes one makes it,
// whatever it sends.
func (k *keeping) concerns(b *resource.Binding) bool {
	switch b.Role {
	case resource.Replace:
		s := k.sent[b]
		if s == nil {
			return false
		}
		if len(s.sendable) == 0 || len(k.listed) == 0 {
			return true
		}
		for name := range s.sendable {
			if k.listed[name] != nil {
				return true
			}
		}
		return false
	}
	return true
}

// action gives what a PUT does to an item of which its body says nothing, that of
// a file's part, say: it wants the item, and shows it.
func (k *keeping) action(b *resource.Binding, o generate.Options, seed uint64) *resource.Binding {
	acting := *b
	acting.Role, acting.Reads, acting.Request = resource.Action, b.Response != nil, nil
	k.homes[&acting], k.extra[&acting] = k.homes[b], k.extra[b]
	k.bind(&acting, o, seed)
	return &acting
}

// segment names what a variable before the key stands for, whatever an
// operation calls it: as the operation does that reads the item, or the first
// that names one.
func (k *keeping) segment(b *resource.Binding, i int) string {
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

// hidden begins the names of members that are kept with an item and are no
// property of it: the keys of parents that it does not name.
const hidden = "coldframe:"

func withoutHidden(item map[string]any) map[string]any {
	for name := range item {
		if strings.HasPrefix(name, hidden) {
			shown := make(map[string]any, len(item))
			for name, member := range item {
				if !strings.HasPrefix(name, hidden) {
					shown[name] = member
				}
			}
			return shown
		}
	}
	return item
}
