package scenario

import (
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// BenchmarkMatch measures what scenarios cost a request: none for the
// operation, a constant answer, a rule with when, a templated answer.
func BenchmarkMatch(b *testing.B) {
	c := plantStore(b)
	op := c.Operations[0]
	body, err := jsontext.Decode(`{"id": 1, "name": "Monstera", "tag": "tall"}`)
	if err != nil {
		b.Fatal(err)
	}
	sent := &exchange.Request{Method: "POST", Path: "/plants", Header: exchange.Header{
		{Name: "Content-Type", Value: "application/json"}, {Name: "Authorization", Value: "Bearer x"}, {Name: "Host", Value: "localhost"},
	}}
	for _, bench := range []struct{ name, text string }{
		{"none", ""},
		{"counted", "rules: [{on: '*', every: 3, times: 5, delay: 1}]"},
		{"constant", "rules: [{on: '*', respond: {status: 400, body: {error: 1, message: x}}}]"},
		{"when", "rules: [{on: '*', when: 'request.body.name == \"Fern\"', delay: 1}]"},
		{"template", "rules: [{on: '*', respond: {status: 400, body: {error: 1, message: '${request.body.name} is out'}}}]"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := merge()
			if bench.text != "" {
				var findings []exchange.Finding
				if s, findings = Parse(c, "a.yaml", []byte(bench.text)); s == nil {
					b.Fatal(findings)
				}
			}
			state := NewState(s)
			b.ReportAllocs()
			for b.Loop() {
				rules := s.Rules(op)
				var r *Request
				if rules.reads {
					r = &Request{Method: sent.Method, Path: sent.Path, Header: sent.Header, Body: body}
				}
				rule, _ := rules.Match(r, state)
				if rule.Rule == nil || rule.Response == nil {
					continue
				}
				if _, err := rule.Answer(r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
