package findings

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

const covered = `openapi: 3.1.0
info: {title: Rooms, version: "1"}
paths:
  /rooms/{kind}:
    get:
      parameters:
        - {name: kind, in: path, required: true, schema: {enum: [big, small]}}
        - {name: limit, in: query, schema: {type: integer}}
      responses:
        "200": {description: rooms, content: {application/json: {schema: {type: object, properties: {name: {type: string}, next: {type: string}}}}}}
        "404": {description: none}
        "405": {description: not allowed}
    delete:
      parameters:
        - {name: kind, in: path, required: true, schema: {type: string}}
      responses: {"204": {description: gone}}
`

// exchanged is an exchange with the first operation of the document.
func exchanged(o *spec.Operation, method, path, query string, response *exchange.Response) *checks.Exchange {
	x := &checks.Exchange{Case: &cases.Case{Operation: o, Path: map[string]string{"kind": "big"}}, Request: &exchange.Request{Method: method, Path: path, Query: query}}
	x.Response = response
	return x
}

func coverOf(t testing.TB) (*exercised, *spec.Operation) {
	c, err := spec.Load(context.Background(), "rooms.yaml", spec.Options{Text: []byte(covered)})
	if err != nil {
		t.Fatal(err)
	}
	get := c.Operations[0]
	return newExercised(c, []*spec.Operation{get}, true), get
}

func TestCover(t *testing.T) {
	rooms := &exchange.Response{Status: 200, Header: exchange.Header{{Name: "Content-Type", Value: "application/json"}}, Body: []byte(`{"name": "a"}`)}
	tests := []struct {
		name                string
		method, path, query string
		response            *exchange.Response
		want                string
	}{
		{"all", "GET", "/rooms/big", "limit=3", rooms, "operation GET /rooms/{kind}, parameter path.kind, value path.kind = \"big\", parameter query.limit, status 200, media type 200 application/json, response property 200.name"},
		{"refused", "GET", "/rooms/none", "", &exchange.Response{Status: 404}, "operation GET /rooms/{kind}, parameter path.kind, status 404"},
		{"another path", "GET", "/elsewhere", "", &exchange.Response{Status: 404}, "operation GET /rooms/{kind}, status 404"},
		{"another method", "PUT", "/rooms/big", "", &exchange.Response{Status: 404}, ""},
		{"a method that is not allowed", "PUT", "/rooms/big", "", &exchange.Response{Status: 405}, "status 405"},
		{"no answer", "GET", "/rooms/big", "", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, get := coverOf(t)
			for range 3 {
				c.add(exchanged(get, test.method, test.path, test.query, test.response), func(*checks.Exchange, *decode.Values) {})
			}
			report := c.report()
			var got []string
			for _, o := range report.Operations {
				if o.Hits > 0 {
					got = append(got, "operation "+o.Method+" "+o.Path)
				}
				for _, p := range o.Points {
					if p.Hits > 1 {
						t.Errorf("%s has %d hits", p.Name, p.Hits)
					}
					if p.Hits > 0 {
						got = append(got, p.Kind+" "+p.Name)
					}
				}
			}
			if text := strings.Join(got, ", "); text != test.want {
				t.Errorf("got  %s\nwant %s", text, test.want)
			}
			if len(report.Operations) != 1 {
				t.Errorf("%d operations, of which one is tested", len(report.Operations))
			}
		})
	}
}

func BenchmarkCover(b *testing.B) {
	c, get := coverOf(b)
	body := []byte(fmt.Sprintf(`{"name": %q, "next": "b"}`, strings.Repeat("a", 2000)))
	x := exchanged(get, "GET", "/rooms/big", "limit=3", &exchange.Response{Status: 200, Header: exchange.Header{{Name: "Content-Type", Value: "application/json"}}, Body: body})
	b.ReportAllocs()
	for b.Loop() {
		c.add(x, func(*checks.Exchange, *decode.Values) {})
	}
}
