package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/words"
)

// standardTerms are words of standards that Go code may list: of JSON, JSON Schema, OpenAPI (with the parts of its
// runtime expressions), JSON Patch (RFC 6902), server-sent events (WHATWG), and the types of media (IANA).
var standardTerms = strings.Fields(`true false null undefined not contains then else default example examples const
	minimum maximum properties schemas definitions responses parameters string number integer
	decimal double float byte binary file date datetime timestamp uri url uuid hostname duration email http https
	body requestbody query header headers add replace event data id retry image audio video font text`)

// TestWordsAreData finds lists of words in the files that read names. A list is a slice, a set or a case with two words
// or more; words of standards, and the roles and kinds that the tables of package words have beside their words, are
// none.
func TestWordsAreData(t *testing.T) {
	allowed := map[string]bool{}
	for _, term := range standardTerms {
		allowed[term] = true
	}
	for _, table := range words.All {
		for row := range table.Rows() {
			for _, cell := range row[1:] {
				for role := range strings.FieldsSeq(cell) {
					allowed[role] = true
				}
			}
		}
	}
	word := regexp.MustCompile(`^[a-z]{2,}$`)
	checked := 0
	for _, s := range sources(t) {
		reads := slices.Contains(s.imports, module+"/internal/naming") || slices.Contains(s.imports, module+"/internal/words")
		if !reads || isolated(s.folder) {
			continue
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, s.file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		check := func(n ast.Node, list []ast.Expr) {
			checked++
			var found []string
			for _, e := range list {
				if pair, ok := e.(*ast.KeyValueExpr); ok {
					e = pair.Key
				}
				if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
					if text, _ := strconv.Unquote(literal.Value); word.MatchString(text) && !allowed[text] {
						found = append(found, text)
					}
				}
			}
			if len(found) > 1 {
				t.Errorf("%s lists words: %s; they belong into a table of internal/words", files.Position(n.Pos()), found)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CaseClause:
				check(n, n.List)
			case *ast.CompositeLit:
				switch of := n.Type.(type) {
				case *ast.ArrayType:
					if of.Len == nil { // others are the names of constants
						check(n, n.Elts)
					}
				case *ast.MapType:
					if value, ok := of.Value.(*ast.Ident); ok && value.Name == "bool" {
						check(n, n.Elts)
					}
				}
			}
			return true
		})
	}
	if checked == 0 {
		t.Error("no list was found")
	}
}
