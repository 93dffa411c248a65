package mock

import (
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// BenchmarkExchange creates a plant, in the process: routed, authenticated,
// decoded, validated, remembered, answered, and the answer validated; with the
// journal and without.
func BenchmarkExchange(b *testing.B) {
	b.Run("journal", func(b *testing.B) { benchmarkExchange(b, Options{}) })
	b.Run("no journal", func(b *testing.B) { benchmarkExchange(b, Options{Control: ControlOptions{Journal: -1}}) })
}

func benchmarkExchange(b *testing.B, o Options) {
	s, err := New(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	body := []byte(`{"id":9007199254740993,"name":"Monstera deliciosa","tag":"foliage"}`)
	header := exchange.Header{
		{Name: "Host", Value: "127.0.0.1:4010"},
		{Name: "Content-Length", Value: "67"},
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Authorization", Value: "Bearer token"},
	}
	const most = 30_000 // items: how many the store has decides what keeping one more allocates
	b.ReportAllocs()
	for i := 1; b.Loop(); i++ {
		if i%most == 0 {
			s.store.ClearAll()
		}
		x := s.exchange(&exchange.Request{Method: "POST", Path: "/plants", Header: header, Body: body})
		if x.answer.Status != 200 {
			b.Fatalf("%d %s", x.answer.Status, x.answer.Body)
		}
	}
}
