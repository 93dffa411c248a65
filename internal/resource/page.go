package resource

import (
	"slices"

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

// fieldWords are the names of properties by role.
var fieldWords = map[FieldRole]map[string]bool{
	Total: naming.Set(`total totalcount totalitems totalresults totalelements totalentries totalrecords totalsize totaldocs totalhits
totalobjects recordstotal numfound itemcount totalnumber totalrows allcount sizetotal totalitemcount rowcount
filtercount filteredcount filteredtotal totalfiltered recordsfiltered`),
	Count:    naming.Set(`count length numberofelements resultcount pagecount_ itemsonpage numresults returned currentitemcount resultsize`),
	PageSize: naming.Set(`limit perpage pagesize itemsperpage maxresults size pagelimit resultsperpage recordsperpage`),
	Offset:   naming.Set(`offset skip startindex startat from start`),
	Page:     naming.Set(`page currentpage pagenumber pageindex number current pageno pagenum`),
	Pages:    naming.Set(`pages totalpages pagecount lastpagenumber numpages pagestotal pagetotal`),
	Next: naming.Set(`next nextpage nexturl nexturi nextlink nextpageurl nextpageuri nextpagetoken nextcursor nexttoken cursor continue endcursor
continuationtoken nextmarker nextpageid nextoffset pagingcursor nextpageoffset nextpagecursor nexthref odatanextlink after`),
	Previous: naming.Set(`previous prev previouspage prevpage previousurl prevurl previouspageurl previouspageuri prevpageurl previouspagetoken
prevpagetoken previouscursor prevcursor startcursor before prevlink previouslink prevmarker`),
	First:       naming.Set(`first firstpage firstpageurl firstpageuri`),
	Last:        naming.Set(`last lastpage lastpageurl lastpageuri`),
	Self:        naming.Set(`self href selfurl`),
	HasMore:     naming.Set(`hasmore more hasnext hasnextpage ismore moreresults truncated istruncated hasmoreitems hasmoreresults`),
	HasPrevious: naming.Set(`hasprevious hasprev haspreviouspage hasprevpage`),
	IsFirst:     naming.Set(`isfirst isfirstpage`),
	IsLast:      naming.Set(`islast islastpage`),
}

// rolesOf are the roles that a name may have, in the order of their words.
var rolesOf = func() map[string][]FieldRole {
	roles := map[string][]FieldRole{}
	for role := Total; role <= IsLast; role++ {
		for word := range fieldWords[role] {
			roles[word] = append(roles[word], role)
		}
	}
	return roles
}()

// pageRole says what a property of a list's body means by its name and type.
func pageRole(name string, v view) FieldRole {
	roles := rolesOf[naming.Fold(name)]
	if roles == nil {
		return NoField
	}
	kind := v.kind()
	for _, role := range roles {
		switch role {
		case Total, Count, PageSize, Offset, Pages, Page:
			if kind == Integer || kind == Number || kind == Any || kind == String && (role == Page || role == Total) {
				return role
			}
			continue
		case HasMore, HasPrevious, IsFirst, IsLast:
			if kind == Boolean {
				return role
			}
			continue
		case First, Last:
			if kind == Boolean {
				return role - First + IsFirst
			}
		}
		if kind == Array || kind == Boolean {
			continue
		}
		return role
	}
	return NoField
}

// pageObjects are names of objects in which such properties stand.
var pageObjects = naming.Set(`meta metadata pagination paging page pages links pageinfo cursor cursors responsemetadata pageable paginginfo
paginationinfo pagingmetadata resultinfo info pagedata`)

// fields collects what an object says of the page, down to links of links.
func fields(body view, path []string, depth int, to *[]Field) {
	const deepest = 2
	for _, m := range body.members() {
		at := append(slices.Clone(path), m.name)
		if slices.ContainsFunc(*to, func(f Field) bool { return slices.Equal(f.Path, at) }) {
			continue
		}
		role, kind := pageRole(m.name, m.view), m.view.kind()
		switch {
		case kind == Object && role >= Next && role <= Self:
			for _, name := range []string{"href", "url"} {
				if link := m.view.member(name); link.ok() {
					*to = append(*to, Field{Path: append(at, name), Role: role, Kind: String, Link: true, Null: spec.Conforms(link.k, nil)})
					break
				}
			}
		case kind == Object && depth < deepest && pageObjects[m.folded]:
			fields(m.view, at, depth+1, to)
		case role == NoField || kind == Object:
		default:
			*to = append(*to, Field{Path: at, Role: role, Kind: kind, Link: isLink(m, role, path), Null: m.view.ok() && spec.Conforms(m.view.k, nil)})
		}
	}
}

// isLink reports whether a property holds a URL.
func isLink(m member, role FieldRole, in []string) bool {
	if role < Next || role > Self || m.view.kind() == Integer {
		return false
	}
	if f := m.view.format(); f == "uri" || f == "uri-reference" || f == "url" {
		return true
	}
	w := naming.Words(m.name)
	switch w[len(w)-1] {
	case "url", "uri", "link", "href":
		return true
	case "token", "cursor", "marker", "id", "continue", "offset", "after", "before":
		return false
	}
	if len(in) > 0 {
		f := naming.Fold(in[len(in)-1])
		return f == "links" || f == "link"
	}
	return role == Self || role == First || role == Last
}

// pageHeaders gives the header fields of an answer that speak of the page.
func pageHeaders(r *spec.Response) []HeaderField {
	var headers []HeaderField
	if r == nil {
		return nil
	}
	for _, h := range r.Headers {
		folded := naming.Fold(h.Name)
		if len(folded) > 1 && folded[0] == 'x' {
			folded = folded[1:]
		}
		if len(folded) > 10 && folded[:10] == "pagination" {
			folded = folded[10:]
		}
		role := NoField
		if folded == "link" {
			role = Relations
		} else {
			for _, r := range []FieldRole{Total, PageSize, Page, Pages, Next, Previous, Offset, HasMore} {
				if fieldWords[r][folded] && folded != "from" && folded != "after" && folded != "size" {
					role = r
					break
				}
			}
		}
		if role != NoField {
			headers = append(headers, HeaderField{h.Name, role})
		}
	}
	return headers
}
