package scenario

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// breaks are YAML 1.1's line breaks.
var breaks = regexp.MustCompile("[\r\n\u0085\u2028\u2029]")

// Whatever the file, the parser neither panics nor hangs, an error leaves no
// scenario, and what is accepted answers requests.
func FuzzParse(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range append(cases, "testdata/schema/refused.txtar") {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if filepath.Ext(file.Name) == ".yaml" {
				f.Add(file.Data)
			}
		}
	}
	examples, err := filepath.Glob("../../../examples/*/scenarios/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range examples {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("rules: &a [{on: &b [*b], respond: *a}, *a, *a]"))
	f.Add([]byte("rules: [{on: '*', when: '((((1 in [1]))))', violates: true, respond: {body: '${reduce(1..99, #acc + #acc, `xx`)}'}}]"))
	f.Add([]byte("{initial: a, rules: [{on: '*', chance: 0.5, state: a, then: b}, {on: '*', cycle: true, respond: [{status: 400}, {status: 200}]}]}"))
	f.Add([]byte("rules: [{on: '*', limit: {requests: 1, per: 1h}, delay: {lognormal: {median: 1ms, sigma: 5}, max: 1s}}, {on: '*', delay: {uniform: [1, 2s]}}]"))
	c := plantStore(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		s, findings := Parse(c, "fuzz.yaml", text)
		if (s == nil) != broken(findings) {
			t.Fatalf("scenario %v with findings %v", s, findings)
		}
		for _, finding := range findings {
			if finding.Code == "" || finding.Message == "" || finding.Document.File != "fuzz.yaml" {
				t.Errorf("finding %+v", finding)
			}
			if lines := len(breaks.FindAll(text, -1)) + 1; finding.Document.Line > lines+1 {
				t.Errorf("finding %+v in %d lines", finding, lines)
			}
		}
		if s == nil {
			return
		}
		state := NewState(s)
		for _, op := range c.Operations {
			request := &Request{
				Method: op.Method, Path: op.Path,
				Body: map[string]any{"id": json.Number("9007199254740993"), "name": "Fern", "list": []any{json.Number("1"), "x", nil}},
			}
			for range 3 {
				rule, _ := s.Rules(op).Match(request, state)
				if rule.Rule == nil || rule.Response == nil {
					continue
				}
				a, err := rule.Answer(request)
				if err == nil && (a.Status < 200 || a.Status > 599) {
					t.Errorf("answer %+v", a)
				}
			}
		}
	})
}
