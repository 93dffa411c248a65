package formula

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
)

func TestValue(t *testing.T) {
	for text, want := range map[string]string{
		"${object.price * object.count}":              `32.97`,
		"${object.first} ${object.last}!":             `"Ada Lovelace!"`,
		"${lower(object.first)}.${object.none}@x.org": `"ada.@x.org"`,
		"$${object.first}":                            `"${object.first}"`,
		"${object.count > 2}":                         `true`,
		"${len(object.tags)}":                         `2`,
		"${object.tags}":                              `["a","b"]`,
		"${object.none ?? 7}":                         `7`,
		"${object.first":                              "fails \"${\" is not closed",
		"${objekt.first}":                             "fails ${objekt.first}: unknown name \"objekt\"",
		"${object.first = 1}":                         "fails ${object.first = 1}: \"=\" cannot stand here; \"==\" compares (character 14)",
		"${object.first +}":                           "fails ${object.first +}: the expression ends too early (character 14)",
		"${object.first * ) 2}":                       "fails ${object.first * ) 2}: \")\" cannot stand here (character 16)",
		"${let x = 1; x}":                             "fails let is not available",
		"${sum(object.lines, .price * 2)}":            `12`,
		"${sum(object.lines, sum(object.lines, 1))}":  "fails a function over the elements of a list may not stand in another",
		"${days(object.from, object.to) + 1}":         `5`,
		"${days(object.first, object.to)}":            "fails days takes dates and times, not \"Ada\"",
		"${dais(object.from, object.to)}":             "fails ${dais(object.from, object.to)}: unknown name \"dais\"; did you mean \"days\"",
		"${map(object.tags, #)}":                      "fails the function map is not available",
		"${repeat(\"x\", 100000000)}":                 "fails ${repeat(",
		"${len(1..100000000)}":                        "fails memory budget",
		"${object.first + 1}":                         "fails ",
		strings.Repeat("x", 1001):                     "fails the text is longer",
	} {
		object, err := jsontext.Decode(`{"first":"Ada","last":"Lovelace","price":10.99,"count":3,"tags":["a","b"],
			"lines":[{"price":1},{"price":5}],"from":"2031-02-27","to":"2031-03-03"}`)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Parse(text)
		var v any
		if err == nil {
			v, err = f.Value(object.(map[string]any))
		}
		got := ""
		if err != nil {
			got = "fails " + err.Error()
		} else {
			got = string(jsontext.Append(nil, v))
		}
		if got != want && !(strings.HasPrefix(want, "fails") && strings.HasPrefix(got, want)) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("${object.a + 1} $${ ${upper(object['b'])}")
	f.Fuzz(func(t *testing.T, text string) {
		if formula, err := Parse(text); err == nil {
			formula.Value(map[string]any{"a": "x", "b": []any{nil, true}})
		}
	})
}
