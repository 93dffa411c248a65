package resource

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Listing is how an operation shows a collection.
type Listing struct {
	Items  Shape         // where the items stand; Many is set
	Fields []Field       // what the body says of the page, in the document's order
	Header []HeaderField // what header fields say of it
	Params []Param       // what chooses, sorts and cuts, in the document's order
	Body   []Param       // the same by the members of the body of a search
	Order  Order         // what it can be sorted by
	// Flag is the flag that the items of a Subset have; "" if no flag chooses them.
	Flag string
	// Facets say how many of the items that the filters choose have each value of a property.
	Facets []Statistic
}

type listed struct {
	member
	element    view
	names      []string // that the resource goes by
	arrays     int      // of items in the same object
	paging     int      // properties of the object that say something of the page
	others     int      // properties that say nothing of the answer or the page
	identified bool     // the object looks like an item itself
}

// listRules score an array of objects in a body.
var listRules = rules[*listed]{
	{name: "named like the resource", weight: 0.85, group: "name", source: byName, example: "{plants: […]} of /plants", sees: func(l *listed) string { return when(slices.Contains(l.names, naming.SingularName(l.name)), l.name) }},
	{name: "name of a wrapper", weight: 0.8, group: "name", source: byWrapper, example: "{items: […]}, {data: […]}", sees: func(l *listed) string { return when(wrapperNames.Has(l.folded), l.name) }},
	{name: "schema named like the resource", weight: 0.7, group: "name", source: bySchema, example: "{found: [Plant]} of /plants", sees: func(l *listed) string {
		return when(slices.Contains(l.names, naming.SingularName(l.element.name())), l.name)
	}},
	{name: "array of objects", weight: 0.3, group: "name", source: bySchema, example: "{found: [{…}]}", sees: func(l *listed) string { return l.name }},
	{name: "only array of objects", weight: 0.1, source: byWrapper, example: "{items: […], total: …}", sees: func(l *listed) string { return when(l.arrays == 1, l.name) }},
	{name: "nothing else", weight: 0.2, source: byWrapper, example: "{items: […], total: …}", sees: func(l *listed) string { return when(l.others == 0, l.name) }},
	{name: "many other properties", source: byWrapper, example: "{tags: […], name: …, height: …, color: …}", sees: func(l *listed) string { return when(l.others > 2, l.name) }, more: func(l *listed) float64 { return -0.1 * float64(min(l.others, 5)) }},
	{name: "beside properties of a page", weight: 0.1, source: byName, example: "total, next, limit", sees: func(l *listed) string { return when(l.paging > 0, l.name) }},
	{name: "in an item", weight: -0.4, source: byName, example: "{id: …, tags: […]}", sees: func(l *listed) string { return when(l.identified && l.paging == 0, l.name) }},
}

// findList finds the items in a list's body. names are those that the resource
// goes by. The score is from 0 to 1; the list is nil if it is 0.
func findList(body view, names []string) (*Listing, float64) {
	if body.kind() == schema.Array {
		if e := body.element(); isItem(e) {
			return &Listing{Items: *e.shape(true)}, 1
		}
		return nil, 0
	}
	items, score := listAtDepth(body, names, 0)
	if items == nil {
		return nil, 0
	}
	l := &Listing{Items: *items}
	l.Fields = appendPageFields(nil, body, nil, 0)
	path := items.Path
	if len(path) == 1 {
		l.Fields = appendCounts(l.Fields, body, path[0])
	} else {
		path = path[:len(path)-1]
		l.Fields = appendPageFields(l.Fields, body.at(path), path, 0)
	}
	return l, score
}

// markAlone sets Alone of a count. It is named only count: other names, as number_of_elements, say that they concern
// the page. Clients follow links to the other pages, or choose a page and know by nothing else how many there are.
func (l *Listing) markAlone() {
	isLinked, isKnown := false, false
	for _, f := range l.Fields {
		isLinked = isLinked || (f.Role == Next || f.Role == Previous) && f.Link
		isKnown = isKnown || f.Role != Count && f.Role != PageSize && f.Role != Offset && f.Role != Page
		if f.Role == Total {
			return
		}
	}
	chooses := slices.ContainsFunc(l.Params, func(p Param) bool { return p.Role == Skip || p.Role == PageNumber })
	for i, f := range l.Fields {
		isCount := f.Role == Count && naming.Fold(f.Path[len(f.Path)-1]) == "count"
		l.Fields[i].Alone = isCount && (isLinked || chooses && !isKnown && len(l.Header) == 0)
	}
}

