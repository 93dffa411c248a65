package decode

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// fuzzSchemas are the schemas of fuzzed parameters.
var fuzzSchemas = []string{
	`{"type":"string"}`,
	`{"type":["integer","boolean","null"]}`,
	`{"type":"array","items":{"type":"string"}}`,
	`{"type":"array","items":{"type":["number","null"]}}`,
	`{"type":"object","additionalProperties":{"type":"string"}}`,
	`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"array","items":{"type":"string"}},"c":{"type":"object"}}}`,
	`{"anyOf":[{"type":"integer"},{"type":"array","items":{"type":"integer"}},{"type":"object"}]}`,
	`{}`,
}

// fuzzStyles are location, style and explode of fuzzed parameters.
var fuzzStyles = func() [][3]string {
	var styles [][3]string
	for _, style := range []string{
		"path simple", "path label", "path matrix", "query form", "query spaceDelimited", "query pipeDelimited",
		"query deepObject", "header simple", "cookie form", "cookie cookie",
	} {
		in, name, _ := strings.Cut(style, " ")
		styles = append(styles, [3]string{in, name, "false"}, [3]string{in, name, "true"})
	}
	return styles
}()

// FuzzParameter reads any text in any style; what it reads as is written and
// read again as the same value, if the style can hold it.
func FuzzParameter(f *testing.F) {
	table, err := os.ReadFile("testdata/styles.txt")
	if err != nil {
		f.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(table)) {
		if sent, _, ok := strings.Cut(line, "=> "); ok {
			n++
			f.Add(strings.TrimRight(sent, " <"), uint8(n%len(fuzzStyles)), uint8(n%len(fuzzSchemas)))
		}
	}
	type bound struct {
		parameter *spec.Parameter
		operation *Decoder
	}
	var all [][]bound
	for _, style := range fuzzStyles {
		var row []bound
		for _, schema := range fuzzSchemas {
			p := &spec.Parameter{Name: "color", In: style[0], Style: style[1], Explode: style[2] == "true", Schema: compile(f, schema)}
			row = append(row, bound{p, New(&spec.Operation{Path: "/{color}", Parameters: []*spec.Parameter{p}})})
		}
		all = append(all, row)
	}
	f.Fuzz(func(t *testing.T, text string, style, schema uint8) {
		b := all[int(style)%len(all)][int(schema)%len(fuzzSchemas)]
		req, path := send(b.parameter, text)
		if path == nil {
			path = []string{text}
		}
		values, findings := b.operation.Request(req, path)
		b.operation.Unknown(req)
		value, ok := values.In(b.parameter.In)["color"]
		if !ok {
			return
		}
		if len(findings) > 0 && findings[0].Name != "" {
			t.Fatalf("both %v and %v", value, findings)
		}
		encoded, err := Encode(b.parameter, value)
		if err != nil || strings.HasPrefix(fuzzSchemas[int(schema)%len(fuzzSchemas)], `{"anyOf"`) {
			return // what may be a text and an object at once has no text of its own
		}
		req, path = send(b.parameter, encoded)
		if path == nil {
			path = []string{encoded}
		}
		values, findings = b.operation.Request(req, path)
		if again := values.In(b.parameter.In)["color"]; len(findings) > 0 || !reflect.DeepEqual(again, value) {
			t.Fatalf("%q is %s, written as %q is %s, %v", text, jsontext.Append(nil, value), encoded, jsontext.Append(nil, again), findings)
		}
	})
}

// FuzzEncode writes any value in any style; if the style can hold it, it
// reads as the same value.
func FuzzEncode(f *testing.F) {
	f.Add("a,b", "c d", "é&=;", uint8(0))
	f.Add("", "|", "[]", uint8(1))
	f.Add("%", "+", ".", uint8(2))
	texts := compile(f, `{"type":"string"}`)
	lists := compile(f, `{"type":"array","items":{"type":"string"}}`)
	objects := compile(f, `{"type":"object","additionalProperties":{"type":"string"}}`)
	f.Fuzz(func(t *testing.T, a, b, c string, style uint8) {
		s := fuzzStyles[int(style)%len(fuzzStyles)]
		for _, try := range []struct {
			value  any
			schema *spec.Schema
		}{
			{a, texts}, {[]any{a, b, c}, lists}, {[]any{a}, lists}, {map[string]any{a: b}, objects}, {map[string]any{a: b, b: c}, objects},
		} {
			p := &spec.Parameter{Name: "color", In: s[0], Style: s[1], Explode: s[2] == "true", Schema: try.schema}
			encoded, err := Encode(p, try.value)
			if err != nil {
				continue
			}
			req, path := send(p, encoded)
			if path == nil {
				path = []string{encoded}
			}
			values, findings := New(&spec.Operation{Path: "/{color}", Parameters: []*spec.Parameter{p}}).Request(req, path)
			if got := values.In(p.In)["color"]; len(findings) > 0 || !reflect.DeepEqual(got, try.value) {
				t.Fatalf("%v: %s is written as %q and read as %s, %v", s, jsontext.Append(nil, try.value), encoded, jsontext.Append(nil, got), findings)
			}
		}
	})
}

