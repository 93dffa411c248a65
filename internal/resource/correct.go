package resource

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/schema"
)

// Formula computes a property of an item.
type Formula struct {
	Property []string
	Text     string // as the override has it
	Value    *formula.Formula
}

// overrideList applies what an override says of a list: roles of parameters, filters, orders.
func (in *inference) overrideList(o *operation) {
	l, over := o.binding.List, &o.override
	item := in.candidateOf(o).value
	if l.Items.Value != nil && !item.ok() {
		item = o.answer.of(l.Items.Value)
	}
	for _, s := range over.tables["parameters"] {
		i := slices.Index(paramRoleNames[:], s.text)
		if i <= 0 {
			in.fault(s.place, isNone(s.text, "role of a parameter", "roles", paramRoleNames[1:]))
			continue
		}
		if p := in.overriddenParam(o, s); p != nil {
			*p = Param{Parameter: p.Parameter, Member: p.Member, Role: ParamRole(i)}
		}
	}
	for _, s := range over.tables["filter"] {
		read, wrong := readFilter(s.text, item)
		if wrong != "" {
			in.fault(s.place, wrong)
		} else if p := in.overriddenParam(o, s); p != nil {
			if !strings.ContainsAny(s.text, "=<>~") {
				read.Compare = namedRange(s.name)
			}
			read.Parameter, read.Member = p.Parameter, p.Member
			*p = read
		}
	}
	for _, s := range over.tables["sort"] {
		if sorting, ok := in.sorting(s.text, s.place, item); ok {
			if l.Order.named == nil {
				l.Order.named = map[string]Sorting{}
			}
			l.Order.named[s.name] = sorting
		}
	}
	if over.has("order") {
		if sorting, ok := in.sorting(over.fields["order"], over.at("order"), item); ok {
			l.Order.Default = sorting
		}
	}
}

// overriddenParam returns the parameter of a list that an override names, nil with a fault if the operation has none.
func (in *inference) overriddenParam(o *operation, s setting) *Param {
	l := o.binding.List
	for i := range l.Params {
		if p := &l.Params[i]; p.Name() == s.name || p.Parameter.Name == s.name {
			return p
		}
	}
	var known []string
	for _, p := range o.Parameters {
		if p.In != exchange.InQuery {
			continue
		}
		if p.Name == s.name {
			l.Params = append(l.Params, Param{Parameter: p})
			return &l.Params[len(l.Params)-1]
		}
		known = append(known, p.Name)
	}
	in.fault(s.place, o.Method+" "+o.Path+" has no query parameter "+strconv.Quote(s.name)+nearest.Hint(s.name, known))
	return nil
}

var comparisonSigns = []struct {
	sign    string
	compare Compare
}{{"!=", NotEqual}, {"<=", AtMost}, {">=", AtLeast}, {"=", Equal}, {"<", Less}, {">", Greater}, {"~", Contains}}

// readFilter reads "price", ">= price" or "stock > 0".
func readFilter(text string, item view) (p Param, wrong string) {
	p.Role = Filter
	name, literal, compares := strings.TrimSpace(text), "", false
	for _, c := range comparisonSigns {
		if rest, ok := strings.CutPrefix(name, c.sign); ok {
			name, p.Compare = strings.TrimSpace(rest), c.compare
			break
		}
		if before, after, ok := strings.Cut(name, " "+c.sign+" "); ok {
			name, literal, compares, p.Compare = strings.TrimSpace(before), strings.TrimSpace(after), true, c.compare
			break
		}
	}
	at, wrong := propertyAt(name, item)
	if wrong != "" {
		return p, wrong
	}
	p.Property, p.Schema = at.path, at.view.k
	if compares {
		value, err := jsontext.Decode(literal)
		if err != nil {
			value = literal
		}
		p.Literal = []any{value}
	}
	return p, ""
}

// propertyAt finds a property by its name, by names with dots between them, or by a JSON Pointer.
func propertyAt(name string, item view) (at property, wrong string) {
	path := []string{name}
	switch {
	case strings.HasPrefix(name, "/"):
		path = exchange.SplitPointer(name)
	case !item.member(name).ok() && strings.Contains(name, "."):
		path = strings.Split(name, ".")
	}
	v := item
	for _, token := range path {
		var known []string
		for _, m := range v.members() {
			known = append(known, m.name)
		}
		if v = v.member(token); !v.ok() {
			return at, "items have no property " + strconv.Quote(token) + nearest.Hint(token, known)
		}
	}
	return property{path: path, name: path[len(path)-1], view: v}, ""
}

