package resource

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
)

// extension is the name of the field of an Operation Object or a Path Item
// Object that overrides the inference.
const extension = "x-coldframe-resource"

// Overrides are the corrections that stand beside the document: an object whose names are "METHOD path", a
// path or an operationId, and whose values are written like x-coldframe-resource.
type Overrides struct {
	Resources *tree.Node // nil if there are no corrections
}

// ReadOverrides reads corrections from a YAML or JSON text.
func ReadOverrides(name string, text []byte) (Overrides, error) {
	root, findings, err := tree.Read(name, text)
	if err != nil {
		return Overrides{}, err
	}
	if len(findings) > 0 {
		return Overrides{}, errors.New(exchange.Join(findings))
	}
	return Overrides{Resources: root}, nil
}

// override is one correction, of an operation or of all of a path. The zero value corrects nothing.
type override struct {
	off    bool                 // it has no part in any resource
	fields map[string]string    // by overrideKeys
	tables map[string][]setting // by tableKeys
	from   string               // "the document" or "coldframe.yaml"; "" for no override
	place  exchange.Place
	places map[string]exchange.Place // of the values of fields
}

// at returns the place of a key's value.
func (o *override) at(key string) exchange.Place { return o.places[key] }

// setting is one entry of an object of an override.
type setting struct {
	name, text string
	place      exchange.Place
}

// The keys of an override whose values are texts, and those whose values are objects of texts. sets is either.
var (
	overrideKeys = []string{"name", "role", "key", "parent", "parentKey", "items", "item", "login", "sets", "creates", "lookup",
		"part", "order", "unique", "refused"}
	tableKeys = []string{"parameters", "filter", "sort", "takes", "sets", "formula", "errors"}
)

func (o *override) has(key string) bool {
	_, ok := o.fields[key]
	return ok
}

// path returns the path to a property, by its name or a JSON Pointer (RFC 6901).
func (o *override) path(key string) []string {
	text := o.fields[key]
	switch {
	case text == "" || text == "/":
		return []string{}
	case text[0] != '/':
		return []string{text}
	}
	return exchange.SplitPointer(text)
}

func (o *override) role() (Role, bool) { return parseRole(o.fields["role"]) }

func (o *override) add(nearer override) {
	if nearer.from == "" {
		return
	}
	if !nearer.off {
		fields := map[string]string{}
		maps.Copy(fields, o.fields)
		maps.Copy(fields, nearer.fields)
		nearer.fields = fields
		places := map[string]exchange.Place{}
		maps.Copy(places, o.places)
		maps.Copy(places, nearer.places)
		nearer.places = places
		tables := map[string][]setting{}
		maps.Copy(tables, o.tables)
		for key, table := range nearer.tables {
			tables[key] = append(slices.Clip(tables[key]), table...)
		}
		nearer.tables = tables
	}
	*o = nearer
}

// readOverrides reads the corrections. What stands beside the document wins over
// what stands in it, an operation's over its path's.
func (in *inference) readOverrides(o Overrides) {
	byPath, byOperation := in.besideDocument(o.Resources)
	for _, op := range in.operations {
		op.override.add(in.parseOverride(op.PathExtension(extension), "the document"))
		op.override.add(byPath[op.Path])
		op.override.add(in.parseOverride(op.Extension(extension), "the document"))
		op.override.add(byOperation[op])
	}
	for _, op := range in.operations {
		if op.override.fields["name"] != "" {
			in.declare(op)
		}
	}
}

func (in *inference) besideDocument(n *tree.Node) (byPath map[string]override, byOperation map[*operation]override) {
	byPath, byOperation = map[string]override{}, map[*operation]override{}
	if n == nil {
		return byPath, byOperation
	}
	if n.Kind != tree.Object {
		in.fault(n.Place(), "\"resources\" must be an object whose names are paths, is "+n.Kind.String())
	}
	for _, m := range n.Fields() {
		read := in.parseOverride(m.Value, "coldframe.yaml")
		method, path, isOperation := strings.Cut(m.Name, " ")
		found := false
		for _, op := range in.operations {
			switch {
			case !isOperation && op.Path == m.Name:
				byPath[m.Name], found = read, true
			case isOperation && op.Path == strings.TrimSpace(path) && strings.EqualFold(op.Method, method), op.ID == m.Name:
				byOperation[op], found = read, true
			}
		}
		if !found && read.from != "" {
			in.fault(m.Value.Place(), strconv.Quote(m.Name)+" is no path and no operation of the document"+in.nearest(m.Name))
		}
	}
	return byPath, byOperation
}

