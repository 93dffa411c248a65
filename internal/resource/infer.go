package resource

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Infer makes the plan of a contract. The findings are on the overrides.
func Infer(c *spec.Contract, o Overrides) (*Plan, []exchange.Finding) {
	in := &inference{
		root: &node{}, candidates: map[*node]*candidate{}, asked: map[*node]bool{},
		about: map[*Resource][]*operation{},
		cache: &schemaCache{
			kinds: map[*spec.Keywords]schema.Type{}, members: map[*spec.Keywords][]member{}, names: map[*spec.Keywords]string{},
			nestings: map[*spec.Keywords]nesting{}, folded: map[*spec.Keywords]map[string]bool{},
			shown: map[*spec.Keywords]map[string]bool{}, orders: map[[2]*spec.Keywords]Order{},
		},
	}
	in.readPaths(c)
	in.readOverrides(o)
	in.tokenFields = tokenFields(c)
	in.readLogins()
	for _, op := range in.operations {
		in.candidateAt(op.at)
	}
	in.findUploads()
	in.merge()
	plan := &Plan{Resources: in.resources(), of: make(map[*spec.Operation]*Binding, len(in.operations))}
	for _, op := range in.operations {
		in.bind(op)
		b := op.binding
		plan.Bindings = append(plan.Bindings, b)
		plan.of[op.Operation] = b
		if b.Resource != nil {
			b.Resource.Bindings = append(b.Resource.Bindings, b)
			in.about[b.Resource] = append(in.about[b.Resource], op)
		}
	}
	in.findExports()
	for _, candidate := range in.order {
		if candidate.mergedInto == nil && !candidate.singleton {
			in.findKey(candidate)
		}
	}
	in.findProjections(plan)
	in.applyParents(plan)
	plan.Resources = slices.DeleteFunc(plan.Resources, func(r *Resource) bool { return len(r.Bindings) == 0 })
	for _, r := range plan.Resources {
		r.ParentProperty = parentKey(r)
		r.Scoped = isScoped(r)
	}
	in.findUnique(plan)
	in.overrideUnique()
	in.findEffects()
	in.findMade()
	in.findSources(plan)
	in.findConflicts(plan)
	in.findBulk()
	in.overrideChanges()
	for _, c := range in.order {
		if r := c.resource; c.mergedInto == nil && r.IsSetByAction(r.Created) {
			r.Created, _, _ = timestamps(c.value, r.setByActions()...)
		}
	}
	for _, r := range plan.Resources {
		if r.Has(Create) || r.Has(Upsert) {
			r.Begun = in.begun(r)
			r.Created = cmp.Or(r.Created, r.Begun)
		}
	}
	in.findRefers()
	in.findStatistics(plan)
	in.findFacets()
	in.findUsers(plan)
	in.keysOfProcedures()
	in.findUnbound()
	return plan, exchange.Sort(in.findings)
}

type inference struct {
	root       *node
	operations []*operation
	order      []*candidate
	candidates map[*node]*candidate       // by collection, item and singleton node
	asked      map[*node]bool             // nodes whose candidate is known, also those without
	about      map[*Resource][]*operation // what is bound to a resource
	logins     map[*operation]*Login
	findings   []exchange.Finding
	cache      *schemaCache
	// tokenFields are the header fields with the credentials of requests, folded: a login may answer one of them.
	tokenFields map[string]bool
}

func tokenFields(c *spec.Contract) map[string]bool {
	names := map[string]bool{"authorization": true}
	for _, s := range c.Schemes {
		if s.In == exchange.InHeader {
			names[naming.Fold(s.Name)] = true
		}
	}
	return names
}

// candidate is what is kept at a collection's path and at the path of its items.
// Candidates that show the same items become one resource.
type candidate struct {
	collection *node
	item       *node // nil if no path names single items
	singleton  bool
	names      []string // of the items, folded and in the singular
	variables  []string // on the way to the collection
	value      view     // the item, flat
	listed     view     // the item as lists show it
	nesting    *Nesting // of the items; nil if they hold their properties themselves
	document   *spec.Schema
	mergedInto *candidate
	number     int // in the document's order
	resource   *Resource
	declared   string // its name by an override
	evidence   []Evidence
	found      map[found]*Shape // see itemIn
}

// found is a body in which an item was sought, and what was known of the item then.
type found struct{ body, value, listed *spec.Keywords }

func (c *candidate) final() *candidate {
	for c.mergedInto != nil {
		c = c.mergedInto
	}
	return c
}

