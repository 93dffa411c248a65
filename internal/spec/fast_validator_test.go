package spec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/testbench/sample"
)

// TestConforms compares Conforms with Validate, for every schema with every value below. The race detector has a fifth
// of the values for each schema, all of them over five schemas.
func TestConforms(t *testing.T) {
	every, skipped := sample.Every(1, 5), 0
	for schema := range strings.Lines(comparedSchemas) {
		k, err := compileText(schema)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		i := skipped
		for value := range strings.Lines(comparedValues) {
			if i++; i%every == 0 {
				compareValidators(t, k, schema, value)
			}
		}
		skipped++
	}
}

func FuzzConforms(f *testing.F) {
	values := strings.Split(comparedValues, "\n")
	i := 0
	for schema := range strings.Lines(comparedSchemas) {
		f.Add(schema, values[i%len(values)])
		i++
	}
	f.Fuzz(func(t *testing.T, schema, value string) {
		if k, err := compileText(schema); err == nil {
			compareValidators(t, k, schema, value)
		}
	})
}

func compareValidators(t *testing.T, k *Keywords, text, value string) {
	v, syntax := jsontext.Decode(value)
	if syntax != nil {
		return
	}
	want := k.Validate(v)
	if got := Conforms(k, v); got != (want == nil) {
		t.Errorf("%s\n%s\nConforms = %t, Validate: %v", text, value, got, want)
	}
	var object jsontext.Flat
	if flat := schema.FlatOf(k); flat != nil && object.Scan(value) && flat.Conforms(&object) && want != nil {
		t.Errorf("%s\n%s\nFlat conforms, Validate: %v", text, value, want)
	}
}

