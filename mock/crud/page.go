package crud

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
)

// Page is a part of a list.
type Page struct {
	Total  int // items that the filters choose
	Offset int // of the first item shown
	Limit  int // most items on a page; 0 where a page holds all
	Count  int // items shown
	// Beyond is how many pages behind the last one was asked for.
	Beyond int
}

// PageOf says which part of a list of total items a query asks for; size is how
// many items a page has where the query does not say, 0 for all.
func (q *Query) PageOf(total, size int) Page {
	p := Page{Total: total, Limit: size}
	if q.Limit >= 0 {
		p.Limit = q.Limit
	}
	p.Offset = q.Offset
	if q.Paged {
		p.Offset = largest
		if p.Limit == 0 || q.Page < largest/p.Limit {
			p.Offset = q.Page * p.Limit
		}
		if p.Limit > 0 && p.Offset > total {
			p.Beyond = q.Page - total/p.Limit
		}
	}
	p.Offset = min(p.Offset, total)
	return p.sized(q.Limit == 0)
}

func (p Page) sized(none bool) Page {
	p.Count = p.Total - p.Offset
	if p.Limit > 0 || none {
		p.Count = min(p.Count, p.Limit)
	}
	return p
}

// From gives the page that begins at an offset.
func (p Page) From(offset int) Page {
	p.Offset = min(max(0, offset), p.Total)
	return p.sized(p.Limit == 0 && p.Count == 0)
}

func (p Page) hasNext() bool     { return p.Offset+p.Count < p.Total && p.Count > 0 }
func (p Page) hasPrevious() bool { return p.Offset > 0 }

// pages is how many pages there are; number is this one's, from 0.
func (p Page) pages() int {
	if p.Limit == 0 {
		return 1
	}
	return (p.Total + p.Limit - 1) / p.Limit
}

func (p Page) number() int {
	if p.Limit == 0 {
		return 0
	}
	return p.Offset/p.Limit + p.Beyond
}

func (p Page) lastOffset() int {
	if p.Limit == 0 || p.Total == 0 {
		return 0
	}
	return (p.Total - 1) / p.Limit * p.Limit
}

// cursorPrefix begins a cursor that holds an offset, before it is encoded.
const cursorPrefix = "offset:"

// CursorAt gives the cursor of a page that begins at an offset.
func CursorAt(offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorPrefix + strconv.Itoa(offset)))
}

// OffsetOf reads a cursor that CursorAt made, or a plain number.
func OffsetOf(cursor string) (int, bool) {
	text := cursor
	if decoded, err := base64.RawURLEncoding.DecodeString(cursor); err == nil {
		if rest, ok := strings.CutPrefix(string(decoded), cursorPrefix); ok {
			text = rest
		}
	}
	n := whole(text, -1)
	return n, n >= 0
}

// Links makes the addresses and cursors of other pages.
type Links struct {
	Address string // of this page, without the query
	Query   string // of this page
	Params  []resource.Param
	// ByKey gives the key of the item at an offset, where cursors are keys of
	// items; nil where they are the mock's own.
	ByKey func(offset int) string
}

// to gives the URL of the page that begins at an offset.
func (l *Links) to(p Page, offset int) string {
	values, _ := url.ParseQuery(l.Query)
	var by *resource.Param
	for i := range l.Params {
		param := &l.Params[i]
		switch param.Role {
		case resource.PageNumber, resource.Skip:
			by = param
		case resource.Cursor:
			if by == nil {
				by = param
			}
		case resource.CursorBefore:
			values.Del(param.Parameter.Name)
		}
	}
	if by == nil {
		return l.Address
	}
	name := by.Parameter.Name
	switch {
	case by.Role == resource.PageNumber:
		number := 0
		if p.Limit > 0 {
			number = offset / p.Limit
		}
		if !by.Zero {
			number++
		}
		values.Set(name, strconv.Itoa(number))
	case by.Role == resource.Skip:
		values.Set(name, strconv.Itoa(offset))
	case offset == 0:
		values.Del(name)
	default:
		values.Set(name, l.cursor(offset))
	}
	if encoded := values.Encode(); encoded != "" {
		return l.Address + "?" + encoded
	}
	return l.Address
}

// cursor names the place before the item at an offset.
func (l *Links) cursor(offset int) string {
	if l.ByKey != nil && offset > 0 {
		return l.ByKey(offset - 1)
	}
	return CursorAt(offset)
}

