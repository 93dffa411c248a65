package values

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/tree"
)

// Each name of the table occurs once, has one meaning, and its values depend on the key alone.
func TestFakers(t *testing.T) {
	seen := map[string]bool{}
	f := formats.NewFaker()
	for _, row := range fakers() {
		if !slices.Contains([]string{"field", "call", "list", "pattern", "numbers", "advice"}, row.by) || row.value == "" {
			t.Errorf("%s is by %q", row.names, row.by)
		}
		for name := range strings.FieldsSeq(row.names) {
			if lower := strings.ToLower(name); seen[lower] {
				t.Errorf("%s stands twice", name)
			} else {
				seen[lower] = true
			}
			v, err := fakerValue(name)
			if row.by == "advice" {
				if err == nil || !strings.Contains(err.Error(), row.value) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			distinct := map[any]bool{}
			for i := range uint64(20) {
				at := fields.Context{Key: formats.Mix(i), Object: formats.Mix(i + 100)}
				first := slices.Collect(v.Candidates(f, at, ""))
				if len(first) == 0 || first[0] == "" || !reflect.DeepEqual(first, slices.Collect(v.Candidates(f, at, ""))) {
					t.Fatalf("%s gives %v", name, first)
				}
				distinct[first[0]] = true
			}
			if len(distinct) < 2 {
				t.Errorf("%s gives one value: %v", name, distinct)
			}
		}
	}
}

// The forms of a value, and what is wrong with others. "fails" begins the message of an error.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		`5`: "5", `"a"`: `a`, `null`: "<nil>", `[7]`: "7", `{value: [1, 2]}`: "[1 2]", `{min: 4, max: 4}`: "4",
		`{min: 0.125, max: 0.125}`: "0.125", `{faker: system.nothing}`: "fails \"system.nothing\" is no function",
		`{}`: "fails must be one of", `{min: 4}`: "fails must be one of", `{min: 5, max: 4}`: "fails min and max",
		`{faker: [x]}`: "fails must be one of", `[]`: "fails the list", `{fake: x}`: "fails unknown key",
	} {
		root, _, err := tree.Read("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		v, _, err := read(root)
		got := ""
		if err != nil {
			got = "fails " + err.Error()
		} else {
			for candidate := range v.Candidates(formats.NewFaker(), fields.Context{}, "") {
				got = fmt.Sprint(candidate)
				break
			}
		}
		if !strings.HasPrefix(got, want) || want == "" {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// docs/values.md names every function of faker.js that is known.
func TestDocs(t *testing.T) {
	text, err := os.ReadFile("../../docs/values.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range fakers() {
		name, _, _ := strings.Cut(row.names, " ")
		if row.by != "advice" && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("%s is not in docs/values.md", name)
		}
	}
}
