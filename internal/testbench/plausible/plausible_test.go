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

// TestRules holds each rule to believe one value and to doubt another. A line of the data: rule, name of the property,
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

// TestCorpus holds the share of each rule to what it was: a line of the file has a rule and the least share in percent.
// UPDATE_GOLDEN=1 writes the shares of today.
func TestCorpus(t *testing.T) {
	all := tally{}
	for _, d := range corpus.Test(t) {
		if err := all.judge(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	var today strings.Builder
	for _, rule := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&today, "%s %.1f\n", rule, math.Floor(all[rule].share()*10)/10)
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
		var least float64
		if _, err := fmt.Sscan(line, &rule, &least); err != nil {
			t.Fatalf("%s: %q: %v", sharesFile, line, err)
		}
		switch v := all[rule]; {
		case v == nil:
			t.Errorf("%s judges nothing", rule)
		case v.share() < least:
			t.Errorf("%s believes %.1f %% of %d values, want %.1f %%: %s", rule, v.share(), v.judged, least, v.doubted[0])
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
