package generate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/sums"
	"github.com/coldframe/coldframe/internal/values"
	"github.com/coldframe/coldframe/internal/words"
)

// objectPlan is a shape's properties, worked out.
type objectPlan struct {
	ready   bool
	hinted  func()         // works out the hints of the named ones, once
	about   *fields.Thing  // what the object describes, nil before it is known
	named   []propertyPlan // the properties that the schemas name, sorted by name
	extra   []propertyPlan // names and values that may be added, in the order to take them
	related []related      // what the named ones have to do with each other
	places  map[string]int // of the named ones by their names, as relations have them; nil once related is known
	pages   string         // where the addresses of pages about such objects begin
	sums    *sums.Plan     // the amounts of the named ones that follow from others; nil if none
	compute bool           // some of the named ones are computed from the others
	usual   int            // the usual number of extra properties: 0, except for maps
}

type propertyPlan struct {
	name     string
	words    []string // of the name, in English
	node     *node
	required bool
	hint     *hint         // see hinted
	value    *values.Value // what the document or a setting says of it; nil for nothing
	identity bool          // it identifies items
	isKey    bool          // it is the key of an item
	prefer   string        // the value that discriminates
	currency currency
	role     int // of several people whom the object names: 0 for the first
}

// currency says of a property that it is a currency, and how far it is the same.
type currency uint8

const (
	noCurrency currency = iota
	ofWhole             // in the whole value, as in an order and its lines
	ofPart              // likewise, except in the elements of a list, as in {balances: [{currency, amount}]}
)

// setCurrency sets what the property is as a currency, of an object of n properties.
func (e *propertyPlan) setCurrency(n int) {
	const mostOfMoney = 3
	switch joined := strings.Join(e.words, ""); {
	case joined != "currency" && joined != "currencycode":
	case n > mostOfMoney:
		e.currency = ofWhole
	default:
		e.currency = ofPart
	}
}

// mapEntries is how many entries an object of named additionalProperties gets.
const mapEntries = 2

// plan works out a property, false if it cannot be.
func (sh *shape) plan(g *Generator, name string) (propertyPlan, bool) {
	e := propertyPlan{name: name, prefer: sh.preferred[name]}
	e.required = sh.Requires(name)
	folded := naming.Fold(name)
	e.identity, e.isKey = isIdentity(folded), folded == "id" || folded == "uuid"
	if !sh.Relaxed && (sh.forbidden[name] || !sh.named(name)) {
		return e, false
	}
	constraints, ok := sh.property(name)
	if !ok {
		return e, false
	}
	if e.node = g.child(constraints); e.node == nil {
		return e, false
	}
	e.value = g.said(sh.Schemas, name, constraints)
	return e, true
}

// propertyHint returns what the name of a property, and what the schemas say of it, suggest.
func propertyHint(g *Generator, sh *shape, e *propertyPlan) *hint {
	constraints, _ := sh.property(e.name)
	h := g.hint(e.name, *sh.object.about, constraints)
	for _, c := range constraints {
		if file := fileHint(g.schema.Node(c.schema)); file != nil {
			h = file
		}
	}
	if e.value != nil {
		h = g.hintOf(e.value, h)
	}
	return h
}

// hintProperties works out the hints of the named properties. They wait for the first object of the shape: reading what
// descriptions say is most of the work on a shape, and of many alternatives few are taken. So the first answer with a
// file of Figma's description takes 32 ms in place of 160.
func hintProperties(g *Generator, sh *shape) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := &sh.object
	for i := range p.named {
		p.named[i].hint = propertyHint(g, sh, &p.named[i])
	}
	p.describePicture()
	p.locate(g)
}

// hint is what the name of a place suggests for its value.
type hint struct {
	fields.Hint
	picture *picture // that the text is the URL of; nil: none
}

// hint returns what the name of a place, and what its schemas say of it, suggest.
func (g *Generator) hint(name string, of fields.Thing, constraints []constraint) *hint {
	if h := pictureHint(name); h != nil {
		return h
	}
	if h := sizeHint(name, of); h != nil {
		return h
	}
	field := fields.Property{Name: name, Of: of}
	for _, c := range constraints {
		if c.schema == nil {
			continue
		}
		for part := range schema.All(c.schema) {
			field.Description = cmp.Or(field.Description, g.schema.Node(part).Get("description").Str())
			field.Format = cmp.Or(field.Format, g.formatOf(part))
		}
		if item := schema.Item(c.schema, 0); item != nil {
			field.Format = cmp.Or(field.Format, g.formatOf(item))
		}
	}
	return &hint{Hint: *fields.Of(field)}
}

