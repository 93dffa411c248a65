package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

func (in *inference) locate(o *operation) {
	b, c := o.binding, in.candidateOf(o)
	switch b.Role {
	case List:
		in.locateList(o, c)
	case Create, Upsert, Replace, Update:
		c.locateChange(o)
	case Read:
		b.Response = c.readIn(o.answer)
		for _, p := range o.Parameters {
			if p.In == exchange.InQuery && paramRole(p.Name, in.cache.parameter(p)) == Fields {
				b.Fields = p.Name
			}
		}
	case Delete:
		b.Response = c.shownIn(o)
	case Action:
		if b.Reads {
			b.Response = c.shownIn(o)
		}
	}
	for _, s := range []*Shape{b.Request, b.Response} {
		if s != nil {
			b.Evidence = append(b.Evidence, s.evidence...)
		}
	}
	in.overrideShapes(o)
	scope := o.variables()
	if i := slices.Index(scope, b.Variable); b.KeyIn == InPath && i >= 0 {
		scope = scope[:i]
	}
	for _, name := range scope {
		b.Scope = append(b.Scope, in.scopeVariable(o, c, name))
	}
}

func (c *candidate) locateChange(o *operation) {
	b := o.binding
	b.Request = c.itemIn(o.request)
	if b.Role == Create && c.item != nil {
		b.KeyQuery = o.keyInQuery(c.names)
	}
	if e := o.request.element(); b.Role == Create && o.request.kind() == schema.Array && isItem(e) {
		b.Request = c.nest(o.request, e.shape(true))
	}
	b.Response = c.shownIn(o)
	if b.Request != nil && b.Request.Many && o.answer.kind() == schema.Array {
		b.Response = c.readIn(o.answer)
	}
	b.Rename = renames(o, c)
}

func (in *inference) scopeVariable(o *operation, c *candidate, name string) Variable {
	v, item := Variable{Name: name}, c.final().value
	var names []string
	isOfSameType := false
	if owner := in.ownerOf(o, name); owner != nil {
		names = owner.names
		if owner.resource != o.binding.Resource {
			v.Parent = owner.resource
			isOfSameType = item.ok() && owner.final().value.k == item.k
		}
	}
	if v.Property = parentProperty(name, names, item); v.Property == nil && isOfSameType {
		v.Property = selfReference(item)
	}
	if v.Property != nil {
		saw := "{" + name + "}=" + strings.Join(v.Property, ".")
		o.binding.Evidence = append(o.binding.Evidence, Evidence{"parent", "property named like the variable", 1, saw})
	}
	return v
}

func renames(o *operation, c *candidate) map[string]string {
	if o.binding.Request == nil {
		return nil
	}
	var found map[string]string
	members, request := c.value.members(), o.request.of(o.binding.Request.Value)
	for _, sent := range request.members() {
		if c.value.member(sent.name).ok() {
			continue
		}
		name := partOfType(sent, request, c.value)
		if i := slices.IndexFunc(members, func(m member) bool { return m.folded == sent.folded }); i >= 0 {
			name = members[i].name
		}
		if name != "" && found == nil {
			found = map[string]string{}
		}
		if name != "" {
			found[sent.name] = name
		}
	}
	return found
}

// partOfType returns the part of an item that an object or an array of objects is by its type, if only one is, and
// nothing else in the request: guardians of guardians_attributes. "" if none.
func partOfType(sent member, request, item view) string {
	object := func(v view) view {
		if v.kind() == schema.Array {
			return v.element()
		}
		return v
	}
	isLike := func(m member) bool {
		own, part := object(sent.view), object(m.view)
		return m.view.kind() == sent.view.kind() && own.kind() == schema.Object && isPartOf(own, part)
	}
	parts := slices.DeleteFunc(slices.Clone(item.members()), func(m member) bool {
		return !isLike(m) || request.member(m.name).ok()
	})
	others := slices.DeleteFunc(slices.Clone(request.members()), func(m member) bool {
		return m.name == sent.name || item.member(m.name).ok() || !isLike(m)
	})
	if len(parts) != 1 || len(others) > 0 {
		return ""
	}
	return parts[0].name
}

