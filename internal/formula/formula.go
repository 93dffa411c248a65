// Package formula computes values from expressions (https://expr-lang.org/docs/language-definition): from texts with
// ${…}, and with the values that expressions use.
//
// A Formula is a text of a document or of coldframe.yaml about one object. It has no variables, and its only loops are
// the functions over the elements of one list, which do not nest, so its cost is limited by its length and the size of
// the object. The expressions of scenarios, which can do more and count their steps, use the same values.
package formula

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/coldframe/coldframe/internal/nearest"
)

const (
	maxText   = 1000   // in bytes
	maxNodes  = 100    // nodes of one expression's syntax tree
	maxMemory = 10_000 // values that one evaluation creates
)

// functions are the functions of the language that neither loop nor create results much larger than their arguments.
var functions = strings.Fields(`abs ceil floor round int float string min max sum mean len lower upper trim trimPrefix
	trimSuffix split hasPrefix hasSuffix indexOf first last keys values`)

// Formula is a compiled text with expressions: immutable and safe for concurrent use.
type Formula struct {
	segments []segment
	reads    []string
}

// segment is a part of a text: a literal or an expression.
type segment struct {
	literal string
	program *vm.Program // nil for a literal
}

// Has reports whether a text contains expressions.
func Has(text string) bool { return strings.Contains(text, "${") }

// Parse compiles a text. "$${" is a literal "${".
func Parse(text string) (*Formula, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("the text is longer than %d bytes", maxText)
	}
	f := &Formula{}
	for text != "" {
		literal, rest, found := strings.Cut(text, "${")
		if found && strings.HasSuffix(literal, "$") {
			f.segments = append(f.segments, segment{literal: literal + "{"})
			text = rest
			continue
		}
		if literal != "" {
			f.segments = append(f.segments, segment{literal: literal})
		}
		if !found {
			break
		}
		end := Closing(rest)
		if end < 0 {
			return nil, errors.New(`"${" is not closed; write "$${" for the characters themselves`)
		}
		program, err := f.compile(rest[:end])
		if err != nil {
			return nil, err
		}
		f.segments, text = append(f.segments, segment{program: program}), rest[end+1:]
	}
	return f, nil
}

func (f *Formula) compile(source string) (program *vm.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			program, err = nil, fmt.Errorf("the expression cannot be compiled: %v", r)
		}
	}()
	reader := &memberVisitor{formula: f}
	object := types.TypeOf(map[string]any{})
	options := []expr.Option{
		expr.Env(types.Map{"object": object, "body": object, "null": types.Nil}),
		expr.Function("days", days, new(func(from, to any) float64)),
		expr.MaxNodes(maxNodes), expr.DisableAllBuiltins(), expr.Patch(reader),
	}
	for _, name := range functions {
		options = append(options, expr.EnableBuiltin(name))
	}
	if program, err = expr.Compile(source, options...); err == nil {
		err = reader.err
	}
	var invalid *file.Error
	if errors.As(err, &invalid) {
		message := invalid.Message
		if name, ok := strings.CutPrefix(message, "unknown name "); ok {
			hint := nearest.Hint(name, append([]string{"object", "body", "days"}, functions...))
			if message = fmt.Sprintf("unknown name %q%s", name, hint); hint == "" {
				message = fmt.Sprintf("unknown name %q; a property beside this one is object.%[1]s", name)
			}
		}
		if plain := Explain(message); plain != message {
			message = fmt.Sprintf("%s (character %d)", plain, invalid.From+1)
		}
		return nil, fmt.Errorf("${%s}: %s", source, message)
	}
	return program, err
}

// days returns the number of days from one date or time to another (RFC 3339); a part of a day is a fraction.
func days(args ...any) (any, error) {
	var times [2]time.Time
	for i, arg := range args {
		text, _ := arg.(string)
		layout := time.RFC3339
		if len(text) == len(time.DateOnly) {
			layout = time.DateOnly
		}
		var err error
		if times[i], err = time.Parse(layout, text); err != nil {
			return nil, fmt.Errorf("days takes dates and times, not %q", text)
		}
	}
	return times[1].Sub(times[0]).Hours() / 24, nil
}

// memberVisitor collects the members that an expression reads, and refuses variables.
type memberVisitor struct {
	formula *Formula
	err     error
}

// Visit implements ast.Visitor.
func (r *memberVisitor) Visit(n *ast.Node) {
	switch v := (*n).(type) {
	case *ast.VariableDeclaratorNode:
		r.err = errors.New("let is not available here")
	case *ast.PredicateNode:
		isLoop := func(n ast.Node) bool { _, ok := n.(*ast.PredicateNode); return ok }
		if ast.Find(v.Node, isLoop) != nil {
			r.err = errors.New("a function over the elements of a list may not stand in another")
		}
	case *ast.BuiltinNode:
		if !slices.Contains(functions, v.Name) {
			r.err = fmt.Errorf("the function %s is not available here; there are %s", v.Name, strings.Join(functions, ", "))
		}
	case *ast.MemberNode:
		of, isName := v.Node.(*ast.IdentifierNode)
		name, isLiteral := v.Property.(*ast.StringNode)
		if isName && isLiteral && of.Value == "object" && !slices.Contains(r.formula.reads, name.Value) {
			r.formula.reads = append(r.formula.reads, name.Value)
		}
	}
}

// Reads returns the names of the object's members that the formula reads.
func (f *Formula) Reads() []string { return f.reads }

// Value is ValueWith without a body.
func (f *Formula) Value(object map[string]any) (any, error) { return f.ValueWith(object, nil) }

// ValueWith computes the value for an object of JSON values, and for the body of the request that changes it; nil for
// none. A text that is exactly one expression returns the value with its type, others a text. Fractions are rounded to
// six decimals.
func (f *Formula) ValueWith(object map[string]any, body any) (any, error) {
	sent, _ := body.(map[string]any)
	environment := map[string]any{"object": Native(object), "body": Native(sent)}
	var text []byte
	for _, p := range f.segments {
		if p.program == nil {
			text = append(text, p.literal...)
			continue
		}
		machine := &vm.VM{MemoryBudget: maxMemory}
		v, err := machine.Run(p.program, environment)
		if err != nil {
			return nil, err
		}
		if n, ok := v.(float64); ok && math.Abs(n) < 1<<40 {
			v = math.Round(n*1e6) / 1e6
		}
		if v, err = Plain(v); err != nil || len(f.segments) == 1 {
			return v, err
		}
		text = AppendText(text, v)
	}
	return string(text), nil
}
