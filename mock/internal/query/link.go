package query

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
)

// cursorPrefix begins a cursor that holds an offset, before it is encoded.
const cursorPrefix = "offset:"

// cursorAt gives the cursor of a page that begins at an offset.
func cursorAt(offset int) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorPrefix + strconv.Itoa(offset)))
}

// offsetOf reads a cursor that cursorAt made, or a plain number.
func offsetOf(cursor string) (int, bool) {
	text := cursor
	if decoded, err := base64.RawURLEncoding.DecodeString(cursor); err == nil {
		if rest, ok := strings.CutPrefix(string(decoded), cursorPrefix); ok {
			text = rest
		}
	}
	n := wholeNumber(text, -1)
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
	return cursorAt(offset)
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

func (l *Links) has(role resource.ParamRole) bool {
	for _, p := range l.Params {
		if p.Role == role {
			return true
		}
	}
	return false
}
