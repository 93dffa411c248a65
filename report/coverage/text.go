package coverage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/report/exchange"
)

// Text returns the report for people: each operation with its unused parts, then the sums.
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

// oneLine prevents names in the document from breaking lines.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
}

type tracedFile struct {
	lines     map[int]uint64
	functions []function
	branches  map[int][]uint64
}

type function struct {
	line int
	name string
	hits uint64
}

// LCOV returns the report as a tracefile (geninfo(1)) on the lines of the document: operations are its functions,
// enum values its branches. Points on the same line are added up.
func (r *Report) LCOV() string {
	files := map[string]*tracedFile{}
	at := func(p exchange.Place) *tracedFile {
		if p.File == "" || p.Line == 0 {
			return nil
		}
		f := files[p.File]
		if f == nil {
			f = &tracedFile{lines: map[int]uint64{}, branches: map[int][]uint64{}}
			files[p.File] = f
		}
		return f
	}
	// A part that operations share, such as a value of a schema, is one branch.
	type place struct {
		file         string
		line, column int
	}
	branches := map[place]uint64{}
	for _, o := range r.Operations {
		if f := at(o.Place); f != nil {
			f.lines[o.Line] += o.Hits
			f.functions = append(f.functions, function{o.Line, oneLine(o.Method + " " + o.Path), o.Hits})
		}
		for _, p := range o.Points {
			if f := at(p.Place); f != nil {
				f.lines[p.Line] += p.Hits
				if p.Kind == KindValue {
					branches[place{p.File, p.Line, p.Column}] += p.Hits
				}
			}
		}
	}
	for _, p := range slices.SortedFunc(maps.Keys(branches), func(a, b place) int { return a.column - b.column }) {
		f := files[p.file]
		f.branches[p.line] = append(f.branches[p.line], branches[p])
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		files[name].write(&b, name)
	}
	return b.String()
}

func (f *tracedFile) write(b *strings.Builder, name string) {
	fmt.Fprintf(b, "TN:coldframe\nSF:%s\n", oneLine(name))
	found, hit := 0, 0
	count := func(hits uint64) {
		found++
		if hits > 0 {
			hit++
		}
	}
	sums := func(kind string) {
		fmt.Fprintf(b, "%sF:%d\n%sH:%d\n", kind, found, kind, hit)
		found, hit = 0, 0
	}
	slices.SortStableFunc(f.functions, func(a, b function) int { return a.line - b.line })
	for _, fn := range f.functions {
		fmt.Fprintf(b, "FN:%d,%s\n", fn.line, fn.name)
	}
	for _, fn := range f.functions {
		fmt.Fprintf(b, "FNDA:%d,%s\n", fn.hits, fn.name)
		count(fn.hits)
	}
	sums("FN")
	for _, line := range slices.Sorted(maps.Keys(f.branches)) {
		for i, hits := range f.branches[line] {
			text := "-" // the line was never reached
			if f.lines[line] > 0 {
				text = fmt.Sprint(hits)
			}
			fmt.Fprintf(b, "BRDA:%d,0,%d,%s\n", line, i, text)
			count(hits)
		}
	}
	sums("BR")
	for _, line := range slices.Sorted(maps.Keys(f.lines)) {
		fmt.Fprintf(b, "DA:%d,%d\n", line, f.lines[line])
		count(f.lines[line])
	}
	sums("L")
	b.WriteString("end_of_record\n")
}