// declare returns the candidate of an operation's path the name of an override,
// and makes one if the path alone would not.
func (in *inference) declare(o *operation) {
	c := in.candidateAt(o.at)
	if c == nil {
		c = &candidate{collection: o.at}
		if role, _ := o.override.role(); o.at.last.variable() && role != List && role != Create {
			c.collection, c.item = o.at.parent, o.at
		}
		in.register(c)
	}
	c.declared = o.override.fields["name"]
}

func (in *inference) fault(at exchange.Place, message string) {
	in.findings = append(in.findings, exchange.Finding{Code: "invalid-override", Message: message, Document: at})
}

func (in *inference) parseOverride(n *tree.Node, from string) override {
	switch {
	case n == nil:
		return override{}
	case n.Kind == tree.Bool && n.Text == "false":
		return override{from: from, place: n.Place(), off: true}
	case n.Kind != tree.Object:
		in.fault(n.Place(), "an override of a resource is an object, or false, not "+n.Kind.String())
		return override{}
	}
	o := override{from: from, place: n.Place(), fields: map[string]string{}, tables: map[string][]setting{},
		places: map[string]exchange.Place{}}
	for _, m := range n.Fields() {
		text := m.Value.Text
		if slices.Contains(tableKeys, m.Name) && (m.Value.Kind == tree.Object || m.Name != "sets") {
			o.tables[m.Name] = in.parseTable(m.Name, m.Value)
			continue
		}
		_, isRole := parseRole(text)
		wrong := ""
		switch {
		case m.Value.Kind != tree.String && slices.Contains(overrideKeys, m.Name):
			wrong = strconv.Quote(m.Name) + " must be a string, is " + m.Value.Kind.String()
		case !slices.Contains(overrideKeys, m.Name):
			known := append(slices.Clip(overrideKeys), tableKeys...)
			slices.Sort(known)
			wrong = isNone(m.Name, "key of an override", "keys", slices.Compact(known))
		case m.Name == "role" && !isRole:
			wrong = isNone(text, "role", "roles", roleNames[1:])
		case m.Name == "login" && !slices.Contains(actNames[:], text):
			wrong = isNone(text, "act of a login", "acts", actNames[:])
		case text != "" || m.Name != "name" && m.Name != "parent":
			o.fields[m.Name], o.places[m.Name] = text, m.Value.Place()
		}
		if wrong != "" {
			in.fault(m.Value.Place(), wrong)
		}
	}
	return o
}

// parseTable reads an object of texts; numbers and literals count as their texts.
func (in *inference) parseTable(name string, n *tree.Node) (table []setting) {
	if n.Kind != tree.Object {
		in.fault(n.Place(), strconv.Quote(name)+" must be an object, is "+n.Kind.String())
		return nil
	}
	for _, m := range n.Fields() {
		text := m.Value.Text
		switch m.Value.Kind {
		case tree.Object, tree.Array:
			in.fault(m.Value.Place(), strconv.Quote(m.Name)+" must be a text, is "+m.Value.Kind.String())
			continue
		case tree.Null:
			text = "null"
		}
		table = append(table, setting{m.Name, text, m.Value.Place()})
	}
	return table
}

func isNone(word, of, several string, known []string) string {
	return strconv.Quote(word) + " is no " + of + "; the " + several + " are " + strings.Join(known, ", ") +
		nearest.Hint(word, known)
}

