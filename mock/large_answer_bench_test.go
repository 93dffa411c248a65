package mock

import (
	"fmt"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// BenchmarkLargeAnswer asks for the large answers of GitHub's document: a repository, as it is generated and as it was
// created, an issue that is created, and lists of thirty issues.
func BenchmarkLargeAnswer(b *testing.B) {
	s, err := New(b.Context(), Options{
		Document: corpus.Named(b, "github"), NoListener: true, Journal: -1, MaxItems: 1_000_000, MaxState: 1 << 32,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	issue := []byte(`{"title":"A leaf turns brown","body":"It stands in the sun.","labels":["bug"]}`)
	repository := []byte(`{"name":"garden"}`)
	ask(b, s, "POST", "/user/repos", "", repository)
	for i := range 30 {
		ask(b, s, "POST", "/repos/ann/kept/issues", "", fmt.Appendf(nil, `{"title":"Leaf %d"}`, i))
	}
	for _, c := range []struct{ name, method, path, query string }{
		{"generated item", "GET", "/repos/ann/garden", ""},
		{"item of another owner", "GET", "/repos/octocat/Hello-World", ""},
		{"kept item", "GET", "/repos/ann/kept/issues/7", ""},
		{"generated list", "GET", "/repos/ann/garden/issues", "per_page=30"},
		{"kept list", "GET", "/repos/ann/kept/issues", "per_page=30"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				x := s.exchange(&exchange.Request{Method: c.method, Path: c.path, Query: c.query, Header: largeListHeader})
				if size = len(x.answer.Body); x.answer.Status != 200 {
					b.Fatalf("%s: %d %s", c.path, x.answer.Status, x.answer.Body)
				}
			}
			b.ReportMetric(float64(size), "bytes/answer")
		})
	}
	b.Run("create", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ask(b, s, "POST", "/repos/ann/other/issues", "", issue)
		}
	})
	b.Run("create and list", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ask(b, s, "POST", "/repos/ann/other/issues", "", issue)
			ask(b, s, "GET", "/repos/ann/other/issues", "per_page=30", nil)
		}
	})
}