func (in *inference) candidateOf(o *operation) *candidate {
	if o.creates != nil {
		return o.creates
	}
	if c := in.candidates[o.at]; c != nil {
		if in.changesOnlyAbove(o, c) {
			return in.above(o.at)
		}
		return c
	}
	if c := in.candidates[o.at.parent]; c != nil {
		return c
	}
	return in.above(o.at)
}

func (in *inference) ownerOf(o *operation, variable string) *candidate {
	depth := slices.IndexFunc(o.segments, func(s segment) bool { return slices.Contains(s.variables, variable) }) + 1
	n := o.at
	for range len(o.segments) - depth {
		n = n.parent
	}
	if c := in.candidates[n]; c != nil && c.item == n {
		return c
	}
	return nil
}

// shownIn finds the item in the answer to a change; nil if that only says how it went.
func (c *candidate) shownIn(o *operation) *Shape {
	s := c.itemIn(o.answer)
	if s == nil || s.Value == nil {
		return nil
	}
	v := o.answer.of(s.Value)
	if isOutcome(v) && !isOutcome(c.value) || o.binding.Role == Delete && c.value.ok() && !isSame(v, c.value) {
		return nil
	}
	return s
}

func (in *inference) locateList(o *operation, c *candidate) {
	l, _ := findList(o.answer, c.names)
	if l == nil {
		l = &Listing{Items: Shape{Many: true}}
	}
	item := c.value
	l.Items = *c.nest(o.answer, &l.Items)
	if l.Items.Value != nil {
		if v := o.answer.of(l.Items.Value); !item.ok() || len(v.members()) >= len(item.members()) {
			item = v
		}
	}
	properties := propertiesOf(item)
	l.setParams(in, o, properties)
	l.addPageAsAsked(o.answer)
	l.Order = in.cache.orderOf(o.Operation, item, c.value)
	l.Header = pageHeaders(o.binding.Success)
	l.markAlone()
	o.binding.List = l
}

// addPageAsAsked adds the number beside the items that is named like the parameter for the number of the page.
func (l *Listing) addPageAsAsked(body view) {
	for _, p := range l.Params {
		m := body.member(p.Parameter.Name)
		isKnown := slices.ContainsFunc(l.Fields, func(f Field) bool { return f.Path[len(f.Path)-1] == p.Parameter.Name })
		if p.Role == PageNumber && m.kind() == schema.Integer && !isKnown {
			l.Fields = append(l.Fields, Field{Path: []string{p.Parameter.Name}, Role: Page, Kind: schema.Integer})
		}
	}
}

// Headers are the declared header fields of an operation that have a value or a meaning by state; each is
// the name as the document writes it, "" if it does not declare it.
type Headers struct {
	IfMatch, IfNoneMatch, IfModifiedSince, IfUnmodifiedSince, IdempotencyKey string // of the request
	ETag, Location, LastModified                                             string // of the answer
}

func headersOf(o *operation) Headers {
	var answered []*spec.Parameter
	if o.binding.Success != nil {
		answered = o.binding.Success.Headers
	}
	return Headers{
		IfMatch:           headerField(o.Parameters, "if-match"),
		IfNoneMatch:       headerField(o.Parameters, "if-none-match"),
		IfModifiedSince:   headerField(o.Parameters, "if-modified-since"),
		IfUnmodifiedSince: headerField(o.Parameters, "if-unmodified-since"),
		IdempotencyKey: headerField(o.Parameters, "idempotency-key", "x-idempotency-key", "idempotencykey",
			"paypal-request-id", "x-request-idempotency-key"),
		ETag:         headerField(answered, "etag"),
		Location:     headerField(answered, "location"),
		LastModified: headerField(answered, "last-modified"),
	}
}

