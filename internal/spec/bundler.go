package spec

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

func (l *loader) bundle(f *tree.File) (*Bundle, error) {
	n, err := l.clean(f)
	if err != nil {
		return nil, err
	}
	l.directional, l.dynamic = false, false
	s := newSchemas(l, n.root)
	s.bundling = true
	b := &bundler{schemas: s, names: map[namedKey]string{}, taken: map[string]bool{}, expanded: map[*resource]bool{},
		outline: outline{limit: l.options.MaxBytes}}
	for _, schema := range n.schemas {
		s.embedded[schema] = true
	}
	for _, member := range s.componentSchemas.Fields() {
		b.taken[member.Name] = true
	}
	if b.document(n.root); b.full {
		return nil, &DocumentError{Place: f.Root.Place(), Message: "the document with all its references in place is " +
			"larger than " + strconv.Itoa(b.limit>>20) + " MiB; raise --max-document to read it"}
	}
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	servers := n.root.Get("servers")
	return &Bundle{Text: b.text, Version: n.root.Get("info").Get("version").Str(), Servers: servers.Place(),
		BasePaths: basePaths(new(modeller).servers(servers)), lines: b.lines, Findings: exchange.Sort(l.findings)}, nil
}

// bundler writes a Bundle.
type bundler struct {
	*schemas
	outline
	names    map[namedKey]string
	taken    map[string]bool    // names
	queue    []component        // in the order of their first reference
	security *tree.Node         // of the document
	expanded map[*resource]bool // merged into the schemas that are being written
}

// componentName is the name of a component schema, and a reference to it.
type componentName string

func (c componentName) pointer() string {
	return "#/components/schemas/" + exchange.EscapePointer(string(c))
}

// component is a component schema.
type component struct {
	*resource
	name  string
	value any // translated
}

// namedKey names a schema, or with whose it extends.
type namedKey struct {
	resource *resource
	part     string
}

// left are the fields that say nothing about requests and responses.
var left = []string{"description", "summary", "externalDocs", "example", "examples", "links"}

// kept are the extensions that comparing documents needs: the date after which a deprecated part may be removed, and
// the values of an enum that may grow.
var kept = []string{"x-sunset", "x-extensible-enum"}

func (b *bundler) document(root *tree.Node) {
	b.begin("{")
	b.line(origin{node: root.Get("openapi")}, "openapi", `"openapi": "3.1.0",`)
	info := root.Get("info")
	b.line(origin{node: info}, "info", `"info": {"title": "", "version": `+quoted(info.Get("version").Str())+"},")
	b.security = root.Get("security")
	for _, member := range root.Fields() {
		if slices.Contains([]string{"servers", "paths", "webhooks"}, member.Name) {
			b.member(root, member, documentObject.field(member.Name))
		}
	}
	components := root.Get("components")
	b.line(origin{node: components}, "components", `"components": `)
	b.begin("{")
	const schemes = "securitySchemes"
	if n := components.Get(schemes); n != nil {
		b.member(components, tree.Member{Name: schemes, Value: n}, componentsObject.field(schemes))
	}
	b.line(origin{node: components}, "schemas", `"schemas": `)
	b.begin("{")
	for i := 0; i < len(b.queue) && !b.full; i++ {
		c := b.queue[i]
		b.line(origin{node: c.node}, c.name, quoted(c.name)+": ")
		clear(b.expanded)
		b.expanded[c.resource] = true
		b.schema(c.value, origin{node: c.node}, false)
		b.write(",")
	}
	b.finish("}")
	b.finish("}")
	b.finish("}")
}

// object writes an object of a kind.
func (b *bundler) object(k *objectKind, n *tree.Node) {
	if k == schemaObject {
		b.schema(b.translated(b.resource(n, InRequest)), origin{node: n}, false)
		return
	}
	if k == pathItemObject {
		n = complete(n, n.Get("parameters"), b.security)
	}
	b.mapOf(n, func(m tree.Member) *field {
		if f := k.field(m.Name); f != nil && (k.fields == nil || !slices.Contains(left, m.Name)) {
			return f
		}
		if slices.Contains(kept, m.Name) {
			return &field{m.Name, formAny, nil}
		}
		return nil
	})
}

