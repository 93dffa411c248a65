package generate_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// overlaps returns objects that nest some levels deep, each of several schemas that take each other's values.
func overlaps(deep int) string {
	schemas := []string{`"N0": {"type": "string"}`}
	for d := range deep {
		oneOf := strings.TrimSuffix(strings.Repeat(fmt.Sprintf(`{"$ref": "#/$defs/N%d"}, `, d), 3), ", ")
		schemas = append(schemas, fmt.Sprintf(`"N%d": {"type": "object", "properties":
			{"p": {"oneOf": [%s]}, "q": {"oneOf": [%[2]s]}, "r": {"type": "array", "items": {"oneOf": [%[2]s]}}}}`, d+1, oneOf))
	}
	return fmt.Sprintf(`{"$ref": "#/$defs/N%d", "$defs": {%s}}`, deep, strings.Join(schemas, ", "))
}

// choices asks for one of two properties so many times; more may not be there.
func choices(n int, more string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(`{"oneOf": [{"required": ["a%d"]}, {"required": ["b%[1]d"]}]}`, i)
	}
	return fmt.Sprintf(`{"type": "object", %s "allOf": [%s]}`, more, strings.Join(parts, ", "))
}

// TestBudget makes values of schemas whose alternatives multiply. The bound on what is allocated stands for the work.
func TestBudget(t *testing.T) {
	const most = 64 << 20 // for three values and one that is filled, and all that is worked out for them
	for name, c := range map[string]struct {
		schema   string
		conforms bool
	}{
		"overlapping alternatives":      {overlaps(8), true},
		"required overlaps":             {strings.ReplaceAll(overlaps(6), `"properties"`, `"required": ["p", "q", "r"], "properties"`), false},
		"choices":                       {choices(24, ""), true},
		"choices that more is asked of": {choices(24, `"maxProperties": 23,`), false},
		"arrays of arrays":              {`{"type": "array", "minItems": 300, "items": {"type": "array", "minItems": 300, "items": {"type": "string"}}}`, false},
		"a costly pattern":              {`{"type": "array", "minItems": 3, "items": {"type": "string", "minLength": 40, "pattern": "^(?!x)(a+)+$(?<=b)"}}`, false},
		"long strings":                  {`{"type": "array", "minItems": 9000, "items": {"type": "string", "minLength": 90000}}`, false},
		"unique values that overlap":    {`{"type": "array", "minItems": 40, "uniqueItems": true, "items": {"oneOf": [{"minimum": 0}, {"maximum": 9}, {"type": "integer"}]}}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := compile(t, c.schema)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			g := generate.New(s, generate.Options{})
			var made []string
			for key := range generate.Key(3) {
				v, err := g.Value(key)
				if c.conforms != (err == nil) {
					t.Errorf("key %d: %v", key, err)
				}
				made = append(made, bytes(v))
			}
			g.Fill(7, map[string]any{"p": map[string]any{"q": "x"}, "q": true, "a0": "y", "b7": nil, "zz": "top"}, "r")
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > most {
				t.Errorf("%d MiB were allocated", used>>20)
			}
			other := generate.New(s, generate.Options{})
			for key := generate.Key(3); key > 0; key-- { // in another order
				if v, _ := other.Value(key - 1); bytes(v) != made[key-1] {
					t.Errorf("key %d: the value depends on what was made before", key-1)
				}
			}
		})
	}
}

// TestCache makes values of many places that lead to the same schemas: with a cache they are merged once, for the same
// values.
func TestCache(t *testing.T) {
	var paths, properties []string
	for i := range 20 {
		paths = append(paths, fmt.Sprintf(`"/%d": {"get": {"responses": {"200": {"description": "", "content":
			{"application/json": {"schema": {"type": "object", "properties": {"p%[1]d": {"$ref": "#/components/schemas/Big"}}}}}}}}}`, i))
		properties = append(properties, fmt.Sprintf(`"p%d": {"type": "string", "pattern": "^[a-z]{3}-%[1]d$"}`, i))
	}
	text := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {%s},
		"components": {"schemas": {"Big": {"type": "object", "properties": {%s}}}}}`, strings.Join(paths, ","), strings.Join(properties, ","))
	c, err := spec.Load(t.Context(), "openapi.json", spec.Options{Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	values := func(cache *generate.Cache) (text string, allocated uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, s := range schemasOf(c) {
			v, err := generate.New(s, generate.Options{Cache: cache}).Value(5)
			if err != nil {
				t.Error(err)
			}
			text += bytes(v)
		}
		runtime.ReadMemStats(&after)
		return text, after.TotalAlloc - before.TotalAlloc
	}
	values(nil) // what the document itself works out on demand
	alone, much := values(nil)
	shared, little := values(&generate.Cache{})
	if alone != shared || little > much/4 {
		t.Errorf("%d bytes with a cache, %d without; same values: %t", little, much, alone == shared)
	}
}
