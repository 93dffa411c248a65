package query

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// Text is a stored item: compact JSON, with a cache of its members. Members may be nil.
type Text struct {
	JSON    []byte
	Members *jsontext.Members
}

// MatchesText reports whether a stored item passes the filters and the search. It reads only the relevant members,
// because most items of a large collection do not match.
func (q *Query) MatchesText(item Text) bool {
	for i := range q.Filters {
		if !q.Filters[i].MatchesText(item) {
			return false
		}
	}
	return q.Search == "" || !lacks(item.JSON, q.Search) && containsText(decoded(item.JSON), q.Search, 0)
}

// MatchesText reports whether a stored item passes the filter.
func (f *Filter) MatchesText(item Text) bool {
	matches, _ := f.FindText(item)
	return matches
}

// FindText is MatchesText and also reports whether the item has the property.
func (f *Filter) FindText(item Text) (matches, has bool) {
	raw := item.field(f.Property)
	if raw == nil {
		return f.matchesValue(nil), false
	}
	if f.Compare == resource.Equal || f.Compare == resource.NotEqual {
		if same, sure := f.equalsText(raw); sure {
			return same != (f.Compare == resource.NotEqual) != f.Inverse, true
		}
	}
	return f.matchesValue(decoded(raw)), true
}

// equalsText reports whether a scalar's text is one of the values; sure is false if that needs decoding.
func (f *Filter) equalsText(raw []byte) (same, sure bool) {
	number := false
	switch c := raw[0]; {
	case c == '"':
		if bytes.IndexByte(raw, '\\') >= 0 {
			return false, false
		}
		raw = raw[1 : len(raw)-1]
	case c == '-' || c >= '0' && c <= '9':
		number = true
	case c == '{' || c == '[' || c == 'n':
		return false, false
	}
	for _, wanted := range f.Values {
		switch w := wanted.(type) {
		case string:
			if w == string(raw) {
				return true, true
			}
		case json.Number:
			isPlain := !number || plain(raw) && plain(w)
			if string(w) == string(raw) || !isPlain && jsonvalue.CompareNumbers(string(raw), string(w)) == 0 {
				return true, true
			}
		default:
			if text, ok := jsonvalue.Text(w); ok && text == string(raw) {
				return true, true
			}
		}
	}
	return false, true
}

// plain reports whether a number has the canonical form of an integer.
func plain[T string | json.Number | []byte](number T) bool {
	if number[0] == '-' {
		return false // -0 is 0
	}
	for i := range len(number) {
		if number[i] < '0' || number[i] > '9' {
			return false
		}
	}
	return true
}

// AppendKeys appends the sort keys of a stored item: a value for each of Sort.
func (q *Query) AppendKeys(keys []any, item Text) []any {
	for _, key := range q.Sort {
		var value any
		if raw := item.field(key.Property); raw != nil {
			value = decoded(raw)
		}
		if at := slices.IndexFunc(key.Values, func(v any) bool { return jsonvalue.Same(v, value) }); at >= 0 {
			value = json.Number(strconv.Itoa(at))
		}
		keys = append(keys, value)
	}
	return keys
}

// OrderKeys compares two items by their sort keys.
func (q *Query) OrderKeys(a, b []any) int {
	for i, key := range q.Sort {
		c := jsonvalue.Order(a[i], b[i])
		if key.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

func decoded(text []byte) any {
	value, _ := jsontext.Decode(string(text))
	return value
}

// field returns the text at a path in an item, nil if none.
func (t Text) field(way []string) []byte {
	raw, members := t.JSON, t.Members
	for _, name := range way {
		if len(raw) == 0 || raw[0] != '{' {
			return nil
		}
		var sure bool
		if raw, sure = members.Find(raw, name); !sure { // its name may have escapes
			if value, ok := jsonvalue.Property(decoded(t.JSON), way); ok {
				return jsontext.Append(nil, value)
			}
			return nil
		}
		members = nil
	}
	return raw
}

// lacks reports that a text certainly does not contain part, which is in lower case.
func lacks(text []byte, part string) bool {
	first := part[0]
	for i, c := range text {
		if c >= 0x80 || c == '\\' {
			return false // it may contain it in another form
		}
		if c|0x20 != first|0x20 || len(text)-i < len(part) {
			continue
		}
		if strings.EqualFold(string(text[i:i+len(part)]), part) {
			return false
		}
	}
	return true
}
