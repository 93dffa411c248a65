package corpus

import (
	"os"
	"strings"
	"testing"
)

// CheckKnown compares the failures of a document with the ones that a file lists:
// lines of the document's name, a space, and how the failure begins. A failure that
// is not listed fails the test, and so does a listed one that is gone.
func CheckKnown(t *testing.T, file, document string, failures []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for line := range strings.Lines(string(text)) {
		if name, begin, _ := strings.Cut(strings.TrimSpace(line), " "); name == document {
			known = append(known, begin)
		}
	}
	seen := make([]bool, len(known))
	for _, failure := range failures {
		isKnown := false
		for i, begin := range known {
			if strings.HasPrefix(failure, begin) {
				isKnown, seen[i] = true, true
			}
		}
		if !isKnown {
			t.Error(failure)
		}
	}
	for i, begin := range known {
		if !seen[i] {
			t.Errorf("%s: %q does not fail any more; take it off %s", document, begin, file)
		}
	}
}