// sorting reads "-price, name".
func (in *inference) sorting(text string, place exchange.Place, item view) (s Sorting, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		name, down := strings.CutPrefix(strings.TrimSpace(part), "-")
		at, wrong := propertyAt(name, item)
		if wrong != "" {
			in.fault(place, wrong)
			return s, false
		}
		key := orderKey(&at)
		key.Descending = down
		s.Keys = append(s.Keys, key)
	}
	s.NewestFirst = s.Keys[0].Descending
	return s, true
}

// overrideUnique applies what overrides say of unique properties.
func (in *inference) overrideUnique() {
	for _, o := range in.operations {
		r := o.binding.Resource
		if r == nil || !o.override.has("unique") {
			continue
		}
		r.Unique, r.MaybeUnique = nil, ""
		for _, b := range r.Bindings {
			b.Taken = nil
		}
		for name := range strings.SplitSeq(o.override.fields["unique"], ",") {
			if name = strings.TrimSpace(name); in.hasProperty(r, name, o.override.at("unique")) {
				r.Unique = append(r.Unique, name)
				for _, b := range r.Bindings {
					b.refuseTaken(name)
				}
			}
		}
	}
}

// refuseTaken makes an operation that writes items refuse a value that another item has.
func (b *Binding) refuseTaken(name string) {
	switch b.Role {
	case Create, Upsert, Replace, Update:
		if b.Taken == nil {
			b.Taken = map[string]string{}
		}
		b.Taken[name] = ""
	}
}

func (in *inference) hasProperty(r *Resource, name string, place exchange.Place) bool {
	if r.property(name) != nil {
		return true
	}
	var known []string
	for _, p := range r.Properties {
		known = append(known, p.Name)
	}
	in.fault(place, "items of "+r.Name+" have no property "+strconv.Quote(name)+nearest.Hint(name, known))
	return false
}

// overrideChanges applies what overrides say of changes: what requests set and take, parts, formulas, error codes.
func (in *inference) overrideChanges() {
	done := map[exchange.Place]bool{} // an override of a path is applied to its resource once
	for _, o := range in.operations {
		b, over := o.binding, &o.override
		for _, s := range over.tables["errors"] {
			if b.Errors == nil {
				b.Errors = map[string]string{}
			}
			b.Errors[s.name] = s.text
		}
		r := b.Resource
		if r == nil {
			continue
		}
		for _, s := range over.tables["formula"] {
			if !done[s.place] {
				done[s.place] = true
				in.addFormula(&r.Formulas, s, r)
			}
		}
		if over.has("lookup") {
			in.overrideLookup(o)
		}
		if over.has("part") {
			in.overridePart(o)
		}
		in.overrideSets(o)
		if over.has("refused") {
			in.overrideRefused(o)
		}
		for _, s := range over.tables["takes"] {
			if !in.hasProperty(r, s.text, s.place) || !in.sendsMember(o, s) {
				continue
			}
			to := &b.Takes
			if b.Role != Action {
				to = &b.Rename
			}
			if *to == nil {
				*to = map[string]string{}
			}
			(*to)[s.name] = s.text
		}
	}
}

// sendsMember reports whether a request can have what an override names: a property of the body or a query parameter.
func (in *inference) sendsMember(o *operation, s setting) bool {
	members := slices.Concat(sentMembers(o), o.request.members(), in.queryOf(o))
	if o.request.ok() && len(sentMembers(o)) == 0 { // the document does not say what the body has
		return true
	}
	var known []string
	for _, m := range members {
		if m.name == s.name {
			return true
		}
		known = append(known, m.name)
	}
	in.fault(s.place, o.Method+" "+o.Path+" takes no "+strconv.Quote(s.name)+nearest.Hint(s.name, known))
	return false
}

func (in *inference) addFormula(to *[]Formula, s setting, r *Resource) {
	path := []string{s.name}
	if strings.HasPrefix(s.name, "/") {
		path = exchange.SplitPointer(s.name)
	}
	if !in.hasProperty(r, path[0], s.place) {
		return
	}
	value, err := formula.Parse(s.text)
	if err != nil {
		in.fault(s.place, err.Error())
		return
	}
	*to = append(*to, Formula{path, s.text, value})
}