// locate takes states for regions of a country if a city or a postal code with the same prefix is beside them:
// billing_state and billing_city, state_name and city.
func (p *objectPlan) locate(g *Generator) {
	beside := map[string]bool{}
	for i := range p.named {
		own := naming.Words(p.named[i].name)
		for at := range own {
			if words.Members.Has(strings.Join(own[at:], ""), "postal") {
				beside[strings.Join(own[:at], " ")] = true
			}
		}
	}
	for i := range p.named {
		e := &p.named[i]
		own := naming.Words(e.name)
		if last := len(own) - 1; last > 0 && words.Parts.Has(own[last], "name") {
			own = own[:last]
		}
		last := len(own) - 1
		if last >= 0 && own[last] == "state" && e.value == nil && beside[strings.Join(own[:last], " ")] {
			e.hint = g.hint("state", fields.Named("address"), e.node.constraints)
		}
	}
}

// thing returns what an object describes: the first known of what its schemas are called, a person if names say so.
func (sh *shape) thing(g *Generator, names []string) fields.Thing {
	var thing fields.Thing
	told := fields.Tell(names)
	for i, k := range sh.Schemas {
		_, tokens := g.wayTo(k)
		t := fields.ThingOf(tokens)
		if better, ok := t.With(told); ok {
			return better
		}
		if t.IsKnown() {
			return t
		}
		if i == 0 {
			thing = t
		}
	}
	if better, ok := (fields.Thing{}).With(told); ok {
		return better
	}
	return thing
}

func (sh *shape) named(name string) bool {
	return !slices.ContainsFunc(sh.Names, func(k *schema.Keywords) bool {
		steps := maxSteps
		return !schema.Within(k, name, &steps)
	})
}

// smallest returns the places of the properties that must be there, a nil one if that is impossible.
func (p *objectPlan) smallest(g *Generator, sh *shape) []*node {
	plans := p.named
	if !p.ready {
		plans = nil
		for _, name := range sh.Required {
			e, _ := sh.plan(g, name)
			plans = append(plans, e)
		}
	}
	var nodes []*node
	for _, e := range plans {
		if e.required {
			nodes = append(nodes, e.node)
		}
	}
	return nodes
}

// canFill reports whether minProperties can be met by properties that nest d-1 deep at most.
func (p *objectPlan) canFill(g *Generator, sh *shape, d int) bool {
	missing := sh.MinProperties - len(sh.Required)
	if missing <= 0 || !p.ready {
		return true
	}
	for _, e := range slices.Concat(p.named, p.extra) {
		if !e.required && g.fits(e.node, d-1) {
			missing--
		}
	}
	return missing <= 0
}

