package impact

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// emptied makes a page of a list empty, with what the body and the header say of it.
func emptied(l *resource.Listing, body any, h http.Header) any {
	body = jsonvalue.WithProperty(body, l.Items.Path, []any{})
	for _, f := range l.Fields {
		switch f.Role {
		case resource.Total, resource.Count, resource.Pages, resource.FirstItem:
			body = setNumber(body, f, 0)
		case resource.IsEmpty:
			body = set(body, f, true)
		}
	}
	for _, f := range l.Header {
		if f.Role == resource.Total || f.Role == resource.Count || f.Role == resource.Pages {
			h.Set(f.Name, "0")
		}
	}
	return ended(l, body, h)
}

// last makes a page of a list the last one. It returns nil if it already was the last one.
func last(l *resource.Listing, body any, h http.Header) any {
	list, _ := jsonvalue.Property(body, l.Items.Path)
	items, _ := list.([]any)
	page, size, before := 1, len(items), -1
	for _, f := range l.Fields {
		n, ok := number(body, f)
		switch {
		case !ok:
		case f.Role == resource.Page:
			page = n
		case f.Role == resource.PageSize:
			size = n
		case f.Role == resource.Offset:
			before = n
		}
	}
	if before < 0 {
		before = (page - 1) * size
	}
	follows := false
	for _, f := range l.Fields {
		value, there := jsonvalue.Property(body, f.Path)
		n, _ := number(body, f)
		switch f.Role {
		case resource.Next:
			follows = follows || there && value != nil
		case resource.HasMore:
			follows = follows || value == true
		case resource.IsLast:
			follows = follows || value == false
		case resource.Pages:
			follows = follows || n > page
			body = setNumber(body, f, page)
		case resource.Total:
			follows = follows || n > before+len(items)
			body = setNumber(body, f, before+len(items))
		}
	}
	for _, f := range l.Header {
		switch f.Role {
		case resource.Next, resource.Relations:
			follows = follows || h.Get(f.Name) != ""
		case resource.Total:
			n, err := strconv.Atoi(h.Get(f.Name))
			follows = follows || err == nil && n > before+len(items)
			h.Set(f.Name, strconv.Itoa(before+len(items)))
		}
	}
	if !follows {
		return nil
	}
	return ended(l, body, h)
}

// ended removes what leads to a next page.
func ended(l *resource.Listing, body any, h http.Header) any {
	for _, f := range l.Fields {
		switch _, there := jsonvalue.Property(body, f.Path); {
		case !there:
		case f.Role == resource.Next && f.Null:
			body = set(body, f, nil)
		case f.Role == resource.Next:
			if without, _, err := jsonvalue.Remove(body, f.Path); err == nil {
				body = without
			}
		case f.Role == resource.HasMore:
			body = set(body, f, false)
		case f.Role == resource.IsLast:
			body = set(body, f, true)
		}
	}
	for _, f := range l.Header {
		if f.Role == resource.Next || f.Role == resource.Relations {
			h.Del(f.Name)
		}
	}
	return body
}

// set sets a field that the body has.
func set(body any, f resource.Field, to any) any {
	if _, there := jsonvalue.Property(body, f.Path); there {
		return jsonvalue.WithProperty(body, f.Path, to)
	}
	return body
}

// setNumber sets a field to a number, as a text if it was one.
func setNumber(body any, f resource.Field, n int) any {
	value, _ := jsonvalue.Property(body, f.Path)
	if _, isText := value.(string); isText {
		return set(body, f, strconv.Itoa(n))
	}
	return set(body, f, json.Number(strconv.Itoa(n)))
}

// number returns the number that a field holds.
func number(body any, f resource.Field) (int, bool) {
	value, _ := jsonvalue.Property(body, f.Path)
	text, ok := jsonvalue.Text(value)
	n, err := strconv.Atoi(text)
	return n, ok && err == nil
}
