package runner

import (
	"bytes"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
)

// TestSuspect checks which of the lost requests is held responsible, whichever was lost first.
func TestSuspect(t *testing.T) {
	lost := func(expected cases.Outcome, bytesOfBody int) *checks.Exchange {
		return &checks.Exchange{Case: &cases.Case{Expected: expected},
			Request: &exchange.Request{Body: bytes.Repeat([]byte("["), bytesOfBody)}}
	}
	first, refused, large := lost(cases.Accepted, 10), lost(cases.Refused, 10), lost(cases.Anything, 20_000)
	link := &Transport{}
	for _, one := range []struct {
		lost []*checks.Exchange
		want *checks.Exchange
	}{
		{[]*checks.Exchange{first, lost(cases.Accepted, 20)}, first},
		{[]*checks.Exchange{first, refused}, refused},
		{[]*checks.Exchange{first, refused, large}, large},
	} {
		o := &outage{lost: one.lost}
		if got := link.suspect(o); got != one.want || o.lost[0] != one.want {
			t.Errorf("%d lost: got one of %d bytes, want one of %d", len(one.lost), len(got.Request.Body), len(one.want.Request.Body))
		}
	}
}
