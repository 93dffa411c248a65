// Package arch holds the program to its architecture: which package imports
// which, where each dependency may be used, and that every package says what
// it is for.
package arch

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const module = "github.com/coldframe/coldframe"

// rooms say which folders a folder's packages may not import. The compiler
// forbids circles, so within a room imports point down.
var rooms = []struct{ folder, never, reason string }{
	{"mock", "contracts", "the two halves never import each other"},
	{"contracts", "mock", "the two halves never import each other"},
	{"internal", "mock", "what both halves share knows neither"},
	{"internal", "contracts", "what both halves share knows neither"},
	{"mock", "internal/testbench", "the product does not need what measures it"},
	{"contracts", "internal/testbench", "the product does not need what measures it"},
	{"internal", "internal/testbench", "the product does not need what measures it"},
	{"cmd", "internal/testbench", "the product does not need what measures it"},
	{"mock/client", "internal", "the client of the control API stands alone"},
	{"report", "internal", "it has values alone, which the machinery works on"},
	{"report", "mock", "both halves use it"},
	{"report", "contracts", "both halves use it"},
}

// dependencies are the modules that the program uses, what for, and the only
// packages that may import them. Tests may use what they need.
var dependencies = []struct {
	path     string
	reason   string
	packages []string
}{
	{"github.com/getkin/kin-openapi/openapi3", "models the document", []string{"internal/spec"}},
	{"github.com/getkin/kin-openapi/routers", "the router's interface", []string{"internal/spec", "internal/route"}},
	{"github.com/oasdiff/oasdiff", "tells which changes of a document break clients", []string{"internal/diff"}},
	{"github.com/santhosh-tekuri/jsonschema/v6", "compiles and validates schemas", []string{"internal/schema", "internal/spec"}},
	{"github.com/dlclark/regexp2", "patterns with look-around, under a time limit", []string{"internal/spec"}},
	{"go.yaml.in/yaml/v4", "reads YAML with places", []string{"internal/tree"}},
	{"github.com/brianvoe/gofakeit/v7", "realistic values", []string{"internal/formats"}},
	{"github.com/tidwall/btree", "items of sessions, which share what did not change", []string{"mock/internal/state"}},
	{"github.com/andybalholm/brotli", "br-encoded bodies", []string{"internal/decode"}},
	{"github.com/klauspost/compress/zstd", "zstd-encoded bodies", []string{"internal/decode"}},
	{"golang.org/x/text/encoding/charmap", "bodies in ISO-8859-1", []string{"internal/decode"}},
	{"github.com/expr-lang/expr", "expressions of scenarios and values", []string{"mock/internal/scenario", "internal/formula"}},
	{"github.com/gofiber/fiber/v2", "HTTP", []string{"mock/internal/httpserver"}},
	{"golang.org/x/image", "pictures of BMP and TIFF, and letters in pictures", []string{"internal/samplefile"}},
	{"golang.org/x/mod/semver", "the next version of a document", []string{"internal/diff"}},
	{"golang.org/x/time/rate", "bounds requests a second", []string{"contracts/internal/runner"}},
	{"github.com/valyala/fasthttp", "HTTP, below fiber", []string{"mock/internal/httpserver"}},
	{"github.com/fsnotify/fsnotify", "watches files", []string{"mock"}},
	{"github.com/spf13/cobra", "the command line", []string{"cmd/coldframe"}},
	{"github.com/spf13/pflag", "the command line's flags", []string{"cmd/coldframe"}},
	{"github.com/mattn/go-isatty", "whether to colour", []string{"cmd/coldframe"}},
	{"github.com/modelcontextprotocol/go-sdk/mcp", "the Model Context Protocol", []string{"cmd/coldframe/internal/mcp"}},
	{"golang.org/x/tools/txtar", "the data of tests", []string{"internal/testbench/golden", "internal/testbench/scripted"}},
}

// source is one Go file that is not a test.
type source struct {
	file    string
	folder  string // from the module's root, "." for the root itself
	imports []string
	doc     string // its package comment
}

func sources(t *testing.T) []source {
	root := filepath.Join("..", "..")
	var all []source
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".." || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		s := source{file: file, folder: filepath.ToSlash(relative), doc: parsed.Doc.Text()}
		for _, spec := range parsed.Imports {
			s.imports = append(s.imports, strings.Trim(spec.Path.Value, `"`))
		}
		all = append(all, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("found only %d source files", len(all))
	}
	return all
}

