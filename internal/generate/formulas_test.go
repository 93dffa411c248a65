package generate_test

import (
	"os"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/words"
)

// TestFormulas computes each formula of relations.tsv from the parts of an object. A line of the data: the names of the
// target, its parts, what the formula reads, and its value. Each row has a line.
func TestFormulas(t *testing.T) {
	text, err := os.ReadFile("testdata/formulas.tsv")
	if err != nil {
		t.Fatal(err)
	}
	examples := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	tried := 0
	for row := range words.Relations.Rows() {
		f, err := formula.Parse(row[4])
		if err != nil {
			t.Errorf("%s: %v", row[1], err)
			continue
		}
		before := tried
		for _, line := range examples {
			c := strings.Split(line, "\t")
			if c[0] != row[1] || c[1] != row[2] {
				continue
			}
			tried++
			object, err := jsontext.Decode(c[2])
			if err != nil {
				t.Fatal(err)
			}
			value, err := f.Value(object.(map[string]any))
			if got := string(jsontext.Append(nil, value)); err != nil || got != c[3] {
				t.Errorf("%s of %s: %s, want %s (%v)", row[1], c[2], got, c[3], err)
			}
		}
		if tried == before {
			t.Errorf("%s = %s has no example", row[1], row[4])
		}
	}
	if tried != len(examples) {
		t.Errorf("%d of %d examples are of a row", tried, len(examples))
	}
}
