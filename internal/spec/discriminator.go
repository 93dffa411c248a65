package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// maxDiscriminated limits the alternatives of a discriminator: each lists the values of all others.
const maxDiscriminated = 500

// discriminator is a Discriminator Object with its alternatives (OpenAPI 3.0 section 4.7.25, 3.1 section 4.8.25).
type discriminator struct {
	object   *tree.Node
	property string
	// branches are the schemas of the alternatives: the ones in oneOf or anyOf, or the ones that extend the schema
	// with the discriminator.
	branches []*tree.Node
	values   [][]string // for each branch, the preferred value first; nil for a branch without a name
	extended bool       // the branches extend the schema with the discriminator
	apart    bool       // the branches themselves list distinct values, or some are not strings
}

// discriminator returns the discriminator for the alternatives of a schema, or for the schemas that extend it; nil
// if none. It is beside oneOf or anyOf, or in a parent that all alternatives extend.
func (s *schemas) discriminator(n *tree.Node) *discriminator {
	branches := cmp.Or(n.Get("oneOf"), n.Get("anyOf")).List()
	d := &discriminator{object: n.Get("discriminator"), branches: branches}
	of := n
	if len(branches) == 0 {
		d.extended = true
	} else if d.property = propertyOf(d.object); d.property == "" {
		if of = s.commonParent(branches); of == nil {
			return nil
		}
		d.object = of.Get("discriminator")
	}
	if d.property = propertyOf(d.object); d.property == "" {
		return nil
	}
	mapping := d.object.Get("mapping").Fields()
	if len(branches) > maxDiscriminated || len(mapping) > 4*maxDiscriminated {
		return nil
	}
	named := map[*tree.Node][]string{}
	var targets []*tree.Node
	for _, m := range mapping {
		if target := s.mapped(d.object, m.Value.Str()); target != nil {
			if named[target] == nil {
				targets = append(targets, target)
			}
			named[target] = append(named[target], m.Name)
		}
	}
	if d.extended {
		for _, child := range s.extending(n) {
			if named[child] == nil {
				targets = append(targets, child)
			}
		}
		if d.branches = targets; targets == nil {
			d.branches = []*tree.Node{n}
		}
	}
	for _, branch := range d.branches {
		target, name := branch, s.components[branch]
		if ref := branch.Get("$ref").Str(); ref != "" && !d.extended {
			target, name = nil, lastSegment(ref)
			if found, err := s.lookup(branch, ref); err == nil {
				target = found
			}
		}
		values := named[target]
		if values == nil && name != "" {
			values = []string{name}
		}
		d.values = append(d.values, values)
	}
	if len(d.branches) == 0 || len(d.branches) > maxDiscriminated {
		return nil
	}
	s.readListed(d)
	return d
}

// propertyOf returns the name of the discriminating property; in Swagger 2.0 the discriminator is just this name.
func propertyOf(object *tree.Node) string {
	return cmp.Or(object.Get("propertyName").Str(), object.Str())
}

// isParent reports whether a schema has a discriminator for the schemas that extend it.
func isParent(n *tree.Node) bool {
	return propertyOf(n.Get("discriminator")) != "" && n.Get("oneOf") == nil && n.Get("anyOf") == nil
}

// commonParent returns the nearest schema with a discriminator that all alternatives extend or are, nil if none. It
// ignores an alternative that accepts only null.
func (s *schemas) commonParent(branches []*tree.Node) *tree.Node {
	var common *tree.Node
	for _, branch := range branches {
		if branch.Get("type").Str() == "null" {
			continue
		}
		var parent *tree.Node
		for part := range s.composed(branch) {
			if isParent(part) {
				parent = part
				break
			}
		}
		if parent == nil || common != nil && parent != common {
			return nil
		}
		common = parent
	}
	return common
}

// mapped returns the schema that a value of a mapping names, as a component or by a reference; nil if none.
func (s *schemas) mapped(from *tree.Node, target string) *tree.Node {
	s.findComponents()
	if named := s.byName[target]; named != nil {
		return named
	}
	found, err := s.lookup(from, target)
	if err != nil {
		return nil
	}
	return found
}

// extending returns the component schemas that extend a parent by allOf, directly or through others, in the
// document's order.
func (s *schemas) extending(parent *tree.Node) []*tree.Node {
	s.findComponents()
	return s.children[parent]
}

// findComponents indexes the component schemas once.
func (s *schemas) findComponents() {
	if s.components != nil {
		return
	}
	s.components, s.byName = map[*tree.Node]string{}, map[string]*tree.Node{}
	s.children = map[*tree.Node][]*tree.Node{}
	for _, member := range s.componentSchemas.Fields() {
		s.components[member.Value], s.byName[member.Name] = member.Name, member.Value
		if member.Value.Get("allOf") == nil {
			continue
		}
		for part := range s.composed(member.Value) {
			if part != member.Value && isParent(part) {
				s.children[part] = append(s.children[part], member.Value)
			}
		}
	}
}

