package query

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
)

// Page is a page of a list.
type Page struct {
	Total  int // items after filtering
	Offset int // index of the first item shown
	Limit  int // size of a page; 0 if all items are on one page
	Count  int // number of items shown
	Sorted bool
	// Beyond is the number of pages between the last page and the requested one.
	Beyond int
}

// PageOf returns the page of a list with total items that a query asks for. size is the default size of a page, 0 for
// all items.
func (q *Query) PageOf(total, size int) Page {
	p := Page{Total: total, Limit: size, Sorted: q.OrderSent || len(q.Sort) > 0}
	if q.Limit >= 0 {
		p.Limit = q.Limit
	}
	p.Offset = q.Offset
	if q.ByPage {
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

// AtCursor moves a page to the query's cursor. index returns the index of an item's key, -1 if none; it is
// nil if cursors are not keys.
func (q *Query) AtCursor(p Page, index func(key string) int) Page {
	cursor, at, isKey := cmp.Or(q.After, q.Before), -1, false
	if cursor != "" && index != nil {
		at = index(cursor)
		isKey = at >= 0
	}
	if cursor != "" && !isKey {
		at = offsetOf(cursor)
	}
	switch {
	case at < 0:
		return p
	case q.After != "" && isKey:
		return p.from(at + 1)
	case q.After != "":
		return p.from(at)
	}
	begin := 0
	if p.Limit > 0 {
		begin = max(0, at-p.Limit)
	}
	p = p.from(begin)
	p.Count = min(p.Count, max(0, at-begin))
	return p
}

func (p Page) from(offset int) Page {
	p.Offset = min(max(0, offset), p.Total)
	return p.sized(p.Limit == 0 && p.Count == 0)
}

func (p Page) hasNext() bool { return p.Offset+p.Count < p.Total && p.Count > 0 }

func (p Page) hasPrevious() bool { return p.Offset > 0 }

func (p Page) size() int { return cmp.Or(p.Limit, p.Count) }

func (p Page) previous() offset { return offset(max(0, p.Offset-p.size())) }

// pages returns the number of pages; number returns this page's, from 0.
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

const cursorPrefix = "offset:"

func cursorAt(offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorPrefix + strconv.Itoa(offset)))
}

// offsetOf parses a cursor made by cursorAt, or a plain number; -1 if it is neither.
func offsetOf(cursor string) int {
	if decoded, err := base64.RawURLEncoding.DecodeString(cursor); err == nil {
		if rest, ok := strings.CutPrefix(string(decoded), cursorPrefix); ok {
			cursor = rest
		}
	}
	return wholeNumber(cursor, -1)
}

// Links computes the addresses and cursors of other pages.
type Links struct {
	Address string // of this page, without the query
	Query   string // of this page
	Params  []resource.Param
	// ByKey returns the key of the item at an index, if cursors are keys of items; nil if they are the mock's own.
	ByKey func(offset int) string
}

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
			values.Del(param.QueryName())
		}
	}
	if by == nil {
		return l.Address
	}
	name := by.QueryName()
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

func (l *Links) cursor(offset int) string {
	if l.ByKey != nil && offset > 0 {
		return l.ByKey(offset - 1)
	}
	return cursorAt(offset)
}

// values return the values of a list response's fields by role, false if there is no such page: a number, a boolean,
// or the offset of a page.
var values = [...]func(l *Links, p Page) (value any, ok bool){
	resource.Total:       func(_ *Links, p Page) (any, bool) { return p.Total, true },
	resource.Count:       func(_ *Links, p Page) (any, bool) { return p.Count, true },
	resource.PageSize:    func(_ *Links, p Page) (any, bool) { return p.size(), true },
	resource.Offset:      func(_ *Links, p Page) (any, bool) { return p.Offset, true },
	resource.Page:        func(l *Links, p Page) (any, bool) { return p.number() + l.firstPage(), true },
	resource.Pages:       func(_ *Links, p Page) (any, bool) { return p.pages(), true },
	resource.HasMore:     func(_ *Links, p Page) (any, bool) { return p.hasNext(), true },
	resource.IsLast:      func(_ *Links, p Page) (any, bool) { return !p.hasNext(), true },
	resource.IsEmpty:     func(_ *Links, p Page) (any, bool) { return p.Count == 0, true },
	resource.IsSorted:    func(_ *Links, p Page) (any, bool) { return p.Sorted, true },
	resource.IsUnsorted:  func(_ *Links, p Page) (any, bool) { return !p.Sorted, true },
	resource.HasPrevious: func(_ *Links, p Page) (any, bool) { return p.hasPrevious(), true },
	resource.IsFirst:     func(_ *Links, p Page) (any, bool) { return !p.hasPrevious(), true },
	resource.Next:        func(_ *Links, p Page) (any, bool) { return offset(p.Offset + p.Count), p.hasNext() },
	resource.Previous:    func(_ *Links, p Page) (any, bool) { return p.previous(), p.hasPrevious() },
	resource.First:       func(_ *Links, p Page) (any, bool) { return offset(0), true },
	resource.Last:        func(_ *Links, p Page) (any, bool) { return offset(p.lastOffset()), true },
	resource.FirstItem:   func(_ *Links, p Page) (any, bool) { return p.Offset + 1, p.Count > 0 },
	resource.LastItem:    func(_ *Links, p Page) (any, bool) { return p.Offset + p.Count, p.Count > 0 },
	resource.Self:        func(_ *Links, p Page) (any, bool) { return offset(p.Offset), true },
}

