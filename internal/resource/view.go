package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// view is a schema as the inference sees it: through references and
// compositions. The zero value sees nothing.
type view struct {
	schema *spec.Schema
	k      *spec.Keywords
	cache  *schemaCache
}

type schemaCache struct {
	kinds   map[*spec.Keywords]schema.Type
	members map[*spec.Keywords][]member
	names   map[*spec.Keywords]string

	nestings map[*spec.Keywords]nesting         // see view.nestedIn
	folded   map[*spec.Keywords]map[string]bool // the folded names of members
	shown    map[*spec.Keywords]map[string]bool // see view.shown
	orders   map[[2]*spec.Keywords]Order        // of lists, by the item in them and the whole item
}

func lookup[V any](values map[*spec.Keywords]V, k *spec.Keywords, compute func() V) V {
	value, ok := values[k]
	if !ok {
		value = compute()
		values[k] = value
	}
	return value
}

func (c *schemaCache) view(s *spec.Schema) view {
	if s == nil {
		return view{}
	}
	return view{s, s.Keywords, c}
}

func (c *schemaCache) media(m *spec.MediaType) view {
	if m == nil {
		return view{}
	}
	return c.view(m.Schema)
}

func (c *schemaCache) parameter(p *spec.Parameter) view {
	switch {
	case p == nil:
		return view{}
	case p.Schema != nil:
		return c.view(p.Schema)
	}
	return c.media(p.Content)
}

func (v view) ok() bool { return v.k != nil }

func (v view) of(k *spec.Keywords) view { return view{v.schema, k, v.cache} }

// kind returns the one type of the schema's values, null aside; AnyType if they have several. An object, or an array of
// such objects, counts as Object.
func (v view) kind() schema.Type {
	if v.k == nil {
		return schema.AnyType
	}
	return lookup(v.cache.kinds, v.k, func() schema.Type {
		shape := v.schema.ShapeOf(v.k)
		t := shape.LikelyTypes() &^ schema.Null
		if t.Count() == 1 {
			return t
		}
		for _, c := range shape.Choices() {
			if oneOrMany(c.Branches) != nil {
				return schema.Object
			}
		}
		return schema.AnyType
	})
}

// plain follows references and compositions of one part to where something is asserted.
func (v view) plain() view {
	for range maxDepth {
		if v.k == nil {
			return v
		}
		switch k := v.k; {
		case k.Ref != nil:
			v.k = k.Ref
		case len(k.Properties) > 0 || k.Items2020 != nil:
			return v
		case len(k.AllOf) == 1 && len(k.AnyOf)+len(k.OneOf) == 0:
			v.k = k.AllOf[0]
		default:
			branch := onlyBranch(slices.Concat(k.AnyOf, k.OneOf))
			if branch == nil || len(k.AllOf) > 0 {
				return v
			}
			v.k = branch
		}
	}
	return v
}

func (v view) shape(many bool, path ...string) *Shape {
	return &Shape{Path: path, Many: many, Value: v.plain().k}
}

// format returns the format as the document writes it, "" if none.
func (v view) format() string {
	v = v.plain()
	if v.k == nil || v.schema == nil {
		return ""
	}
	if v.k.Format != nil {
		return v.k.Format.Name
	}
	return v.node("").Get("format").Str()
}

// node returns the schema as the document writes it, through references to the first that has the keyword.
func (v view) node(keyword string) *tree.Node {
	n := v.schema.Node(v.k)
	for range maxDepth {
		if n.Get("$ref").Str() == "" || n.Get(keyword) != nil {
			break
		}
		n = v.schema.Resolve(n)
	}
	return n
}

func (v view) element() view { return v.of(schema.Items(v.plain().k)) }

func (v view) name() string {
	if v.k == nil || v.schema == nil {
		return ""
	}
	return lookup(v.cache.names, v.k, v.componentName)
}