// overrideSets reads what an action sets: "status=cancelled, cancelledAt=now, visits=+1", or the same as an object.
func (in *inference) overrideSets(o *operation) {
	b, over := o.binding, &o.override
	table := slices.Clone(over.tables["sets"])
	if over.has("sets") {
		for part := range strings.SplitSeq(over.fields["sets"], ",") {
			name, value, ok := strings.Cut(part, "=")
			switch {
			case strings.TrimSpace(part) == "":
			case !ok:
				in.fault(over.at("sets"), `"sets" is a list such as "status=cancelled, cancelledAt=now", not `+over.fields["sets"])
			default:
				table = append(table, setting{strings.TrimSpace(name), strings.TrimSpace(value), over.at("sets")})
			}
		}
	} else if len(table) == 0 {
		return
	}
	b.Sets = nil
	for _, s := range table {
		if !in.hasProperty(b.Resource, s.name, s.place) {
			continue
		}
		switch sum := sumOf(s); {
		case formula.Has(s.text):
			in.addFormula(&b.Computes, s, b.Resource)
		case sum != "":
			in.addFormula(&b.Computes, setting{s.name, sum, s.place}, b.Resource)
		default:
			b.Sets = append(b.Sets, Assignment{s.name, s.text})
		}
	}
	if said := b.setsText(); said != "" {
		b.Reason += "; sets " + said
		b.Evidence = append(b.Evidence, Evidence{"effect", "override", 1, said})
	}
}

// sumOf returns the formula of "+1", "-1", "+quantity" or "-quantity": the property with a number, or with a property
// of the body, added or taken away; "" for other texts.
func sumOf(s setting) string {
	if len(s.text) < 2 || s.text[0] != '+' && s.text[0] != '-' {
		return ""
	}
	by := s.text[1:]
	if _, err := strconv.ParseFloat(by, 64); err != nil {
		by = "(body[" + strconv.Quote(by) + "] ?? 0)"
	}
	return "${(object[" + strconv.Quote(s.name) + "] ?? 0) " + s.text[:1] + " " + by + "}"
}

// setsText returns what an action sets, as overrides write it.
func (b *Binding) setsText() string {
	text := SetsText(b.Sets)
	for _, f := range b.Computes {
		if text != "" {
			text += ", "
		}
		text += strings.Join(f.Property, ".") + "=" + f.Text
	}
	return text
}

func (in *inference) overrideLookup(o *operation) {
	b := o.binding
	at, wrong := propertyAt(o.override.fields["lookup"], in.candidateOf(o).value)
	switch variable := o.keyVariable(); {
	case wrong != "":
		in.fault(o.override.at("lookup"), wrong)
	case variable == "":
		in.fault(o.override.at("lookup"), `"lookup" needs a path that ends in a variable, not `+o.Path)
	default:
		b.KeyIn, b.Variable, b.Lookup = InPath, variable, at.path
		b.Scope = slices.DeleteFunc(b.Scope, func(v Variable) bool { return v.Name == variable })
	}
}

// overrideRefused reads the states in which an item refuses an operation: "status=ordered or the parent's
// status=closed".
func (in *inference) overrideRefused(o *operation) {
	b, place := o.binding, o.override.at("refused")
	b.Conflicts = nil
	for state := range strings.SplitSeq(o.override.fields["refused"], " or ") {
		r := b.Resource
		state, ofParent := strings.CutPrefix(strings.TrimSpace(state), "the parent's ")
		name, value, ok := strings.Cut(state, "=")
		if n := len(b.Scope); ofParent && n > 0 {
			r = b.Scope[n-1].Parent
		}
		switch {
		case state == "":
		case !ok:
			in.fault(place, `"refused" is a list such as "status=ordered or status=closed", not `+state)
		case r == nil:
			in.fault(place, "the items of "+b.Resource.Name+" have no parent here")
		case in.hasProperty(r, name, place):
			b.Conflicts = append(b.Conflicts, Conflict{Property: name, Value: value, OfParent: ofParent})
		}
	}
	if len(b.Conflicts) > 0 {
		b.Reason += "; refused if " + conflictsText(b.Conflicts)
	}
}

// overridePart reads what an action changes of an item, in the words of Part.String: "adds to lines",
// "changes lines[id]", "sets coupon".
func (in *inference) overridePart(o *operation) {
	b, text, place := o.binding, o.override.fields["part"], o.override.at("part")
	for i, change := range partChanges {
		name, ok := strings.CutPrefix(text, change+" ")
		if !ok {
			continue
		}
		name, key, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(name), "]"), "[")
		if !in.hasProperty(b.Resource, name, place) {
			return
		}
		property := b.Resource.property(name)
		p := &Part{Property: name, Value: property.Schema, Change: PartChange(i), Key: key}
		if property.Kind == schema.Array {
			p.Many, p.Value = true, schema.Items(in.candidateOf(o).value.member(name).plain().k)
		}
		if o.at.last.variable() {
			p.Variable = o.keyVariable()
		}
		b.Part, b.Takes = p, nil
		b.Reason += "; " + p.String()
		return
	}
	in.fault(place, isNone(text, "change of a part", "changes", partChanges[:]))
}
