package spec

import (
	"context"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
)

// FuzzLoad loads any text twice: it never panics or hangs, findings are the
// same both times, every place is inside the text, and every schema answers.
func FuzzLoad(f *testing.F) {
	families, _ := filepath.Glob("testdata/documents/*.txtar")
	for _, family := range families {
		archive, err := txtar.ParseFile(family)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if base := filepath.Base(file.Name); base == "openapi.yaml" || base == "openapi.json" {
				f.Add(string(file.Data))
			}
		}
	}
	f.Add(`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/a/{b}":{"get":{"responses":{"200":{"description":"d","content":{"a/b":{"schema":{"type":"string"}}}}}}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Load(context.Background(), "openapi.yaml", Options{Text: []byte(text)})
		again, againErr := Load(context.Background(), "openapi.yaml", Options{Text: []byte(text)})
		if (err == nil) != (againErr == nil) || err != nil && err.Error() != againErr.Error() {
			t.Fatalf("first %v, then %v", err, againErr)
		}
		if err != nil {
			return
		}
		if !reflect.DeepEqual(c.Findings, again.Findings) {
			t.Fatalf("first %v, then %v", c.Findings, again.Findings)
		}
		lines := strings.Count(text, "\n") + 1
		for _, finding := range c.Findings {
			if p := finding.Document; p.Line > lines || p.File == "openapi.yaml" && p.Line == 0 {
				t.Fatalf("%+v is outside the text", finding)
			}
		}
		for _, o := range c.Operations {
			for _, s := range bodies(o) {
				for _, value := range []any{nil, "a", map[string]any{"a": []any{}}} {
					s.Check(value, exchange.InBody, "")
				}
				s.Properties()
				s.Node(s.Keywords)
			}
		}
	})
}

func bodies(o *Operation) []*Schema {
	var schemas []*Schema
	add := func(types []*MediaType) {
		for _, m := range types {
			if m.Schema != nil {
				schemas = append(schemas, m.Schema)
			}
		}
	}
	if o.Body != nil {
		add(o.Body.Content)
	}
	for _, r := range o.Responses {
		add(r.Content)
	}
	for _, p := range o.Parameters {
		if p.Schema != nil {
			schemas = append(schemas, p.Schema)
		}
	}
	return schemas
}

// ownEscapes are letters with a meaning in the other engine which ECMA-262
// does not know.
var ownEscapes = regexp.MustCompile(`\\[aAeEgGhHiIjJlLmMoOqQRTUVXyYzZC]`)

// FuzzPattern holds the translation for Go's engine to the other engine, which
// reads ECMA-262 by itself.
func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{`^a$`, `[\w.-]+@\d{2,3}`, `\s\S`, `^[^\n]*$`, `(?<x>a|b)*c`, `\u0041\x42\cJ\0`, `[\b]\B`, `a{2}b+?`, `[[:alpha:]]`, `[a-z&&[b]]`} {
		f.Add(pattern, "aA1 \n")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 100 || len(text) > 100 || !utf8.ValidString(pattern) || !utf8.ValidString(text) {
			return
		}
		re, err := compilePattern(pattern)
		if err != nil {
			return
		}
		if _, ok := re.(linear); !ok {
			re.MatchString(text)
			return
		}
		// The other engine's own reading differs where it is known to be wrong:
		// \p, spaces, line ends in ., $ before a last line end, "[:" in a class.
		if strings.ContainsAny(pattern, ".$pPsS") || strings.Contains(pattern, "[:") || ownEscapes.MatchString(pattern) {
			return
		}
		other, err := regexp2.Compile(pattern, regexp2.ECMAScript|regexp2.Unicode)
		if err != nil {
			return
		}
		other.MatchTimeout = matchTimeout
		want, err := other.MatchString(text)
		if err != nil {
			return
		}
		if got := re.MatchString(text); got != want {
			t.Fatalf("pattern %q, text %q: %t, the other engine says %t", pattern, text, got, want)
		}
	})
}
