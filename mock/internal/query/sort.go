package query

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
)

// SortKey is a property that a list is sorted by.
type SortKey struct {
	Property   []string
	Descending bool
}

func isDescending(text string) bool {
	text = strings.ToLower(text)
	return text == "-1" || strings.HasPrefix(text, "desc")
}

// ages are names by which lists are sorted in the order in which their items
// were made, where no property is called so; true where the newest is first.
var ages = map[string]bool{
	"created": false, "createdat": false, "creation": false, "date": false, "time": false, "added": false, "id": false,
	"oldest": false,
	"newest": true, "latest": true, "recent": true, "new": true,
}

func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
}

// sortBy reads names with their directions. Names that items do not have are
// left out.
func (q *Query) sortBy(values []any, style resource.SortStyle, descending bool, properties []string) {
	q.NewestFirst = descending && len(values) == 0
	add := func(name string, down bool) {
		name = strings.TrimSpace(name)
		i := slices.Index(properties, name)
		if i < 0 {
			i = slices.IndexFunc(properties, func(property string) bool { return folded(property) == folded(name) })
		}
		if i >= 0 {
			q.Sort = append(q.Sort, SortKey{[]string{properties[i]}, down})
		} else if newest, ok := ages[folded(name)]; ok && len(q.Sort) == 0 {
			q.NewestFirst = newest != down
		}
	}
	for _, value := range values {
		text := textOf(value)
		if style == resource.Direction {
			q.NewestFirst = isDescending(text) // it does not say by what
			continue
		}
		if style == resource.Comma {
			name, direction, _ := strings.Cut(text, ",")
			add(name, isDescending(direction))
			continue
		}
		for name := range strings.SplitSeq(text, ",") {
			down := descending
			name = strings.TrimSpace(name)
			if rest, ok := strings.CutPrefix(name, "-"); ok {
				name, down = rest, true
			}
			name = strings.TrimPrefix(name, "+")
			for _, separator := range []string{":", " ", "_"} {
				at := strings.LastIndex(name, separator)
				if at < 0 {
					continue
				}
				word := strings.ToLower(name[at+1:])
				if slices.Contains([]string{"asc", "desc", "ascending", "descending"}, word) {
					name, down = name[:at], isDescending(word)
					break
				}
			}
			add(name, down)
		}
	}
}