func headerField(declared []*spec.Parameter, names ...string) (name string) {
	for _, p := range declared {
		if p.In == exchange.InHeader && slices.Contains(names, strings.ToLower(p.Name)) {
			name = p.Name
		}
	}
	return name
}

func (h Headers) names() (declared []string) {
	for _, name := range []string{h.IfMatch, h.IfNoneMatch, h.IfModifiedSince, h.IfUnmodifiedSince, h.IdempotencyKey,
		h.ETag, h.Location, h.LastModified} {
		if name != "" {
			declared = append(declared, name)
		}
	}
	return declared
}

// parentKeyEndings end names of properties that hold the key of a parent.
var parentKeyEndings = words.Ranked("parent-key-ending")

// parentProperty finds the property of an item that holds the value of a variable before its key: owner ↔
// ownerId, owner.id. names are the names of the parent.
func parentProperty(variable string, names []string, item view) []string {
	folded := naming.Fold(variable)
	if folded != "id" && folded != "name" && folded != "key" {
		if m := scalarMember(item, folded); m != nil {
			return []string{m.name}
		}
	}
	for _, stem := range append([]string{strings.TrimSuffix(folded, "id")}, names...) {
		if stem == "" || stem == "name" || stem == "key" { // which the item has of its own
			continue
		}
		if m := scalarMember(item, stem, parentKeyEndings...); m != nil {
			return []string{m.name}
		}
		for _, m := range item.members() {
			if m.folded != stem {
				continue
			}
			if canBeKey(m.view.kind()) {
				return []string{m.name}
			}
			if m.view.kind() != schema.Object {
				continue
			}
			if inner := matchProperty(variable, view{}, m.view, append(slices.Clone(names), stem)); inner.score >= 0.7 {
				return append([]string{m.name}, inner.path...)
			}
		}
		if related := item.member("relationships"); related.ok() {
			if at := below(related.members(), stem+"id", []string{"relationships"}, 0); at != nil {
				return at.path
			}
		}
	}
	return nil
}

// selfReference returns the property of an item that refers to an item of its own type, as its type shows: the only
// reference that an item may lack. nil if there are none or several.
func selfReference(item view) (found []string) {
	required := schema.Required(item.k)
	for _, m := range item.members() {
		w := naming.Words(m.name)
		isReference := len(w) > 1 && referring.Has(w[len(w)-1]) && canBeKey(m.view.kind()&^schema.Null)
		if !isReference || required[m.name] && !spec.Conforms(m.view.k, nil) {
			continue
		}
		if found != nil {
			return nil
		}
		found = []string{m.name}
	}
	return found
}

// scalarMember returns the first scalar property that has the name, with one of
// the endings if there are any.
func scalarMember(item view, name string, endings ...string) *member {
	members := item.members()
	for i := range members {
		m := &members[i]
		ending, ok := strings.CutPrefix(m.folded, name)
		if ok && canBeKey(m.view.kind()) && (ending == "" && endings == nil || slices.Contains(endings, ending)) {
			return m
		}
	}
	return nil
}

func parentKey(r *Resource) []string {
	if r.ParentProperty != nil || r.Parent == nil {
		return r.ParentProperty
	}
	for _, b := range r.Bindings {
		for _, v := range b.Scope {
			if v.Parent == r.Parent && v.Property != nil {
				return v.Property
			}
		}
	}
	return nil
}

func isScoped(r *Resource) bool {
	hasScope := func(b *Binding) bool { return len(b.Scope) > 0 }
	if r.Singleton {
		return slices.ContainsFunc(r.Bindings, hasScope)
	}
	items := slices.DeleteFunc(slices.Clone(r.Bindings), func(b *Binding) bool { return b.KeyIn != InPath })
	if len(items) == 0 {
		items = r.Bindings
	}
	return !slices.ContainsFunc(items, func(b *Binding) bool { return len(b.Scope) == 0 })
}

