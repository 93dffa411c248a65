// Package corpus finds the real documents that tests and measurements use. They are never part of the repository:
// COLDFRAME_CORPUS names their folder, and the committed index says which public repositories have them.
package corpus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Document is one entry of the corpus.
type Document struct {
	Name string
	Path string
}

// Documents reads the folder's INDEX.tsv: a heading, then lines whose first two
// columns are a name and a path below the folder.
func Documents() ([]Document, error) {
	folder := os.Getenv("COLDFRAME_CORPUS")
	if folder == "" {
		return nil, errors.New("COLDFRAME_CORPUS names no folder of documents")
	}
	index, err := os.ReadFile(filepath.Join(folder, IndexFile))
	if err != nil {
		return nil, err
	}
	var documents []Document
	for _, line := range strings.Split(strings.TrimSpace(string(index)), "\n")[1:] {
		fields := strings.Split(line, "\t")
		if len(fields) < 2 {
			return nil, fmt.Errorf("INDEX.tsv: %q has no path", line)
		}
		documents = append(documents, Document{fields[0], filepath.Join(folder, fields[1])})
	}
	if len(documents) == 0 {
		return nil, errors.New("INDEX.tsv lists no documents")
	}
	return documents, nil
}

// Test returns the documents for a test or benchmark. It skips the test if COLDFRAME_CORPUS is not set, and fails it
// if the folder cannot be read.
func Test(t testing.TB) []Document {
	t.Helper()
	if os.Getenv("COLDFRAME_CORPUS") == "" {
		t.Skip("COLDFRAME_CORPUS names no folder of documents")
	}
	documents, err := Documents()
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// Named returns the path of one document.
func Named(t testing.TB, name string) string {
	t.Helper()
	for _, d := range Test(t) {
		if d.Name == name {
			return d.Path
		}
	}
	t.Fatalf("the corpus has no document %q", name)
	return ""
}
