package resource

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Param is a query parameter of a list that chooses, sorts or cuts.
type Param struct {
	Parameter *spec.Parameter
	// Member is the member of the parameter's object, if one parameter holds
	// several: filter[name] in the style deepObject.
	Member string
	Role   ParamRole
	// Property is what a Filter compares: its path in an item.
	Property []string
	// Schema is the property's schema.
	Schema *spec.Keywords
	// Compare is how a Filter compares.
	Compare Compare
	// Text says of a Filter that it compares text that people write: if no item has the whole text, a part is meant.
	Text bool
	// Near says of a Filter that its name is not quite the property's: the property is the only one that it can mean.
	Near bool
	// Default is what a Filter, a Sort or a SortDirection means if it is not sent; nil for nothing.
	Default any
	// All is the value of a Filter that chooses nothing, as the default says it:
	// state=all; nil if the default does not.
	All any
	// Zero says of a PageNumber that the first page is 0.
	Zero bool
	// Sort says how a Sort writes the direction.
	Sort SortStyle
	// Literal is what a Filter compares the property with, instead of the value sent: items match if that is true, and
	// those match that otherwise do not if it is false. It has one element, or none for no literal.
	Literal []any
	// Within is the member of the elements of an array that a Filter compares; "" for the elements themselves.
	Within string
	// Every says of a Filter that an array has to hold all of its values, not one of them.
	Every bool
	// By and Down are the members with the property and its direction if a Sort has objects, {field, descending}; "" else.
	By, Down string
	// Listed says of a Sort that the document lists its values.
	Listed bool
}

// Name is the parameter's name, with the name of its member after a dot.
func (p *Param) Name() string {
	if p.Member == "" {
		return p.Parameter.Name
	}
	return p.Parameter.Name + "." + p.Member
}

// QueryName is the parameter's name in a query, in the style deepObject if it is a member: page[number].
func (p *Param) QueryName() string {
	if p.Member == "" {
		return p.Parameter.Name
	}
	return p.Parameter.Name + "[" + p.Member + "]"
}

// Documented returns the parameter's default by the document; nil for none.
func (p *Param) Documented() any {
	s := p.Parameter.Schema
	if s == nil {
		return nil
	}
	k := s.Keywords
	if p.Member != "" {
		k = schema.At(k, []string{p.Member})
	}
	return s.Default(k)
}

// ParamRole is what a parameter of a list does.
type ParamRole uint8

const (
	NoParam       ParamRole = iota
	Limit                   // at most so many items
	Skip                    // without the first so many
	PageNumber              // that page; from 1 unless Zero
	Cursor                  // what follows a cursor of an earlier answer
	CursorBefore            // what comes before one
	Sort                    // by these properties
	SortDirection           // ascending or descending
	Filter                  // only items whose Property compares
	Search                  // only items in which some string holds the text
	Fields                  // only these properties of each item
)

var paramRoleNames = [...]string{"", "limit", "skip", "page", "cursor", "cursor-before", "sort", "sort-direction", "filter", "search", "fields"}

func (r ParamRole) String() string { return paramRoleNames[r] }

// Compare is how a filter compares its value with a property's.
type Compare uint8

const (
	Equal Compare = iota // also: one of several, an element of an array
	NotEqual
	Less
	AtMost
	Greater
	AtLeast
	Contains // a substring, whatever the case
	Begins   // a text that begins so: a time of a year or a day
)

var compareSigns = []string{"=", "!=", "<", "<=", ">", ">=", "~", "^="}

func (c Compare) String() string { return compareSigns[c] }

// SortStyle is how a sort parameter writes the direction.
type SortStyle uint8

const (
	Minus     SortStyle = iota // -name; also what is assumed if nothing is said
	Colon                      // name:desc
	Comma                      // name,desc
	Space                      // name desc
	Under                      // name_desc
	Separate                   // in a parameter of its own
	Direction                  // the value is only the direction: asc, desc
)

func (s SortStyle) String() string {
	return [...]string{"-name", "name:desc", "name,desc", "name desc", "name_desc", "separate", "direction"}[s]
}

type paramRule struct {
	role    ParamRole
	accepts func(folded string, v view) bool
	example string
	names   string // role in words.Roles; "" for the words for a descending order
}

