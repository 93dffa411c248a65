package respond

import (
	"os"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestNegotiate holds negotiation to testdata/negotiate.txt: what is
// documented, Accept, and the media type of the answer or "none".
func TestNegotiate(t *testing.T) {
	text, err := os.ReadFile("testdata/negotiate.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "|")
		if len(columns) != 3 {
			t.Fatalf("%q is no case", line)
		}
		var content []*spec.MediaType
		for name := range strings.SplitSeq(columns[0], ", ") {
			content = append(content, documentedType(strings.TrimSpace(name)))
		}
		got := "none"
		header := exchange.Header{{Name: "Accept", Value: strings.TrimSpace(columns[1])}}
		if media, as := Negotiate(header, content); media != nil {
			got = contentTypeOf(media, as)
		}
		if want := strings.TrimSpace(columns[2]); got != want {
			t.Errorf("%s: got %s", line, got)
		}
	}
}

func documentedType(name string) *spec.MediaType {
	m := &spec.MediaType{Range: name, Params: map[string]string{}}
	full, params, _ := strings.Cut(name, ";")
	m.Type, m.Subtype, _ = strings.Cut(full, "/")
	if key, value, ok := strings.Cut(params, "="); ok {
		m.Params[key] = value
	}
	return m
}

// FuzzNegotiate holds that every Accept is read, and that what is excluded by
// name is not chosen.
func FuzzNegotiate(f *testing.F) {
	for _, seed := range []string{"", "*/*", "text/*;q=0.5, application/json", `a/b;c="d,e";q=0.1`, "/;=;,", `"\`, "application/json;q=NaN"} {
		f.Add(seed)
	}
	content := []*spec.MediaType{documentedType("application/json"), documentedType("text/*")}
	f.Fuzz(func(t *testing.T, accept string) {
		header := exchange.Header{{Name: "Accept", Value: "application/json;q=0"}, {Name: "Accept", Value: accept}}
		if media, _ := Negotiate(header, content); media == content[0] && !strings.Contains(strings.ToLower(accept), "json") {
			t.Fatalf("%q chooses what is excluded", accept)
		}
	})
}
