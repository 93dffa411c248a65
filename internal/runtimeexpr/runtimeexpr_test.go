package runtimeexpr

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// TestExpressions runs the lines of testdata/expressions.txtar.
func TestExpressions(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/expressions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var x *Exchange
	for _, f := range archive.Files {
		if f.Name == "exchange.json" {
			x = readExchange(t, string(f.Data))
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			text, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
			if !ok {
				t.Fatalf("%q is no case", line)
			}
			if got := evaluate(text, x); got != want {
				t.Errorf("%s\n got %s\nwant %s", text, got, want)
			}
		}
	}
}

func evaluate(text string, x *Exchange) string {
	v, err := ParseValue(text)
	if err != nil {
		return err.Error()
	}
	value, err := v.Evaluate(x)
	if err != nil {
		return err.Error()
	}
	return string(jsontext.Append(nil, value))
}

func readExchange(t *testing.T, text string) *Exchange {
	decoded, err := jsontext.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	o := decoded.(map[string]any)
	header := func(name string) exchange.Header {
		var h exchange.Header
		for name, value := range o[name].(map[string]any) {
			h.Set(name, value.(string))
		}
		return h
	}
	return &Exchange{
		URL:          o["url"].(string),
		Request:      &exchange.Request{Method: o["method"].(string), Query: o["query"].(string), Header: header("header")},
		Path:         o["path"].(map[string]any),
		RequestBody:  o["body"],
		Response:     &exchange.Response{Status: 201, Header: header("responseHeader")},
		ResponseBody: o["responseBody"],
	}
}

func TestExpressionsInsideValues(t *testing.T) {
	value := map[string]any{
		"id":   "$response.body#/id",
		"list": []any{"{$request.body#/url}/x", true, nil},
		"text": "as it is",
	}
	v, err := ParseValue(value)
	if err != nil || v.Constant() {
		t.Fatal(err)
	}
	got, err := v.Evaluate(&Exchange{
		Request: &exchange.Request{}, RequestBody: map[string]any{"url": "http://example.test"},
		Response: &exchange.Response{Status: 200}, ResponseBody: map[string]any{"id": "7"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if text := string(jsontext.Append(nil, got)); text != `{"id":"7","list":["http://example.test/x",true,null],"text":"as it is"}` {
		t.Error(text)
	}
	if _, err := v.Evaluate(&Exchange{}); err == nil {
		t.Error("an empty exchange has values")
	}
}

// FuzzParse holds that no text makes the package panic, that what is parsed
// reads as it was written, and that an empty exchange has none of the values.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "$", "$url", "$method", "$statusCode", "$request.body#/a~1b/0", "$response.header.Location",
		"{$request.query.url}/data?x={$statusCode}", "{$", "{$}", "}{", "{{$url}}", "$request.path.", "$request.body#/~", "a{$url}{$method}",
	} {
		f.Add(seed)
	}
	full := &Exchange{
		URL: "http://localhost", Request: &exchange.Request{Method: "GET", Query: "a=%zz&b;c=1"}, RequestBody: []any{map[string]any{"a": "b"}},
		Response: &exchange.Response{Status: 200}, ResponseBody: "text", Path: map[string]any{"id": true},
	}
	f.Fuzz(func(t *testing.T, text string) {
		template, err := ParseTemplate(text)
		if err != nil {
			return
		}
		if template.String() != text {
			t.Fatalf("%q reads as %q", text, template)
		}
		plain, err := template.Text(&Exchange{})
		if err == nil && len(template.Expressions()) > 0 {
			t.Fatalf("%q comes to %q without an exchange", text, plain)
		}
		if err == nil && plain != text {
			t.Fatalf("%q comes to %q", text, plain)
		}
		template.Value(full)
		for _, e := range template.Expressions() {
			again, err := Parse(e.String())
			if err != nil || *again != *e {
				t.Fatalf("%q is not read again: %v", e, err)
			}
		}
	})
}
