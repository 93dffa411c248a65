package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// plantStore is the contract that cases without a document use.
func plantStore(t testing.TB) *spec.Contract {
	t.Helper()
	return contract(t, coldframe.PlantStore)
}

func contract(t testing.TB, text []byte) *spec.Contract {
	t.Helper()
	c, err := spec.Load(t.Context(), "openapi.yaml", spec.Options{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCases runs testdata/*.txtar. A case holds scenario files (*.yaml), the
// document (openapi.yaml; the Plant Store if there is none), what is found
// in the files (findings), and requests, each with its answer (1.request,
// 1.answer …). What the session keeps is in items.json, by the paths of items, created at 1970-01-01T00:00:00Z. A
// request is sent at the time of its field At, in seconds from then on. UPDATE_GOLDEN=1 writes findings and answers as
// they are.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", runCase)
}

func runCase(t *testing.T, archive *txtar.Archive) {
	document := coldframe.PlantStore
	var kept []byte
	for _, f := range archive.Files {
		if f.Name == "openapi.yaml" {
			document = f.Data
		}
		if f.Name == "items.json" {
			kept = f.Data
		}
	}
	c := contract(t, document)
	var scenarios []*Scenario
	var findings []exchange.Finding
	for _, f := range archive.Files {
		if filepath.Ext(f.Name) == ".yaml" && f.Name != "openapi.yaml" {
			s, found := Parse(c, f.Name, f.Data)
			findings = append(findings, found...)
			if s != nil {
				scenarios = append(scenarios, s)
			}
			if (s == nil) != broken(found) {
				t.Errorf("scenario %v with findings %v", s, found)
			}
		}
	}
	book := newBook(scenarios...)
	state := NewState(book.Scenarios...)
	state.Now = func() time.Time { return time.Unix(0, 0) }
	var got txtar.Archive
	for _, f := range archive.Files {
		switch {
		case f.Name == "findings":
			f.Data = []byte(list(findings))
		case strings.HasSuffix(f.Name, ".request"):
			answer := []byte(play(t, c, book, state, keptItems(t, kept), f.Data))
			got.Files = append(got.Files, f)
			f = txtar.File{Name: strings.TrimSuffix(f.Name, "request") + "answer", Data: answer}
		case strings.HasSuffix(f.Name, ".answer"):
			continue
		}
		got.Files = append(got.Files, f)
	}
	got.Comment = archive.Comment
	want, have := txtar.Format(archive), txtar.Format(&got)
	if golden.Update() {
		archive.Files = got.Files
	} else if !bytes.Equal(want, have) {
		t.Errorf("want\n%s\ngot\n%s", want, have)
	}
}

// list writes one finding a line.
func list(findings []exchange.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s: %s: %s [%s]\n", f.Document, f.Severity, f.Message, f.Code)
	}
	return b.String()
}

// play sends one request through the book's active scenarios, or the one that
// "Prefer: scenario=" names, and writes the results.
func play(t *testing.T, c *spec.Contract, book *Book, state *State, kept func(string) Kept, text []byte) string {
	request := parseRequest(t, string(text))
	if at, ok := request.Header.Get("At"); ok {
		seconds, err := strconv.Atoi(at)
		if err != nil {
			t.Fatal(err)
		}
		state.Now = func() time.Time { return time.Unix(int64(seconds), 0) }
	}
	state.requests.Add(1)
	op, params := find(c, request)
	if op == nil {
		t.Fatalf("no operation for %s %s", request.Method, request.Path)
	}
	s := book.Active
	if prefer, ok := request.Header.Get("Prefer"); ok {
		if s = book.Scenario(strings.TrimPrefix(prefer, "scenario=")); s == nil {
			return "no such scenario\n"
		}
	}
	rules := s.Rules(op)
	var seen *Request
	if rules.reads {
		var body any
		if len(request.Body) > 0 {
			var err error
			if body, err = jsontext.Decode(string(request.Body)); err != nil {
				t.Fatal(err)
			}
		}
		query := map[string]any{}
		values, err := url.ParseQuery(request.Query)
		if err != nil {
			t.Fatal(err)
		}
		for name, all := range values {
			query[name] = guess(all[0])
		}
		seen = &Request{Method: request.Method, Path: request.Path, Header: request.Header, Params: params, Query: query, Body: body,
			Session: "default", Kept: kept(request.Path)}
	}
	var b strings.Builder
	rule, failed := rules.Match(seen, state)
	b.WriteString(list(failed))
	if rule.Rule == nil {
		return b.String() + "no rule\n"
	}
	fmt.Fprintf(&b, "rule %d of %s", rule.Number, rule.Scenario)
	if rule.Delay > 0 {
		fmt.Fprintf(&b, ", delay %s", rule.Delay)
	}
	if rule.Fault != "" {
		fmt.Fprintf(&b, ", fault %s", rule.Fault)
	}
	if rule.Violates {
		b.WriteString(", violates")
	}
	b.WriteByte('\n')
	if rule.Response == nil {
		return b.String()
	}
	a, err := rule.Answer(seen)
	if err != nil {
		return b.String() + "error: " + err.Error() + "\n"
	}
	fmt.Fprintf(&b, "%d\n", a.Status)
	for _, f := range a.Header {
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
	}
	if a.HasBody {
		fmt.Fprintf(&b, "\n%s\n", a.Body)
	}
	if a.HasBody && !a.Checked {
		b.WriteString("(to be checked)\n")
		if m := rule.Response.MediaType; m != nil && m.Schema != nil {
			for _, f := range m.Schema.Check(a.Value, exchange.InBody, "") {
				fmt.Fprintf(&b, "%s\n", f)
			}
		}
	}
	return b.String()
}

// keptItems returns what a session keeps, for each request's path.
func keptItems(t *testing.T, text []byte) func(requestPath string) Kept {
	items := map[string]json.RawMessage{}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &items); err != nil {
			t.Fatal(err)
		}
	}
	return func(requestPath string) Kept {
		return Kept{
			Item: func() ([]byte, time.Time) {
				for at, item := range items {
					if strings.HasPrefix(requestPath+"/", at+"/") {
						return item, time.Unix(0, 0)
					}
				}
				return nil, time.Time{}
			},
			Items: func(collection string) (iter.Seq[[]byte], int, error) {
				var list [][]byte
				for _, at := range slices.Sorted(maps.Keys(items)) {
					if path.Dir(at) == collection {
						list = append(list, items[at])
					}
				}
				return slices.Values(list), len(list), nil
			},
		}
	}
}

func parseRequest(t *testing.T, text string) *exchange.Request {
	head, body, _ := strings.Cut(text, "\n\n")
	first, rest, _ := strings.Cut(strings.TrimSpace(head), "\n")
	method, target, ok := strings.Cut(first, " ")
	if !ok {
		t.Fatalf("not a request: %q", text)
	}
	r := &exchange.Request{Method: method, Body: []byte(strings.TrimSpace(body))}
	r.Path, r.Query, _ = strings.Cut(target, "?")
	for line := range strings.Lines(rest) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		r.Header = append(r.Header, exchange.Field{Name: name, Value: value})
	}
	return r
}

// find is a router for the small documents of the cases.
func find(c *spec.Contract, r *exchange.Request) (*spec.Operation, map[string]any) {
	for _, op := range c.Operations {
		template, path := strings.Split(op.Path, "/"), strings.Split(r.Path, "/")
		params := map[string]any{}
		if op.Method != r.Method || len(template) != len(path) {
			continue
		}
		fits := true
		for i, segment := range template {
			if strings.HasPrefix(segment, "{") {
				params[strings.Trim(segment, "{}")] = guess(path[i])
			} else if segment != path[i] {
				fits = false
			}
		}
		if fits {
			return op, params
		}
	}
	return nil, nil
}

// guess stands for the decoding of a parameter by its schema.
func guess(s string) any {
	if v, err := jsontext.Decode(s); err == nil {
		return v
	}
	return s
}

// What New writes is right, for each documented answer, and has its body
// where the document says one.
func TestNew(t *testing.T) {
	c := plantStore(t)
	for _, op := range c.Operations {
		for _, r := range op.Responses {
			status, _ := r.Code()
			text, err := New(c, title(op), status, false)
			if err != nil {
				t.Fatal(err)
			}
			s, findings := Parse(c, "new.yaml", text)
			if s == nil || len(findings) > 0 {
				t.Errorf("%s\n%s", text, list(findings))
				continue
			}
			if made := s.Rules(op).list[0].sequence[0]; made.Status != status || made.HasBody != (len(r.Content) > 0) {
				t.Errorf("%s\nis read as %+v", text, made)
			}
		}
	}
}