// isolated are folders of measuring programs and examples, which the product does
// not import.
func isolated(folder string) bool {
	return below(folder, "internal/testbench") || below(folder, "examples")
}

// below reports whether a folder is another one or lies in it.
func below(folder, in string) bool { return folder == in || strings.HasPrefix(folder, in+"/") }

func TestImportsKeepToRooms(t *testing.T) {
	for _, s := range sources(t) {
		if isolated(s.folder) {
			continue
		}
		for _, imported := range s.imports {
			folder, ours := strings.CutPrefix(imported, module+"/")
			if !ours {
				continue
			}
			for _, r := range rooms {
				if below(s.folder, r.folder) && below(folder, r.never) {
					t.Errorf("%s imports %s: %s", s.file, folder, r.reason)
				}
			}
		}
	}
}

func TestDependenciesAreFenced(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		for _, imported := range s.imports {
			first, _, _ := strings.Cut(imported, "/")
			if !strings.Contains(first, ".") || imported == module || strings.HasPrefix(imported, module+"/") {
				continue
			}
			at := -1
			for i, d := range dependencies {
				if (imported == d.path || strings.HasPrefix(imported, d.path+"/")) && (at < 0 || len(d.path) > len(dependencies[at].path)) {
					at = i
				}
			}
			switch {
			case at < 0:
				t.Errorf("%s imports %s, for which nobody has argued", s.file, imported)
			case !slices.Contains(dependencies[at].packages, s.folder) && !isolated(s.folder):
				t.Errorf("%s imports %s, which is for %s only", s.file, imported, strings.Join(dependencies[at].packages, " and "))
			default:
				used[dependencies[at].path] = true
			}
		}
	}
	for _, d := range dependencies {
		if !used[d.path] {
			t.Errorf("%s (%s) is not used; take it off the list", d.path, d.reason)
		}
	}
}

func TestFiberStopsAtTheBorder(t *testing.T) {
	for _, s := range sources(t) {
		for _, imported := range s.imports {
			if strings.HasPrefix(imported, "github.com/gofiber/fiber") && !isolated(s.folder) && filepath.Base(s.file) != "fiber.go" {
				t.Errorf("%s imports fiber; mock/internal/httpserver/fiber.go is the only file that knows it", s.file)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	docs := map[string]int{}
	for _, s := range sources(t) {
		docs[s.folder] += 0
		if s.doc != "" {
			docs[s.folder]++
		}
	}
	for folder, count := range docs {
		if count != 1 {
			t.Errorf("package %s has %d package comments, want one", folder, count)
		}
	}
}

func TestArchitecturePageNamesEveryPackage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, s := range sources(t) {
		if s.folder == "." || named[s.folder] || below(s.folder, "examples") {
			continue
		}
		named[s.folder] = true
		if !strings.Contains(string(page), "`"+s.folder+"`") {
			t.Errorf("docs/architecture.md does not name `%s`", s.folder)
		}
	}
}

// TestMapsShowLargePackages compares the diagrams of CONTRIBUTING.md and docs/architecture.md with the packages that
// have over 1,000 lines without their tests: each is a word in both.
func TestMapsShowLargePackages(t *testing.T) {
	const large = 1000
	lines := map[string]int{}
	for _, s := range sources(t) {
		text, err := os.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		if !below(s.folder, "examples") {
			lines[s.folder] += bytes.Count(text, []byte("\n"))
		}
	}
	for _, m := range []struct{ file, begin, end string }{
		{"CONTRIBUTING.md", "\n## Map\n", "\n## "},
		{"docs/architecture.md", "\n```mermaid\n", "\n```"},
	} {
		page, err := os.ReadFile(filepath.Join("..", "..", m.file))
		if err != nil {
			t.Fatal(err)
		}
		_, diagram, _ := strings.Cut(string(page), m.begin)
		diagram, _, found := strings.Cut(diagram, m.end)
		if !found {
			t.Fatalf("%s has no diagram", m.file)
		}
		words := strings.FieldsFunc(diagram, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for folder, n := range lines {
			if n > large && !slices.Contains(words, path.Base(folder)) {
				t.Errorf("the diagram of %s does not show %s, which has %d lines", m.file, folder, n)
			}
		}
	}
}