type offset int

// value returns the value of a field, false if it has none.
func (l *Links) value(p Page, f resource.Field) (any, bool) {
	if int(f.Role) >= len(values) || values[f.Role] == nil {
		return nil, false
	}
	value, ok := values[f.Role](l, p)
	if f.Alone {
		value = p.Total
	}
	at, isPage := value.(offset)
	if !ok || !isPage {
		return asKind(value, f.Kind), ok
	}
	switch {
	case f.Link:
		return l.to(p, int(at)), true
	case f.Kind != schema.Integer && f.Kind != schema.Number:
		return l.cursor(int(at)), true
	case l.has(resource.Skip) && !l.has(resource.PageNumber):
		return asKind(int(at), f.Kind), true
	}
	return asKind(Page{Offset: int(at), Limit: p.Limit}.number()+l.firstPage(), f.Kind), true
}

func asKind(value any, kind schema.Type) any {
	n, ok := value.(int)
	switch {
	case !ok:
		return value
	case kind == schema.String:
		return strconv.Itoa(n)
	}
	return json.Number(strconv.Itoa(n))
}

func (l *Links) firstPage() int {
	if slices.ContainsFunc(l.Params, func(p resource.Param) bool { return p.Role == resource.PageNumber && p.Zero }) {
		return 0
	}
	return 1
}

func (l *Links) has(role resource.ParamRole) bool {
	return slices.ContainsFunc(l.Params, func(p resource.Param) bool { return p.Role == role })
}

// Describe sets the fields of a list response's body that describe the page. fits reports whether the document allows
// a body.
func (l *Links) Describe(body any, p Page, fields []resource.Field, fits func(any) bool) any {
	plain := body
	for _, f := range fields {
		if value, ok := l.value(p, f); ok {
			body = jsonvalue.WithProperty(body, f.Path, value)
		} else {
			body = absent(body, f)
		}
	}
	if fits(body) {
		return body
	}
	for _, f := range fields { // one by one; a field without an allowed value is not changed
		value, ok := l.value(p, f)
		candidates := []any{jsonvalue.WithProperty(plain, f.Path, value)}
		if !ok {
			candidates = []any{
				jsonvalue.WithProperty(plain, f.Path, nil), without(plain, f.Path), jsonvalue.WithProperty(plain, f.Path, ""),
			}
		}
		if i := slices.IndexFunc(candidates, fits); i >= 0 {
			plain = candidates[i]
		}
	}
	return plain
}

// absent marks a missing page: with null if the document allows it, else by removing the field and the objects that
// contain nothing else, as in {"next": {"href": "…"}}.
func absent(body any, f resource.Field) any {
	if f.Null {
		return jsonvalue.WithProperty(body, f.Path, nil)
	}
	rest := without(body, f.Path)
	if last := len(f.Path) - 1; f.Link && last > 0 {
		around, _ := jsonvalue.Property(rest, f.Path[:last])
		object, ok := around.(map[string]any)
		if ok && len(object) == 0 {
			return without(rest, f.Path[:last])
		}
	}
	return rest
}

func without(body any, path []string) any {
	rest, _, err := jsonvalue.Remove(body, path)
	if err != nil {
		return body
	}
	return rest
}

// Header returns the value of a header field that describes the page, "" if it has none.
func (l *Links) Header(p Page, h resource.HeaderField) string {
	if h.Role != resource.Relations {
		value, _ := l.value(p, resource.Field{Role: h.Role, Kind: schema.String, Link: true})
		text, _ := jsonvalue.Text(value)
		return text
	}
	var links []string
	add := func(relation string, at offset) { // RFC 8288
		links = append(links, "<"+l.to(p, int(at))+`>; rel="`+relation+`"`)
	}
	if p.hasNext() {
		add("next", offset(p.Offset+p.Count))
	}
	if p.hasPrevious() {
		add("prev", p.previous())
	}
	if l.has(resource.PageNumber) || l.has(resource.Skip) {
		add("first", 0)
		add("last", offset(p.lastOffset()))
	}
	return strings.Join(links, ", ")
}
