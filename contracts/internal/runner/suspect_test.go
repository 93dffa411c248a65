package runner

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
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

// TestCulprit: a request that sets a password is named first, however many others came after it.
func TestCulprit(t *testing.T) {
	created := func(path string, body map[string]any) suspect {
		return suspect{&checks.Exchange{
			Case: &cases.Case{
				Operation: &spec.Operation{Method: "POST", Path: path}, Title: "a plain request", Value: body,
				Credentials: []cases.Credential{{Form: cases.Given}},
			},
			Request: &exchange.Request{Method: "POST", Path: path},
			Result:  wire.Result{Response: &exchange.Response{Status: 200}},
		}, 0}
	}
	a := &loginWatch{suspects: []suspect{created("/word", map[string]any{"password": "new"})}}
	for i := range maxNamed + 1 {
		a.suspects = append(a.suspects, created(fmt.Sprint("/tasks", i), nil))
	}
	got := a.culprit(a.suspects[1].Exchange, false, false)
	if !strings.Contains(got, "such as POST /word (a plain request), POST /tasks8 ") {
		t.Error(got)
	}
}