func (in *inference) readPaths(c *spec.Contract) {
	var formatted []*operation
	for _, o := range c.Operations {
		template, ofFormat := withoutFormat(o)
		op := &operation{Operation: o, Method: o.Method, segments: parsePath(template), binding: &Binding{Operation: o}}
		if ofFormat {
			formatted = append(formatted, op)
		}
		if _, op.binding.Success = Success(o); op.binding.Success != nil {
			op.binding.Media = jsonOf(op.binding.Success.Content)
		}
		op.answer = in.cache.media(op.binding.Media)
		if o.Body != nil {
			op.request = in.cache.media(bodyOf(o.Body.Content))
		}
		in.operations = append(in.operations, op)
	}
	in.findProcedures()
	for _, op := range in.operations {
		op.at = in.root
		for _, s := range op.segments {
			op.at = op.at.child(s)
		}
		if !slices.Contains(formatted, op) {
			op.at.operations = append(op.at.operations, op)
		}
	}
	for _, op := range formatted { // the others at their place decide what an item is
		op.at.operations = append(op.at.operations, op)
	}
}

// withoutFormat returns an operation's path without a last variable that only chooses a format: {format} of
// /invoices.{format} and /invoices/{id}.{format}, whose values are an enum. It reports whether there is one.
func withoutFormat(o *spec.Operation) (template string, ok bool) {
	before, variable, found := strings.Cut(o.Path[strings.LastIndexByte(o.Path, '/')+1:], ".{")
	variable, closed := strings.CutSuffix(variable, "}")
	if !found || !closed || before == "" || strings.ContainsAny(variable, "{}") {
		return o.Path, false
	}
	for _, p := range o.Parameters {
		if p.In == exchange.InPath && p.Name == variable && p.Schema != nil {
			for k := range schema.All(p.Schema.Keywords) {
				if k.Enum != nil {
					return strings.TrimSuffix(o.Path, ".{"+variable+"}"), true
				}
			}
		}
	}
	return o.Path, false
}

func bodyOf(content []*spec.MediaType) *spec.MediaType {
	if m := jsonOf(content); m != nil {
		return m
	}
	return firstMedia(content, func(m *spec.MediaType) bool {
		return m.Subtype == "x-www-form-urlencoded" || m.Subtype == "form-data"
	})
}

func jsonOf(content []*spec.MediaType) *spec.MediaType {
	isJSON := func(m *spec.MediaType) bool { return m.IsJSON() && PatchOf(m.Subtype) == MergePatch }
	if m := firstMedia(content, isJSON); m != nil {
		return m
	}
	return firstMedia(content, func(m *spec.MediaType) bool { return m.Type == "*" })
}

func firstMedia(content []*spec.MediaType, fits func(*spec.MediaType) bool) *spec.MediaType {
	for _, m := range content {
		if m.Schema != nil && fits(m) {
			return m
		}
	}
	return nil
}

func (in *inference) candidateAt(n *node) *candidate {
	if in.asked[n] {
		return in.candidates[n]
	}
	in.asked[n] = true
	if n.parent != nil {
		in.candidateAt(n.parent)
	}
	if in.candidates[n] == nil { // otherwise found with its parent
		if c := in.findCandidate(n); c != nil {
			in.register(c)
		}
	}
	return in.candidates[n]
}

// register makes a candidate known under its paths. A collection's path can be
// the path of another's items: /gists/{id}/{sha}.
func (in *inference) register(c *candidate) {
	if in.candidates[c.collection] == nil {
		in.candidates[c.collection] = c
	}
	if c.item != nil {
		in.candidates[c.item] = c
	}
	c.names, c.variables, c.found = namesOf(c.collection), c.collection.variables(), map[found]*Shape{}
	c.findItemSchema()
	in.order = append(in.order, c)
}

// namesOf returns the names that items of a collection go by, folded and in the
// singular: hubcollaboration, collaboration.
func namesOf(n *node) []string { return singularNames(n.name()) }

func singularNames(name string) []string {
	all := []string{naming.SingularName(name)}
	if w := naming.Words(name); len(w) > 1 {
		all = append(all, naming.Singular(w[len(w)-1]))
	}
	return all
}

type mergeFacts struct {
	*candidate
	other            *candidate
	variables, above []string // on the way to the collections
	sameComponent    bool     // the items are of one component
}

