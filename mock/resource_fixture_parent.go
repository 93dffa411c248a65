package mock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/mock/internal/state"
)

// orphans finds what stands below items that are missing.
func (p *planting) orphans(fixtures []fixture) {
	for _, f := range fixtures {
		at, wrong := p.plotOf(f)
		if wrong != nil || at.keeping == nil || at.values == nil {
			continue
		}
		for i, v := range at.binding.Scope {
			parent := p.kept[v.Parent]
			if v.Parent == nil || parent == nil || !parent.creates || v.Parent == at.resource && !at.resource.Singleton {
				continue
			}
			name := "/" + parent.Name
			if parent.Scoped {
				name = at.keeping.below(at.binding, i, parent.Name, func(variable string) string { return at.values[variable] })
			}
			if item, _ := p.in.Get(name, at.values[v.Name]); item == nil {
				p.findings = append(p.findings, *at.finding("no-such-parent", fmt.Sprintf("there is no item %q in %s, below which this stands; add it to the data%s",
					shorten(at.values[v.Name]), parent.Name, someKeys(p.in.View(), name))))
				break
			}
		}
	}
}

// someKeys names the first items of a collection, in parentheses.
func someKeys(v *state.View, collection string) string {
	var keys []string
	for _, item := range v.List(collection, 0, 5) {
		keys = append(keys, strconv.Quote(shorten(item.Key)))
	}
	if len(keys) == 0 {
		return ""
	}
	if v.Len(collection) > len(keys) {
		keys = append(keys, "…")
	}
	return " (it has " + strings.Join(keys, ", ") + ")"
}