// paramRules are all rules but those for filters; the first that holds counts.
var paramRules = []paramRule{
	{Limit, isCount, "?limit=20", "limit-parameter"},
	{Skip, isCount, "?offset=40", "skip-parameter"},
	{PageNumber, isCount, "?page=3", "page-parameter"},
	{CursorBefore, isCursor, "?before=abc", "cursor-before-parameter"},
	{Cursor, isCursor, "?cursor=abc", "cursor-parameter"},
	{SortDirection, func(_ string, v view) bool { return isTextual(v) }, "?direction=desc",
		"direction-parameter"},
	{SortDirection, func(_ string, v view) bool { return isDirection(v) }, "?order=desc", "order-parameter"},
	{SortDirection, func(_ string, v view) bool { return v.kind() == schema.Boolean }, "?descending=true", ""},
	{Sort, func(_ string, v view) bool { return isTextual(v) }, "?sort=-name", "sort-parameter"},
	{Search, func(_ string, v view) bool { return v.kind() == schema.String && len(enum(v)) == 0 }, "?q=fern",
		"search-parameter"},
	{Fields, func(_ string, v view) bool { return isTextual(v) }, "?fields=id,name", "fields-parameter"},
}

var paramRulesByName = rowsByName(paramRules, paramRule.allNames)

// allNames returns the names of a rule. The names of a rule about directions are words such as desc.
func (r paramRule) allNames() iter.Seq[string] {
	if r.names == "" {
		return slices.Values(words.Orders.With("descending"))
	}
	return words.RoleOf(r.names).All()
}

func isTextual(v view) bool { return slices.Contains(textual, v.kind()) }

func isDate(v view) bool { f := v.format(); return f == "date" || f == "date-time" }

func isCount(_ string, v view) bool {
	return slices.Contains(numeric, v.kind()) || v.kind() == schema.String && v.format() == ""
}

func isCursor(folded string, v view) bool {
	switch v.kind() {
	case schema.AnyType:
		return true
	case schema.Integer:
		return folded != "since"
	}
	return v.kind() == schema.String && !isDate(v)
}

// setParams finds what the query of a list chooses, and the body of a search. properties are the properties of its
// items.
func (l *Listing) setParams(in *inference, o *operation, properties properties) {
	isOther := func(p *spec.Parameter) bool { return p.In != exchange.InQuery }
	l.Params = in.params(slices.DeleteFunc(slices.Clone(o.Parameters), isOther), properties)
	if isSafe(o.Method) && o.Method != "QUERY" || o.request.kind() != schema.Object {
		return
	}
	var members []*spec.Parameter
	for _, m := range o.request.members() {
		s := *m.view.schema
		s.Keywords = m.view.k
		members = append(members, &spec.Parameter{Name: m.name, In: exchange.InBody, Explode: true, Schema: &s})
	}
	l.Body = in.params(members, properties)
}

func (in *inference) params(parameters []*spec.Parameter, properties properties) []Param {
	var params []Param
	for _, p := range parameters {
		v := in.cache.parameter(p)
		role, by, down := sortsByObjects(p.Name, v)
		if role == NoParam {
			role = paramRole(p.Name, v)
		}
		if role == NoParam && sortsByExample(p, v, properties) {
			role = Sort
		}
		var chosen []Param
		if role == NoParam && !isOfMembers(p, v) {
			if chosen = filters(p, v, properties); chosen == nil {
				_, inner := bracketed(p.Name)
				role = paramRole(inner, v)
			}
		}
		switch {
		case role != NoParam && !isTaken(params, role) && !isProperty(role, p.Name, properties):
			params = append(params, Param{Parameter: p, Role: role, By: by, Down: down})
		case isOfMembers(p, v):
			params = append(params, membersOf(p, v, params, properties)...)
		default:
			params = append(params, chosen...)
		}
	}
	if number := in.pageBeside(parameters, params); number != nil {
		params = append(params, Param{Parameter: number, Role: PageNumber})
	}
	for i := range params {
		p := &params[i]
		v := in.cache.parameter(p.Parameter)
		if p.Member != "" {
			v = v.member(p.Member)
		}
		switch p.Role {
		case Sort:
			p.Sort = sortStyle(p.Parameter, v, params)
		case PageNumber:
			p.Zero = startsAtZero(v)
		}
		if p.Role != Sort && p.Role != SortDirection && (p.Role != Filter || p.Member != "") {
			continue
		}
		p.Default = v.schema.Default(v.k)
		if text, ok := p.Default.(string); ok && p.Role == Filter && noFilterValues.Has(naming.Fold(text)) {
			p.Default, p.All = nil, text
		}
	}
	return params
}

