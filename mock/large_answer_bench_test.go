package mock

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// BenchmarkLargeAnswer asks for the large answers of GitHub's document: a repository, as it is generated and as it was
// created, an issue that is created, and lists of thirty issues: in the session of requests that name none, in another
// one, and of a mock that keeps nothing.
func BenchmarkLargeAnswer(b *testing.B) {
	for _, mode := range []struct {
		name, session string
		stateless     bool
	}{{"", "", false}, {"session ", "other", false}, {"stateless ", "", true}} {
		s, err := New(b.Context(), Options{
			Document: corpus.Named(b, "github"), Listen: ListenOptions{NoListener: true}, Control: ControlOptions{Journal: -1}, Limits: Limits{MaxItems: 1_000_000, MaxState: 1 << 32},
			State: StateOptions{Stateless: mode.stateless},
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { s.Close() })
		header := append(exchange.Header{{Name: sessionField, Value: mode.session}}, largeListHeader...)
		if mode.session == "" {
			header = largeListHeader
		}
		ask := func(b *testing.B, method, target, body string) (size int) {
			path, query, _ := strings.Cut(target, "?")
			x := s.exchange(&exchange.Request{Method: method, Path: path, Query: query, Header: header, Body: []byte(body)})
			if x.answer.Status/100 != 2 {
				b.Fatalf("%s %s: %d %s", method, target, x.answer.Status, x.answer.Body)
			}
			return len(x.answer.Body)
		}
		const issue = `{"title":"A leaf turns brown","body":"It stands in the sun.","labels":["bug"]}`
		ask(b, "POST", "/user/repos", `{"name":"garden"}`)
		for i := range 30 {
			ask(b, "POST", "/repos/ann/kept/issues", fmt.Sprintf(`{"title":"Leaf %d"}`, i))
		}
		for _, c := range []struct{ name, target string }{
			{"generated item", "/repos/ann/garden"},
			{"item of another owner", "/repos/octocat/Hello-World"},
			{"kept item", "/repos/ann/kept/issues/7"},
			{"generated list", "/repos/ann/garden/issues?per_page=30"},
			{"kept list", "/repos/ann/kept/issues?per_page=30"},
		} {
			b.Run(mode.name+c.name, func(b *testing.B) {
				b.ReportAllocs()
				size := 0
				for b.Loop() {
					size = ask(b, "GET", c.target, "")
				}
				b.ReportMetric(float64(size), "bytes/answer")
			})
		}
		b.Run(mode.name+"create", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ask(b, "POST", "/repos/ann/other/issues", issue)
			}
		})
		b.Run(mode.name+"create and list", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				ask(b, "POST", "/repos/ann/other/issues", issue)
				ask(b, "GET", "/repos/ann/other/issues?per_page=30", "")
			}
		})
	}
}

// BenchmarkLargeExample asks for an example of 20 kB, as an answer to a request that may change something.
func BenchmarkLargeExample(b *testing.B) {
	text := `openapi: 3.1.0
info: {title: Example, version: "1"}
paths:
  /examples:
    post:
      responses:
        "200":
          description: d
          content:
            application/json: {schema: {type: array}, example: [` + strings.Repeat("{name: Monstera deliciosa}, ", 700) + `]}
`
	s := inside(b, Options{Document: "example.yaml", Text: []byte(text), Control: ControlOptions{Journal: -1}})
	b.ReportAllocs()
	for b.Loop() {
		x := s.exchange(&exchange.Request{Method: "POST", Path: "/examples", Header: largeListHeader})
		if len(x.answer.Body) < 15_000 {
			b.Fatal(x.answer.Status, string(x.answer.Body))
		}
	}
}
