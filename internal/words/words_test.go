package words_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/words"
)

// publicFile is how a row names a file of a public repository: OWNER/REPOSITORY:PATH.
var publicFile = regexp.MustCompile(`^[\w.-]+/[\w.-]+:[\w./-]+$`)

// unseen are the tables whose rows need no witness: texts that are written for this program.
var unseen = []string{"texts.tsv", "kinds.tsv"}

// keys is how many columns make the key of a row, for tables of which it is not one.
var keys = map[string]int{"endings.tsv": 3, "errors.tsv": 2, "locales.tsv": 2, "effects.tsv": 3, "ranks.tsv": 2, "members.tsv": 2, "marks.tsv": 2, "names.tsv": 3, "parts.tsv": 2,
	"relations.tsv": 3, "roles.tsv": 2, "states.tsv": 2, "towns.tsv": 2, "twins.tsv": 2}

// TestTables: the header names all columns, lines are sorted and no key is there twice, and each line names two different
// witnesses or a source. TestMakers of package fields looks up the makers that rows refer to.
func TestTables(t *testing.T) {
	for _, table := range words.All {
		columns, last, known := columnsOf(t, table), "", map[string]bool{}
		if slices.Contains(columns, "") || table.Lines() == 0 {
			t.Errorf("%s: a column has no name, or there are no rows: %q", table.File, columns)
		}
		for row := range table.Rows() {
			line := strings.Join(row, "\t")
			if line <= last {
				t.Errorf("%s: %q stands behind %q", table.File, line, last)
			}
			last = line
			if len(row) != len(columns) {
				t.Errorf("%s: %q has %d columns, want %d", table.File, line, len(row), len(columns))
				continue
			}
			own := strings.Join(row[:max(1, keys[table.File])], "\t")
			if known[own] {
				t.Errorf("%s: %q is there twice", table.File, own)
			}
			known[own] = true
			switch n := len(columns); {
			case slices.Contains(unseen, table.File):
			case columns[n-1] == "source" && row[n-1] != "":
			case columns[n-1] != "witness" || columns[n-2] != "witness" || row[n-1] == "" || row[n-2] == "" || row[n-1] == row[n-2]:
				t.Errorf("%s: %q has no two witnesses", table.File, line)
			}
		}
	}
}

// columnsOf returns the names of a table's columns.
func columnsOf(t *testing.T, table *words.Table) []string {
	text, err := os.ReadFile(table.File)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strings.Split(line, "\t")
}

// TestWitnesses: each witness that is a document of the corpus has the row's word.
func TestWitnesses(t *testing.T) {
	seen := map[string]*witness{}
	for _, d := range corpus.Test(t) {
		seen[d.Name] = read(t, d.Path)
	}
	for _, table := range words.All {
		columns := columnsOf(t, table)
		for row := range table.Rows() {
			for i, column := range columns {
				if column != "witness" || publicFile.MatchString(row[i]) {
					continue
				}
				w := seen[row[i]]
				if w == nil {
					t.Errorf("%s: %q: no document %q", table.File, row[0], row[i])
				} else if !w.has(table, row) {
					t.Errorf("%s: %s has no %q", table.File, row[i], row)
				}
			}
		}
	}
}

// witness is what a document has, in lower case.
type witness struct {
	text  string
	names map[string]bool // whole names of members and parameters, without separators
	parts map[string]bool // words within names, and what several that follow each other make
	verbs map[string]bool // words of operationIds and of paths, and what two that follow each other make
}

var (
	key       = regexp.MustCompile(`["']?([\w$@.\[\]-]+)["']?\s*:`)
	parameter = regexp.MustCompile(`["']?name["']?\s*:\s*["']?([\w$@.\[\]-]+)`)
	word      = regexp.MustCompile(`[\w$@.{}-]+`)
	operation = regexp.MustCompile(`(?m)["']?operationId["']?\s*:\s*["']?([\w./-]+)|^\s*["']?(/[^"'\s:]*)["']?\s*:`)
)

// read reads a document, with all files beside it if it has a folder of its own.
func read(t *testing.T, path string) *witness {
	w := &witness{names: map[string]bool{}, parts: map[string]bool{}, verbs: map[string]bool{}}
	files := []string{path}
	corpus := filepath.Clean(os.Getenv("COLDFRAME_CORPUS"))
	below, err := filepath.Rel(corpus, path)
	if err != nil {
		t.Fatal(err)
	}
	if folder, _, ok := strings.Cut(below, string(filepath.Separator)); ok {
		files = nil
		err := filepath.Walk(filepath.Join(corpus, folder), func(p string, info os.FileInfo, err error) error {
			if err == nil && !info.IsDir() {
				files = append(files, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w.text += strings.ToLower(string(text)) + "\n"
		for _, names := range []*regexp.Regexp{key, parameter} {
			for _, found := range names.FindAllStringSubmatch(string(text), -1) {
				joined := strings.Join(naming.Words(found[1]), "")
				w.names[joined], w.names[naming.Singular(joined)] = true, true
			}
		}
		for _, found := range operation.FindAllStringSubmatch(string(text), -1) {
			for name := range strings.SplitSeq(found[1]+found[2], "/") {
				own := naming.Words(name)
				w.verbs[strings.Join(own, "")] = true
				for i := range own {
					w.verbs[own[i]], w.verbs[strings.Join(own[i:min(i+2, len(own))], "")] = true, true
				}
			}
		}
		seen := map[string]bool{}
		for _, name := range word.FindAllString(string(text), -1) {
			if seen[name] {
				continue
			}
			seen[name] = true
			own := naming.Words(name)
			for i := range own {
				for end := i + 1; end <= len(own); end++ {
					joined := strings.Join(own[i:end], "")
					w.parts[joined], w.parts[naming.Singular(joined)] = true, true
				}
			}
		}
	}
	return w
}

func (w *witness) has(table *words.Table, row []string) bool {
	switch table {
	case words.Units, words.Marks:
		return strings.Contains(w.text, row[0])
	case words.Twins:
		return w.parts[row[0]] && w.parts[row[1]]
	case words.Relations:
		anyOf := func(names string) bool {
			return slices.ContainsFunc(strings.Fields(names), func(name string) bool { return w.names[name] })
		}
		for part := range strings.SplitSeq(row[2], "; ") {
			if name, of, _ := strings.Cut(part, "="); name[0] != '?' && name[0] != '!' && !anyOf(of) {
				return false
			}
		}
		return anyOf(row[1])
	case words.Problems:
		return w.parts[strings.ReplaceAll(row[0], " ", "")]
	case words.Names, words.Flags, words.Pages, words.Members:
		return w.names[row[0]]
	case words.Roles:
		for _, end := range []string{"-role", "-value", "-word"} { // of enums, and within names
			if strings.HasSuffix(row[1], end) {
				return w.parts[row[0]]
			}
		}
		if strings.HasSuffix(row[1], "-prefix") {
			for part := range w.parts {
				if rest, ok := strings.CutPrefix(part, row[0]); ok && w.parts[rest] {
					return true
				}
			}
			return false
		}
		return w.verbs[row[0]] || w.names[row[0]] && !strings.Contains(row[1], "verb")
	case words.Ranks:
		return w.verbs[row[0]] || w.names[row[0]]
	case words.Effects:
		return row[1] == "like" && w.verbs[row[0]] || row[1] != "like" && w.parts[row[2]]
	case words.Endings:
		if what := row[1]; what == "name" || what == "flag" {
			return w.names[row[2]]
		}
		return w.parts[row[2]]
	}
	return w.parts[row[0]]
}