func (in *inference) nearest(name string) string {
	var known []string
	for _, o := range in.operations {
		if strings.Contains(name, " ") {
			known = append(known, o.Method+" "+o.Path)
		} else if !slices.Contains(known, o.Path) {
			known = append(known, o.Path)
		}
	}
	return nearest.Hint(name, known)
}

func (in *inference) overrideRole(o *operation) {
	b, over := o.binding, &o.override
	if over.off {
		*b = Binding{Operation: b.Operation, Success: b.Success, Media: b.Media, Role: Action}
		b.declare("excluded by " + over.from)
		return
	}
	role, ok := over.role()
	if over.has("creates") {
		if o.creates = in.candidateNamed(over.fields["creates"]); o.creates == nil {
			in.fault(over.at("creates"), in.noResource(over.fields["creates"]))
		} else {
			role, ok = Create, true
			b.Resource, b.KeyIn, b.Variable = o.creates.resource, Nowhere, ""
		}
	}
	if !ok {
		return
	}
	b.Role, b.Reads, b.Subset = role, false, false
	b.declare("set by " + over.from)
	if c := in.candidateOf(o); c != nil && b.Resource == nil {
		b.Resource = c.resource
	}
	switch b.Role {
	case Read, Replace, Update, Delete, Upsert:
		if b.KeyIn == Nowhere && b.Resource != nil && !b.Resource.Singleton && o.keyVariable() != "" {
			b.KeyIn, b.Variable = InPath, o.keyVariable()
		}
	case Create, List:
		if c := in.candidates[o.at]; c == nil || c.item != o.at {
			b.KeyIn, b.Variable = Nowhere, ""
		}
	}
}

// candidateNamed returns the candidate of the resource of a name, nil if none.
func (in *inference) candidateNamed(name string) *candidate {
	for _, c := range in.order {
		if c.mergedInto == nil && c.resource.Name == name {
			return c
		}
	}
	return nil
}

func (in *inference) noResource(name string) string {
	var known []string
	for _, c := range in.order {
		if c.mergedInto == nil {
			known = append(known, c.resource.Name)
		}
	}
	return "there is no resource " + strconv.Quote(name) + nearest.Hint(name, known)
}

func (b *Binding) declare(reason string) {
	b.Confidence, b.Reason, b.Declared = 1, reason, true
	b.Evidence = []Evidence{{"role", "override", 1, reason}}
}

func (in *inference) overrideShapes(o *operation) {
	b, over := o.binding, &o.override
	if over.has("items") {
		path := over.path("items")
		if e := o.answer.at(path).element(); e.ok() && b.List != nil {
			b.List.Items = *in.candidateOf(o).nest(o.answer, e.shape(true, path...))
		} else if b.Role == List {
			in.fault(over.at("items"), "no array stands at /"+strings.Join(path, "/")+" of the answer of "+o.Method+" "+o.Path)
		}
	}
	if inner := o.answer.at(over.path("item")); over.has("item") && inner.ok() && b.Role != List {
		b.Response = in.candidateOf(o).nest(o.answer, inner.shape(false, over.path("item")...))
	}
	if b.List != nil {
		in.overrideList(o)
	}
}

func (in *inference) applyParents(p *Plan) {
	for _, o := range in.operations {
		over, r := &o.override, o.binding.Resource
		if r == nil {
			continue
		}
		if over.has("parentKey") {
			r.ParentProperty = r.Nesting.flatPath(over.path("parentKey"))
		}
		if !over.has("parent") {
			continue
		}
		parent := p.Resource(over.fields["parent"])
		if parent == nil {
			in.fault(over.at("parent"), in.noResource(over.fields["parent"])+" to be the parent")
			continue
		}
		r.Parent = parent
		if scope := o.binding.Scope; len(scope) > 0 {
			last := &scope[len(scope)-1]
			last.Parent = parent
			if over.has("parentKey") {
				last.Property = r.ParentProperty
			}
		}
		for _, b := range r.Bindings { // below the parent, by the same property
			for i, v := range b.Scope {
				if v.Parent == parent && v.Property == nil {
					b.Scope[i].Property = r.ParentProperty
				}
			}
		}
	}
}
