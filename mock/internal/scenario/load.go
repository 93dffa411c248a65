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
	"github.com/coldframe/coldframe/internal/spec"
)

// Book is the scenarios of one or more files.
type Book struct {
	Scenarios []*Scenario // in the order given
	Files     []string    // every file and directory that was named or read, for watching
	active    *Scenario
}

// Active gives the rules of all active scenarios as one; they are in force for
// requests that choose no scenario.
func (b *Book) Active() *Scenario { return b.active }

// Scenario finds a scenario by name, active or not.
func (b *Book) Scenario(name string) *Scenario {
	for _, s := range b.Scenarios {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Names gives the names of all scenarios, in order.
func (b *Book) Names() []string {
	names := make([]string, len(b.Scenarios))
	for i, s := range b.Scenarios {
		names[i] = s.Name
	}
	return names
}

// NewBook makes a book of scenarios already parsed.
func NewBook(scenarios ...*Scenario) *Book {
	var active []*Scenario
	for _, s := range scenarios {
		if s.Active {
			active = append(active, s)
		}
	}
	return &Book{Scenarios: scenarios, active: Join(active...)}
}

// Load reads scenario files. A path that is a directory stands for its *.yaml
// and *.yml files, sorted by name, not those of directories inside. The error
// is about reading; what is wrong in the files is in the findings, those of
// all files. The book is nil where any of them is an error.
func Load(c *spec.Contract, paths ...string) (*Book, []exchange.Finding, error) {
	files, watch, err := expand(paths)
	if err != nil {
		return nil, nil, err
	}
	var scenarios []*Scenario
	var findings []exchange.Finding
	first := map[string]string{} // name → file
	for _, file := range files {
		text, err := readFile(file)
		if err != nil {
			return nil, nil, err
		}
		s, found, place := parse(c, file, text)
		findings = append(findings, found...)
		if before, ok := first[s.Name]; ok {
			findings = append(findings, exchange.Finding{
				Code:     CodeName,
				Message:  fmt.Sprintf("the scenario of %s is called %q too; give one of them another name", before, s.Name),
				Document: place,
			})
		}
		first[s.Name] = file
		scenarios = append(scenarios, s)
	}
	findings = exchange.Sort(findings)
	if broken(findings) {
		return nil, findings, nil
	}
	book := NewBook(scenarios...)
	book.Files = watch
	return book, findings, nil
}

func broken(findings []exchange.Finding) bool {
	return slices.ContainsFunc(findings, func(f exchange.Finding) bool { return f.Severity == exchange.Error })
}

// expand gives the files that paths stand for, each once, and all that is to be
// watched.
func expand(paths []string) (files, watch []string, err error) {
	add := func(file string) {
		if !slices.Contains(files, file) {
			files = append(files, file)
			watch = append(watch, file)
		}
	}
	for _, path := range paths {
		path = filepath.Clean(path)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("scenario: there is no file or directory %q", path)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("scenario: %w", err)
		}
		if !info.IsDir() {
			add(path)
			continue
		}
		entries, err := os.ReadDir(path) // sorted by name
		if err != nil {
			return nil, nil, fmt.Errorf("scenario: %w", err)
		}
		watch = append(watch, path)
		before := len(files)
		for _, entry := range entries {
			switch strings.ToLower(filepath.Ext(entry.Name())) {
			case ".yaml", ".yml":
				if file := filepath.Join(path, entry.Name()); !isDir(file) {
					add(file)
				}
			}
		}
		if len(files) == before && !slices.ContainsFunc(files, func(f string) bool { return filepath.Dir(f) == path }) {
			return nil, nil, fmt.Errorf("scenario: no *.yaml or *.yml file in the directory %q", path)
		}
	}
	return files, watch, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// readFile reads no more than one byte over MaxSize, which parse then refuses.
func readFile(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	return text, nil
}

// Outline describes a file, whatever the document.
type Outline struct {
	Name        string
	Description string
	File        string
	Active      bool
}

// Outlines reads files and directories as Load does, without compiling their
// rules. The findings are on everything else.
func Outlines(paths ...string) ([]Outline, []exchange.Finding, error) {
	files, _, err := expand(paths)
	if err != nil {
		return nil, nil, err
	}
	var outlines []Outline
	var findings []exchange.Finding
	for _, file := range files {
		text, err := readFile(file)
		if err != nil {
			return nil, nil, err
		}
		s, found, _ := parse(nil, file, text)
		found = slices.DeleteFunc(found, func(f exchange.Finding) bool {
			return strings.HasPrefix(f.Document.Pointer, "/rules")
		})
		if !slices.ContainsFunc(found, func(f exchange.Finding) bool { return f.Code == CodeSyntax }) {
			outlines = append(outlines, Outline{s.Name, s.Description, s.File, s.Active})
		}
		findings = append(findings, found...)
	}
	return outlines, exchange.Sort(findings), nil
}
