package contracts

import (
	"cmp"

	"github.com/coldframe/coldframe/contracts/internal/checks"
)

// before orders findings: errors first, causes before what they lead to, then by
// operation. index is that of operations in the document.
func before(index map[string]int, a, b *Finding) int {
	rankA, rowA := rankOf(a.Check)
	rankB, rowB := rankOf(b.Check)
	return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(rankA, rankB), rowA-rowB, cmp.Compare(index[a.Operation], index[b.Operation]),
		cmp.Compare(a.Check, b.Check), cmp.Compare(a.About, b.About), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// rankOf gives a check's rank, and the order within it: stateful checks have the
// table's.
func rankOf(id string) (rank checks.Rank, row int) {
	c, row := checks.Find(id)
	switch {
	case c == nil:
		return checks.RankAnswer, 0
	case c.Stateful():
		return c.Rank, row
	}
	return c.Rank, 0
}
