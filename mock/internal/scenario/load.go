package scenario

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/spec"
)

// Book is the scenarios of one or more files.
type Book struct {
	Scenarios []*Scenario // in the order given
	Files     []string    // every file and directory that was named or read, for watching
	Active    *Scenario   // the rules of all active scenarios, for requests that choose none
}

// Scenario finds a scenario by name, active or not.
func (b *Book) Scenario(name string) *Scenario {
	if i := slices.Index(b.Names(), name); i >= 0 {
		return b.Scenarios[i]
	}
	return nil
}

// Names returns the names of all scenarios, in order.
func (b *Book) Names() []string {
	names := make([]string, len(b.Scenarios))
	for i, s := range b.Scenarios {
		names[i] = s.Name
	}
	return names
}

// newBook returns a book of scenarios that have been parsed.
func newBook(scenarios ...*Scenario) *Book {
	var active []*Scenario
	for _, s := range scenarios {
		if s.Active {
			active = append(active, s)
		}
	}
	return &Book{Scenarios: scenarios, Active: merge(active...)}
}

// Load reads scenarios: texts, and then files. A directory means its *.yaml and *.yml files, sorted by name, without
// subdirectories. The error is about reading; errors in the files are findings, of all files together. The book is
// nil if any finding is an error.
func Load(c *spec.Contract, texts []Text, paths ...string) (*Book, []exchange.Finding, error) {
	files, watch, err := readFiles(paths)
	if err != nil {
		return nil, nil, fmt.Errorf("scenario: %w", err)
	}
	files = slices.Concat(texts, files)
	var scenarios []*Scenario
	var findings []exchange.Finding
	first := map[string]string{} // name → file
	for _, file := range files {
		s, found, place := parse(c, file.Name, file.Text)
		findings = append(findings, found...)
		if before, ok := first[s.Name]; ok {
			findings = append(findings, exchange.Finding{
				Code:     CodeName,
				Message:  fmt.Sprintf("the scenario of %s is called %q too; give one of them another name", before, s.Name),
				Document: place,
			})
		}
		first[s.Name] = file.Name
		scenarios = append(scenarios, s)
	}
	findings = exchange.Sort(findings)
	if broken(findings) {
		return nil, findings, nil
	}
	book := newBook(scenarios...)
	book.Files = watch
	return book, findings, nil
}

func broken(findings []exchange.Finding) bool {
	return slices.ContainsFunc(findings, func(f exchange.Finding) bool { return f.Severity == exchange.Error })
}

// readFiles reads the files at paths, each once, and returns all names to watch.
func readFiles(paths []string) (files []Text, watch []string, err error) {
	read := map[string]bool{}
	add := func(file string) error {
		if read[file] {
			return nil
		}
		read[file] = true
		text, err := readFile(file)
		files, watch = append(files, Text{file, text}), append(watch, file)
		return err
	}
	for _, path := range paths {
		path = filepath.Clean(path)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, fmt.Errorf("there is no file or directory %q%s", path, nearest.File(path))
		case err == nil && !info.IsDir():
			err = add(path)
		case err == nil:
			watch = append(watch, path)
			err = eachFile(path, add)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return files, watch, nil
}

// eachFile iterates over the *.yaml and *.yml files of a directory, sorted by name.
func eachFile(directory string, add func(file string) error) error {
	entries, err := os.ReadDir(directory)
	if err != nil {
		return err
	}
	found := false
	for _, entry := range entries {
		file := filepath.Join(directory, entry.Name())
		extension := strings.ToLower(filepath.Ext(file))
		if extension != ".yaml" && extension != ".yml" || !isFile(file) {
			continue
		}
		found = true
		if err := add(file); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("no *.yaml or *.yml file in the directory %q", directory)
	}
	return nil
}

// isFile reports whether a path in a directory can be read: it is neither a directory nor a pipe.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}

// readFile reads at most one byte more than MaxSize; parse refuses such a text.
func readFile(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, MaxSize+1))
}

// Outlines reads files and directories like Load, without compiling their rules. The findings are about everything
// else.
func Outlines(paths ...string) ([]Outline, []exchange.Finding, error) {
	files, _, err := readFiles(paths)
	if err != nil {
		return nil, nil, fmt.Errorf("scenario: %w", err)
	}
	var outlines []Outline
	var findings []exchange.Finding
	for _, file := range files {
		s, found, _ := parse(nil, file.Name, file.Text)
		found = slices.DeleteFunc(found, func(f exchange.Finding) bool {
			return strings.HasPrefix(f.Document.Pointer, "/rules")
		})
		if !slices.ContainsFunc(found, func(f exchange.Finding) bool { return f.Code == CodeSyntax }) {
			outlines = append(outlines, s.Outline)
		}
		findings = append(findings, found...)
	}
	return outlines, exchange.Sort(findings), nil
}
