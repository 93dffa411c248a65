package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// maxDoubted is how many values that it does not believe a verdict keeps.
const maxDoubted = 60

// verdict is what a rule said of all values that it judged.
type verdict struct {
	judged, believed int
	doubted          []string
}

func (v *verdict) share() float64 { return 100 * float64(v.believed) / float64(max(1, v.judged)) }

// tally is the verdicts by the names of the rules.
type tally map[string]*verdict

func (t tally) count(rule string, believed bool, what func() string) {
	v := t[rule]
	if v == nil {
		v = &verdict{}
		t[rule] = v
	}
	if v.judged++; believed {
		v.believed++
	} else if len(v.doubted) < maxDoubted {
		v.doubted = append(v.doubted, what())
	}
}

// judge judges the answers of one document.
func (t tally) judge(ctx context.Context, d corpus.Document) error {
	return answers(ctx, d, func(a *answer) {
		if a.file {
			t.count("file", isFile(a.mediaType, a.bytes), func() string { return a.String() })
			return
		}
		a.walk(t.judgePlace)
	})
}

// judgePlace judges one value by all rules that apply to it.
func (t tally) judgePlace(p *place) {
	for i := range valueRules {
		r := &valueRules[i]
		if !r.when(p) {
			continue
		}
		if believed := r.believes(p); believed || !p.quoted() {
			t.count(r.name, believed, p.String)
		}
	}
	for i := range objectRules {
		if p.object == nil {
			return
		}
		r := &objectRules[i]
		if believed, applies := r.judge(p); applies {
			t.count(r.name, believed, p.String)
		}
	}
}

func (t tally) print(w io.Writer, only string, verbose bool) {
	names := slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(t[a].share(), t[b].share()), cmp.Compare(a, b))
	})
	fmt.Fprintf(w, "%-28s %8s %8s\n", "rule", "judged", "believed")
	all := verdict{}
	for _, name := range names {
		v := t[name]
		if only != "" && name != only {
			continue
		}
		all.judged += v.judged
		all.believed += v.believed
		fmt.Fprintf(w, "%-28s %8d %7.1f%%\n", name, v.judged, v.share())
		for _, doubted := range v.doubted {
			if verbose {
				fmt.Fprintln(w, "    "+doubted)
			}
		}
	}
	fmt.Fprintf(w, "%-28s %8d %7.1f%%\n", "all", all.judged, all.share())
}