// isOfMembers reports whether each member of a parameter stands in the query by itself. A deepObject may also have a
// value that is no object: created[gte]=7 and created=7.
func isOfMembers(p *spec.Parameter, v view) bool {
	return v.kind() == schema.Object && p.Explode || p.Style == "deepObject" && len(v.members()) > 0
}

// membersOf returns what the members of an object do: {number, size} of page, {field, direction} of sort, and the
// members of filter. The name of the object may be the first part of theirs.
func membersOf(p *spec.Parameter, v view, others []Param, properties properties) (params []Param) {
	for _, m := range v.members() {
		role := paramRole(p.Name+m.name, m.view)
		if role == NoParam {
			if role = paramRole(m.name, m.view); isProperty(role, m.name, properties) {
				role = NoParam
			}
		}
		if role == NoParam || isTaken(others, role) || isTaken(params, role) {
			params = append(params, filterWithin(p, p.Name, m.name, m.name, m.view, properties)...)
		} else {
			params = append(params, Param{Parameter: p, Member: m.name, Role: role})
		}
	}
	return params
}

// sortsByObjects finds the members of the objects of a Sort that hold a property and its direction:
// sort: [{field: name, descending: true}].
func sortsByObjects(name string, v view) (role ParamRole, by, down string) {
	if v.kind() == schema.Array {
		v = v.element()
	}
	if v.kind() != schema.Object || !sortParameters.Has(naming.Fold(name)) {
		return NoParam, "", ""
	}
	for _, m := range v.members() {
		switch {
		case paramRole(m.name, m.view) == SortDirection || isDirection(m.view):
			down = m.name
		case m.view.kind() != schema.String:
		case by != "":
			return NoParam, "", ""
		default:
			by = m.name
		}
	}
	if by == "" {
		return NoParam, "", ""
	}
	return Sort, by, down
}

var sortParameters = words.RoleOf("sort-parameter")