// complete returns a path item whose operations have its parameters and the security of the document.
func complete(item, parameters, security *tree.Node) *tree.Node {
	operation := func(n *tree.Node) *tree.Node {
		own := n.Get("parameters").List()
		all := slices.Clone(own)
		for _, p := range parameters.List() {
			same := func(q *tree.Node) bool {
				return q.Get("in").Str() == p.Get("in").Str() && q.Get("name").Str() == p.Get("name").Str()
			}
			if !slices.ContainsFunc(own, same) {
				all = append(all, p)
			}
		}
		out := n
		if len(all) > len(own) {
			out = without(n, "parameters").Add("parameters", parameters.New(tree.Array).AppendItems(all...))
		}
		if n.Get("security") == nil && security != nil {
			out = out.Copy().Add("security", security)
		}
		return out
	}
	return cleaned(without(item, "parameters"), func(m tree.Member) *tree.Node {
		switch {
		case slices.Contains(methods, m.Name):
			return operation(m.Value)
		case m.Name == "additionalOperations":
			return m.Value.Map(operation)
		}
		return m.Value
	})
}

// mapOf writes the members of an object for which fieldOf returns a field.
func (b *bundler) mapOf(n *tree.Node, fieldOf func(tree.Member) *field) {
	b.begin("{")
	for _, member := range n.Fields() {
		if f := fieldOf(member); f != nil && !b.full {
			b.member(n, member, f)
		}
	}
	b.finish("}")
}

func (b *bundler) member(of *tree.Node, m tree.Member, f *field) {
	name := m.Name
	if f.kind == pathItemObject && f.form == formObject {
		name = anonymous(name)
	}
	b.line(origin{node: of, name: m.Name}, name, quoted(m.Name)+": ")
	switch f.form {
	case formObject:
		b.object(f.kind, m.Value)
	case formMap:
		b.mapOf(m.Value, func(tree.Member) *field { return &field{"", formObject, f.kind} })
	case formList, formTexts, formScopes:
		b.begin("[")
		for i, item := range m.Value.List() {
			b.line(origin{node: item}, token(i, item), "")
			if f.form == formList {
				b.object(f.kind, item)
			} else {
				b.write(string(jsontext.Marshal(item.Value())))
			}
			b.write(",")
		}
		b.finish("]")
	default:
		b.write(string(jsontext.Marshal(m.Value.Value())))
	}
	b.write(",")
}

// translated returns the translated schema of a resource.
func (b *bundler) translated(r *resource) any {
	if r.document == nil {
		t := translator{schemas: b.schemas, resource: r, inlining: map[*tree.Node]bool{}}
		r.document = t.schema(r.node, around{})
	}
	return r.document
}

// schema writes a translated schema. A part of an allOf stands for itself alone.
func (b *bundler) schema(value any, at origin, isPart bool) {
	if name, ok := value.(componentName); ok {
		b.write(`{"$ref": ` + quoted(name.pointer()) + "}")
		return
	}
	b.full = b.full || b.ended()
	schema, n := b.annotated(value)
	if schema == nil {
		b.write(string(jsontext.Marshal(value)))
		return
	}
	if n != nil {
		at = origin{node: n}
	}
	if link, ok := schema[linkKeyword].(*resource); ok && len(schema) == 1 {
		b.reference(link, isPart)
		return
	}
	parts := partsOf(schema)
	if len(parts) == 1 && len(schema) == 1 { // means its only part
		b.schema(parts[0], at, isPart)
		return
	}
	merged := b.merged(schema, parts)
	b.begin("{")
	for _, name := range slices.Sorted(maps.Keys(schema)) {
		if b.full {
			return
		}
		b.line(origin{node: at.node, name: name}, name, quoted(name)+": ")
		b.keyword(name, schema[name], at.node, merged.properties)
		b.write(",")
	}
	b.finish("}")
	for _, r := range merged.resources {
		delete(b.expanded, r)
	}
}

// keyword writes the value of a keyword of the schema n. properties has the nodes of properties that are not n's own.
func (b *bundler) keyword(name string, value any, n *tree.Node, properties map[string]*tree.Node) {
	switch v := value.(type) {
	case map[string]any:
		if !slices.Contains(mapKeywords, name) {
			break
		}
		b.begin("{")
		for _, inner := range slices.Sorted(maps.Keys(v)) {
			at := origin{node: n.Get(name), name: inner}
			switch {
			case name == "properties" && properties[inner] != nil:
				at.node = properties[inner]
			case at.node == nil:
				at = origin{node: n, name: name}
			}
			b.line(at, inner, quoted(inner)+": ")
			b.schema(v[inner], at, false)
			b.write(",")
		}
		b.finish("}")
		return
	case []any:
		b.begin("[")
		items := n.Get(name).List()
		for i, item := range v {
			at := origin{node: n, name: name}
			if len(items) == len(v) {
				at = origin{node: items[i]}
			}
			b.line(at, strconv.Itoa(i), "")
			if slices.Contains(listKeywords, name) {
				b.schema(item, at, name == "allOf")
			} else {
				b.write(string(jsontext.Marshal(item)))
			}
			b.write(",")
		}
		b.finish("]")
		return
	}
	if name == "items" || slices.Contains(schemaKeywords, name) {
		b.schema(value, origin{node: n, name: name}, false)
		return
	}
	b.write(string(jsontext.Marshal(value)))
}

