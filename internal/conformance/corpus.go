package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// document is one entry of the corpus.
type document struct {
	Name string
	Path string
}

// corpus reads the index of a folder of documents: INDEX.tsv, whose first two
// columns are a name and a path.
func corpus(folder string) ([]document, error) {
	if folder == "" {
		return nil, errors.New("COLDFRAME_CORPUS names no folder of documents")
	}
	index, err := os.ReadFile(filepath.Join(folder, "INDEX.tsv"))
	if err != nil {
		return nil, err
	}
	var documents []document
	for _, line := range strings.Split(strings.TrimSpace(string(index)), "\n")[1:] {
		fields := strings.Split(line, "\t")
		documents = append(documents, document{fields[0], filepath.Join(folder, fields[1])})
	}
	return documents, nil
}
