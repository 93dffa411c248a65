package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// Field is a property of a list's body that says something of the page.
type Field struct {
	Path []string // from the body down
	Role FieldRole
	Kind Kind
	// Link says of Next, Previous, First, Last and Self that the value is a URL;
	// otherwise it is a page's number (Integer) or a cursor.
	Link bool
	Null bool // null is allowed: there is no such page
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
	Relations             // all links at once: the header field Link (RFC 8288)
)

var fieldRoleNames = [...]string{"", "total", "count", "page-size", "offset", "page", "pages", "next", "previous", "first", "last",
	"self", "has-more", "has-previous", "is-first", "is-last", "relations"}

func (r FieldRole) String() string { return fieldRoleNames[r] }

// MarshalText gives the word that String gives.
func (r FieldRole) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// fieldRules say what a property of a list's body means by its name and type, in
// the order of roles: of a name with several the first counts whose kinds fit.
var fieldRules = []struct {
	role  FieldRole
	kinds kinds
	names string // folded
}{
	{Total, numeric | kindsOf(String), `total totalcount totalitems totalresults totalelements totalentries totalrecords totalsize totaldocs
totalhits totalobjects recordstotal numfound itemcount totalnumber totalrows allcount sizetotal totalitemcount rowcount
filtercount filteredcount filteredtotal totalfiltered recordsfiltered`},
	{Count, numeric, `count length numberofelements resultcount itemsonpage numresults returned currentitemcount resultsize`},
	{PageSize, numeric, `limit perpage pagesize itemsperpage maxresults size pagelimit resultsperpage recordsperpage`},
	{Offset, numeric, `offset skip startindex startat from start`},
	{Page, numeric | kindsOf(String), `page currentpage pagenumber pageindex number current pageno pagenum`},
	{Pages, numeric, `pages totalpages pagecount lastpagenumber numpages pagestotal pagetotal`},
	{Next, reference, `next nextpage nexturl nexturi nextlink nextpageurl nextpageuri nextpagetoken nextcursor nexttoken cursor continue
endcursor continuationtoken nextmarker nextpageid nextoffset pagingcursor nextpageoffset nextpagecursor nexthref odatanextlink after`},
	{Previous, reference, `previous prev previouspage prevpage previousurl prevurl previouspageurl previouspageuri prevpageurl
previouspagetoken prevpagetoken previouscursor prevcursor startcursor before prevlink previouslink prevmarker`},
	{First, reference, `first firstpage firstpageurl firstpageuri`},
	{Last, reference, `last lastpage lastpageurl lastpageuri`},
	{Self, reference, `self href selfurl`},
	{HasMore, kindsOf(Boolean), `hasmore more hasnext hasnextpage ismore moreresults truncated istruncated hasmoreitems hasmoreresults`},
	{HasPrevious, kindsOf(Boolean), `hasprevious hasprev haspreviouspage hasprevpage`},
	{IsFirst, kindsOf(Boolean), `isfirst isfirstpage first firstpage firstpageurl firstpageuri`},
	{IsLast, kindsOf(Boolean), `islast islastpage last lastpage lastpageurl lastpageuri`},
}

// reference are the kinds of links, cursors and page numbers.
const reference = kinds(1<<Any | 1<<Integer | 1<<Number | 1<<String | 1<<Object)

// fieldRulesOf are the rows of fieldRules by name.
var fieldRulesOf = func() map[string][]int {
	rows := map[string][]int{}
	for i, r := range fieldRules {
		for name := range strings.FieldsSeq(r.names) {
			rows[name] = append(rows[name], i)
		}
	}
	return rows
}()

func pageRole(name string, v view) FieldRole {
	for _, i := range fieldRulesOf[naming.Fold(name)] {
		if fieldRules[i].kinds.has(v.kind()) {
			return fieldRules[i].role
		}
	}
	return NoField
}

// appendPageFields adds what an object says of the page, down to links of links.
func appendPageFields(to []Field, body view, path []string, depth int) []Field {
	const deepest = 2
	for _, m := range body.members() {
		at := append(slices.Clone(path), m.name)
		if slices.ContainsFunc(to, func(f Field) bool { return slices.Equal(f.Path, at) }) {
			continue
		}
		role, kind := pageRole(m.name, m.view), m.view.kind()
		switch {
		case kind == Object && role >= Next && role <= Self:
			for _, name := range []string{"href", "url"} {
				if link := m.view.member(name); link.ok() {
					null := spec.Conforms(link.k, nil)
					to = append(to, Field{Path: append(at, name), Role: role, Kind: String, Link: true, Null: null})
					break
				}
			}
		case kind == Object && depth < deepest && pageObjectNames[m.folded]:
			to = appendPageFields(to, m.view, at, depth+1)
		case role != NoField && kind != Object:
			null := m.view.ok() && spec.Conforms(m.view.k, nil)
			to = append(to, Field{Path: at, Role: role, Kind: kind, Link: isLink(m, role, path), Null: null})
		}
	}
	return to
}

// appendCounts adds what says how many items there are by the name of their
// array: plantsCount, total_plants.
func appendCounts(to []Field, body view, items string) []Field {
	items = naming.Fold(items)
	for _, m := range body.members() {
		kind := m.view.kind()
		if kind != Integer && kind != Number || pageRole(m.name, m.view) != NoField {
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

// The last words of names of links, and of what is none.
var (
	linkWords   = naming.Set(`url uri link href`)
	cursorWords = naming.Set(`token cursor marker id continue offset after before`)
)

func isLink(m member, role FieldRole, in []string) bool {
	if role < Next || role > Self || m.view.kind() == Integer {
		return false
	}
	if f := m.view.format(); f == "uri" || f == "uri-reference" || f == "url" {
		return true
	}
	w := naming.Words(m.name)
	switch last := w[len(w)-1]; {
	case linkWords[last]:
		return true
	case cursorWords[last]:
		return false
	}
	if len(in) > 0 {
		f := naming.Fold(in[len(in)-1])
		return f == "links" || f == "link"
	}
	return role == Self || role == First || role == Last
}

// headerRoles are the roles that header fields have.
var headerRoles = []FieldRole{Total, PageSize, Page, Pages, Next, Previous, Offset, HasMore}

// bodyOnly are names that mean something else in a header field.
var bodyOnly = naming.Set(`from after size`)

// pageHeaders gives the header fields of an answer that speak of the page:
// X-Total-Count, Link.
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
		rows := fieldRulesOf[folded]
		i := slices.IndexFunc(rows, func(i int) bool { return slices.Contains(headerRoles, fieldRules[i].role) })
		if i >= 0 && !bodyOnly[folded] {
			headers = append(headers, HeaderField{h.Name, fieldRules[rows[i]].role})
		}
	}
	return headers
}
