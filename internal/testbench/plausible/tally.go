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

// verdict is what a rule said of all values that it judged. A value that it does not believe is neutral if it claims
// nothing, as "Subject C" for a subject, and wrong otherwise.
type verdict struct {
	judged, believed, neutral int
	doubted                   []string
}

func (v *verdict) share(n int) float64 { return 100 * float64(n) / float64(max(1, v.judged)) }

// wrong returns the share of wrong values in percent.
func (v *verdict) wrong() float64 { return v.share(v.judged - v.believed - v.neutral) }

// tally is the verdicts by the names of the rules.
type tally map[string]*verdict

func (t tally) count(rule string, believed, neutral bool, what func() string) {
	v := t[rule]
	if v == nil {
		v = &verdict{}
		t[rule] = v
	}
	v.judged++
	switch {
	case believed:
		v.believed++
	case neutral:
		v.neutral++
	case len(v.doubted) < maxDoubted:
		v.doubted = append(v.doubted, what())
	}
}

// all returns the sum of all verdicts.
func (t tally) all() *verdict {
	sum := &verdict{}
	for _, v := range t {
		sum.judged += v.judged
		sum.believed += v.believed
		sum.neutral += v.neutral
	}
	return sum
}

// judge judges the answers of one document.
func (t tally) judge(ctx context.Context, d corpus.Document) error {
	return answers(ctx, d, func(a *answer) {
		if a.file {
			t.count("file", isFile(a.mediaType, a.bytes), false, func() string { return a.String() })
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
			t.count(r.name, believed, p.isNeutral(), p.String)
		}
	}
	for i := range objectRules {
		if p.object == nil {
			return
		}
		r := &objectRules[i]
		if believed, applies := r.judge(p); applies {
			t.count(r.name, believed, false, p.String)
		}
	}
}

func (t tally) print(w io.Writer, only string, verbose bool) {
	names := slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(t[b].wrong(), t[a].wrong()), cmp.Compare(a, b))
	})
	line := func(name string, v *verdict) {
		believed, neutral := v.share(v.believed), v.share(v.neutral)
		fmt.Fprintf(w, "%-28s %8d %8.1f%% %8.1f%% %8.1f%%\n", name, v.judged, believed, neutral, v.wrong())
	}
	fmt.Fprintf(w, "%-28s %8s %9s %9s %9s\n", "rule", "judged", "believed", "neutral", "wrong")
	for _, name := range names {
		if only != "" && name != only {
			continue
		}
		line(name, t[name])
		for _, doubted := range t[name].doubted {
			if verbose {
				fmt.Fprintln(w, "    "+doubted)
			}
		}
	}
	if only == "" {
		line("all", t.all())
	}
}
