package jsontext_test

import (
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// BenchmarkDecode reads an object of 60 bytes, about what a mock is sent.
func BenchmarkDecode(b *testing.B) {
	const text = `{"id":9007199254740993,"name":"Monstera deliciosa","tag":""}`
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := jsontext.Decode(text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppend(b *testing.B) {
	value, err := jsontext.Decode(`{"id":9007199254740993,"name":"Monstera deliciosa","tag":""}`)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	dst := make([]byte, 0, 128)
	for b.Loop() {
		dst = jsontext.Append(dst[:0], value)
	}
}
