package decode

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestLimits sends more than is read of everything that is bounded.
func TestLimits(t *testing.T) {
	schema := compile(t, `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}},"d":{"type":"object"}}}`)
	elements := strings.Repeat("<a/>", maxElements)
	part := "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\r\n"
	for _, test := range []struct {
		name, contentType, body, code string
	}{
		{"fields", "application/x-www-form-urlencoded", strings.Repeat("a&", maxValues), ""},
		{"one field more", "application/x-www-form-urlencoded", strings.Repeat("a&", maxValues+1), CodeTooManyValues},
		{"brackets", "application/x-www-form-urlencoded", "d" + strings.Repeat("[a]", maxBrackets) + "=1", ""},
		{"one bracket more", "application/x-www-form-urlencoded", "d" + strings.Repeat("[a]", maxBrackets+1) + "=1", CodeMalformedParameter},
		{"parts", "multipart/form-data; boundary=x", strings.Repeat(part, maxParts) + "--x--\r\n", ""},
		{"one part more", "multipart/form-data; boundary=x", strings.Repeat(part, maxParts+1) + "--x--\r\n", CodeTooManyValues},
		{"long boundary", "multipart/form-data; boundary=" + strings.Repeat("x", 71), part, CodeMultipart},
		{"no boundary", "multipart/form-data", part, CodeMultipart},
		{"elements", "application/xml", "<r>" + elements[4:] + "</r>", ""},
		{"one element more", "application/xml", "<r>" + elements + "</r>", CodeTooManyValues},
		{"XML depth", "application/xml", strings.Repeat("<a>", jsontext.MaxDepth) + strings.Repeat("</a>", jsontext.MaxDepth), ""},
		{"XML too deep", "application/xml", strings.Repeat("<a>", jsontext.MaxDepth+1), jsontext.CodeDepth},
		{"XML in pieces", "application/xml", "<r>" + strings.Repeat("a<!---->", 1<<16) + "</r>", ""},
		{"JSON too deep", "application/json", strings.Repeat("[", 200) + strings.Repeat("]", 200), jsontext.CodeDepth},
	} {
		t.Run(test.name, func(t *testing.T) {
			media := mediaOf(t, strings.Split(test.contentType, ";")[0], schema)
			_, _, findings := decodeBody([]*spec.MediaType{media}, exchange.Header{{Name: "content-type", Value: test.contentType}}, []byte(test.body))
			switch {
			case test.code == "" && len(findings) > 0:
				t.Fatal(findings)
			case test.code != "" && (len(findings) == 0 || findings[len(findings)-1].Code != test.code):
				t.Fatalf("got %v", findings)
			}
		})
	}
}

func TestElementLimit(t *testing.T) {
	p := &spec.Parameter{Name: "a", In: exchange.InQuery, Style: "form", Schema: compile(t, `{"type":"array"}`)}
	o := New(&spec.Operation{Parameters: []*spec.Parameter{p}})
	_, findings := o.Request(&exchange.Request{Query: "a=" + strings.Repeat(",", maxValues)}, nil)
	if len(findings) != 1 || findings[0].Code != CodeTooManyValues {
		t.Fatalf("got %v", findings)
	}
}

// TestCodes checks that each code is written in kebab-case and stands for one thing.
func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for _, code := range []string{
		CodeMissingParameter, CodeRepeatedParameter, CodeMalformedParameter, CodePercentEncoding, CodeUndeclaredParameter,
		CodeTooManyValues, CodeMissingBody, CodeMediaType, CodeContentType, CodeCharset, CodeContentEncoding,
		CodeCompression, CodeBodyTooLarge, CodeForm, CodeMultipart, CodeXML,
		jsontext.CodeSyntax, jsontext.CodeTrailing, jsontext.CodeDuplicate, jsontext.CodeUTF8, jsontext.CodeDepth,
		jsontext.CodeNumberTooBig, jsontext.CodeSurrogate,
	} {
		if seen[code] || code == "" || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			t.Errorf("%q", code)
		}
		seen[code] = true
	}
}
