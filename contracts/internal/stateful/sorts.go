package stateful

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
)

// sorts asks for each order of a list that the document offers.
func sorts(t *tester) {
	b := t.binding(resource.List)
	if b == nil || b.List == nil {
		return
	}
	by := paramOf(b, resource.Sort)
	if by == nil || by.Sort == resource.Direction {
		return
	}
	scope := t.scope(b, "")
	if scope == nil {
		return
	}
	if !t.ReadOnly {
		for range 3 {
			if t.create(scope, request{all: true, title: "create an item to be sorted"}) == nil {
				break
			}
		}
	}
	direction := paramOf(b, resource.SortDirection)
	builder := t.Builder(b.Operation)
	for _, p := range t.resource.Properties {
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
					if builder.Takes(direction.Parameter.Name, name) {
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
			if !t.offers(by, word) {
				continue
			}
			var value any = word
			if !builder.Takes(by.Parameter.Name, value) {
				if value = []any{word}; !builder.Takes(by.Parameter.Name, value) {
					continue
				}
			}
			values[by.Parameter.Name] = value
			w := t.walk(scope, values, "the list sorted by "+word)
			if w == nil || !w.whole {
				continue
			}
			t.sorted(w, by, p.Name, word, down)
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
func (t *tester) offers(by *resource.Param, word string) bool {
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

// sorted looks whether a list is in the order of a property. Texts report only
// where every usual way to sort them is broken.
func (t *tester) sorted(w *walk, by *resource.Param, property, word string, down bool) {
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
			if a, ok := before.(string); ok && order != 0 && !agreed(a, value.(string), order) {
				before = value
				continue
			}
			if down {
				order = -order
			}
			if order > 0 {
				t.report("sort", "query."+by.Parameter.Name, fmt.Sprintf("sorted by %s, %s comes before %s", word, text(before), text(value)), w.pages...)
				return
			}
		}
		before = value
	}
}

// agreed reports whether programs agree on the order of two texts: byte by byte,
// whatever the letters' case, and without spaces and punctuation. They differ on
// foreign letters, and on numbers of several digits.
func agreed(a, b string, order int) bool {
	for _, as := range []func(string) string{strings.ToLower, lettersAndDigits} {
		if strings.Compare(as(a), as(b)) != order {
			return false
		}
	}
	return !beyondASCII(a) && !beyondASCII(b) && !numbered(lettersAndDigits(a), lettersAndDigits(b))
}

// lettersAndDigits gives what of a text decides first in most languages.
func lettersAndDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

func beyondASCII(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
}

// numbered reports whether two texts first differ in numbers of different
// length: some programs order them by value.
func numbered(a, b string) bool {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	for at > 0 && isDigit(a[at-1]) {
		at--
	}
	digits := func(text string) int {
		n := at
		for n < len(text) && isDigit(text[n]) {
			n++
		}
		return n - at
	}
	return digits(a) != digits(b)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
