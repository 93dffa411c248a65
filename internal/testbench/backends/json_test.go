package backends

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// FuzzParseJSON holds the services' reading of JSON to the program's own: each
// was written without the other.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,2.5e3,null,true],"b":"é😀"}`, `{"a":1,"a":2}`, `"\ud83d\ude00"`, `"\ud83d"`, `"\\ud83d"`, `"\ude00\ud83d"`,
		"\"\xff\"", `{"a":1} x`, `[1,]`, `{`, ``, ` 1 `, `01`, `1.`, `[[[]]]`, `"\u0000"`, `{"a":{"b":1,"b":2}}`, "\ufeff1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if len(raw) > 1000 || strings.Count(raw, "[")+strings.Count(raw, "{") > maxDepth || strings.ContainsAny(raw, "eE") && strings.ContainsAny(raw, "0123456789") {
			return // limits and exponents, which the two bound differently
		}
		value, fault := parseJSON(raw)
		other, err := jsontext.Decode(raw)
		switch {
		case (fault == "") != (err == nil):
			t.Errorf("%q: here %q, there %v", raw, fault, err)
		case fault == "" && !same(value, other):
			t.Errorf("%q: here %v, there %v", raw, value, other)
		}
	})
}