func listAtDepth(body view, names []string, depth int) (*Shape, float64) {
	members := slices.DeleteFunc(slices.Clone(body.members()), func(m member) bool {
		return tellsOfTrouble(m.name, names)
	})
	facts := listed{names: names, identified: hasIdentity(members)}
	for _, m := range members {
		kind := m.view.kind()
		switch {
		case pageRole(m) != NoField, kind == schema.Object && pageObjectNames.Has(m.folded):
			facts.paging++
		case kind == schema.Array && isItem(m.view.element()):
			facts.arrays++
		case !metaNames.Has(m.folded):
			facts.others++
		}
	}
	best, score := (*Shape)(nil), 0.0
	for _, m := range members {
		switch m.view.kind() {
		case schema.Object:
			wrapper := wrapperNames.Has(m.folded) || pageObjectNames.Has(m.folded) ||
				len(members) == 1 && !hasKey(m.view) // {ocs: {meta, data: […]}}
			if depth == maxWrappers || facts.others > 2 || !wrapper && !slices.Contains(names, naming.SingularName(m.name)) {
				continue
			}
			if inner, s := listAtDepth(m.view, names, depth+1); inner != nil && s*0.98 > score {
				inner.Path = append([]string{m.name}, inner.Path...)
				best, score = inner, s*0.98
			}
		case schema.Array:
			facts.member, facts.element = m, m.view.element()
			if !isItem(facts.element) {
				continue
			}
			if s := min(listRules.sum("list", &facts, 0, nil), 1); s > score {
				best, score = facts.element.shape(true, m.name), s
				listRules.sum("list", &facts, 0, &best.evidence)
			}
		}
	}
	return best, score
}

// tellsOfTrouble reports whether a property says what went wrong with the request, and is not named like a resource.
func tellsOfTrouble(name string, names []string) bool {
	return troubleNames.Has(naming.Fold(name)) && !slices.Contains(names, naming.SingularName(name))
}

// Field is a property of a list's body that says something of the page.
type Field struct {
	Path []string // from the body down
	Role FieldRole
	Kind schema.Type
	// Link says of Next, Previous, First, Last and Self that the value is a URL;
	// otherwise it is a page's number (Integer) or a cursor.
	Link bool
	Null bool // null is allowed: there is no such page
	// Alone says of Count that the page has links to other pages and no Total: the number is one of all items then.
	Alone bool
}

// HeaderField is a header field of the answer that says something of the page.
type HeaderField struct {
	Name string
	Role FieldRole
}

// FieldRole is what a property of a list's body says.
type FieldRole uint8

const (
	NoField     FieldRole = iota
	Total                 // items in all, of those that the filters choose
	Count                 // items on this page
	PageSize              // items that a page holds at most
	Offset                // items before this page
	Page                  // this page's number
	Pages                 // pages in all
	Next                  // link to, number of, or cursor for the next page
	Previous              // the one before
	First                 // the first
	Last                  // the last
	Self                  // this
	HasMore               // whether a page follows
	HasPrevious           // whether a page precedes
	IsFirst               // whether this is the first page
	IsLast                // whether this is the last
	IsEmpty               // whether no items are on this page
	IsSorted              // whether the items are sorted
	IsUnsorted            // whether they are not
	Relations             // all links at once: the header field Link (RFC 8288)
	FirstItem             // the number of this page's first item, from 1
	LastItem              // the key of its last item
)

var fieldRoleNames = [...]string{"", "total", "count", "page-size", "offset", "page", "pages", "next", "previous", "first", "last",
	"self", "has-more", "has-previous", "is-first", "is-last", "is-empty", "is-sorted", "is-unsorted", "relations",
	"first-item", "last-item"}

func (r FieldRole) String() string { return fieldRoleNames[r] }

