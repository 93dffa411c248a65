package checks_test

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/validate"
)

// Each file of testdata has a document and exchanges. An exchange is words that
// say how it came about, a request, its answer, and what is found, divided by
// lines of ">>>". UPDATE_GOLDEN=1 writes what is found.
func TestExchanges(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", testFile)
}

func testFile(t *testing.T, archive *txtar.Archive) {
	contract, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: archive.Files[0].Data})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for i := range archive.Files[1:] {
		f := &archive.Files[i+1]
		if names[f.Name] {
			t.Errorf("%s stands twice", f.Name)
		}
		names[f.Name] = true
		parts := strings.SplitN(string(f.Data), ">>>\n", 4)
		if len(parts) < 3 {
			t.Fatalf("%s: want words, a request and an answer", f.Name)
		}
		for len(parts) < 4 {
			parts = append(parts, "")
		}
		found := check(t, contract, parts[0], parts[1], parts[2])
		if golden.Update() {
			f.Data = []byte(strings.Join([]string{parts[0], parts[1], parts[2], found + "\n"}, ">>>\n"))
		} else if want := strings.TrimRight(parts[3], "\n"); found != want {
			t.Errorf("%s: found\n%s\nwant\n%s", f.Name, found, want)
		}
	}
}

// check returns what is found in an exchange, a line each.
func check(t *testing.T, c *spec.Contract, words, request, answer string) string {
	x := &checks.Exchange{Case: &cases.Case{Title: "the case", Phase: "test"}}
	head, body := message(request)
	method, target, _ := strings.Cut(head[0], " ")
	path, query, _ := strings.Cut(target, "?")
	x.Request = &exchange.Request{Method: method, Path: path, Query: query, Header: fields(head[1:]), Body: body}
	x.Case.Request = x.Request
	options := checks.Options{Origin: "http://localhost:8080"}
	router := route.New(c)
	var m route.Match
	if router.Find(method, path, &m) != route.Found {
		for _, other := range router.Allowed(path) {
			router.Find(other, path, &m)
			break
		}
	}
	x.Case.Operation = m.Operation
	_, findings := validate.New(m.Operation).Request(x.Request, m.Values)
	for word := range strings.FieldsSeq(words) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "accepted":
			x.Case.Expected = cases.Accepted
			if len(findings) > 0 {
				t.Errorf("%s: does not conform: %v", request, findings)
			}
		case "refused":
			x.Case.Expected = cases.Refused
			if len(findings) == 0 {
				t.Fatalf("%s: conforms", request)
			}
			x.Case.Violation = &findings[0]
		case "unauthorized":
			x.Case.Expected = cases.Unauthorized
			for _, need := range m.Operation.Security[0] {
				how := map[string]cases.Form{"wrong": cases.Wrong, "empty": cases.Empty}[value]
				x.Case.Credentials = append(x.Case.Credentials, cases.Credential{Scheme: need.Scheme, Form: how})
			}
		case "not-allowed":
			x.Case.Expected = cases.NotAllowed
		case "anything":
		case "plain":
			x.Plain = true
		case "exists":
			x.Exists = true
		case "uncertain":
			x.Case.Uncertainty = "it refers to something"
		case "varies":
			x.Case.Varied = value
		case "basis":
			x.Case.Basis = cases.Basis(value)
		case "lenient":
			x.Case.Lenient = true
		case "strict":
			options.Only, options.Strict = func(*checks.Check) bool { return true }, true
		case "took":
			x.Took, _ = time.ParseDuration(value)
			options.Limit = time.Second
		case "fault":
			x.Fault = &wire.Fault{Code: value, Message: "it broke off"}
		case "recorded":
			x.Recorded = &checks.Recorded{Findings: findings, Undeclared: validate.New(m.Operation).Unknown(x.Request)}
		case "head-unknown":
			x.Recorded.HeadUnknown = true
		case "body-unknown":
			x.Recorded.BodyUnknown = true
		default:
			t.Fatalf("%q is no word of cases", word)
		}
	}
	if strings.TrimSpace(answer) != "" {
		head, body := message(answer)
		status, err := strconv.Atoi(strings.TrimSpace(head[0]))
		if err != nil {
			t.Fatalf("%s: no status", answer)
		}
		x.Response = &exchange.Response{Status: status, Header: fields(head[1:]), Body: body}
	}
	var lines []string
	checker := checks.New(c, options)
	x.Denied = checker.Denies(x)
	for _, v := range checker.Check(x) {
		line := v.Check.ID + ": "
		if v.Severity != exchange.Error {
			line = v.Severity.String() + " " + line
		}
		if v.About != "" {
			line += v.About + ": "
		}
		lines = append(lines, fmt.Sprintf("%s%s (%v)", line, v.Message, v.Place))
	}
	return strings.Join(lines, "\n")
}

// message divides a message at its empty line. What stands in quotes behind
// "quoted" is read as Go reads it.
func message(text string) ([]string, []byte) {
	head, body, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\n\n")
	if quoted, ok := strings.CutPrefix(body, "quoted "); ok {
		if read, err := strconv.Unquote(strings.TrimSpace(quoted)); err == nil {
			return strings.Split(head, "\n"), []byte(read)
		}
	}
	return strings.Split(head, "\n"), bytes.Clone([]byte(body))
}

func fields(lines []string) exchange.Header {
	var h exchange.Header
	for _, line := range lines {
		name, value, ok := strings.Cut(line, ":")
		if ok {
			h = append(h, exchange.Field{Name: name, Value: strings.TrimSpace(value)})
		}
	}
	return h
}

func TestTable(t *testing.T) {
	ids := map[string]bool{}
	for _, c := range checks.All() {
		if ids[c.ID] || c.ID == "" || c.Meaning == "" || c.Source == "" || c.Certainty == "" {
			t.Errorf("%q: want an id of its own, a meaning, a source and what makes it certain", c.ID)
		}
		ids[c.ID] = true
	}
}
