package resource

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Nesting says that objects hold most of their properties in one of them, as resource objects of JSON:API have their
// attributes (JSON:API 1.1 section 7.2.2): {"type": "plants", "id": "1", "attributes": {"name": "Fern"}}. Such items
// are inferred, kept and changed flat: {"type": "plants", "id": "1", "name": "Fern"}. A nil Nesting changes nothing.
type Nesting struct {
	Property string          // that holds the others
	beside   map[string]bool // the properties beside it, by their names in flat objects
	both     map[string]bool // of these, the ones that it has as well, with the same value
	kind     string          // the property beside it that says what the object is, if it has one of that name as well
	required bool            // every object has it
	nested   *spec.Keywords  // schema of the objects as bodies have them
}

// Flat returns an object with the properties that it holds nested beside its own. Other values stay unchanged.
func (n *Nesting) Flat(value any) any {
	object, isObject := value.(map[string]any)
	if n == nil || !isObject {
		return value
	}
	held, has := object[n.Property]
	if !has {
		return value
	}
	flat := maps.Clone(object)
	delete(flat, n.Property)
	if own, has := flat[n.kind]; has {
		delete(flat, n.kind)
		flat[n.kind+kindOfNested] = own
	}
	inner, _ := held.(map[string]any)
	for name, member := range inner {
		if !n.beside[name] {
			flat[name] = member
		}
	}
	return flat
}

// kindOfNested ends the name that a flat object has for the kind of the nested object if it has a kind of its own:
// {"type": "accounts", "attributes": {"type": "asset"}} is {"type": "asset", "type of resource": "accounts"}.
const kindOfNested = " of resource"

// Nest is the inverse of Flat. A nested object stays unchanged.
func (n *Nesting) Nest(value any) any {
	object, isObject := value.(map[string]any)
	if n == nil || !isObject {
		return value
	}
	if _, isNested := object[n.Property]; isNested {
		return value
	}
	own, inner := map[string]any{}, map[string]any{}
	for name, member := range object {
		switch {
		case !n.beside[name]:
			inner[name] = member
		case n.both[name]:
			own[name], inner[name] = member, member
		case n.kind != "" && name == n.kind+kindOfNested:
			own[n.kind] = member
		default:
			own[name] = member
		}
	}
	if len(inner) > 0 || n.required {
		own[n.Property] = inner
	}
	return own
}

// path returns the path to a property in an object as bodies have it, for its path in a flat one.
func (n *Nesting) path(flat []string) []string {
	if n == nil || len(flat) == 0 || n.beside[flat[0]] {
		return flat // no path leads to the kind
	}
	return append([]string{n.Property}, flat...)
}

// flatPath returns a path to a property of a flat object for one of the object as bodies have it.
func (n *Nesting) flatPath(path []string) []string {
	if n != nil && len(path) > 1 && path[0] == n.Property {
		return path[1:]
	}
	return path
}

// nesting is what schemaCache knows of a schema of nested objects; the zero value if they are not nested.
type nesting struct {
	*Nesting
	flat *spec.Keywords
}

// besideNames are objects that say something of an item and are none of its properties: the members of resource objects
// in JSON:API 1.1 section 7.2, and the reserved properties of HAL (draft-kelly-json-hal-11 section 4.1).
var besideNames = words.RoleOf("beside-name")

// kindNames say what an object is.
var kindNames = words.RoleOf("kind-name")

// attributes is the name that JSON:API has for what holds the properties of an item.
const attributes = "attributes"

// nested returns how the objects of a view hold their properties, and the view of them as flat objects; nil and the
// view itself if they hold their properties themselves. They hold them in another if they have only a key, their type
// and times of their own, and one object that says more.
func (v view) nested() (*Nesting, view) {
	if v.kind() != schema.Object {
		return nil, v
	}
	isItem, holders := false, []string(nil)
	for _, m := range v.members() {
		kind := m.view.kind()
		switch {
		case kind == schema.Object && (besideNames.Has(m.folded) || !m.view.hasScalars()):
		case kind == schema.Object:
			holders = append(holders, m.name)
		case identityNames.Has(m.folded), kindNames.Has(m.folded) && kind == schema.String:
			isItem = true
		case createdNames.Has(m.folded), updatedNames.Has(m.folded), versionNames.Has(m.folded):
		default:
			return nil, v
		}
	}
	switch {
	case !isItem || len(holders) == 0:
		return nil, v
	case len(holders) == 1:
		return v.nestedIn(holders[0])
	case slices.Contains(holders, attributes):
		return v.nestedIn(attributes)
	}
	return nil, v
}

// hasKey reports whether objects have a property whose name says that it identifies them: id, gid, created_at.
func hasKey(v view) bool {
	const longest = 4 // letters of a name that ends in id and is a key whatever the objects are
	return slices.ContainsFunc(v.members(), func(m member) bool {
		isID := len(m.folded) <= longest && strings.HasSuffix(m.folded, "id")
		return canBeKey(m.view.kind()) && (isID || identityNames.Has(m.folded))
	})
}

func (v view) hasScalars() bool {
	return slices.ContainsFunc(v.members(), func(m member) bool {
		return m.view.kind() != schema.Object && m.view.kind() != schema.Array
	})
}

