package query

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// MatchesText reports whether an item passes the filters and the search, as it is kept. It reads no more of
// the text than they are about: what a list leaves out is most of a large collection.
func (q *Query) MatchesText(text []byte) bool {
	for i := range q.Filters {
		if !q.Filters[i].MatchesText(text) {
			return false
		}
	}
	return q.Search == "" || !lacks(text, q.Search) && containsText(decoded(text), q.Search, 0)
}

// MatchesText reports whether an item passes the filter, as it is kept.
func (f *Filter) MatchesText(text []byte) bool {
	matches, _ := f.FindText(text)
	return matches
}

// FindText is MatchesText that also reports whether the item has the property.
func (f *Filter) FindText(text []byte) (matches, has bool) {
	raw := field(text, f.Property)
	if raw == nil {
		return f.Compare == resource.NotEqual, false
	}
	if f.Compare == resource.Equal || f.Compare == resource.NotEqual {
		if same, sure := f.equalsText(raw); sure {
			return same != (f.Compare == resource.NotEqual), true
		}
	}
	return f.matchesValue(decoded(raw)), true
}

// equalsText reports whether a scalar's text is a wanted value, where that can be told without reading it.
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

// plain reports whether a number is written as an integer, in the only way in which it can be.
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

// SortKeys gives what an item that is kept is sorted by, in into's room.
func (q *Query) SortKeys(text []byte, into []any) []any {
	into = into[:0]
	for _, key := range q.Sort {
		var value any
		if raw := field(text, key.Property); raw != nil {
			value = decoded(raw)
		}
		into = append(into, value)
	}
	return into
}

// OrderKeys compares two items by their SortKeys.
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

// field finds the text at a way down a compact JSON text, nil where there is none.
func field(text []byte, way []string) []byte {
	raw := text
	for _, name := range way {
		if len(raw) == 0 || raw[0] != '{' {
			return nil
		}
		var sure bool
		if raw, sure = member(raw, name); !sure { // it may be written with escapes
			if value, ok := resource.Get(decoded(text), way); ok {
				return jsontext.Append(nil, value)
			}
			return nil
		}
	}
	return raw
}

// member finds the text of an object's member, nil where there is none. It is not
// sure where names are written with escapes.
func member(text []byte, name string) (raw []byte, sure bool) {
	for i := 1; i < len(text) && text[i] == '"'; i++ {
		end := i + 1 + bytes.IndexByte(text[i+1:], '"')
		if end <= i || end+1 >= len(text) || text[end+1] != ':' || bytes.IndexByte(text[i:end], '\\') >= 0 {
			return nil, false
		}
		found := string(text[i+1:end]) == name
		begin := end + 2
		if i = begin + length(text[begin:]); i >= len(text) {
			return nil, false
		}
		if found {
			return text[begin:i], true
		}
		if text[i] == '}' {
			return nil, true
		}
	}
	return nil, len(text) == 2 // {}
}

func length(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// lacks reports that a text surely does not hold another one in lower case.
func lacks(text []byte, part string) bool {
	first := part[0]
	for i, c := range text {
		if c >= 0x80 || c == '\\' {
			return false // it may be written otherwise
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