// pageBeside returns the number of the page by the parameter for its size: the only other number whose name begins with
// the same word, as pageNo beside pageSize; nil for none, or if another parameter chooses the page.
func (in *inference) pageBeside(parameters []*spec.Parameter, params []Param) (found *spec.Parameter) {
	first := ""
	for _, p := range params {
		switch w := naming.Words(p.Parameter.Name); {
		case p.Role == Limit && len(w) > 1:
			first = w[0]
		case p.Role >= Skip && p.Role <= CursorBefore:
			return nil
		}
	}
	for _, p := range parameters {
		w := naming.Words(p.Name)
		isBound := slices.ContainsFunc(params, func(q Param) bool { return q.Parameter == p })
		if isBound || len(w) < 2 || w[0] != first ||
			!slices.Contains(numeric, in.cache.parameter(p).kind()) {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}

var noFilterValues = words.RoleOf("no-filter-value")

func paramRole(name string, v view) ParamRole {
	folded := naming.Fold(strings.TrimPrefix(name, "$"))
	for _, r := range paramRulesByName()[folded] {
		if r.accepts(folded, v) {
			return r.role
		}
	}
	return NoParam
}

func isTaken(params []Param, role ParamRole) bool {
	return role != Search && slices.ContainsFunc(params, func(p Param) bool { return p.Role == role })
}

// propertyNames are names of parameters that mean a property where items have
// one of the name: a film's start, an order's size.
var propertyNames = words.RoleOf("property-name")

// isProperty reports whether a parameter that by its name would cut or search is a filter.
func isProperty(role ParamRole, name string, properties properties) bool {
	folded := naming.Fold(name)
	switch role {
	case Limit, Skip, PageNumber, Search, Cursor, CursorBefore:
		return propertyNames.Has(folded) && properties.has(folded)
	}
	return false
}

func enum(v view) []string {
	v = v.plain()
	if v.kind() == schema.Array {
		v = v.element().plain()
	}
	if v.k == nil || v.k.Enum == nil {
		return nil
	}
	return texts(v.k.Enum.Values)
}

func isDirection(v view) bool {
	values := enum(v)
	isOther := func(text string) bool { return !directions.Has(naming.Fold(text)) }
	return len(values) > 0 && !slices.ContainsFunc(values, isOther)
}

var directions = words.RoleOf("direction")

// sortStyle reads from the values of a sort parameter, and from the parameters
// beside it, how the direction is written.
func sortStyle(p *spec.Parameter, v view, all []Param) SortStyle {
	for _, other := range all {
		if other.Role == SortDirection {
			return Separate
		}
	}
	if isDirection(v) {
		return Direction
	}
	for _, text := range shownTexts(p, v) {
		if _, style := directed(text); style != Minus {
			return style
		}
	}
	return Minus
}

// shownTexts returns the values of a parameter that the document shows: its enum, its default and its examples.
func shownTexts(p *spec.Parameter, v view) []string {
	values := append(enum(v), texts(v.schema.Default(v.k))...)
	for _, example := range p.Examples {
		values = append(values, texts(example.Value)...)
	}
	if v.ok() {
		if n := v.node("example").Get("example"); n != nil {
			values = append(values, n.Text)
		}
	}
	return values
}

// directed returns the name in a value of a sort parameter that ends in a direction, and what separates them; Minus if
// it does not.
func directed(text string) (name string, style SortStyle) {
	const separators = ":, _"
	if i := strings.LastIndexAny(text, separators); i > 0 {
		if of := orderWords[strings.ToLower(text[i+1:])]; of == "ascending" || of == "descending" {
			return text[:i], Colon + SortStyle(strings.IndexByte(separators, text[i]))
		}
	}
	return text, Minus
}

// sortsByExample reports whether all values of a parameter that the document shows are properties with a direction:
// title asc.
func sortsByExample(p *spec.Parameter, v view, properties properties) bool {
	shown := shownTexts(p, v)
	return v.ok() && len(shown) > 0 && !slices.ContainsFunc(shown, func(text string) bool {
		name, style := directed(text)
		return style == Minus || properties.find(name) == nil
	})
}

func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, element := range v {
			if text, ok := element.(string); ok {
				all = append(all, text)
			}
		}
		return all
	}
	return nil
}

func startsAtZero(v view) bool {
	if v.k == nil {
		return false
	}
	if first, ok := v.schema.Default(v.k).(json.Number); ok {
		return first == "0"
	}
	least := v.plain().k.Minimum
	return least != nil && least.Sign() == 0
}

// comparisons are how filters compare, by the word at the end or the start of their names.
var comparisons = sync.OnceValue(func() map[string]Compare {
	all := map[string]Compare{}
	for row := range words.Comparisons.Rows() {
		all[row[0]] = Compare(slices.Index(compareSigns, row[1]))
	}
	return all
})

// filterBy returns the filter that a parameter, or its member within, is by a name; nil if it is none.
func filterBy(p *spec.Parameter, name, within string, v view, properties properties) []Param {
	f := Param{Parameter: p, Member: within, Role: Filter}
	property := f.about(name, v, properties)
	if property == nil {
		if property = f.asks(name, v, properties); property == nil {
			return nil
		}
	}
	f.Property, f.Schema = property.path, property.view.k
	isList := property.view.kind() == schema.Array
	if isList && property.within == "" {
		f.Every = f.Compare == Equal && v.kind() == schema.Array
	}
	f.Within = property.within
	f.Text = !isList && f.Compare == Equal && isText(property.view) && v.kind() == schema.String && len(enum(v)) == 0
	return []Param{f}
}

func filters(p *spec.Parameter, v view, properties properties) []Param {
	outer, inner := bracketed(p.Name)
	if inner == "" {
		return filterBy(p, p.Name, "", v, properties)
	}
	return filterWithin(p, outer, inner, "", v, properties)
}

