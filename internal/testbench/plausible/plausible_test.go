package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestRules checks that each rule believes one value and doubts another. A line of the data: rule, name of the property,
// value to believe, value to doubt, and the property's description if any.
func TestRules(t *testing.T) {
	text, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), " | ")
		if len(fields) < 4 {
			continue
		}
		rule, name := fields[0], fields[1]
		tested[rule] = true
		for i, want := range []bool{true, false} {
			all := tally{}
			p := placeOf(t, name, fields[2+i])
			p.description = strings.Join(fields[4:], "")
			all.judgePlace(p)
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

const sharesFile = "testdata/shares.txt"

// mostWrong is how many of all values may be wrong, in percent.
const mostWrong = 3

// TestCorpus compares the share of wrong values of each rule with what it may be: a line of the file has a rule and a
// share in percent. UPDATE_GOLDEN=1 writes the shares of today.
func TestCorpus(t *testing.T) {
	all := tally{}
	for _, d := range corpus.Test(t) {
		if err := all.judge(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	if wrong := all.all().wrong(); wrong > mostWrong {
		t.Errorf("%.1f %% of the values are wrong, want at most %d %%", wrong, mostWrong)
	}
	var today strings.Builder
	for _, rule := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&today, "%s %.1f\n", rule, math.Ceil(all[rule].wrong()*10)/10)
	}
	if golden.Update() {
		if err := os.WriteFile(sharesFile, []byte(today.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(sharesFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var rule string
		var most float64
		if _, err := fmt.Sscan(line, &rule, &most); err != nil {
			t.Fatalf("%s: %q: %v", sharesFile, line, err)
		}
		switch v := all[rule]; {
		case v == nil:
			t.Errorf("%s judges nothing", rule)
		case v.wrong() > most:
			t.Errorf("%s finds %.1f %% of %d values wrong, want at most %.1f %%: %s", rule, v.wrong(), v.judged, most, v.doubted[0])
		}
	}
}

// TestNeutral: texts that claim nothing are neutral, and others that are not believed are wrong.
func TestNeutral(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       bool
	}{
		{"subject", `"Subject C"`, true}, {"planKind", `"Plan kind T"`, true}, {"status", `"standard"`, true}, {"iban", `"IB-4821"`, true},
		{"email", `null`, true}, {"city", `"Blue Lamp"`, false}, {"latitude", `512`, false}, {"currency", `"Berlin"`, false},
	} {
		if got := placeOf(t, row.name, row.text).isNeutral(); got != row.want {
			t.Errorf("%s: %s: neutral = %t, want %t", row.name, row.text, got, row.want)
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
