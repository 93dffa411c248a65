package arch

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"testing"
)

// TestLazyPatternsCompile compiles the patterns that the program compiles on first use: nothing else would find one
// that is wrong, and unused, at start.
func TestLazyPatternsCompile(t *testing.T) {
	checked := 0
	for _, s := range sources(t) {
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, s.file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || types.ExprString(call.Fun) != "lazyregexp.New" {
				return true
			}
			checked++
			at := files.Position(call.Pos())
			value, err := types.Eval(files, nil, token.NoPos, types.ExprString(call.Args[0]))
			if err != nil || value.Value == nil {
				t.Errorf("%s: the pattern is not made of string literals alone", at)
			} else if _, err := regexp.Compile(constant.StringVal(value.Value)); err != nil {
				t.Errorf("%s: %v", at, err)
			}
			return true
		})
	}
	if checked == 0 {
		t.Error("no call of lazyregexp.New was found")
	}
}
