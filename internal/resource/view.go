package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// Kind is the JSON type of a schema's values, null aside.
type Kind uint8

const (
	Any Kind = iota
	Boolean
	Integer
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"any", "boolean", "integer", "number", "string", "array", "object"}[k]
}

const maxSchemaDepth = 12 // of references and compositions that are followed

// view is a schema as the inference sees it: through references and
// compositions. The zero value sees nothing.
type view struct {
	schema *spec.Schema
	k      *spec.Keywords
	known  *known
}

// known is what the inference has seen of schemas already.
type known struct {
	members map[*spec.Keywords][]member
	names   map[*spec.Keywords]string
	kinds   map[*spec.Keywords]Kind
}

func (w *known) view(s *spec.Schema) view {
	if s == nil {
		return view{}
	}
	return view{s, s.Keywords, w}
}

func (w *known) of(m *spec.MediaType) view {
	if m == nil {
		return view{}
	}
	return w.view(m.Schema)
}

func (w *known) parameter(p *spec.Parameter) view {
	if p.Schema != nil {
		return w.view(p.Schema)
	}
	return w.of(p.Content)
}

func (v view) ok() bool { return v.k != nil }

func (v view) of(k *spec.Keywords) view { return view{v.schema, k, v.known} }

// plain follows references and compositions of one part to where something is
// said.
func (v view) plain() view {
	for range maxSchemaDepth {
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
			choice := v.only(append(slices.Clone(k.AnyOf), k.OneOf...))
			if choice == nil || len(k.AllOf) > 0 {
				return v
			}
			v.k = choice
		}
	}
	return v
}

// only gives the one alternative that is not null, nil where there are more.
func (v view) only(parts []*spec.Keywords) *spec.Keywords {
	var one *spec.Keywords
	for _, part := range parts {
		if types := typesOf(part); len(types) == 1 && types[0] == "null" {
			continue
		}
		if one != nil {
			return v.oneOrMany(parts)
		}
		one = part
	}
	return one
}

// oneOrMany gives the first of two alternatives of which one is an object and
// the other an array of such, as APIs have it that take and show several at
// once; nil where it is otherwise.
func (v view) oneOrMany(parts []*spec.Keywords) *spec.Keywords {
	if len(parts) != 2 {
		return nil
	}
	for i, part := range parts {
		if array := said(parts[1-i], 0); isObject(said(part, 0)) && array != nil && array.Items2020 != nil && isObject(said(array.Items2020, 0)) {
			return part
		}
	}
	return nil
}

// said follows references, and compositions that refer to one thing, to where
// something is said; choices end it.
func said(k *spec.Keywords, depth int) *spec.Keywords {
	switch {
	case k == nil || depth > maxSchemaDepth:
		return nil
	case k.Ref != nil:
		return said(k.Ref, depth+1)
	case k.Types == nil && len(k.Properties) == 0 && len(k.AllOf) > 0:
		return said(k.AllOf[0], depth+1)
	}
	return k
}

func isObject(k *spec.Keywords) bool {
	return k != nil && (len(k.Properties) > 0 || slices.Equal(typesOf(k), []string{"object"}))
}

func typesOf(k *spec.Keywords) []string {
	if k == nil || k.Types == nil {
		return nil
	}
	return k.Types.ToStrings()
}

// kind gives the JSON type, Any where there are several.
func (v view) kind() Kind {
	if v.k == nil {
		return Any
	}
	kind, ok := v.known.kinds[v.k]
	if !ok {
		kind = v.kindAt(0)
		v.known.kinds[v.k] = kind
	}
	return kind
}

func (v view) kindAt(depth int) Kind {
	k := v.k
	if k == nil || depth > maxSchemaDepth {
		return Any
	}
	if k.Ref != nil {
		if kind := v.of(k.Ref).kindAt(depth + 1); kind != Any {
			return kind
		}
	}
	found := Any
	for _, name := range typesOf(k) {
		kind, ok := kinds[name]
		switch {
		case !ok: // null
		case found == Any || found == kind, found == Integer && kind == Number:
			found = kind
		default:
			return Any
		}
	}
	if found != Any {
		return found
	}
	switch {
	case len(k.Properties) > 0:
		return Object
	case k.Items2020 != nil || len(k.PrefixItems) > 0:
		return Array
	}
	for _, part := range k.AllOf {
		if kind := v.of(part).kindAt(depth + 1); kind != Any {
			return kind
		}
	}
	for _, parts := range [][]*spec.Keywords{k.AnyOf, k.OneOf} {
		for i, part := range parts {
			kind := v.of(part).kindAt(depth + 1)
			if types := typesOf(part); len(types) == 1 && types[0] == "null" {
				continue
			}
			if i > 0 && found != Any && kind != found {
				if v.oneOrMany(parts) != nil {
					return Object
				}
				return Any
			}
			found = kind
		}
	}
	return found
}

var kinds = map[string]Kind{"boolean": Boolean, "integer": Integer, "number": Number, "string": String, "array": Array, "object": Object}

// format gives the format as the document writes it, "" where there is none.
func (v view) format() string {
	v = v.plain()
	if v.k == nil || v.schema == nil {
		return ""
	}
	if v.k.Format != nil {
		return v.k.Format.Name
	}
	n := v.schema.Node(v.k)
	for range maxSchemaDepth {
		if n == nil || n.Get("$ref").Str() == "" {
			break
		}
		n = v.schema.Resolve(n)
	}
	return n.Get("format").Str()
}

// element gives the schema of an array's items.
func (v view) element() view {
	p := v.plain()
	if p.k == nil {
		return view{}
	}
	if p.k.Items2020 != nil {
		return v.of(p.k.Items2020)
	}
	for _, part := range p.k.AllOf {
		if e := v.of(part).plain(); e.k != nil && e.k.Items2020 != nil {
			return v.of(e.k.Items2020)
		}
	}
	return view{}
}

// name gives the name of the component that the schema refers to, or "".
func (v view) name() string {
	if v.k == nil {
		return ""
	}
	name, ok := v.known.names[v.k]
	if !ok {
		name = v.findName()
		v.known.names[v.k] = name
	}
	return name
}

func (v view) findName() string {
	for range maxSchemaDepth {
		if v.k == nil || v.schema == nil {
			return ""
		}
		n := v.schema.Node(v.k)
		if ref := n.Get("$ref").Str(); ref != "" {
			return ref[strings.LastIndexAny(ref, "/#")+1:]
		}
		if parent, name, ok := cutLast(n.Place().Pointer); ok && (parent == "/components/schemas" || parent == "/definitions") {
			return name
		}
		var one *spec.Keywords
		switch {
		case len(v.k.AllOf) > 0 && len(v.k.Properties) == 0:
			one = v.k.AllOf[0]
		case len(v.k.Properties) == 0:
			one = v.only(append(slices.Clone(v.k.AnyOf), v.k.OneOf...))
		}
		if one == nil {
			return ""
		}
		v.k = one
	}
	return ""
}

// readOnly reports whether the server alone makes the value.
func (v view) readOnly() bool { return v.readOnlyAt(0) }

func (v view) readOnlyAt(depth int) bool {
	if v.k == nil || depth > maxSchemaDepth {
		return false
	}
	return v.k.ReadOnly || v.of(v.k.Ref).readOnlyAt(depth+1) ||
		slices.ContainsFunc(v.k.AllOf, func(part *spec.Keywords) bool { return v.of(part).readOnlyAt(depth + 1) })
}

func cutLast(pointer string) (parent, name string, ok bool) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return "", "", false
	}
	return pointer[:i], pointer[i+1:], true
}