// mergeRules decide whether a candidate may be another path to the other's
// items; the first that holds counts. The weight is 1 where it may.
var mergeRules = rules[*mergeFacts]{
	{name: "named by an override", source: extension, example: "{name: plants}", sees: func(f *mergeFacts) string { return f.declared + f.other.declared }},
	{name: "other names", source: byName, example: "/plants and /owners", sees: func(f *mergeFacts) string {
		theirs := f.other.names[0]
		last := f.names[len(f.names)-1] == theirs && f.item == nil && f.sameComponent // /housePlants and /plants
		return when(f.names[0] != theirs && !last, "paths")
	}},
	{name: "list of all", weight: 1, source: byPath, example: "GET /plants beside /owners/{owner}/plants/{id}", sees: func(f *mergeFacts) string { return when(f.listsAll() && (f.sameComponent || len(f.above) == 0), "GET") }},
	{name: "list of something else", source: bySchema, example: "GET /plants of another component", sees: func(f *mergeFacts) string { return when(f.listsAll(), "GET") }},
	{name: "other parents", source: byPath, example: "/beds/{bed}/plants and /owners/{owner}/plants", sees: func(f *mergeFacts) string { return strings.Join(missing(f.above, f.variables), ", ") }},
	{name: "same parents", weight: 1, source: byPath, example: "POST /owners/{owner}/plants beside /plants/{id}", sees: func(f *mergeFacts) string { return when(f.item == nil, "paths") }},
	{name: "items under other paths", source: byPath, example: "/plants/{id} and /plants/{name}", sees: func(f *mergeFacts) string { return when(len(f.variables) <= len(f.above) || !f.sameComponent, "paths") }},
	{name: "parents that items do not name", source: bySchema, example: "/owners/{owner}/plants/{id}, and a Plant without owner", sees: func(f *mergeFacts) string {
		return strings.Join(slices.DeleteFunc(missing(f.variables, f.above), func(v string) bool {
			return parentProperty(v, nil, f.other.value) != nil
		}), ", ")
	}},
	{name: "items below a parent", weight: 1, source: bySchema, example: "/owners/{owner}/plants/{id} and /plants/{id} with one component", sees: func(*mergeFacts) string { return "schemas" }},
}

// listsAll reports whether a collection is only read, whatever the parents of its items.
func (f *mergeFacts) listsAll() bool {
	c := f.collection
	return f.item == nil && len(c.operations) == 1 && c.method("GET") != nil && len(f.variables) == 0
}

func missing(variables, others []string) []string {
	return slices.DeleteFunc(slices.Clone(variables), func(v string) bool { return slices.Contains(others, v) })
}

// maxOfName bounds the candidates of one name that others are compared with.
const maxOfName = 200

// merge makes one of the candidates that show the same items under several
// paths: /owners/{owner}/plants and /plants/{id}.
func (in *inference) merge() {
	var f mergeFacts
	named := map[string][]*candidate{} // with items, by the first of their names, which mergeRules compare
	for i, c := range in.order {
		c.number = i
		if name := c.names[0]; !c.singleton && c.item != nil && len(named[name]) < maxOfName {
			named[name] = append(named[name], c)
		}
	}
	for _, c := range in.order {
		if c.singleton || !c.value.ok() {
			continue
		}
		best, score := (*candidate)(nil), 0.0
		if other := in.foundBy(c); other != nil {
			c.mergedInto = other
			continue
		}
		others := named[c.names[0]]
		if last := c.names[len(c.names)-1]; last != c.names[0] {
			others = slices.Concat(others, named[last])
			slices.SortFunc(others, func(a, b *candidate) int { return a.number - b.number })
		}
		for _, other := range others {
			if other == c || other.final() == c || other.mergedInto != nil {
				continue
			}
			name := c.value.name()
			f = mergeFacts{c, other, c.variables, other.variables, name != "" && name == other.value.name()}
			if r, _ := mergeRules.first(&f); r.weight == 0 {
				continue
			}
			alike := max(similarity(c.value, other.value), similarity(c.listed, other.value),
				similarity(c.listed, other.listed), similarity(c.created(), other.value))
			if alike >= 0.6 && alike > score {
				best, score = other, alike
			}
		}
		c.mergedInto = best
	}
	in.mergeDeclared()
}

// created returns the item that POST on a collection answers; a view that is not ok if none.
func (c *candidate) created() view {
	post := c.collection.method("POST")
	if post == nil || c.item != nil {
		return view{}
	}
	created, _ := c.itemOf(post, true, false)
	return created.flat()
}

