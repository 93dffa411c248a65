package corpus

import (
	_ "embed"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// IndexFile is the name of the file in a corpus' folder that lists its documents.
const IndexFile = "INDEX.tsv"

//go:embed index.tsv
var index string

// parts lists the files that documents of several files consist of, beside the first.
//
//go:embed parts.tsv
var parts string

// File is one file of the corpus, and the public repository that has it.
type File struct {
	Document   string // its name, such as "github"
	Path       string // in the corpus' folder, with slashes
	License    string // SPDX identifier of the repository's license
	Repository string // owner/name on GitHub
	Source     string // path in the repository
	Commit     string // 40 hexadecimal digits
	SHA256     string // of the content, 64 hexadecimal digits
	IsPart     bool   // of a document of several files, beside the first
}

// Files returns the files that the committed index names, sorted by document, the first file of a document before its
// parts. It returns an error if the index is malformed.
func Files() ([]File, error) { return parseIndex(index, parts) }

var (
	repositoryForm = regexp.MustCompile(`^[\w.-]+/[\w.-]+$`)
	commitForm     = regexp.MustCompile(`^[0-9a-f]{40}$`)
	sumForm        = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

func parseIndex(index, parts string) ([]File, error) {
	documents, err := rows(index, "name", "path", "license", "repository", "source", "commit", "sha256")
	if err != nil {
		return nil, err
	}
	others, err := rows(parts, "name", "file", "sha256")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, row := range documents {
		first := File{
			Document: row[0], Path: row[1], License: row[2], Repository: row[3], Source: row[4], Commit: row[5], SHA256: row[6],
		}
		files = append(files, first)
		for len(others) > 0 && others[0][0] == first.Document {
			part := first
			part.Path = path.Dir(first.Path) + "/" + others[0][1]
			part.Source = path.Dir(first.Source) + "/" + others[0][1]
			part.SHA256, part.IsPart = others[0][2], true
			files = append(files, part)
			others = others[1:]
		}
	}
	if len(others) > 0 {
		return nil, fmt.Errorf("the part %s of %s has no document before it", others[0][1], others[0][0])
	}
	for _, f := range files {
		if err := f.check(); err != nil {
			return nil, fmt.Errorf("%s %s: %w", f.Document, f.Path, err)
		}
	}
	return files, nil
}

// rows splits a table of tab-separated columns, whose first line is the heading.
func rows(table string, heading ...string) ([][]string, error) {
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	if lines[0] != strings.Join(heading, "\t") {
		return nil, fmt.Errorf("the heading is %q", lines[0])
	}
	var all [][]string
	for _, line := range lines[1:] {
		columns := strings.Split(line, "\t")
		if len(columns) != len(heading) {
			return nil, fmt.Errorf("%q has %d columns, want %d", line, len(columns), len(heading))
		}
		all = append(all, columns)
	}
	return all, nil
}

func (f File) check() error {
	switch {
	case f.Document == "" || f.License == "":
		return errors.New("has no name or license")
	case !isClean(f.Path) || !isClean(f.Source):
		return errors.New("is not a plain path below a folder")
	case !repositoryForm.MatchString(f.Repository):
		return fmt.Errorf("%q is not owner/name", f.Repository)
	case !commitForm.MatchString(f.Commit) || !sumForm.MatchString(f.SHA256):
		return errors.New("has no whole commit and SHA-256")
	}
	return nil
}

func isClean(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name
}
