package generate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/generate"
)

func BenchmarkPlant(b *testing.B) { benchmark(b, plant) }

// BenchmarkRepository makes objects of the size and kind of GitHub's
// repositories: a hundred properties, an owner, a licence, a parent like itself.
func BenchmarkRepository(b *testing.B) {
	var p []string
	for i := range 40 {
		p = append(p, fmt.Sprintf(`"link%d_url":{"type":"string","format":"uri"},"count%d":{"type":"integer"}`, i, i))
	}
	user := `{"type":"object","required":["login","id"],"properties":{"login":{"type":"string"},"id":{"type":"integer","format":"int64"},` + p[0] + `,` + p[1] + `,` + p[2] + `}}`
	benchmark(b, `{"$id":"https://example.com/r","type":"object","required":["id","name"],"properties":{"id":{"type":"integer"},"name":{"type":"string"},
		"private":{"type":"boolean"},"description":{"type":["string","null"]},"created_at":{"type":"string","format":"date-time"},
		"pushed_at":{"type":"string","format":"date-time"},"topics":{"type":"array","items":{"type":"string"}},
		"visibility":{"enum":["public","private"]},"owner":`+user+`,"parent":{"$ref":"#"},"license":{"anyOf":[{"type":"null"},`+user+`]},`+
		strings.Join(p, ",")+`}}`)
}

func benchmark(b *testing.B, schema string) {
	s := compile(b, schema)
	g := generate.New(s, generate.Options{})
	v, err := g.Value(generate.NewKey(0))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(bytes(v))), "B/value")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := g.Value(generate.NewKey(uint64(i))); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirstValue(b *testing.B) {
	s := compile(b, plant)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := generate.New(s, generate.Options{}).Value(generate.NewKey(1)); err != nil {
			b.Fatal(err)
		}
	}
}
