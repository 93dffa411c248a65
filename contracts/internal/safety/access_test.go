package safety

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

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
	g := &Guard{}
	a := &g.access
	a.suspects = []suspect{created("/word", map[string]any{"password": "new"})}
	for i := range maxNamed + 1 {
		a.suspects = append(a.suspects, created(fmt.Sprint("/tasks", i), nil))
	}
	got := g.culprit(&watched{}, a.suspects[1].Exchange, false, false)
	if !strings.Contains(got, "such as POST /word (a plain request), POST /tasks8 ") {
		t.Error(got)
	}
}
