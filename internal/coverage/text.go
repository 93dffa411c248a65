package coverage

import (
	"fmt"
	"strings"
)

// Text gives the report for people: each operation with what was not used, then
// the sums.
func (r *Report) Text() string {
	var b strings.Builder
	for i := range r.Operations {
		o := &r.Operations[i]
		name := oneLine(o.Method + " " + o.Path)
		if o.Hits == 0 {
			fmt.Fprintf(&b, "%s: not used", name)
			if place := o.Place.String(); place != "" {
				fmt.Fprintf(&b, " (%s)", place)
			}
			fmt.Fprintf(&b, " with %d inside\n", len(o.Points))
			continue
		}
		fmt.Fprintf(&b, "%s: %d of %d, %.1f %%\n", name, o.Covered, o.Total, o.Percent)
		for _, m := range o.Missing() {
			fmt.Fprintf(&b, "  not used: %s\n", oneLine(m.String()))
		}
	}
	if len(r.Operations) > 0 {
		b.WriteByte('\n')
	}
	for _, k := range r.Kinds {
		if k.Total > 0 {
			fmt.Fprintf(&b, "%-18s %4d of %4d  %5.1f %%\n", k.Kind, k.Covered, k.Total, k.Percent)
		}
	}
	fmt.Fprintf(&b, "%-18s %4d of %4d  %5.1f %%\n", "all", r.Covered, r.Total, r.Percent)
	return b.String()
}

// oneLine keeps names of the document from breaking lines.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}
