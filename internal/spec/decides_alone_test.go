package spec

import (
	"maps"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
)

// FuzzDecidesAlone compares DecidesAlone with Validate: an object that conforms still does with another value that
// the property's schema takes, if that decides alone.
func FuzzDecidesAlone(f *testing.F) {
	const links = `{"type":"object","required":["url"],"properties":{"url":{"type":"string","format":"uri"},"n":{"type":"integer"}}`
	alone := []string{
		links + `}`,
		links + `,"additionalProperties":false}`,
		`{"allOf":[` + links + `},{"properties":{"name":{"type":"string"}}}]}`,
		`{"$ref":"#/$defs/a","$defs":{"a":` + links + `}}}`,
	}
	others := []string{
		links + `,"anyOf":[{"properties":{"url":{"pattern":"^http:"}}},{"maxProperties":0}]}`,
		links + `,"patternProperties":{"^u":{"maxLength":9}}}`,
		links + `,"enum":[{"url":"http:a"}]}`,
		links + `,"not":{"properties":{"url":{"const":"http:b"}}}}`,
		`{"allOf":[` + links + `},{"properties":{"url":{"maxLength":9}}}]}`,
		links + `,"if":{"properties":{"url":{"const":"http:b"}}},"then":{"required":["n"]}}`,
	}
	for i, text := range append(alone, others...) {
		k, err := compileText(text)
		if err != nil {
			f.Fatal(text, err)
		}
		property := schema.Property(k, "url")
		if got := schema.DecidesAlone(k, "url", property); got != (i < len(alone)) {
			f.Errorf("%s: DecidesAlone = %t", text, got)
		}
		f.Add(text, `{"url":"http:a"}`, "url", `"http:b"`)
	}
	f.Fuzz(func(t *testing.T, text, object, name, value string) {
		k, err := compileText(text)
		before, syntax := jsontext.Decode(object)
		after, bad := jsontext.Decode(value)
		members, isObject := before.(map[string]any)
		if err != nil || syntax != nil || bad != nil || !isObject || members[name] == nil {
			return
		}
		property := schema.Members(k)[name]
		if property == nil || !schema.DecidesAlone(k, name, property) || k.Validate(before) != nil || property.Validate(after) != nil {
			return
		}
		other := maps.Clone(members)
		other[name] = after
		if err := k.Validate(other); err != nil {
			t.Errorf("%s\n%s with %s: %s: %v", text, object, name, value, err)
		}
	})
}