// nestedIn is nested for objects that hold their properties in the named one.
func (v view) nestedIn(property string) (*Nesting, view) {
	plain := v.plain()
	known, ok := v.cache.nestings[plain.k]
	if !ok {
		known.Nesting, known.flat = nestingOf(plain.schema, plain.k, property)
		v.cache.nestings[plain.k] = known
	}
	if known.Nesting == nil || known.Property != property {
		return nil, v
	}
	return known.Nesting, v.of(known.flat)
}

// nestingOf returns how the objects of a schema hold their properties in the named one, and the schema of them as flat
// objects. It returns nil if that is unknown: parts of the schema apply only to some objects, or both have a
// property of one name.
func nestingOf(s *spec.Schema, k *spec.Keywords, property string) (*Nesting, *spec.Keywords) {
	outer := s.ShapeOf(k)
	m := outer.Member(property)
	if m == nil {
		return nil, nil
	}
	if len(outer.Names()) == 1 {
		return &Nesting{Property: property, required: m.Required, nested: k}, m.Schema
	}
	inner := m.Shape()
	n := &Nesting{
		Property: property, beside: map[string]bool{}, both: map[string]bool{}, required: m.Required, nested: k,
	}
	for _, name := range outer.Names() {
		isShared := slices.Contains(inner.Names(), name)
		switch folded := naming.Fold(name); {
		case name == property:
			continue
		case isShared && kindNames.Has(folded) && n.kind == "":
			n.kind, name = name, name+kindOfNested
		case isShared && identityNames.Has(folded):
			n.both[name] = true
		case isShared:
			return nil, nil
		}
		n.beside[name] = true
	}
	if len(outer.Choices())+len(inner.Choices()) > 0 {
		return nil, nil
	}
	flat := &spec.Keywords{Location: k.Location, DraftVersion: k.DraftVersion, Types: k.Types}
	for _, part := range outer.Certain() {
		own := onlyMembers(part)
		own.Properties, own.Required = maps.Clone(part.Properties), slices.Clone(part.Required)
		delete(own.Properties, property)
		if kind := own.Properties[n.kind]; kind != nil {
			delete(own.Properties, n.kind)
			own.Properties[n.kind+kindOfNested] = kind
		}
		if i := slices.Index(own.Required, n.kind); i >= 0 {
			own.Required[i] += kindOfNested
		}
		own.Required = slices.DeleteFunc(own.Required, func(name string) bool { return name == property })
		flat.AllOf = append(flat.AllOf, own)
	}
	for _, part := range inner.Certain() {
		own := onlyMembers(part)
		if !m.Required {
			own.Required = nil
		}
		flat.AllOf = append(flat.AllOf, own)
	}
	return n, flat
}

// onlyMembers returns a schema with its assertions on the members that it lists, and on others unless it forbids them.
func onlyMembers(k *spec.Keywords) *spec.Keywords {
	own := &spec.Keywords{
		Location: k.Location, DraftVersion: k.DraftVersion, Title: k.Title, Description: k.Description,
		Properties: k.Properties, Required: k.Required, PatternProperties: k.PatternProperties,
		AdditionalProperties: k.AdditionalProperties,
	}
	if allowed, isBool := k.AdditionalProperties.(bool); isBool && !allowed {
		own.AdditionalProperties = nil
	}
	others, isSchema := k.AdditionalProperties.(*spec.Keywords)
	if isSchema && len(k.Properties) > 0 && others.Bool == nil {
		own.AdditionalProperties = nil // it would apply to the properties of the other objects
	}
	return own
}

// flat returns the view of flat objects, see nested.
func (v view) flat() view {
	_, flat := v.nested()
	return flat
}

// nest returns where an item stands in a body, with its properties nested as in the items of the candidate.
func (c *candidate) nest(body view, s *Shape) *Shape {
	if c == nil || s == nil || c.nesting == nil || s.Nesting != nil {
		return s
	}
	raw := body.of(s.Value)
	if raw.member(c.nesting.Property).kind() != schema.Object {
		return s
	}
	n, flat := raw.nestedIn(c.nesting.Property)
	if n == nil {
		return s
	}
	nested := *s
	nested.Nesting, nested.Value = n, flat.k
	return &nested
}

// flatten makes the candidate's items flat objects if they hold their properties in one of them.
func (c *candidate) flatten() {
	if only := c.value.members(); len(only) == 1 && only[0].view.kind() == schema.Object && hasKey(only[0].view) {
		c.nesting, c.value = c.value.nestedIn(only[0].name) // {"data": {"id": "1", "name": "Fern"}} in a list
	} else if c.nesting, c.value = c.value.nested(); c.nesting == nil {
		if part := c.partWithKey(); part != "" {
			c.nesting, c.value = c.value.nestedIn(part)
		}
	}
	if c.nesting == nil {
		return
	}
	if c.listed.member(c.nesting.Property).ok() {
		_, c.listed = c.listed.nestedIn(c.nesting.Property)
	}
}

// partWithKey returns the member of an item without a key of its own that has one, and that shares more with what
// creations send than the item does: {community: {id, name}, subscribed} for {name}; "" if none.
func (c *candidate) partWithKey() string {
	post := c.collection.method("POST")
	if post == nil || !post.request.ok() || hasKey(c.value) {
		return ""
	}
	sent := post.request.members()
	best, most := "", c.value.common(sent)
	for _, m := range c.value.members() {
		if m.view.kind() == schema.Object && hasKey(m.view) && m.view.common(sent) > most {
			best, most = m.name, m.view.common(sent)
		}
	}
	return best
}
