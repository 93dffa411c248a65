package coverage

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

const treeDocument = `
openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /tree:
    get:
      parameters: [{name: colour, in: query, schema: {enum: [red, blue, 1, true, null]}}]
      responses:
        "200":
          description: d
          content:
            application/json: {schema: {$ref: "#/components/schemas/Tree"}}
            application/hal+json: {schema: {type: object, properties: {name: {type: string}}}}
            text/*: {}
components:
  schemas:
    Tree:
      type: object
      properties:
        name: {type: string}
        "é\"": {type: string}
        colour: {enum: [red, "bl\"ue", 1, 2.5, true, null]}
        children: {type: array, items: {$ref: "#/components/schemas/Tree"}}
        deep: {type: object, properties: {a: {type: array, items: {type: array, items: {enum: [x]}}}}}
`

var treeContract = sync.OnceValues(func() (*spec.Contract, error) {
	return spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(treeDocument)})
})

func treeCoverage(t testing.TB) (*Coverage, *spec.Operation) {
	c, err := treeContract()
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Findings) > 0 {
		t.Fatal(c.Findings)
	}
	return New(c), c.Operations[0]
}

func used(r *Report) string {
	var names []string
	for _, o := range r.Operations {
		for _, p := range o.Points {
			if p.Hits > 0 {
				names = append(names, p.Name)
			}
		}
	}
	return strings.Join(names, "; ")
}

// FuzzWalk reads the texts of two responses as they are and decoded: both use the same, though of the second only what
// may be new is read.
func FuzzWalk(f *testing.F) {
	for _, text := range []string{
		`{"name":"a","colour":"red","children":[{"name":"b","colour":null},{"children":[]}]}`,
		` { "\u00e9\"" : "", "colour" : "bl\"ue", "other": {"name": [1, {}, "\\"]}, "deep": {"a": [["x"], [], [1, "x"]]} } `,
		`{"colour":2.5,"children":[{"colour":true},{"colour":1}]}`,
		`[{"name":1}]`, `{"name"`, `{"a":"\`, `{"a":]}`, `{"a" 1}`, `"`, `{"children":[,]}`, `{}}`, ``, `null`, "{\"name\":\"\xff\"}",
		strings.Repeat(`{"children":[`, 300),
		`{"children":[` + strings.Repeat(`{},`, 150) + `{"name":""}]}`,
	} {
		f.Add(`{"name":"a","children":[{}],"deep":{"a":[["x"]]}}`, text)
	}
	f.Fuzz(func(t *testing.T, before, text string) {
		seen, err := jsontext.Decode(before)
		if err != nil {
			return
		}
		walked, op := treeCoverage(t)
		l := walked.byOp[op].lay()
		root := l.responses[op.Responses[0]].content[0].root
		o := walked.byOp[op]
		walk(before, root, &marks{o.total, nil}, nil)
		walk(text, root, &marks{o.total, nil}, nil)
		value, err := jsontext.Decode(text)
		if err != nil || strings.Count(text, "[")+strings.Count(text, "{") > jsontext.MaxDepth {
			return
		}
		decoded, op := treeCoverage(t)
		o = decoded.byOp[op]
		root = o.lay().responses[op.Responses[0]].content[0].root
		m := marks{o.total, nil}
		m.value(root, seen)
		m.value(root, value)
		if got, want := used(walked.Report()), used(decoded.Report()); got != want {
			t.Errorf("%s: as it is it uses %s; decoded %s", text, got, want)
		}
	})
}

func respond(kind, body string) *exchange.Response {
	return &exchange.Response{Status: 200, Body: []byte(body), Header: exchange.Header{{Name: "Content-Type", Value: kind}}}
}

// TestMediaTypes finds the entry of a response's Content-Type.
func TestMediaTypes(t *testing.T) {
	for kind, want := range map[string]string{
		"application/json":                  "200; 200 application/json; 200.name",
		"Application/JSON; charset=utf-8":   "200; 200 application/json; 200.name",
		"application/hal+json":              "200; 200 application/hal+json; 200.name",
		"text/csv":                          "200; 200 text/*",
		"application/problem+json":          "200",
		"":                                  "200",
		"/":                                 "200",
		"text":                              "200",
		"text/html;x=\"application/json\"":  "200; 200 text/*",
		"application/json-patch+json;a=b;;": "200",
	} {
		c, op := treeCoverage(t)
		c.Count(Use{Operation: op, Values: &decode.Values{}, Session: "default", Response: respond(kind, `{"name":1}`)})
		if got := used(c.Report()); got != want {
			t.Errorf("%q: uses %s, want %s", kind, got, want)
		}
	}
}

