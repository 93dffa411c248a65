package coverage

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// constraint identifies a constraint as findings on violations do.
type constraint struct {
	in, name, code string
	property       string // the required property; "" for other keywords
	place          exchange.Place
}

// Constraints also counts the constraints of requests. A constraint counts as used if a request violates it
// (Use.Broken). Call it before anything is counted.
func (c *Coverage) Constraints() {
	c.constraints = true
	for _, o := range c.operations {
		o.constraints = true
	}
}

func (l *layout) broken(f *exchange.Finding) int {
	c := constraint{in: f.In, name: f.Name, code: f.Code, place: f.Document}
	if ofProperty(f.Code) {
		c.property = exchange.UnescapePointer(f.Pointer[strings.LastIndexByte(f.Pointer, '/')+1:])
	}
	return l.constraints[c]
}

// ofProperty reports whether a keyword is a constraint for each of the properties that it names.
func ofProperty(code string) bool { return code == "required" || code == "dependent-required" }

// constraints lays out the keywords of a parameter or a body that a request can violate one at a time.
type constraints struct {
	*layout
	schema   *spec.Schema
	in, name string // as in findings
	text     bool   // values are text, and any text is a string
	left     int    // remaining points
	seen     map[*spec.Keywords]bool
	choice   bool // the current schema is within a branch of anyOf or oneOf
	// by name, points of keywords in several schemas of one value; a request violates all of them or none
	together map[string]int
}

// at is a place within a parameter or a body.
type at struct {
	name   string
	within int
	field  *field // its layout; nil if none
	depth  int    // levels below it to visit
	// choice is set if the schema is a branch of anyOf or oneOf: a value that violates a constant there is meant for
	// another branch. top is set if the value is the branch's whole value, so that another type also means another
	// branch.
	choice, top bool
}

func (l *layout) parameterConstraints(p *spec.Parameter, f *field) {
	name := p.In + "." + p.Name
	isText := p.Content == nil || !p.Content.IsJSON()
	c := constraints{layout: l, schema: p.ValueSchema(), in: p.In, name: p.Name, text: isText, left: maxPoints,
		seen: map[*spec.Keywords]bool{}, together: map[string]int{}}
	if p.Required && p.In != exchange.InPath {
		c.add(constraint{in: p.In, name: p.Name, code: decode.CodeMissingParameter, place: p.Place}, name+" required",
			f.point)
	}
	if c.schema != nil {
		c.visit(c.schema.Keywords, at{name: name, within: f.point, field: f, depth: maxDepth})
	}
}

// bodyConstraints lays out the constraints of a body, which its media types may share.
func (l *layout) bodyConstraints(o *spec.RequestBody) {
	if o.Required {
		c := constraints{layout: l, left: 1}
		c.add(constraint{in: exchange.InBody, code: decode.CodeMissingBody, place: o.Place}, "request required", 0)
	}
	for _, media := range o.Content {
		b := l.request[media]
		if b.root == nil {
			continue
		}
		c := constraints{layout: l, schema: media.Schema, in: exchange.InBody, text: !media.IsJSON(), left: maxPoints,
			seen: map[*spec.Keywords]bool{}, together: map[string]int{}}
		c.visit(media.Schema.Keywords, at{name: "request", within: b.media, field: b.root, depth: maxDepth})
	}
}

func (c *constraints) add(key constraint, name string, within int) {
	if c.layout.constraints[key] > 0 {
		return
	}
	if at := c.together[name]; at > 0 && !c.choice {
		c.layout.constraints[key] = at
		return
	}
	if c.left == 0 {
		return
	}
	c.left--
	if c.layout.constraints == nil {
		c.layout.constraints = map[constraint]int{}
	}
	at := c.layout.add(point{kind: KindConstraint, name: name, within: within, place: key.place})
	c.layout.constraints[key] = at
	if c.together != nil && !c.choice && (key.code == "type" || key.code == "required") {
		c.together[name] = at
	}
}

func (c *constraints) keyword(k *spec.Keywords, a at, there bool, keyword, code string) {
	if there {
		c.add(constraint{in: c.in, name: c.name, code: code, place: c.schema.PlaceOf(k, keyword)}, a.name+" "+keyword,
			a.within)
	}
}

func (c *constraints) visit(k *spec.Keywords, a at) {
	if k == nil || c.seen[k] {
		return
	}
	c.seen[k] = true
	c.choice = a.choice
	c.keywords(k, a)
	if a.depth > 1 {
		c.items(k, a)
	}
	c.choice = a.choice
	c.object(k, a)
	c.visit(k.Ref, a)
	for _, part := range k.AllOf {
		c.visit(part, a)
	}
	c.visit(k.Then, a)
	c.visit(k.Else, a)
	c.branches(k, a, k.AnyOf, "anyOf", "any-of")
	c.branches(k, a, k.OneOf, "oneOf", "one-of")
	c.keyword(k, a, k.Not != nil, "not", "not")
}