type fieldRule struct {
	role  FieldRole
	kinds []schema.Type
	names string // role in words.Roles
	// parts are further names by their words: "next page? @target?" means next, nextPage, nextUrl and nextPageUrl, since ?
	// marks words that may be missing, and @ the role of several words.
	parts []string
}

var (
	numberOrText = slices.Concat(numeric, []schema.Type{schema.String})
	boolean      = []schema.Type{schema.Boolean}
	reference    = []schema.Type{schema.AnyType, schema.Integer, schema.Number, schema.String, schema.Object}
)

// fieldRules are in the order of roles: of a name with several the first counts whose kinds fit.
var fieldRules = []fieldRule{
	{Total, numberOrText, "total-field", []string{"total @element?", "filter @element", "@element total", "@element filtered"}},
	{Count, numeric, "count-field", []string{"number of @element", "@element count"}},
	{PageSize, numeric, "page-size-field", []string{"@element per page"}},
	{Offset, numeric, "offset-field", nil},
	{Page, numberOrText, "page-field", nil},
	{Pages, numeric, "pages-field", nil},
	{Next, reference, "next-field", []string{"next page? @target?"}},
	{Previous, reference, "previous-field", []string{"@previous page? @target?"}},
	{First, reference, "first-field", []string{"first page? @target?"}},
	{Last, reference, "last-field", []string{"last page? @target?"}},
	{Self, reference, "self-field", nil},
	{HasMore, boolean, "has-more-field", []string{"has next page?", "has? more @element?"}},
	{HasPrevious, boolean, "has-previous-field", []string{"has @previous page?"}},
	{IsFirst, boolean, "is-first-field", []string{"is? first page? @target?"}},
	{IsLast, boolean, "is-last-field", []string{"is? last page? @target?"}},
	{IsEmpty, boolean, "is-empty-field", []string{"is? empty"}},
	{IsSorted, boolean, "is-sorted-field", []string{"is? sorted"}},
	{IsUnsorted, boolean, "is-unsorted-field", []string{"is? unsorted"}},
}

// allNames yields the names of a rule, folded; some twice.
func (r fieldRule) allNames(yield func(string) bool) {
	for name := range words.RoleOf(r.names).All() {
		if !yield(name) {
			return
		}
	}
	for _, parts := range r.parts {
		names := []string{""}
		for part := range strings.FieldsSeq(parts) {
			word, mayMiss := strings.CutSuffix(part, "?")
			choices := []string{word}
			if role, isRole := strings.CutPrefix(word, "@"); isRole {
				choices = slices.Collect(words.RoleOf("page-" + role).All())
			}
			if mayMiss {
				choices = append(choices, "")
			}
			var longer []string
			for _, name := range names {
				for _, choice := range choices {
					longer = append(longer, name+choice)
				}
			}
			names = longer
		}
		for _, name := range names {
			if !yield(name) {
				return
			}
		}
	}
}

var fieldRulesByName = rowsByName(fieldRules, func(r fieldRule) iter.Seq[string] { return r.allNames })

// rowsByName returns the rows of a table by their names, in the order of the table.
func rowsByName[R any](table []R, names func(R) iter.Seq[string]) func() map[string][]R {
	return sync.OnceValue(func() map[string][]R {
		rows := map[string][]R{}
		for _, row := range table {
			for name := range names(row) {
				rows[name] = append(rows[name], row)
			}
		}
		return rows
	})
}

func pageRole(m member) FieldRole {
	for _, r := range fieldRulesByName()[m.folded] {
		if slices.Contains(r.kinds, m.view.kind()) {
			return r.role
		}
	}
	return NoField
}

// roleBeside returns the role of a member that depends on the members beside it: of the numbers of a page's first and
// last item, from and to, and of empty beside sorted, which speaks of the order.
func roleBeside(m member, body view, role FieldRole) FieldRole {
	isNumber := m.view.kind() == schema.Integer || m.view.kind() == schema.Number
	switch {
	case isNumber && m.folded == "from" && body.member("to").ok():
		return FirstItem
	case isNumber && m.folded == "to" && body.member("from").ok():
		return LastItem
	case role == IsEmpty && slices.ContainsFunc(body.members(), func(other member) bool {
		return pageRole(other) == IsSorted
	}):
		return IsUnsorted
	}
	return role
}

