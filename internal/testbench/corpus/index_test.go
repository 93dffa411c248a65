package corpus

import (
	"slices"
	"strings"
	"testing"
)

// TestIndex reads the committed index: it is well-formed, sorted, and has no file twice.
func TestIndex(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	var paths, documents []string
	for _, f := range files {
		paths = append(paths, f.Path)
		if !f.IsPart {
			documents = append(documents, f.Document)
		}
	}
	slices.Sort(paths)
	if unique := slices.Compact(slices.Clone(paths)); len(unique) != len(paths) {
		t.Error("a path stands twice")
	}
	if !slices.IsSorted(documents) || len(slices.Compact(slices.Clone(documents))) != len(documents) {
		t.Errorf("the names are not sorted, or one stands twice: %v", documents)
	}
	if len(documents) < 60 || len(files) == len(documents) {
		t.Errorf("%d documents, %d files", len(documents), len(files))
	}
}

func TestMalformedIndexes(t *testing.T) {
	const (
		commit = "aa014f0cbdb58ff5c44a2ff9d5fe734642210aff"
		sum    = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
		good   = "a|a/a.yaml|MIT|o/r|d/a.yaml|" + commit + "|" + sum
	)
	for _, test := range []struct{ row, part, want string }{
		{good, "", ""},
		{good, "a|more/b.yaml|" + sum, ""},
		{good + "|x", "", "has 8 columns, want 7"},
		{good, "b|b.yaml|" + sum, "the part b.yaml of b has no document before it"},
		{good, "a|../../b.yaml|" + sum, "is not a plain path below a folder"},
		{strings.Replace(good, "a/a.yaml", "/etc/a.yaml", 1), "", "is not a plain path below a folder"},
		{strings.Replace(good, "o/r", "https://host/r", 1), "", "is not owner/name"},
		{strings.Replace(good, commit, commit[:10], 1), "", "has no whole commit and SHA-256"},
		{strings.Replace(good, sum, "", 1), "", "has no whole commit and SHA-256"},
		{strings.Replace(good, "MIT", "", 1), "", "has no name or license"},
	} {
		index := "name|path|license|repository|source|commit|sha256\n" + test.row + "\n"
		parts := "name|file|sha256\n"
		if test.part != "" {
			parts += test.part + "\n"
		}
		_, err := parseIndex(strings.ReplaceAll(index, "|", "\t"), strings.ReplaceAll(parts, "|", "\t"))
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s, %s: %v, want %q", test.row, test.part, err, test.want)
		}
	}
}