// foundBy returns the candidate whose items a path below its collection finds by another property than their key:
// /plants of /plants/by-slug/{slug}; nil if none.
func (in *inference) foundBy(c *candidate) *candidate {
	if c.item == nil || c.declared != "" || len(c.collection.operations) > 0 || !c.item.only("GET") {
		return nil
	}
	other, get := in.candidates[c.collection.parent], c.item.method("GET")
	isBeside := other != nil && other != c && other.collection == c.collection.parent && other.item != nil &&
		other.mergedInto == nil && !other.singleton
	if !isBeside || get == nil || similarity(c.value, other.value) < 1 {
		return nil
	}
	property := other.value.member(get.keyVariable())
	if !property.ok() || !canBeKey(property.kind()) || c.item.last.variables[0] == other.item.last.variables[0] {
		return nil
	}
	return other
}

// mergeDeclared merges resources that overrides give the same name. A resource's path may have that name, too.
func (in *inference) mergeDeclared() {
	declared, named := map[string]*candidate{}, map[string]*candidate{}
	for _, c := range in.order {
		name := c.collection.name()
		if other := named[name]; c.declared == "" && c.mergedInto == nil && (other == nil || other.item == nil) {
			named[name] = c
		}
	}
	for _, c := range in.order {
		switch first := declared[c.declared]; {
		case c.declared == "":
		case first == nil && named[c.declared] != nil && named[c.declared] != c.final():
			declared[c.declared] = named[c.declared]
			c.final().mergedInto = named[c.declared]
		case first == nil:
			declared[c.declared] = c
		case c.final() != first.final():
			c.final().mergedInto = first.final()
		}
	}
}

func (in *inference) resources() []*Resource {
	var finals []*candidate
	var all []*Resource
	for _, c := range in.order {
		if c.mergedInto == nil {
			c.resource = c.newResource()
			finals = append(finals, c)
			all = append(all, c.resource)
		}
	}
	for _, c := range in.order {
		final := c.final()
		if c != final {
			final.resource.Evidence = append(final.resource.Evidence, c.evidence...)
		}
		c.resource = final.resource
	}
	for _, c := range in.order {
		if parent := in.parentOf(c); parent != nil && parent != c.resource && c.resource.Parent == nil {
			c.resource.Parent = parent
		}
	}
	for _, r := range all { // a cycle of parents has no top
		seen := map[*Resource]bool{}
		for at := r; at != nil; at = at.Parent {
			if seen[at] {
				r.Parent = nil
				break
			}
			seen[at] = true
		}
	}
	nameResources(finals)
	return all
}

func (c *candidate) newResource() *Resource {
	r := &Resource{Singleton: c.singleton, Nesting: c.nesting, Evidence: c.evidence}
	if c.value.ok() {
		r.Item, r.Value = c.document, c.value.plain().k
	}
	for _, m := range c.value.members() {
		r.Properties = append(r.Properties, Property{
			Name: m.name, Kind: m.view.kind(), Format: m.view.format(), ReadOnly: schema.ReadOnly(m.view.k), Schema: m.view.k})
	}
	r.Created, r.Updated, r.Version = timestamps(c.value)
	if r.Updated == "" {
		r.Updated = editedName(c.value)
	}
	return r
}

func (in *inference) parentOf(c *candidate) *Resource {
	for n := range c.collection.up {
		if above := in.candidates[n]; above != nil && above.item == n && n.last.variable() {
			return above.resource
		}
	}
	return nil
}

// nameResources returns every resource the shortest end of its path that no other has.
func nameResources(candidates []*candidate) {
	full := make([][]string, len(candidates))
	for i, c := range candidates {
		full[i] = c.collection.literals()
		switch {
		case c.declared != "":
			full[i] = []string{c.declared}
		case len(full[i]) > 0:
		case c.collection.name() != "": // a version
			full[i] = []string{c.collection.name()}
		default:
			full[i] = []string{"root"}
		}
	}
	ending := func(i, length int) string { return strings.Join(full[i][max(0, len(full[i])-length):], "/") }
	count := map[string]int{} // of candidates by each of their names
	for i := range candidates {
		for length := range full[i] {
			count[ending(i, length+1)]++
		}
	}
	taken := map[string]bool{}
	numbers := map[string]int{} // the last of those that share all names
	for i, c := range candidates {
		length := 1
		for length < len(full[i]) && count[ending(i, length)] > 1 {
			length++
		}
		name := ending(i, length)
		for taken[name] {
			numbers[ending(i, length)]++
			name = ending(i, length) + "-" + strconv.Itoa(1+numbers[ending(i, length)])
		}
		c.resource.Name = name
		taken[name] = true
	}
}
