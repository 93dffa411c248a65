package mock

import (
	"slices"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// BenchmarkJournalCost takes the same requests through a mock with a journal and
// one without, by turns, and gives the median of what the journal takes of the
// throughput, in percent. What else the machine does meets both alike.
func BenchmarkJournalCost(b *testing.B) {
	with, without := plantTaker(b, Options{}), plantTaker(b, Options{Journal: -1})
	const turn = 200 // requests
	var costs []float64
	for b.Loop() {
		a, c := with(turn), without(turn)
		c += without(turn)
		a += with(turn)
		costs = append(costs, 100*(1-float64(c)/float64(a)))
	}
	slices.Sort(costs)
	b.ReportMetric(costs[len(costs)/2], "%cost")
	b.ReportMetric(0, "ns/op")
}

// plantTaker gives what creates plants and says how long that took.
func plantTaker(b *testing.B, o Options) func(n int) time.Duration {
	s, err := New(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	body := []byte(`{"id":9007199254740993,"name":"Monstera deliciosa","tag":"foliage"}`)
	header := exchange.Header{
		{Name: "Host", Value: "127.0.0.1:4010"},
		{Name: "Content-Length", Value: "67"},
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Authorization", Value: "Bearer token"},
	}
	return func(n int) time.Duration {
		began := time.Now()
		for range n {
			if x := s.exchange(&exchange.Request{Method: "POST", Path: "/plants", Header: header, Body: body}); x.response.Status != 200 {
				b.Fatalf("%d %s", x.response.Status, x.response.Body)
			}
		}
		return time.Since(began)
	}
}
