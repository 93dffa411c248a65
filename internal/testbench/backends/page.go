package backends

import (
	"encoding/json"
	"slices"
)

// page cuts the items of one page out of all.
func page(items []*item, offset, limit int) []*item {
	from := min(max(offset, 0), len(items))
	return items[from : from+min(max(limit, 0), len(items)-from)]
}

// sorted orders items by a property; those without it come last, equal ones
// stay in the order in which they were made.
func sorted(items []*item, name string, down bool) []*item {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b *item) int {
		x, hasX := a.values[name]
		y, hasY := b.values[name]
		switch {
		case !hasX && !hasY:
			return 0
		case !hasX:
			return 1
		case !hasY:
			return -1
		}
		if down {
			x, y = y, x
		}
		return order(x, y)
	})
	return items
}

func order(x, y any) int {
	if a, ok := x.(json.Number); ok {
		b, _ := y.(json.Number)
		return rational(a).Cmp(rational(b))
	}
	a, _ := x.(string)
	b, _ := y.(string)
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// kept returns the items that fit.
func kept(items []*item, fits func(*item) bool) []*item {
	var all []*item
	for _, i := range items {
		if fits(i) {
			all = append(all, i)
		}
	}
	return all
}

// bodies returns what items look like in answers.
func bodies(items []*item, show func(*item) map[string]any) []any {
	all := make([]any, len(items))
	for i, it := range items {
		all[i] = show(it)
	}
	return all
}