// TestReplaceKeepsMediaTypesApart replaces the document by itself: what was seen
// of one media type does not count as a property of the same name in another.
func TestReplaceKeepsMediaTypesApart(t *testing.T) {
	for _, kind := range []string{"application/json", "application/hal+json"} {
		before, op := treeCoverage(t)
		before.Count(Use{Operation: op, Values: &decode.Values{}, Session: "default", Response: respond(kind, `{"name":1}`)})
		after, _ := treeCoverage(t)
		after.Replace(before)
		if got, want := after.Report().Operations, before.Report().Operations; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v after the replacement, want %v", kind, got, want)
		}
		if got, want := after.Session("default").Operations, before.Session("default").Operations; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the session has %v after the replacement, want %v", kind, got, want)
		}
	}
}

// TestSessionsInParallel counts for many sessions at once while reports are made
// and the document is replaced: nothing that was seen is lost, and no session
// sees what another has used.
func TestSessionsInParallel(t *testing.T) {
	c, op := treeCoverage(t)
	values := []any{"red", "blue"}
	var current sync.RWMutex // stands for the pointer to the contract
	now, nowOp := c, op
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			v := &decode.Values{Query: map[string]any{"colour": values[i%2]}}
			for range 20 {
				current.RLock()
				c, op := now, nowOp
				current.RUnlock()
				c.Count(Use{Operation: op, Values: v, Session: strconv.Itoa(i), Response: respond("application/json", `{"name":1}`)})
			}
		})
	}
	all.Go(func() {
		for range 5 {
			next, op := treeCoverage(t)
			current.Lock()
			next.Replace(now)
			now, nowOp = next, op
			current.Unlock()
			now.Report()
		}
	})
	all.Wait()
	const rest = "; 200; 200 application/json; 200.name"
	if got := used(now.Report()); got != `query.colour; query.colour = "red"; query.colour = "blue"`+rest {
		t.Errorf("all use %s", got)
	}
	for i := range 50 {
		want := fmt.Sprintf("query.colour; query.colour = %q%s", values[i%2], rest)
		r := now.Session(strconv.Itoa(i))
		if r == nil || used(r) != want {
			t.Errorf("session %d: %v, want %s", i, r, want)
		}
	}
	now.Forget(func(name string) bool { return name != "1" })
	if now.Session("0") != nil || now.Session("1") == nil {
		t.Error("the wrong session is forgotten")
	}
}

// TestReplaceManySessions replaces a document after more sessions than there may be have used it: which of them there
// still are is asked once for each operation, not for each session, and what those used is kept.
func TestReplaceManySessions(t *testing.T) {
	before, op := treeCoverage(t)
	before.Bound(1000, func() []string { return nil })
	for i := range 100 {
		before.Count(Use{Operation: op, Values: &decode.Values{}, Session: strconv.Itoa(i), Response: respond("text/csv", "")})
	}
	after, _ := treeCoverage(t)
	asked := 0
	after.Bound(20, func() []string { asked++; return []string{"1", "99"} })
	after.Replace(before)
	if asked > 1 {
		t.Errorf("the live sessions are asked for %d times", asked)
	}
	if n := len(*after.sessions.Load()); n == 0 || n > 40 {
		t.Errorf("%d sessions are counted for", n)
	}
	for _, name := range []string{"1", "99"} {
		if got, want := after.Session(name), before.Session(name); got == nil || used(got) != used(want) {
			t.Errorf("session %s: %v, want %v", name, got, want)
		}
	}
}

// TestSessionsAreBounded counts for more sessions than there may be.
func TestSessionsAreBounded(t *testing.T) {
	c, op := treeCoverage(t)
	live := []string{"0", "1"}
	c.Bound(10, func() []string { return live })
	count := func(name string) {
		c.Count(Use{Operation: op, Values: &decode.Values{}, Session: name, Response: respond("", "")})
	}
	for i := range 1000 {
		count(strconv.Itoa(i))
		if n := len(*c.sessions.Load()); n > 21 {
			t.Fatalf("%d sessions are counted for", n)
		}
	}
	if c.Session("0") == nil || c.Session("1") == nil || c.Session("999") == nil {
		t.Error("a session that there is has been forgotten")
	}
}

// BenchmarkCount counts an exchange with all seen, and with something that is
// never seen, for which each body is read.
func BenchmarkCount(b *testing.B) {
	for name, body := range map[string]string{
		"all seen": `{"name":"x"}`,
		"unseen":   `{"name":"x","children":[{"name":"a","colour":"red"},{"name":"b","colour":1}]}`,
		"large":    `{"children":[` + strings.Repeat(`{"name":"Monstera deliciosa","colour":"red","more":{"text":"of no interest"}},`, 49) + `{"name":"x"}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			c, op := treeCoverage(b)
			kind := "application/json"
			if name == "all seen" {
				kind = "application/hal+json"
			}
			use := Use{Operation: op, Values: &decode.Values{Query: map[string]any{"colour": "red"}}, Session: "default", Response: respond(kind, body)}
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				c.Count(use)
			}
		})
	}
}
