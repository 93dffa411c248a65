package jsonvalue

import (
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// TestPatch has the examples of RFC 6902 (appendix A) and RFC 7396 (appendix A)
// that differ from each other; an empty result stands for an error.
func TestPatch(t *testing.T) {
	for _, c := range []struct{ kind, target, patch, want string }{
		{"json", `{"foo":"bar"}`, `[{"op":"add","path":"/baz","value":"qux"}]`, `{"baz":"qux","foo":"bar"}`},
		{"json", `{"foo":["bar","baz"]}`, `[{"op":"add","path":"/foo/1","value":"qux"}]`, `{"foo":["bar","qux","baz"]}`},
		{"json", `{"foo":["bar","qux","baz"]}`, `[{"op":"remove","path":"/foo/1"}]`, `{"foo":["bar","baz"]}`},
		{"json", `{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}`, `[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]`, `{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}`},
		{"json", `{"foo":["all","grass","cows","eat"]}`, `[{"op":"move","from":"/foo/1","path":"/foo/3"}]`, `{"foo":["all","cows","eat","grass"]}`},
		{"json", `{"baz":"qux"}`, `[{"op":"test","path":"/baz","value":"bar"}]`, ``},
		{"json", `{"foo":null}`, `[{"op":"test","path":"/foo","value":null},{"op":"replace","path":"/foo","value":1}]`, `{"foo":1}`},
		{"json", `{"foo":"bar"}`, `[{"op":"add","path":"/baz/bat","value":"qux"}]`, ``},
		{"json", `{"/":9,"~1":10}`, `[{"op":"test","path":"/~01","value":10}]`, `{"/":9,"~1":10}`},
		{"json", `{"foo":["bar"]}`, `[{"op":"add","path":"/foo/-","value":["abc","def"]}]`, `{"foo":["bar",["abc","def"]]}`},
		{"json", `{"a":[1]}`, `[{"op":"add","path":"/a/2","value":1}]`, ``},
		{"json", `{"a":[1]}`, `[{"op":"remove","path":"/a/01"}]`, ``},
		{"json", `{"a":[]}`, `[{"op":"remove","path":"/a/0"}]`, ``},
		{"json", `{"a":[]}`, `[{"op":"replace","path":"/a/-","value":1}]`, ``},
		{"json", `{"a":{"b":1}}`, `[{"op":"move","from":"/a","path":"/a/c"}]`, ``},
		{"json", `{"a":1}`, `[{"op":"replace","path":"","value":{"b":2}}]`, `{"b":2}`},
		{"json", `{"a":1}`, `[{"op":"spin","path":"/a"}]`, ``},
		{"json", `{"a":1}`, `{"op":"add"}`, ``},
		{"merge", `{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{"merge", `{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{"merge", `{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{"merge", `{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{"merge", `{"a":"foo"}`, `null`, `null`},
		{"merge", `[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{"merge", `{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		target, _ := jsontext.Decode(c.target)
		patch, _ := jsontext.Decode(c.patch)
		apply := Patch
		if c.kind == "merge" {
			apply = func(target, patch any) (any, error) { return Merge(target, patch), nil }
		}
		result, err := apply(target, patch)
		got := ""
		if err == nil {
			got = string(jsontext.Append(nil, result))
		}
		if got != c.want {
			t.Errorf("%s %s: got %s (%v), want %s", c.target, c.patch, got, err, c.want)
		}
		if after := string(jsontext.Append(nil, target)); after != c.target {
			t.Errorf("%s: the target became %s", c.target, after)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add(`{"a":[1,{"b":2}]}`, `[{"op":"copy","from":"/a","path":"/a/1/b"},{"op":"remove","path":"/a/0"}]`)
	f.Add(`[]`, `[{"op":"remove","path":"/-"},{"op":"replace","path":"/0","value":1}]`)
	f.Fuzz(func(t *testing.T, target, patch string) {
		have, err := jsontext.Decode(target)
		with, wrong := jsontext.Decode(patch)
		if err != nil || wrong != nil {
			return
		}
		before := string(jsontext.Append(nil, have))
		Patch(have, with)
		Merge(have, with)
		if after := string(jsontext.Append(nil, have)); after != before {
			t.Errorf("the target became %s", after)
		}
	})
}
