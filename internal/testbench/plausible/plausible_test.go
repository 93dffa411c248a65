package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestRules holds each rule to believe one value and to doubt another. A line of the data: rule, name of the property,
// value to believe, value to doubt.
func TestRules(t *testing.T) {
	text, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if len(fields) != 4 {
			continue
		}
		rule, name := fields[0], fields[1]
		tested[rule] = true
		for i, want := range []bool{true, false} {
			all := tally{}
			all.judgePlace(placeOf(t, name, fields[2+i]))
			switch v := all[rule]; {
			case v == nil:
				t.Errorf("%s does not judge %s: %s", rule, name, fields[2+i])
			case (v.believed > 0) != want:
				t.Errorf("%s, %s: %s: believed %v, want %v", rule, name, fields[2+i], !want, want)
			}
		}
	}
	for i := range valueRules {
		if !tested[valueRules[i].name] {
			t.Errorf("no values test %s", valueRules[i].name)
		}
	}
	for i := range objectRules {
		if !tested[objectRules[i].name] {
			t.Errorf("no values test %s", objectRules[i].name)
		}
	}
}

func placeOf(t *testing.T, name, text string) *place {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	p := &place{name: name, answer: &answer{operation: &spec.Operation{}}}
	if err := decoder.Decode(&p.value); err != nil {
		t.Fatal(err)
	}
	p.fetch = func(url string) (string, int) {
		if url == "http://mock/image" {
			return "image/png", 200
		}
		return "", 0
	}
	p.words = naming.Words(name)
	p.joined = strings.Join(p.words, "")
	p.object, _ = p.value.(map[string]any)
	return p
}