func (v view) componentName() string {
	for range maxDepth {
		n := v.schema.Node(v.k)
		if ref := n.Get("$ref").Str(); ref != "" {
			return ref[strings.LastIndexAny(ref, "/#")+1:]
		}
		pointer := n.Place().Pointer
		for _, components := range []string{"/components/schemas/", "/definitions/"} {
			if name, ok := strings.CutPrefix(pointer, components); ok && !strings.Contains(name, "/") {
				return name
			}
		}
		var part *spec.Keywords
		switch {
		case len(v.k.Properties) > 0:
		case len(v.k.AllOf) > 0:
			part = v.k.AllOf[0]
		default:
			part = onlyBranch(slices.Concat(v.k.AnyOf, v.k.OneOf))
		}
		if part == nil {
			return ""
		}
		v.k = part
	}
	return ""
}

type member struct {
	name   string
	folded string
	view   view
}

// members returns the properties, through references and compositions, in the
// document's order. Where two parts list a name, the first counts.
func (v view) members() []member {
	if v.k == nil {
		return nil
	}
	return lookup(v.cache.members, v.k, func() []member {
		listed := v.schema.ShapeOf(v.k).Members()
		all := make([]member, len(listed))
		for i, m := range listed {
			all[i] = member{m.Name, naming.Fold(m.Name), v.of(m.Schema)}
		}
		return all
	})
}

func (v view) member(name string) view {
	for _, m := range v.members() {
		if m.name == name {
			return m.view
		}
	}
	return view{}
}

func (v view) at(path []string) view {
	for _, name := range path {
		v = v.member(name)
	}
	return v
}

// similarity is 1 for the same component, else the share of the names of two objects that both list.
func similarity(a, b view) float64 {
	if !a.ok() || !b.ok() {
		return 0
	}
	if name := a.name(); a.plain().k == b.plain().k || name != "" && name == b.name() {
		return 1
	}
	a, b = a.flat(), b.flat()
	ours, theirs := a.members(), b.members()
	if len(ours) == 0 || len(theirs) == 0 {
		return 0
	}
	common := b.common(ours)
	return float64(common) / float64(len(ours)+len(theirs)-common)
}

func isSame(a, b view) bool { return similarity(a, b) >= 0.6 }

func isPartOf(a, b view) bool {
	ours := a.flat().members()
	return len(ours) > 0 && 2*b.flat().common(ours) >= len(ours)
}

// common counts the members whose names v has as well.
func (v view) common(members []member) (n int) {
	if v.k == nil {
		return 0
	}
	names := lookup(v.cache.folded, v.k, func() map[string]bool {
		names := map[string]bool{}
		for _, m := range v.members() {
			names[m.folded] = true
		}
		return names
	})
	for _, m := range members {
		if names[m.folded] {
			n++
		}
	}
	return n
}

// canBeKey reports whether values of a type, as view.kind returns it, can be keys.
func canBeKey(t schema.Type) bool {
	return t == schema.AnyType || !t.Has(schema.Object|schema.Array|schema.Boolean)
}

var (
	numeric = []schema.Type{schema.Integer, schema.Number, schema.AnyType}
	textual = []schema.Type{schema.String, schema.Array, schema.AnyType}
)

const maxDepth = 12 // of references and compositions that are followed

// onlyBranch returns the one branch that is not null, nil if there are more.
func onlyBranch(branches []*spec.Keywords) *spec.Keywords {
	var only *spec.Keywords
	for _, branch := range branches {
		if schema.IsNull(branch) {
			continue
		}
		if only != nil {
			return oneOrMany(branches)
		}
		only = branch
	}
	return only
}

// oneOrMany returns the first of two branches of which one is an object and the other an array of such, as APIs
// have it that take and show several at once; nil if it is otherwise.
func oneOrMany(branches []*spec.Keywords) *spec.Keywords {
	if len(branches) != 2 {
		return nil
	}
	for i, branch := range branches {
		if isObject(branch) && isObject(schema.Items(branches[1-i])) {
			return branch
		}
	}
	return nil
}

// isObject reports whether a schema describes an object; anyOf and oneOf are not followed.
func isObject(k *spec.Keywords) bool {
	for part := range schema.All(k) {
		if types := schema.Types(part); len(part.Properties) > 0 || len(types) == 1 && types[0] == "object" {
			return true
		}
	}
	return false
}
