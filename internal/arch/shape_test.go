package arch

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxLine        = 120 // characters, a tab counts as one
	maxPublicFiles = 20  // of a public package, without tests
)

// TestLinesAreShort allows long lines in tables (literals of package variables) and
// in raw strings only.
func TestLinesAreShort(t *testing.T) {
	for _, s := range sources(t) {
		text, err := os.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, s.file, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		exempt := exemptLines(files, parsed)
		lines := bufio.NewScanner(bytes.NewReader(text))
		for n := 1; lines.Scan(); n++ {
			if length := utf8.RuneCount(lines.Bytes()); length > maxLine && !exempt[n] {
				t.Errorf("%s:%d has %d characters", s.file, n, length)
			}
		}
	}
}

func exemptLines(files *token.FileSet, f *ast.File) map[int]bool {
	exempt := map[int]bool{}
	add := func(n ast.Node) {
		for line := files.Position(n.Pos()).Line; line <= files.Position(n.End()).Line; line++ {
			exempt[line] = true
		}
	}
	for _, d := range f.Decls {
		if table, ok := d.(*ast.GenDecl); ok && table.Tok == token.VAR {
			add(table)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && strings.HasPrefix(l.Value, "`") {
			add(l)
		}
		return true
	})
	return exempt
}

// TestPublicPackagesAreThin bounds the files of the public packages: the machinery is internal.
func TestPublicPackagesAreThin(t *testing.T) {
	count := map[string]int{}
	for _, s := range sources(t) {
		count[s.folder]++
	}
	for _, folder := range []string{"mock", "contracts"} {
		if n := count[folder]; n > maxPublicFiles {
			t.Errorf("%s has %d files, want at most %d", folder, n, maxPublicFiles)
		}
	}
}