// annotated returns a translated schema with what its node has beside assertions, but without prose, and the node. It
// returns nil for a boolean.
func (b *bundler) annotated(value any) (schema map[string]any, n *tree.Node) {
	translated, _ := value.(map[string]any)
	schema = maps.Clone(translated)
	if n, _ = schema[nodeKeyword].(*tree.Node); n == nil {
		return schema, nil
	}
	for _, name := range []string{nodeKeyword, "title", "description"} {
		delete(schema, name)
	}
	for _, name := range append([]string{"default", "deprecated", "contentEncoding", "contentMediaType"}, kept...) {
		if value := n.Get(name); value != nil {
			schema[name] = value.Value()
		}
	}
	if schema["type"] != nil {
		schema["nullable"] = false // says nothing, but oasdiff looks for its place if the type becomes nullable
	}
	if object := n.Get("discriminator"); propertyOf(object) != "" {
		schema["discriminator"] = b.discriminatorOf(object)
	}
	return schema, n
}

func (b *bundler) discriminatorOf(object *tree.Node) map[string]any {
	mapping := map[string]any{}
	for _, m := range object.Get("mapping").Fields() {
		if target := b.mapped(object, m.Value.Str()); target != nil {
			r := b.resource(target, InRequest)
			mapping[m.Name] = componentName(b.name(r, "", b.translated(r))).pointer()
		}
	}
	discriminator := map[string]any{"propertyName": propertyOf(object)}
	if len(mapping) > 0 {
		discriminator["mapping"] = mapping
	}
	return discriminator
}

// reference writes a reference to a schema, or to the schema that a chain of references leads to. Except in an allOf, a
// schema with a discriminator also stands for the schemas that extend it.
func (b *bundler) reference(to *resource, isPart bool) {
	for range maxRefChain {
		next, isLink := b.link(to)
		if !isLink {
			break
		}
		to = next
	}
	if _, isLink := b.link(to); isLink || to.foreign != "" { // a circle, or a metaschema
		b.write("{}")
		return
	}
	name := b.name(to, "", b.translated(to))
	if !isPart && isParent(to.node) {
		name = b.family(to, name)
	}
	b.schema(componentName(name), origin{}, isPart)
}

// family returns the name of a component schema of which a schema with a discriminator and the schemas that extend it
// are the alternatives, each without what it extends.
func (b *bundler) family(parent *resource, name string) string {
	d := b.discriminator(parent.node)
	if d == nil || !d.extended || len(d.branches) == 1 && d.branches[0] == parent.node {
		return name
	}
	all := []any{componentName(name)}
	for _, n := range d.branches {
		child := b.resource(n, InRequest)
		schema, ok := b.translated(child).(map[string]any)
		if !ok || child == parent {
			continue
		}
		schema = maps.Clone(schema)
		parts, _ := schema["allOf"].([]any)
		schema["allOf"] = slices.DeleteFunc(slices.Clone(parts), func(value any) bool {
			part, _ := value.(map[string]any)
			return part[linkKeyword] == parent
		})
		if len(schema["allOf"].([]any)) == 0 {
			delete(schema, "allOf")
		}
		all = append(all, componentName(b.name(child, " extends "+name, schema)))
	}
	return b.name(parent, " or what extends it", map[string]any{"anyOf": all})
}

// link returns the target of a schema that is only a reference.
func (b *bundler) link(r *resource) (*resource, bool) {
	if r.foreign != "" {
		return nil, false
	}
	schema, _ := b.annotated(b.translated(r))
	link, ok := schema[linkKeyword].(*resource)
	return link, ok && len(schema) == 1
}

// name returns the name of a component schema, and adds the schema. A schema that is not in components is called by
// the end of its JSON Pointer, or by the whole if that is taken, so that its name is the same in both documents. part
// follows the name of the schema of which value is a part.
func (b *bundler) name(r *resource, part string, value any) string {
	key := namedKey{r, part}
	if name, ok := b.names[key]; ok {
		return name
	}
	b.findComponents()
	name := b.components[r.node]
	if name == "" {
		file := strings.TrimSuffix(path.Base(r.node.File.Name), path.Ext(r.node.File.Name))
		_, tokens := r.node.File.Way(r.node)
		tokens = append([]string{file}, tokens...)
		name = tokens[len(tokens)-1]
		for whole := strings.Join(tokens, "."); b.taken[name]; whole += "'" {
			name = whole
		}
	}
	name += part
	b.taken[name] = true
	b.names[key] = name
	b.queue = append(b.queue, component{r, name, value})
	return name
}