// timeNames are properties that hold the time of an item's creation and of its
// last change, and versionNames those that change with the item.
var (
	createdNames = words.RoleOf("created-name")
	updatedNames = words.RoleOf("updated-name")
	versionNames = words.RoleOf("version-name")
)

// timestamps returns the properties of an item that hold the time of its creation, the time of its last change, and its
// version, except for names that mean something else.
func timestamps(item view, others ...string) (created, updated, version string) {
	for _, m := range item.members() {
		kind := m.view.kind()
		if !canBeKey(kind) || slices.Contains(others, m.name) {
			continue
		}
		switch format := m.view.format(); {
		case created == "" && createdNames.Has(m.folded) && canBeTime(kind, format):
			created = m.name
		case updated == "" && updatedNames.Has(m.folded) && canBeTime(kind, format):
			updated = m.name
		case version == "" && versionNames.Has(m.folded) && schema.ReadOnly(m.view.k):
			version = m.name
		}
	}
	return created, updated, version
}

// begun returns the property with the time at which an item was created, as its type shows it: the only time that all
// items have and no request sends, if it is named after an event: sent_at, recordedAt, placed_on. "" if none.
func (in *inference) begun(r *Resource) (found string) {
	if r.Value == nil {
		return ""
	}
	required := schema.Required(r.Value)
	for _, p := range r.Properties {
		w := naming.Words(p.Name)
		isEvent := len(w) > 1 && isPast(w[0]) && isTimeOf(naming.Fold(p.Name), []string{strings.Join(w[:len(w)-1], "")})
		if p.Format != "date-time" || !required[p.Name] || !isEvent || spec.Conforms(p.Schema, nil) || in.sends(r, p.Name) {
			continue
		}
		if found != "" || r.IsSetByAction(p.Name) {
			return ""
		}
		found = p.Name
	}
	if found != "" && r.timeOfState(naming.Fold(found)) != nil {
		return "" // it has the time of a state
	}
	return found
}

// isPast reports whether a word is the past participle of a verb.
func isPast(word string) bool {
	_, all := effects()
	return strings.HasSuffix(word, "ed") || strings.HasSuffix(word, "en") ||
		slices.ContainsFunc(all, func(e *effect) bool { return slices.Contains(e.pasts, word) })
}

// sends reports whether a request about items has a property that clients may set.
func (in *inference) sends(r *Resource, name string) bool {
	return slices.ContainsFunc(in.about[r], func(o *operation) bool {
		sent := o.request
		if b := o.binding; b.Request != nil && b.Request.Value != nil {
			sent = o.request.of(b.Request.Value)
		}
		m := sent.member(name)
		return m.ok() && !schema.ReadOnly(m.k)
	})
}

// IsOnlyChanged reports whether Updated is null until the item is changed: edited_at that may be null.
func (r *Resource) IsOnlyChanged() bool {
	p := r.property(r.Updated)
	return p != nil && !updatedNames.Has(naming.Fold(p.Name)) && spec.Conforms(p.Schema, nil)
}

// editedName returns the time of the last edit that items have until then as null, if they have no other time of a
// change: edited_at; "" if none.
func editedName(item view) string {
	for _, m := range item.members() {
		w := naming.Words(m.name)
		if len(w) < 2 || !isDate(m.view) || !schema.ReadOnly(m.view.k) || !spec.Conforms(m.view.k, nil) {
			continue
		}
		verb, isPast := strings.CutSuffix(w[0], "ed")
		if isPast && updateVerbs.Has(verb) {
			return m.name
		}
	}
	return ""
}

// unseparated takes the separators out of the name of a format.
var unseparated = strings.NewReplacer("-", "", "_", "")

func canBeTime(kind schema.Type, format string) bool {
	if kind != schema.String {
		return true
	}
	switch strings.ToLower(unseparated.Replace(format)) { // dateTime
	case "", "datetime", "date", "timestamp", "iso8601", "rfc3339":
		return true
	}
	return false
}
