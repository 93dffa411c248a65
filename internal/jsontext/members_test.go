package jsontext_test

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// FuzzMembers finds and picks the members of an object in its text, and measures its depth.
func FuzzMembers(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":1,"b":"\"","c":"\\","d":["}","]"],"e":{"a":{"\\":null}}}`, `{"a\"b":1,"c":2}`, `{"":"","z":[[],{}]}`,
		`{"a":"` + strings.Repeat(`\\`, 700) + `","b":"` + strings.Repeat("x", 700) + `","c":true}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := jsontext.Decode(text)
		object, ok := value.(map[string]any)
		if err != nil || !ok {
			return
		}
		kept := jsontext.Append(nil, object)
		if most := depth(object); !jsontext.NestsAtMost(kept, most) || jsontext.NestsAtMost(kept, most-1) {
			t.Errorf("%s is %d deep: within that %t, within less %t", kept, most, jsontext.NestsAtMost(kept, most),
				jsontext.NestsAtMost(kept, most-1))
		}
		var members jsontext.Members
		for name, value := range object {
			for range 2 {
				raw, sure := members.Find(kept, name)
				if want := jsontext.Append(nil, value); sure && string(raw) != string(want) {
					t.Errorf("%q of %s is %s", name, kept, raw)
				}
			}
			some := map[string]any{name: value}
			if picked, ok := jsontext.Pick(kept, some); ok && string(picked) != string(jsontext.Append(nil, some)) {
				t.Errorf("%q alone of %s is %s", name, kept, picked)
			}
		}
		plain := !strings.Contains(text, `\`)
		if picked, ok := jsontext.Pick(kept, object); ok != plain && plain || ok && string(picked) != string(kept) {
			t.Errorf("all of %s is %s, %v", kept, picked, ok)
		}
		if raw, sure := members.Find(kept, "no such name"); sure && raw != nil {
			t.Errorf("%s in %s", raw, kept)
		}
	})
}

func depth(value any) (deepest int) {
	switch v := value.(type) {
	case map[string]any:
		for _, member := range v {
			deepest = max(deepest, depth(member))
		}
	case []any:
		for _, element := range v {
			deepest = max(deepest, depth(element))
		}
	default:
		return 0
	}
	return deepest + 1
}