// discriminate selects the alternative of a schema by the value of the discriminator, if their schemas may not:
// an object with the value of one alternative cannot be another. If there is a mapping, a value that neither the
// mapping nor a name knows is refused (OpenAPI 3.0 section 4.7.25: validation should fail, as no schema can be
// determined); without one, unknown values decide nothing. The schemas that extend a parent are compiled with it.
func (t *translator) discriminate(n *tree.Node, out map[string]any) {
	if n.Get("discriminator") == nil && n.Get("oneOf") == nil && n.Get("anyOf") == nil {
		return
	}
	d := t.discriminator(n)
	if d == nil {
		object := n.Get("discriminator")
		alternatives := cmp.Or(n.Get("oneOf"), n.Get("anyOf")).List()
		isLarge := len(alternatives) > maxDiscriminated || len(object.Get("mapping").Fields()) > 4*maxDiscriminated
		if isLarge && propertyOf(object) != "" {
			t.warn(object, "schema-too-large", "a discriminator tells at most "+
				strconv.Itoa(maxDiscriminated)+" alternatives apart; it is ignored")
		}
		return
	}
	t.discriminates = true
	if d.extended {
		t.extends = true
		for _, child := range d.branches {
			t.resource.links = append(t.resource.links, t.schemas.resource(child, t.resource.direction))
		}
		return
	}
	keyword := "oneOf"
	if n.Get(keyword) == nil {
		keyword = "anyOf"
	}
	branches, _ := out[keyword].([]any)
	if len(branches) < 2 || len(branches) != len(d.branches) || d.apart { // or no alternative can be met
		return
	}
	var all []any
	seen := map[string]bool{}
	for _, value := range slices.Concat(d.values...) {
		if !seen[value] {
			all = append(all, value)
		}
		seen[value] = true
	}
	for i, branch := range branches {
		others := slices.DeleteFunc(slices.Clone(all), func(v any) bool { return slices.Contains(d.values[i], v.(string)) })
		schema, ok := branch.(map[string]any)
		if ok && !t.bundling && schema["not"] == nil && len(d.values[i]) > 0 && len(others) > 0 {
			schema["not"] = map[string]any{"required": []any{d.property},
				"properties": map[string]any{d.property: map[string]any{"enum": others}}}
		}
	}
	unnamed := func(values []string) bool { return len(values) == 0 }
	if len(d.object.Get("mapping").Fields()) > 0 && !slices.ContainsFunc(d.values, unnamed) {
		onlyValues(out, d.property, all)
	}
}

// onlyValues restricts a property to values, unless the schema restricts it already.
func onlyValues(out map[string]any, property string, values []any) {
	properties, _ := out["properties"].(map[string]any)
	if properties == nil {
		properties = map[string]any{}
		out["properties"] = properties
	}
	if properties[property] == nil {
		properties[property] = map[string]any{"enum": values}
	}
}

// readListed collects the values that each branch itself allows, and finds out whether they distinguish the branches.
func (s *schemas) readListed(d *discriminator) {
	d.apart = true
	owner := map[string]int{}
	for i, branch := range d.branches {
		own, isString := s.valuesOf(branch, d.property)
		if !isString {
			d.apart = true
			return
		}
		if own == nil {
			d.apart = false
			continue
		}
		for _, value := range own {
			if other, ok := owner[value]; ok && other != i {
				d.apart = false
			}
			owner[value] = i
		}
		left := slices.DeleteFunc(slices.Clone(d.values[i]), func(v string) bool { return !slices.Contains(own, v) })
		if len(left) > 0 {
			d.values[i] = left
		} else if len(own) == 1 { // the schema's own value counts more than its name
			d.values[i] = own
		}
	}
}

// valuesOf returns the values that a schema lists for a property, nil if it lists none. isString is false if the
// property is not a string.
func (s *schemas) valuesOf(n *tree.Node, property string) (values []string, isString bool) {
	for part := range s.composed(n) {
		for p := range s.composed(part.Get("properties").Get(property)) {
			if kind := p.Get("type").Str(); kind != "" && kind != "string" {
				return nil, false
			}
			listed := p.Get("enum").List()
			if value := p.Get("const"); value != nil {
				listed = []*tree.Node{value}
			}
			if len(listed) == 0 {
				continue
			}
			var texts []string
			for _, value := range listed {
				if value.Kind == tree.String && (values == nil || slices.Contains(values, value.Str())) {
					texts = append(texts, value.Str())
				}
			}
			values = append([]string{}, texts...)
		}
	}
	return values, true
}

// compiledDiscriminator is discriminator for a compiled schema.
func (s *schemas) compiledDiscriminator(k *Keywords) *schema.Discriminator {
	if !s.discriminates {
		return nil
	}
	if known, ok := s.discriminators.Load(k); ok {
		return known.(*schema.Discriminator)
	}
	known, _ := s.discriminators.LoadOrStore(k, s.compileDiscriminator(k))
	return known.(*schema.Discriminator)
}

func (s *schemas) compileDiscriminator(k *Keywords) *schema.Discriminator {
	n := s.locate(k.Location, nil)
	if n.Get("$ref").Str() != "" && k.Ref == nil { // the target was translated in place of the reference
		n = s.resolved(n)
	}
	s.looking.Lock()
	defer s.looking.Unlock()
	d := s.discriminator(n)
	if d == nil {
		return nil
	}
	compiled := &schema.Discriminator{Property: d.property, Values: d.values, Extended: d.extended}
	if !d.extended {
		if compiled.Branches = k.OneOf; len(k.OneOf) == 0 {
			compiled.Branches = k.AnyOf
		}
		if len(compiled.Branches) != len(d.branches) {
			return nil
		}
		return compiled
	}
	location, _, _ := strings.Cut(k.Location, "#")
	r := s.parse(location)
	if r == nil {
		return nil
	}
	listed, isString := s.valuesOf(n, d.property)
	compiled.Closed = isString && listed == nil
	if len(d.object.Get("mapping").Fields()) == 0 {
		compiled.Implicit = true
		if name := s.components[n]; name != "" {
			compiled.Own = []string{name}
		}
	}
	compiled.Values = nil
	for i, branch := range d.branches {
		if child := s.known[schemaKey{branch, r.direction}]; child != nil && child.compiled != nil {
			compiled.Branches = append(compiled.Branches, child.compiled)
			compiled.Values = append(compiled.Values, d.values[i])
		}
	}
	if compiled.Branches == nil {
		return nil
	}
	return compiled
}

func lastSegment(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }
