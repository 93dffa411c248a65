package decode

import (
	"os"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
)

// BenchmarkBody decodes what the Plant Store is sent.
func BenchmarkBody(b *testing.B) {
	document, err := os.ReadFile("../../openapi.yaml")
	if err != nil {
		b.Fatal(err)
	}
	o := New(load(b, document).Operation("POST /plants"))
	req := request("application/json", `{"id":1,"name":"Monstera deliciosa","tag":"house"}`)
	b.ReportAllocs()
	for b.Loop() {
		if values, findings := o.Request(req, nil); len(findings) > 0 || !values.HasBody {
			b.Fatal(findings)
		}
	}
}

// BenchmarkParameters decodes two parameters of the path, two of the query and
// one of the header.
func BenchmarkParameters(b *testing.B) {
	archive, err := txtar.ParseFile("testdata/requests.txtar")
	if err != nil {
		b.Fatal(err)
	}
	o := New(load(b, archive.Files[0].Data).Operation("GET /plants/{id}/leaves/{leaf}"))
	req := &exchange.Request{
		Method: "GET", Query: "limit=5&tags=x&tags=y",
		Header: exchange.Header{{Name: "Host", Value: "localhost"}, {Name: "X-Trace", Value: "a"}},
	}
	path := []string{"7", "x"}
	b.ReportAllocs()
	for b.Loop() {
		if _, findings := o.Request(req, path); len(findings) > 0 {
			b.Fatal(findings)
		}
	}
}

func BenchmarkForm(b *testing.B) {
	content := NewContent(formMedia(b))
	h := exchange.Header{{Name: "Content-Type", Value: "application/x-www-form-urlencoded"}}
	body := []byte("n=5&s=a+b&l=1&l=2&on=true")
	b.ReportAllocs()
	for b.Loop() {
		if _, _, findings := content.Decode(h, body); len(findings) > 0 {
			b.Fatal(findings)
		}
	}
}