func compileText(text string) (k *Keywords, err error) {
	defer func() {
		if r := recover(); r != nil { // the compiler's own faults are not looked for here
			err = fmt.Errorf("%v", r)
		}
	}()
	schema, syntax := jsontext.Decode(text)
	if syntax != nil {
		return nil, syntax
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.UseRegexpEngine(compilePattern)
	registerFormats(compiler)
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	if err := compiler.AddResource("schema:///s", schema); err != nil {
		return nil, err
	}
	return compiler.Compile("schema:///s")
}

const comparedSchemas = `true
false
{}
{"type": "string"}
{"type": "integer"}
{"type": "number"}
{"type": ["integer", "null"]}
{"type": ["boolean", "array"]}
{"type": "object"}
{"const": "a"}
{"const": 1}
{"const": null}
{"const": true}
{"const": {"a": 1}}
{"enum": ["a", "b", null]}
{"enum": [1, 2.50, true]}
{"enum": [[1], {"a": 1}]}
{"format": "date-time"}
{"format": "int32", "type": "integer"}
{"format": "regex"}
{"format": "email", "minLength": 3}
{"minLength": 1, "maxLength": 2}
{"pattern": "^a"}
{"pattern": "^(?!b)"}
{"minimum": 1, "maximum": 2}
{"exclusiveMinimum": 1, "exclusiveMaximum": 3}
{"minimum": 0.5, "multipleOf": 2}
{"multipleOf": 0.1}
{"multipleOf": 0.01, "minimum": 0.01, "maximum": 99.99}
{"exclusiveMinimum": -1.5, "exclusiveMaximum": 12.5}
{"minimum": 0.333333333333333333, "maximum": 1000000000000000000000}
{"minimum": 1e-30, "maximum": 1e17}
{"multipleOf": 3}
{"minimum": -9223372036854775808, "maximum": 9223372036854775807}
{"minimum": 9007199254740993}
{"required": ["a"]}
{"properties": {"a": {"type": "integer"}, "b": false}}
{"properties": {"a": true}, "additionalProperties": false}
{"properties": {"a": true}, "additionalProperties": {"type": "string"}}
{"patternProperties": {"^a": {"type": "integer"}, "b$": {"type": "string"}}}
{"patternProperties": {"^a": true}, "additionalProperties": false}
{"minProperties": 1, "maxProperties": 1}
{"propertyNames": {"maxLength": 1}}
{"properties": {"a": {"type": "integer", "format": "int32"}, "b": {"enum": ["x", null]}}}
{"properties": {"a": {"type": ["number", "null"], "minimum": 1}, "b": {"pattern": "^x"}}, "required": ["a", "c"]}
{"allOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"type": "string"}}, "additionalProperties": false}]}
{"type": "object", "properties": {"a": {"type": "integer", "format": "int64"}}, "required": ["a"], "additionalProperties": false}
{"properties": {"a": {"format": "int32"}, "b": {"type": "string", "format": "date"}, "v": true, "ab": false}}
{"allOf": [{"required": ["b"]}], "properties": {"b": {"anyOf": [{"minLength": 2}, {"type": "integer"}]}}}
{"type": "object", "additionalProperties": false}
{"dependentRequired": {"a": ["b"]}}
{"dependentSchemas": {"a": {"required": ["b"]}}}
{"properties": {"a": true}, "unevaluatedProperties": false}
{"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}
{"minItems": 1, "maxItems": 2}
{"items": {"type": "integer"}}
{"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}
{"prefixItems": [true, false]}
{"uniqueItems": true}
{"contains": {"type": "integer"}, "maxContains": 1}
{"prefixItems": [true], "unevaluatedItems": false}
{"allOf": [{"type": "object"}, {"required": ["a"]}]}
{"anyOf": [{"type": "string"}, {"minimum": 2}]}
{"anyOf": [{"multipleOf": 0.5}, {"type": "string"}]}
{"oneOf": [{"type": "integer"}, {"minimum": 2}]}
{"oneOf": [{"type": "integer"}, {"type": "number"}, {"multipleOf": 0.5}]}
{"not": {"type": "string"}}
{"not": {"uniqueItems": true}}
{"if": {"type": "integer"}, "then": {"minimum": 2}, "else": {"type": "string"}}
{"if": {"required": ["a"]}, "then": {"required": ["b"]}}
{"then": false}
{"$ref": "#/$defs/x", "required": ["a"], "$defs": {"x": {"type": "object", "properties": {"a": {"$ref": "#"}}}}}
{"$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}, "required": ["v"]}}, "$ref": "#/$defs/n"}
{"$ref": "#"}
{"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}
{"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}}, "type": "object"}
{"allOf": [{"$dynamicRef": "#n"}], "$defs": {"n": {"$dynamicAnchor": "n", "type": "string"}}}
{"contentMediaType": "application/json", "contentEncoding": "base64"}
{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "integer"}], "additionalItems": false}
{"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}
`

const comparedValues = `null
true
false
0
1
-1
2
3
1.0
1.5
2.50
-1.5
-1.50001
-0.5
-0.0
12.5
12.499
0.01
0.070
0.3333333333333333
0.33333333333333333
0.333333333333333334
99.995
12345678901234567.8
123456789012345678.9
1e0
-0
0.3
2147483648
9223372036854775807
9223372036854775808
9007199254740992
999999999999999999
1000000000000000000
100000000000000000000000000
""
"a"
"b"
"ab"
"äö"
"abc"
"a@b.example"
"2020-02-30T00:00:00Z"
"2020-02-29T00:00:00Z"
"("
[]
[1]
["a"]
[1, "a"]
[1, 2, "a"]
[1, 1]
[1, 1.0]
[[1], {"a": 1}]
{}
{"a": 1}
{"a": 1.0}
{"a": "x"}
{"a": {}}
{"a": {"a": {}}}
{"b": 1}
{"b": "x"}
{"a": 1, "b": "x"}
{"ab": 1}
{"ab": "x", "c": 2}
{"a": 2147483648, "b": null}
{"a": 9223372036854775807, "c": true}
{"a": 1e3, "b": "x", "c": 0}
{"v": 1, "next": {"v": 2}}
{"v": 1, "next": {}}
`

// TestDecides has the fast validator decide what is common, without jsonschema.
func TestDecides(t *testing.T) {
	for _, c := range []struct{ schema, value string }{
		{`{"type": "number", "minimum": 0}`, `12.5`},
		{`{"type": "number", "minimum": 0.01, "multipleOf": 0.01}`, `12.50`},
		{`{"type": "number", "exclusiveMinimum": -90, "maximum": 90.5}`, `-48.137154`},
		{`{"type": "integer", "minimum": 1, "maximum": 100}`, `7`},
	} {
		k, err := compileText(c.schema)
		if err != nil {
			t.Fatal(err)
		}
		value, _ := jsontext.Decode(c.value)
		if conforms, decided := schema.FastValidate(k, value, new(schema.Allowance)); !conforms || !decided {
			t.Errorf("%s, %s: conforms %t, decided %t", c.schema, c.value, conforms, decided)
		}
	}
}

func BenchmarkConforms(b *testing.B) {
	k, err := compileText(`{"allOf": [{"$ref": "#/$defs/plant"}, {"required": ["id"], "type": "object", "properties": {"id": {"type": "integer", "format": "int64"}}}],
		"$defs": {"plant": {"required": ["name"], "type": "object", "properties": {"name": {"type": "string"}, "tag": {"type": "string"}}}}}`)
	if err != nil {
		b.Fatal(err)
	}
	value, syntax := jsontext.Decode(`{"id": 7, "name": "Fern", "tag": "shade"}`)
	if syntax != nil {
		b.Fatal(syntax)
	}
	b.Run("quick", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if conforms, _ := schema.FastValidate(k, value, new(schema.Allowance)); !conforms {
				b.Fatal("it conforms")
			}
		}
	})
	b.Run("flat", func(b *testing.B) {
		flat := schema.FlatOf(k)
		b.ReportAllocs()
		for b.Loop() {
			var object jsontext.Flat
			if !object.Scan(`{"id": 7, "name": "Fern", "tag": "shade"}`) || !flat.Conforms(&object) {
				b.Fatal("it conforms")
			}
		}
	})
	b.Run("decoded", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			value, _ := jsontext.Decode(`{"id": 7, "name": "Fern", "tag": "shade"}`)
			if conforms, _ := schema.FastValidate(k, value, new(schema.Allowance)); !conforms {
				b.Fatal("it conforms")
			}
		}
	})
	b.Run("Validate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if k.Validate(value) != nil {
				b.Fatal("it conforms")
			}
		}
	})
}
