package contracts

import (
	"iter"

	"github.com/coldframe/coldframe/contracts/cases"
)

// maxSpread is up to how many cases are spread over all that there are. More are
// too many to be held; they are the first ones.
const maxSpread = 1_000

// some gives n of the cases, or all where there are no more, and calls rest with
// the number of those that it left out. They are in their order and evenly
// spread, so that the last places of a large request are tested as well as the
// first. Of a phase without end they are the first, and none is left out.
func some(n int, phase *Phase, all iter.Seq[*cases.Case], rest func(int)) iter.Seq[*cases.Case] {
	switch {
	case phase.Endless:
		return first(n, all)
	case n > maxSpread:
		return counted(n, all, rest)
	}
	return func(yield func(*cases.Case) bool) {
		kept, total := spread(n, all)
		for _, c := range kept {
			if !yield(c) {
				return
			}
		}
		if total > n {
			rest(total - n)
		}
	}
}

func first(n int, all iter.Seq[*cases.Case]) iter.Seq[*cases.Case] {
	return func(yield func(*cases.Case) bool) {
		i := 0
		for c := range all {
			if i++; i > n || !yield(c) {
				return
			}
		}
	}
}

// counted gives the first n, and tells how many more there are.
func counted(n int, all iter.Seq[*cases.Case], rest func(int)) iter.Seq[*cases.Case] {
	return func(yield func(*cases.Case) bool) {
		i := 0
		for c := range all {
			if i++; i <= n && !yield(c) {
				return
			}
		}
		if i > n {
			rest(i - n)
		}
	}
}

// spread gives n cases of all, evenly spread, and how many there are. It holds
// no more than two for each that it gives: when there are too many, every other
// one goes.
func spread(n int, all iter.Seq[*cases.Case]) (kept []*cases.Case, total int) {
	stride := 1
	for c := range all {
		if total%stride == 0 {
			if len(kept) == 2*n {
				for i := range n {
					kept[i] = kept[2*i]
				}
				clear(kept[n:])
				kept = kept[:n]
				if stride *= 2; total%stride != 0 {
					total++
					continue
				}
			}
			kept = append(kept, c)
		}
		total++
	}
	if len(kept) <= n {
		return kept, total
	}
	for i := range n {
		kept[i] = kept[i*len(kept)/n]
	}
	return kept[:n], total
}