func (c *constraints) branches(k *spec.Keywords, a at, branches []*spec.Keywords, keyword, code string) {
	c.keyword(k, a, branches != nil, keyword, code)
	a.choice, a.top = true, true
	for i, part := range branches {
		if distinct(branches, i) {
			c.visit(part, a)
		}
	}
}

func (c *constraints) keywords(k *spec.Keywords, a at) {
	types := k.Types != nil && !a.top
	if types && c.text { // a value of any type can be read as one of these
		types = !slices.ContainsFunc(k.Types.ToStrings(), func(name string) bool {
			return name == "string" || name == "array" || name == "object"
		})
	}
	leastLength, leastItems := 0, 0
	if c.in == exchange.InPath { // an empty text in a path leads elsewhere
		leastLength = 1
	}
	if c.text { // an empty list looks like a list of one empty text
		leastItems = 1
	}
	c.keyword(k, a, types, "type", "type")
	c.keyword(k, a, k.Enum != nil && !a.choice, "enum", "enum")
	c.keyword(k, a, k.Const != nil && !a.choice, "const", "const")
	c.keyword(k, a, k.Minimum != nil, "minimum", "minimum")
	c.keyword(k, a, k.Maximum != nil, "maximum", "maximum")
	c.keyword(k, a, k.ExclusiveMinimum != nil, "exclusiveMinimum", "exclusive-minimum")
	c.keyword(k, a, k.ExclusiveMaximum != nil, "exclusiveMaximum", "exclusive-maximum")
	c.keyword(k, a, k.MultipleOf != nil, "multipleOf", "multiple-of")
	c.keyword(k, a, k.MinLength != nil && *k.MinLength > leastLength, "minLength", "min-length")
	c.keyword(k, a, k.MaxLength != nil, "maxLength", "max-length")
	c.keyword(k, a, k.Pattern != nil, "pattern", "pattern")
	c.keyword(k, a, k.Format != nil, "format", "format")
	c.keyword(k, a, k.MinItems != nil && *k.MinItems > leastItems, "minItems", "min-items")
	c.keyword(k, a, k.MaxItems != nil, "maxItems", "max-items")
	c.keyword(k, a, k.UniqueItems, "uniqueItems", "unique-items")
	c.keyword(k, a, k.Contains != nil && (k.MinContains == nil || *k.MinContains > 0), "contains", "contains")
}

func (a at) inside(suffix string, f *field) at {
	if f != nil && f.point > 0 {
		a.within = f.point
	}
	return at{name: a.name + suffix, within: a.within, field: f, depth: a.depth - 1, choice: a.choice}
}

func (c *constraints) items(k *spec.Keywords, a at) {
	var item *field
	if a.field != nil {
		item = a.field.inside().item
	}
	c.visit(k.Items2020, a.inside("[]", item))
	for _, prefix := range k.PrefixItems {
		c.visit(prefix, a.inside("[]", item))
	}
}

func (c *constraints) object(k *spec.Keywords, a at) {
	c.keyword(k, a, k.MinProperties != nil && *k.MinProperties > 0, "minProperties", "min-properties")
	c.keyword(k, a, k.MaxProperties != nil, "maxProperties", "max-properties")
	c.keyword(k, a, k.PropertyNames != nil, "propertyNames", "property-names")
	c.keyword(k, a, k.AdditionalProperties == false, "additionalProperties", "additional-properties")
	for _, name := range k.Required {
		key := constraint{in: c.in, name: c.name, code: "required", property: name, place: c.schema.PlaceOf(k, "required")}
		c.add(key, a.name+"."+name+" required", a.within)
	}
	if a.depth == 1 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(k.Properties)) {
		if property := k.Properties[name]; !schema.ReadOnly(property) {
			var f *field
			if a.field != nil {
				f = a.field.inside().properties[name]
			}
			c.visit(property, a.inside("."+name, f))
		}
	}
	if others, ok := k.AdditionalProperties.(*spec.Keywords); ok {
		c.visit(others, a.inside(".*", nil))
	}
}

// distinct reports whether a value that violates a branch is known to be meant for it: types or constants rule out
// all others.
func distinct(branches []*spec.Keywords, i int) bool {
	for j, other := range branches {
		if j != i && schema.CertainTypes(branches[i]).Has(schema.CertainTypes(other)) && !constant(other) {
			return false
		}
	}
	return true
}

// constant reports whether a schema or one of its properties has a constant.
func constant(k *spec.Keywords) bool {
	if schema.Values(k) != nil {
		return true
	}
	for _, property := range schema.Properties(k) {
		if schema.Values(property) != nil {
			return true
		}
	}
	return false
}