func formMedia(t testing.TB) []*spec.MediaType {
	return []*spec.MediaType{mediaOf(t, "application/x-www-form-urlencoded", compile(t, `{"type":"object","properties":{
		"n":{"type":"integer"},"on":{"type":"boolean"},"s":{"type":"string"},
		"l":{"type":"array","items":{"type":"integer"}},
		"o":{"type":"object","properties":{"x":{"type":"integer"}}},
		"os":{"type":"array","items":{"type":"object"}}}}`))}
}

// FuzzForm reads any text as an urlencoded form, writes what it means and reads
// that.
func FuzzForm(f *testing.F) {
	table, err := os.ReadFile("testdata/bodies.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		sent, _, _ := strings.Cut(line, " => ")
		f.Add(strings.TrimSuffix(sent, "\n"))
	}
	media := formMedia(f)
	f.Fuzz(func(t *testing.T, text string) {
		reread(t, media, media[0].Range, text)
	})
}

// reread decodes a body, encodes its value, and decodes that.
func reread(t *testing.T, content []*spec.MediaType, contentType, text string) {
	t.Helper()
	h := exchange.Header{{Name: "Content-Type", Value: contentType}}
	value, media, findings := decodeBody(content, h, []byte(text))
	if len(findings) > 0 {
		if value != nil {
			t.Fatalf("both %v and %v", value, findings)
		}
		return
	}
	if !utf8.ValidString(text) {
		return // a file's bytes have no text in JSON or XML
	}
	if object, ok := value.(map[string]any); ok && media.Subtype != "xml" {
		for name, property := range object {
			if list, ok := property.([]any); ok && len(list) == 0 {
				delete(object, name) // an empty list is written by leaving it out
			}
		}
	}
	body, contentType, err := NewEncoder(media).Encode("", value)
	if err != nil {
		return
	}
	h.Set("Content-Type", contentType)
	again, _, findings := decodeBody(content, h, body)
	if len(findings) > 0 || !reflect.DeepEqual(again, value) {
		t.Fatalf("%q\nis %s,\nwritten as %q\nis %s, %v", text, jsontext.Append(nil, value), body, jsontext.Append(nil, again), findings)
	}
}

// document returns the contents that a file of testdata/documents documents, and
// seeds f with its bodies.
func document(f *testing.F, name string) []*spec.MediaType {
	archive, err := txtar.ParseFile(filepath.Join("testdata/documents", name+".txtar"))
	if err != nil {
		f.Fatal(err)
	}
	var content []*spec.MediaType
	for _, file := range archive.Files {
		if file.Name == "openapi.yaml" {
			content = load(f, file.Data).Operations[0].Body.Content
		}
		if strings.HasSuffix(file.Name, ".body") {
			f.Add(string(file.Data))
		}
	}
	return content
}

func FuzzMultipart(f *testing.F) {
	content := document(f, "multipart")
	f.Fuzz(func(t *testing.T, text string) {
		reread(t, content, "multipart/form-data; boundary=x", strings.ReplaceAll(text, "\n", "\r\n"))
	})
}

func FuzzXML(f *testing.F) {
	content := document(f, "xml")
	f.Fuzz(func(t *testing.T, text string) {
		reread(t, content, "application/xml", text)
	})
}

func FuzzContentType(f *testing.F) {
	for _, seed := range []string{"application/json", `a/b; c="d\"e"; f=g`, "a/b;", "a/b; c", "/", "a/b;;c=d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := parseMediaType(text)
		if ok && (m.kind == "" || m.subtype == "" || m.kind != strings.ToLower(m.kind)) {
			t.Fatalf("%q is %+v", text, m)
		}
	})
}

func FuzzDecompress(f *testing.F) {
	for name := range compressors {
		encoding, _, _ := strings.Cut(name, " ")
		f.Add(encoding, compress(f, name, []byte("plant")))
	}
	f.Fuzz(func(t *testing.T, encoding string, body []byte) {
		const limit = 1 << 16
		if got, finding := Decompress(encoding, body, limit, new(bodies.Share)); finding == nil && len(got) > max(limit, len(body)) {
			t.Fatalf("%d bytes", len(got))
		}
	})
}
