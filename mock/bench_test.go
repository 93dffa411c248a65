package mock

import (
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// BenchmarkExchange creates a plant, in the process: routed, authenticated,
// decoded, validated, remembered, answered, and the answer validated.
func BenchmarkExchange(b *testing.B) {
	s, err := New(b.Context(), Options{})
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
	b.ReportAllocs()
	for b.Loop() {
		x := s.exchange(&exchange.Request{Method: "POST", Path: "/plants", Header: header, Body: body})
		if x.response.Status != 200 {
			b.Fatalf("%d %s", x.response.Status, x.response.Body)
		}
	}
}
