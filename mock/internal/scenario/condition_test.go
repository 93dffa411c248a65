package scenario

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

func TestConditionsOnExchanges(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`request.body.name == "Rose" && response.status == 200`, ""},
		{`request.body.name == "Tulip" and response.status == 201`,
			`request.body.name == "Tulip" is "Rose"; response.status == 201 is 200`},
		{`request.method == "POST" && response.status >= 400`, `response.status >= 400 is 200`},
		{`response.headers["X-Plant"] == "7"`, ""},
		{`response.headers["X-Plant"] == "8"`, `response.headers["X-Plant"] == "8" is "7"`},
		{`"x" in response.body.tags`, `"x" in response.body.tags is ["a","b"]`},
		{`len(response.body.tags) == 2`, ""},
		{`request.body.pot.size == 1`, `request.body.pot.size == 1: there is no size in null; write ?.size if null is expected`},
		{`request.body.pot != nil && request.body.pot.size == 1`, `request.body.pot != nil is null`},
		{`response.status == 404 || response.status == 500`, `response.status == 404 || response.status == 500`},
		{`not (response.status == 200)`, `not (response.status == 200)`},
	} {
		condition, err := NewCondition(c.source, nil)
		if err != nil {
			t.Errorf("%s: %v", c.source, err)
			continue
		}
		r := &Request{Method: "POST", Body: map[string]any{"name": "Rose", "pot": nil}}
		r.WithResponse(200, exchange.Header{{Name: "X-Plant", Value: "7"}}, map[string]any{"tags": []any{"a", "b"}})
		var got []string
		for _, m := range condition.Misses(r) {
			text := m.Condition
			if m.HasValue {
				value, _ := json.Marshal(m.Value)
				text += fmt.Sprintf(" is %s", value)
			}
			if m.Failure != "" {
				text += ": " + m.Failure
			}
			got = append(got, text)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.source, strings.Join(got, "; "), c.want)
		}
	}
}

func TestConditionErrors(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{`status == 200`, `unknown name "status"; write response.status (at 1:1)`},
		{`response.status == `, `the expression ends too early (at 1:19)`},
		{`response.status`, `where must be boolean, is int`},
		{`request.bdy == 1`, `unknown field "bdy"; did you mean "body"? (at 1:9)`},
		{strings.Repeat("(", 5000), `the expression is longer than 4096 bytes`},
	} {
		if _, err := NewCondition(c.source, nil); err == nil || err.Error() != c.want {
			t.Errorf("%.40s: %v, want %s", c.source, err, c.want)
		}
	}
}