// filterWithin is filterBy for a member of an object, which may be a property, created[gte], or a name for filters,
// filter[name].
func filterWithin(p *spec.Parameter, outer, inner, within string, v view, properties properties) []Param {
	if all := filterBy(p, outer+"_"+inner, within, v, properties); all != nil {
		return all
	}
	return filterBy(p, inner, within, v, properties)
}

// bracketed returns the parts of a parameter's name that is written as a member of an object: filter and name of
// filter[name]; "" for the member if it is not.
func bracketed(name string) (outer, inner string) {
	before, isClosed := strings.CutSuffix(name, "]")
	outer, inner, _ = strings.Cut(before, "[")
	if !isClosed {
		return name, ""
	}
	return outer, strings.ReplaceAll(inner, "][", "_")
}

// about returns the property that a filter's name refers to, nil if none, and sets how it is compared: minAge,
// created_after.
func (f *Param) about(name string, v view, properties properties) *property {
	if at := properties.find(name); at != nil && comparable(v, at.view) {
		if compare := rangeWord(naming.Fold(name)); compare != Equal && isDate(at.view) && isDate(v) {
			f.Compare, f.Near = compare, true // of things that last from one time to another
		} else if v.format() == "date" && at.view.format() == "date-time" {
			f.Compare = Begins
		}
		return at
	}
	if at := properties.member(name, v); at != nil {
		return at
	}
	if at := properties.find(name); at != nil && at.view.kind() == schema.Object {
		if key := at.key(); key != nil && comparable(v, key.view) {
			return key
		}
	}
	w := naming.Words(name)
	if len(w) == 0 {
		return nil
	}
	last := len(w) - 1
	for _, part := range []struct {
		word string
		rest []string
	}{{w[last], w[:last]}, {w[0], w[1:]}} {
		compare, known := comparisons()[part.word]
		if !known {
			continue
		}
		isRange := compare >= Less && compare <= AtLeast
		for _, ending := range []string{"", "at"} {
			at := properties.find(strings.Join(part.rest, "") + ending)
			if at != nil && (!isRange || isOrdered(at.view)) && comparable(v, at.view) {
				f.Compare = compare
				return at
			}
		}
		if at := properties.limited(part.word, part.rest, v); at != nil && isRange {
			f.Compare, f.Near = compare, true
			if f.Compare == AtMost && at.view.format() == "date-time" {
				f.Compare = Less // times have no last one of a day
			}
			return at
		}
	}
	at := properties.near(name, v)
	if at == nil || !comparable(v, at.view) {
		at = properties.ofNoun(name, v)
	}
	f.Near = at != nil
	return at
}

// limited returns the property whose least or largest value a parameter is: of due_from the date whose name begins with
// due, of min_rate the number whose name ends with rate, of from the time of an item, of fromDate the time named from.
func (p properties) limited(word string, rest []string, v view) *property {
	if len(rest) > 0 {
		if at := p.ordered(rest, v); at != nil {
			return at
		}
	}
	if !isDate(v) {
		return nil
	}
	if len(rest) == 1 && strings.HasPrefix(v.format(), rest[0]) { // date, date-time
		if at := p.find(word); at != nil && isDate(at.view) {
			return at
		}
	}
	if len(rest) > 0 && p.only(func(at property) bool { return isDate(at.view) }) == nil {
		return nil
	}
	return p.time(v.format())
}

// namedRange returns how a parameter compares by the word at either end of its name: at least for salaryFrom.
func namedRange(name string) Compare {
	w := naming.Words(name)
	if len(w) == 0 {
		return Equal
	}
	return cmp.Or(rangeWord(w[len(w)-1]), rangeWord(w[0]))
}

func rangeWord(word string) Compare {
	if c := comparisons()[word]; c >= Less && c <= AtLeast {
		return c
	}
	return Equal
}

func find(properties []member, name string) *member {
	folded := naming.Fold(name)
	if folded == "" {
		return nil
	}
	for i := range properties {
		if m := &properties[i]; m.folded == folded {
			return m
		}
	}
	one := naming.SingularName(name)
	for i := range properties {
		m := &properties[i]
		single := naming.SingularName(m.name)
		if single == one && (m.view.kind() == schema.Array || single == folded || m.folded == one) {
			return m
		}
	}
	return nil
}
