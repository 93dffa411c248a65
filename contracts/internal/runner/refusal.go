package runner

import (
	"context"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
)

// maxOthers is how many requests like a refused one are sent.
const maxOthers = 3

// tryOthers returns the refusal of a conforming request with the severity that requests like it decide on. It is an
// error if each of them is refused, whatever the other values are, and each request without what they vary is accepted.
func tryOthers(ctx context.Context, t *Tester, v *seen) checks.Violation {
	refused := v.sent[len(v.sent)-1]
	if refused.Case.Other == nil {
		return v.Violation
	}
	for n := 1; n <= maxOthers; n++ {
		other, unvaried := refused.Case.Other(n)
		if other == nil {
			break
		}
		if x := t.send(ctx, other); x.Succeeded() {
			v.Severity, v.Message = exchange.Warning, v.Message+"; another request that varies it in the same way is accepted"
			v.sent = append([]*checks.Exchange{x}, v.sent...)
			break
		}
		for _, control := range []*cases.Case{other.Control(), unvaried} {
			if control == nil {
				continue
			}
			if x := t.send(ctx, control); x.Status() == refused.Status() {
				v.Severity, v.Message = exchange.Info, v.Message+"; a request that does not vary it is refused as well"
				v.sent = append([]*checks.Exchange{x}, v.sent...)
				return v.Violation
			}
		}
	}
	return v.Violation
}
