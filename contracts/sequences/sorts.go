package sequences

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
)

// sorts asks for each order of a list that the document offers.
func sorts(s *story) {
	b := s.binding(resource.List)
	if b == nil || b.List == nil {
		return
	}
	by := paramOf(b, resource.Sort)
	if by == nil || by.Sort == resource.Direction {
		return
	}
	scope := s.scope(b, "")
	if scope == nil {
		return
	}
	if !s.ReadOnly {
		for range 3 {
			if s.create(scope, request{all: true, title: "create an item to be sorted"}) == nil {
				break
			}
		}
	}
	direction := paramOf(b, resource.SortDirection)
	maker := s.Maker(b.Operation)
	for _, p := range s.resource.Properties {
		for _, down := range []bool{false, true} {
			values := map[string]any{}
			word := p.Name
			switch {
			case by.Sort == resource.Separate && direction != nil:
				for _, d := range [][2]string{{"asc", "desc"}, {"ASC", "DESC"}, {"ascending", "descending"}} {
					name := d[0]
					if down {
						name = d[1]
					}
					if maker.Takes(direction.Parameter.Name, name) {
						values[direction.Parameter.Name] = name
						break
					}
				}
				if len(values) == 0 {
					continue
				}
			case by.Sort == resource.Minus && down:
				word = "-" + word
			case by.Sort == resource.Colon:
				word += ":" + directionOf(down)
			case by.Sort == resource.Comma:
				word += "," + directionOf(down)
			case by.Sort == resource.Space:
				word += " " + directionOf(down)
			case by.Sort == resource.Under:
				word += "_" + directionOf(down)
			}
			if !s.offers(by, word) {
				continue
			}
			var value any = word
			if !maker.Takes(by.Parameter.Name, value) {
				if value = []any{word}; !maker.Takes(by.Parameter.Name, value) {
					continue
				}
			}
			values[by.Parameter.Name] = value
			w := s.walk(scope, values, "the list sorted by "+word)
			if w == nil || !w.whole {
				continue
			}
			s.sorted(w, by, p.Name, word, down)
		}
	}
}

func directionOf(down bool) string {
	if down {
		return "desc"
	}
	return "asc"
}

// offers reports whether the document says that lists can be sorted by a word: in
// an enum or a pattern, or in the parameter's description.
func (s *story) offers(by *resource.Param, word string) bool {
	schema := by.Parameter.Schema
	if schema == nil {
		return false
	}
	k := resolved(schema.Keywords)
	if k.Items2020 != nil {
		k = resolved(k.Items2020)
	}
	return k.Enum != nil || k.Pattern != nil
}

// sorted looks whether a list is in the order of a property. Texts are compared
// whatever their case, as many sort so, and only accuse where both orders are
// broken.
func (s *story) sorted(w *walk, by *resource.Param, property, word string, down bool) {
	var before any
	for _, item := range w.items {
		value, ok := resource.Get(item, []string{property})
		if !ok || value == nil {
			continue // programs differ on where these go
		}
		if before != nil {
			order, comparable := compareValues(before, value)
			if !comparable {
				return
			}
			if a, ok := before.(string); ok && order != 0 {
				b := value.(string)
				folded := strings.Compare(strings.ToLower(a), strings.ToLower(b))
				if folded*order <= 0 { // letters' case or foreign letters decide: programs differ
					before = value
					continue
				}
				if !plain(a) || !plain(b) {
					before = value
					continue
				}
			}
			if down {
				order = -order
			}
			if order > 0 {
				s.accuse("sort", "query."+by.Parameter.Name, fmt.Sprintf("sorted by %s, %s comes before %s", word, text(before), text(value)), w.pages...)
				return
			}
		}
		before = value
	}
}

// plain reports whether a text has ASCII letters and digits only, which all
// programs sort alike.
func plain(text string) bool {
	return strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-:") == ""
}
