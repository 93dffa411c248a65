package contracts

import (
	"cmp"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
)

// Findings are in an order in which causes come before what they lead to: a
// request that is wrongly accepted before the lists that show what it made, a
// wrong status before what the answer holds, and an answer that is wrong by
// itself before what several tell together.
const (
	rankCause = iota
	rankStatus
	rankAnswer
	rankTold
)

var ranks = map[string]int{
	"credentials-ignored": rankCause, "invalid-accepted": rankCause, "server-error": rankCause, "answer": rankCause, "request": rankCause,
	"status-documented": rankStatus, "refusal-documented": rankStatus, "redirect": rankStatus, "valid-refused": rankStatus,
	"credentials-status": rankStatus, "method": rankStatus, "media-type": rankStatus, "encoding": rankStatus,
}

// rankOf gives when a check's findings come, and when among those of its rank.
func rankOf(id string) (rank, row int) {
	row = slices.IndexFunc(checks.All(), func(c *checks.Check) bool { return c.ID == id })
	if rank, ok := ranks[id]; ok {
		return rank, 0
	}
	if row >= 0 && checks.All()[row].Stateful() {
		return rankTold, row
	}
	return rankAnswer, 0
}

// before orders findings; index is that of operations in the document.
func before(index map[string]int, a, b *Finding) int {
	rankA, rowA := rankOf(a.Check)
	rankB, rowB := rankOf(b.Check)
	return cmp.Or(cmp.Compare(a.Severity, b.Severity), rankA-rankB, rowA-rowB, cmp.Compare(index[a.Operation], index[b.Operation]),
		cmp.Compare(a.Check, b.Check), cmp.Compare(a.About, b.About), cmp.Compare(a.Fingerprint, b.Fingerprint))
}

// leads reports whether a check accuses a backend of accepting what it should
// not, so that what is wrong with the answer besides is no fault of its own.
func leads(check string) bool { return check == "credentials-ignored" || check == "invalid-accepted" }

// led reports whether a check judges what an answer holds.
func led(c *checks.Check) bool {
	rank, _ := rankOf(c.ID)
	return c.Severity == exchange.Error && (rank == rankAnswer || rank == rankTold || c.ID == "status-documented" || c.ID == "media-type")
}