func (sh *shape) finishObject(g *Generator) {
	p := &sh.object
	names := slices.Clone(sh.Required)
	for _, k := range sh.Schemas {
		names = append(names, sorted(k.Properties)...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	thing := sh.thing(g, names)
	p.about, p.hinted = &thing, sync.OnceFunc(func() { hintProperties(g, sh) })
	for _, name := range names {
		e, ok := sh.plan(g, name)
		switch {
		case e.required && !ok:
			sh.fail("required property " + strconv.Quote(name) + " is not allowed")
			return
		case !ok, !e.required && g.hidden(e.node):
		default:
			p.named = append(p.named, e)
			p.compute = p.compute || e.value != nil && e.value.Formula != nil
		}
	}
	p.tellPeopleApart()
	p.relate(g.schema.Direction)
	p.ready = true
	sh.finishExtra(g)
}

// tellPeopleApart returns the properties about several people, as patient_name and doctor_name, roles of their own.
func (p *objectPlan) tellPeopleApart() {
	var roles map[string]int
	for i := range p.named {
		name := p.named[i].name
		if !strings.HasSuffix(name, "name") && !strings.HasSuffix(name, "Name") {
			continue
		}
		if role := fields.Role(name); role != "" {
			if _, ok := roles[role]; !ok {
				put(&roles, role, len(roles))
			}
		}
	}
	for i := 0; i < len(p.named) && len(roles) > 1; i++ {
		p.named[i].role = roles[fields.Role(p.named[i].name)]
	}
}

func (g *Generator) hidden(n *node) bool {
	return slices.ContainsFunc(n.constraints, func(c constraint) bool {
		return c.op == conforms && g.hides(c.schema)
	})
}

// hides reports whether the direction of the values does not show a property.
func (g *Generator) hides(property *schema.Keywords) bool {
	return g.schema.Direction == spec.InRequest && schema.ReadOnly(property) ||
		g.schema.Direction == spec.InResponse && schema.WriteOnly(property)
}

func (g *Generator) hidesMember(m *schema.Member) bool { return hides(g.schema, m) }

// hides reports whether values in the direction of s have no such member.
func hides(s *spec.Schema, m *schema.Member) bool {
	return s.Direction == spec.InRequest && m.ReadOnly() || s.Direction == spec.InResponse && m.WriteOnly()
}

// object generates an object: what is required, and what is optional as long as
// the value does not grow too deep.
func (r *run) object(n *node, sh *shape, at valueContext) (any, bool) {
	p := &sh.object
	p.hinted()
	sent, _ := at.have.(map[string]any)
	wrapper := ""
	if at.given && sent != nil && len(r.path) == 1 {
		wrapper = r.wrapper(p, sent)
	}
	object := make(map[string]any, len(p.named))
	optional, isOther := 0, r.isOther(p, at, sent)
	need := max(sh.MinProperties, len(sh.Required))
	for i := range p.named {
		e := &p.named[i]
		if !e.required && (len(sh.Required)+optional >= sh.MaxProperties || r.g.depthOf(e.node) >= impossible) {
			continue
		}
		needed := e.required || len(p.named)-i <= need-len(object) // minProperties asks for all that are left
		if !needed && r.omits(e, at, sent, wrapper) {
			continue
		}
		inner := r.inside(e, at, sent)
		inner.fresh = isOther && e.identity
		if e.name == wrapper && wrapper != "" {
			inner.have, inner.given = sent, true
		}
		v, ok := r.generate(e.node, inner)
		if !ok {
			if e.required && !r.g.relaxed {
				return nil, false
			}
			continue
		}
		object[e.name] = v
		if !e.required {
			optional++
		}
	}
	if !r.extra(sh, object, at, sent) {
		r.stuck = n
		return nil, false
	}
	r.relate(sh, object, at, sent, false)
	if p.compute {
		r.compute(p, object, sent)
	}
	return object, true
}

func (r *run) omits(e *propertyPlan, at valueContext, sent map[string]any, wrapper string) bool {
	if _, isSent := sent[e.name]; isSent {
		return false
	}
	if at.given && sent != nil && e.name != wrapper &&
		(len(r.path) > r.top || slices.Contains(r.fill.unsent, e.name)) { // nested objects stay as they were sent
		return true
	}
	return r.required || at.small && r.g.depthOf(e.node) > 0
}

// wrapper returns the property that holds what was sent, as in {"data": …}, if
// the object itself has none of the names; "" if none.
func (r *run) wrapper(p *objectPlan, sent map[string]any) string {
	best, most := "", 0
	for i := range p.named {
		e := &p.named[i]
		if _, ok := sent[e.name]; ok {
			return ""
		}
		shared := 0
		for _, name := range r.properties(e.node, 6) {
			if _, ok := sent[name]; ok {
				shared++
			}
		}
		if shared > most {
			best, most = e.name, shared
		}
	}
	if best != "" {
		r.top = 2
	}
	return best
}

func (r *run) inside(e *propertyPlan, at valueContext, sent map[string]any) valueContext {
	inner := valueContext{
		key: at.key.Child(e.name), object: at.key, hint: e.hint, value: e.value, prefer: e.prefer, small: at.small,
		town: at.home(),
	}
	if e.currency == ofWhole || e.currency == ofPart && at.nth == 0 {
		inner.key = r.whole.Child("currency")
		inner.object, inner.town = inner.key, 0
		if m := r.g.see(e.node); m.shape != nil && m.shape.Listed {
			inner.hint = nil // which depends on what was generated before
		}
	}
	if e.role > 0 {
		inner.object = at.key.at(50 + e.role)
	}
	inner.have, inner.given = sent[e.name]
	return inner
}

// extra adds properties that no schema names: to maps, and if minProperties asks for more.
func (r *run) extra(sh *shape, object map[string]any, at valueContext, sent map[string]any) bool {
	p := &sh.object
	want := sh.MinProperties
	_, isObject := at.have.(map[string]any)
	nested := isObject && at.given && len(r.path) > r.top
	if len(sent) == 0 && !nested && !at.small && r.g.options.Fill != "required" {
		want = max(want, min(p.usual, sh.MaxProperties))
	}
	if r.fill != nil && (p.usual > 0 || nested && len(p.named) == 0) {
		r.keepExtra(sh, object, sent)
	}
	if len(object) >= want {
		return true
	}
	for i := 0; i < len(p.named) && len(object) < sh.MinProperties; i++ {
		r.add(object, &p.named[i], at)
	}
	start := 0
	if want < len(p.extra) {
		start = at.key.at(7).intN(len(p.extra))
	}
	for i := range p.extra {
		if len(object) >= want {
			break
		}
		r.add(object, &p.extra[(start+i)%len(p.extra)], at)
	}
	return len(object) >= sh.MinProperties || r.g.relaxed
}

func (r *run) add(object map[string]any, e *propertyPlan, at valueContext) {
	if _, ok := object[e.name]; ok || r.g.depthOf(e.node) >= impossible {
		return
	}
	if v, ok := r.generate(e.node, r.inside(e, at, nil)); ok {
		object[e.name] = v
	}
}