// value gives what a field of a list's answer says, false where it has nothing
// to say: there is no such page.
func (l *Links) value(p Page, f resource.Field) (any, bool) {
	number := func(n int) (any, bool) {
		text := strconv.Itoa(n)
		if f.Kind == resource.String {
			return text, true
		}
		return json.Number(text), true
	}
	limit := p.Limit
	if limit == 0 {
		limit = p.Count
	}
	base := 1
	for _, param := range l.Params {
		if param.Role == resource.PageNumber && param.Zero {
			base = 0
		}
	}
	to := func(offset int) (any, bool) {
		switch {
		case f.Link:
			return l.to(p, offset), true
		case f.Kind == resource.Integer || f.Kind == resource.Number:
			if l.has(resource.Skip) && !l.has(resource.PageNumber) {
				return number(offset)
			}
			return number(Page{Offset: offset, Limit: p.Limit}.number() + base)
		}
		return l.cursor(offset), true
	}
	switch f.Role {
	case resource.Total:
		return number(p.Total)
	case resource.Count:
		return number(p.Count)
	case resource.PageSize:
		return number(limit)
	case resource.Offset:
		return number(p.Offset)
	case resource.Page:
		return number(p.number() + base)
	case resource.Pages:
		return number(p.pages())
	case resource.HasMore:
		return p.hasNext(), true
	case resource.IsLast:
		return !p.hasNext(), true
	case resource.HasPrevious:
		return p.hasPrevious(), true
	case resource.IsFirst:
		return !p.hasPrevious(), true
	case resource.Next:
		if p.hasNext() {
			return to(p.Offset + p.Count)
		}
	case resource.Previous:
		if p.hasPrevious() {
			return to(max(0, p.Offset-limit))
		}
	case resource.First:
		return to(0)
	case resource.Last:
		return to(p.lastOffset())
	case resource.Self:
		return to(p.Offset)
	}
	return nil, false
}

// Describe puts what a list's answer says of the page into its body. fits
// reports whether a body is one that the document allows.
func (l *Links) Describe(body any, p Page, fields []resource.Field, fits func(any) bool) any {
	plain := body
	for _, f := range fields {
		value, ok := l.value(p, f)
		if !ok {
			body = absent(body, f)
			continue
		}
		body = resource.Set(body, f.Path, value)
	}
	if fits(body) {
		return body
	}
	for _, f := range fields { // one by one, and what is not to be had in any way stays
		value, ok := l.value(p, f)
		candidates := []any{resource.Set(plain, f.Path, value)}
		if !ok {
			candidates = []any{resource.Set(plain, f.Path, nil), without(plain, f.Path), resource.Set(plain, f.Path, "")}
		}
		for _, candidate := range candidates {
			if fits(candidate) {
				plain = candidate
				break
			}
		}
	}
	return plain
}

// absent says that there is no such page: with null where the document allows
// it, else by leaving the field out, with the object that holds nothing but it.
func absent(body any, f resource.Field) any {
	if f.Null {
		return resource.Set(body, f.Path, nil)
	}
	rest := without(body, f.Path)
	if last := len(f.Path) - 1; f.Link && last > 0 {
		if around, ok := resource.Get(rest, f.Path[:last]); ok {
			if object, ok := around.(map[string]any); ok && len(object) == 0 && linkName(f.Path[last]) {
				return without(rest, f.Path[:last])
			}
		}
	}
	return rest
}

// linkName reports whether a member is the address of a link that is an object,
// as in {"next": {"href": "…"}}.
func linkName(name string) bool { return name == "href" || name == "url" || name == "uri" }

func without(body any, path []string) any {
	rest, _, err := remove(body, path)
	if err != nil {
		return body
	}
	return rest
}

// Header gives the field of a list's answer that says something of the page, ""
// where it has nothing to say.
func (l *Links) Header(p Page, h resource.HeaderField) string {
	if h.Role != resource.Relations {
		value, _ := l.value(p, resource.Field{Role: h.Role, Kind: resource.String, Link: true})
		text, _ := Text(value)
		return text
	}
	var links []string
	add := func(relation string, offset int) { // RFC 8288
		links = append(links, "<"+l.to(p, offset)+`>; rel="`+relation+`"`)
	}
	limit := p.Limit
	if limit == 0 {
		limit = p.Count
	}
	if p.hasNext() {
		add("next", p.Offset+p.Count)
	}
	if p.hasPrevious() {
		add("prev", max(0, p.Offset-limit))
	}
	if l.has(resource.PageNumber) || l.has(resource.Skip) {
		add("first", 0)
		add("last", p.lastOffset())
	}
	return strings.Join(links, ", ")
}

func (l *Links) has(role resource.ParamRole) bool {
	for _, p := range l.Params {
		if p.Role == role {
			return true
		}
	}
	return false
}