// appendPageFields adds what an object says of the page, down to links of links.
func appendPageFields(to []Field, body view, path []string, depth int) []Field {
	const deepest = 2
	for _, m := range body.members() {
		at := append(slices.Clone(path), m.name)
		if slices.ContainsFunc(to, func(f Field) bool { return slices.Equal(f.Path, at) }) {
			continue
		}
		role, kind := pageRole(m), m.view.kind()
		role = roleBeside(m, body, role)
		switch {
		case kind == schema.Object && role >= Next && role <= Self:
			for _, name := range []string{"href", "url"} {
				if link := m.view.member(name); link.ok() {
					null := spec.Conforms(link.k, nil)
					to = append(to, Field{Path: append(at, name), Role: role, Kind: schema.String, Link: true, Null: null})
					break
				}
			}
		case kind == schema.Object && depth < deepest && (pageObjectNames.Has(m.folded) || m.view.describesPage()):
			to = appendPageFields(to, m.view, at, depth+1)
		case role != NoField && kind != schema.Object:
			null := m.view.ok() && spec.Conforms(m.view.k, nil)
			to = append(to, Field{Path: at, Role: role, Kind: kind, Link: isLink(m, role, path), Null: null})
		}
	}
	return to
}

// describesPage reports whether two members of an object say something of a page: {has_next_page, next_cursor}.
func (v view) describesPage() bool {
	const enough = 2
	found := 0
	for _, m := range v.members() {
		if pageRole(m) != NoField && m.view.kind() != schema.Object {
			found++
		}
	}
	return found >= enough
}

// appendCounts adds what says how many items there are by the name of their array: plantsCount, total_plants.
func appendCounts(to []Field, body view, items string) []Field {
	items = naming.Fold(items)
	for _, m := range body.members() {
		kind := m.view.kind()
		if kind != schema.Integer && kind != schema.Number || pageRole(m) != NoField {
			continue
		}
		switch m.folded {
		case items + "count", items + "total", "total" + items, "count" + items, "num" + items, "numberof" + items,
			"totalnumberof" + items:
			to = append(to, Field{Path: []string{m.name}, Role: Total, Kind: kind})
		}
	}
	return to
}

// The last words of names that are links, and of names that are not.
var (
	linkWords   = words.RoleOf("link-word")
	linkObjects = words.RoleOf("link-object")
	cursorWords = words.RoleOf("cursor-word")
)

func isLink(m member, role FieldRole, in []string) bool {
	if role < Next || role > Self || m.view.kind() == schema.Integer {
		return false
	}
	if f := m.view.format(); f == "uri" || f == "uri-reference" || f == "url" {
		return true
	}
	w := naming.Words(m.name)
	switch last := w[len(w)-1]; {
	case linkWords.Has(last):
		return true
	case cursorWords.Has(last):
		return false
	}
	if len(in) > 0 {
		return linkObjects.Has(naming.Fold(in[len(in)-1]))
	}
	return role == Self || role == First || role == Last
}

var headerRoles = []FieldRole{Total, Count, PageSize, Page, Pages, Next, Previous, Offset, HasMore}

// bodyOnly are names that mean something else in a header field.
var bodyOnly = words.RoleOf("body-only")

// pageHeaders returns the header fields of an answer that speak of the page: X-Total-Count, Link.
func pageHeaders(r *spec.Response) []HeaderField {
	if r == nil {
		return nil
	}
	var headers []HeaderField
	for _, h := range r.Headers {
		folded := naming.Fold(h.Name)
		if len(folded) > 1 {
			folded = strings.TrimPrefix(folded, "x")
		}
		if len(folded) > len("pagination") {
			folded = strings.TrimPrefix(folded, "pagination")
		}
		if folded == "link" {
			headers = append(headers, HeaderField{h.Name, Relations})
			continue
		}
		rows := fieldRulesByName()[folded]
		i := slices.IndexFunc(rows, func(r fieldRule) bool { return slices.Contains(headerRoles, r.role) })
		if i >= 0 && !bodyOnly.Has(folded) {
			headers = append(headers, HeaderField{h.Name, rows[i].role})
		}
	}
	return headers
}
