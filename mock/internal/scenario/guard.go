package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

// guard walks over an expression before it is compiled. It records which fields of the request are read, writes
// header names in lower case, refuses patterns that are not literals, and adds calls of steps that charge for every
// value that can grow.
type guard struct {
	scope
	read fields
	bare int // mentions of request
	used int // mentions of request followed by a known field
	err  error
}

// reads returns the fields that the expression reads: all if it uses request as a value.
func (g *guard) reads() fields {
	if g.bare > g.used {
		return allFields
	}
	return g.read
}

// Visit implements ast.Visitor; children are visited before their parent.
func (g *guard) Visit(n *ast.Node) {
	switch v := (*n).(type) {
	case *ast.IdentifierNode:
		switch v.Value {
		case "request", "$env":
			g.bare++
		case itemName:
			g.read |= readItem
		}
	case *ast.MemberNode:
		g.member(v)
	case *ast.PredicateNode:
		pay(&v.Node, true)
	case *ast.BuiltinNode:
		if path := lenOfItems(v); path != nil {
			ast.Patch(n, &ast.CallNode{Callee: &ast.IdentifierNode{Value: counted}, Arguments: []ast.Node{path}})
			return
		}
		pay(n, false)
	case *ast.ArrayNode, *ast.MapNode:
		pay(n, false)
	case *ast.CallNode:
		g.call(n, v)
	case *ast.BinaryNode:
		g.binary(n, v)
	}
}

func (g *guard) call(n *ast.Node, v *ast.CallNode) {
	name, ok := v.Callee.(*ast.IdentifierNode)
	switch {
	case !ok || name.Value == charge || name.Value == counted:
		return
	case name.Value == itemsName && g.live && len(v.Arguments) == 1 && g.err == nil:
		if path, ok := v.Arguments[0].(*ast.StringNode); ok {
			if wrong := g.wrongCollection(path.Value); wrong != "" {
				g.err = &file.Error{Location: path.Location(), Message: wrong}
			}
		}
	}
	pay(n, false)
}

// lenOfItems returns the path in len(items(path)), which already contains the charge; nil for other expressions.
func lenOfItems(n *ast.BuiltinNode) ast.Node {
	if n.Name != "len" || len(n.Arguments) != 1 {
		return nil
	}
	paid, ok := n.Arguments[0].(*ast.CallNode)
	if !ok || len(paid.Arguments) == 0 {
		return nil
	}
	call, ok := paid.Arguments[0].(*ast.CallNode)
	if !ok || len(call.Arguments) != 1 {
		return nil
	}
	if name, ok := call.Callee.(*ast.IdentifierNode); !ok || name.Value != itemsName {
		return nil
	}
	return call.Arguments[0]
}

func (g *guard) member(v *ast.MemberNode) {
	name, ok := v.Property.(*ast.StringNode)
	if !ok {
		return
	}
	if of, ok := v.Node.(*ast.IdentifierNode); ok && of.Value == "request" {
		if i := slices.Index(fieldNames, name.Value); i >= 0 {
			g.used++
			g.read |= 1 << i
		}
	} else if isHeaders(v.Node) {
		name.Value = strings.ToLower(name.Value)
	}
}

// isHeaders recognizes request.headers and request?.headers.
func isHeaders(n ast.Node) bool {
	if chain, ok := n.(*ast.ChainNode); ok {
		n = chain.Node
	}
	member, ok := n.(*ast.MemberNode)
	if !ok {
		return false
	}
	of, ok := member.Node.(*ast.IdentifierNode)
	name, isLiteral := member.Property.(*ast.StringNode)
	return ok && isLiteral && (of.Value == "request" || of.Value == "response") && name.Value == "headers"
}

func (g *guard) binary(n *ast.Node, v *ast.BinaryNode) {
	switch v.Operator {
	case "matches":
		if _, ok := v.Right.(*ast.StringNode); !ok && g.err == nil {
			g.err = &file.Error{
				Location: v.Right.Location(),
				Message:  "the pattern of matches must be a literal string, so that it is checked when the file is read",
			}
		}
	case "in", "not in":
		if isHeaders(v.Right) {
			if name, ok := v.Left.(*ast.StringNode); ok {
				name.Value = strings.ToLower(name.Value)
			}
			return
		}
		pay(&v.Right, false)
	case "==", "!=":
		if !isScalar(v.Left) && !isScalar(v.Right) {
			pay(&v.Right, false)
		}
	case "+":
		pay(n, false)
	}
}

// pay wraps a node in a call of steps, if its value can be large.
func pay(n *ast.Node, always bool) {
	if !always && isScalar(*n) {
		return
	}
	if call, ok := (*n).(*ast.CallNode); ok {
		if name, ok := call.Callee.(*ast.IdentifierNode); ok && name.Value == charge {
			return
		}
	}
	isComposite := func(n ast.Node) bool { return !isScalar(n) }
	if literal, ok := (*n).(*ast.ArrayNode); ok && !slices.ContainsFunc(literal.Nodes, isComposite) {
		return // a list of literals: limited by the size of the expression
	}
	ast.Patch(n, &ast.CallNode{
		Callee:    &ast.IdentifierNode{Value: charge},
		Arguments: []ast.Node{*n, &ast.IdentifierNode{Value: budget}},
	})
}

// isScalar reports whether a node is known to be a number, a boolean, null or a literal string.
func isScalar(n ast.Node) bool {
	if isLiteral(n) || n.Nature() == nil {
		return isLiteral(n)
	}
	kind := n.Nature().Kind
	return kind == reflect.Bool || kind == reflect.Int || kind == reflect.Float64
}

func isLiteral(n ast.Node) bool {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NilNode, *ast.ConstantNode:
		return true
	}
	return false
}

// errSteps ends an evaluation. The virtual machine has a second budget of the same size, for values that the
// language's functions create.
var errSteps = fmt.Errorf("the expression takes more than %d steps on this request", maxSteps)

// steps returns its first argument and subtracts its cost from the second, the remaining steps: one for the value and
// for each value inside, and one for every 64 bytes of text.
func steps(args ...any) (any, error) {
	left := args[1].(*int)
	if size(args[0], left); *left <= 0 {
		return nil, errSteps
	}
	return args[0], nil
}

// size counts left down to zero or slightly below.
func size(v any, left *int) {
	if *left--; *left <= 0 {
		return
	}
	switch v := v.(type) {
	case nil, bool, int, float64:
	case string:
		*left -= len(v) / 64
	case json.Number:
		*left -= len(v) / 64
	case []any:
		for _, item := range v {
			if size(item, left); *left <= 0 {
				return
			}
		}
	case map[string]any:
		for name, item := range v {
			*left -= len(name) / 64
			if size(item, left); *left <= 0 {
				return
			}
		}
	default:
		if r := reflect.ValueOf(v); r.Kind() == reflect.Slice || r.Kind() == reflect.Array || r.Kind() == reflect.Map {
			for _, item := range r.Seq2() {
				if size(item.Interface(), left); *left <= 0 {
					return
				}
			}
		}
	}
}

var errString = fmt.Errorf("the string would be longer than %d bytes", maxString)

// replace is the language's replace(text, old, new[, n]), limited to maxString.
func replace(args ...any) (any, error) {
	s, old, with := args[0].(string), args[1].(string), args[2].(string)
	n := strings.Count(s, old)
	if len(args) == 4 {
		if most := args[3].(int); most >= 0 {
			n = min(n, most)
		}
	}
	if grow := len(with) - len(old); grow > 0 && n > 0 && (maxString-len(s))/grow < n {
		return nil, errString
	}
	return strings.Replace(s, old, with, n), nil
}

// join is the language's join(list[, separator]), limited to maxString.
func join(args ...any) (any, error) {
	separator := ""
	if len(args) == 2 {
		separator = args[1].(string)
	}
	parts, ok := args[0].([]string)
	if !ok {
		list, ok := args[0].([]any)
		for _, item := range list {
			s, isText := item.(string)
			parts, ok = append(parts, s), ok && isText
		}
		if !ok {
			return nil, errors.New("join takes a list of strings")
		}
	}
	total := 0
	for _, s := range parts {
		if total += len(s) + len(separator); total > maxString {
			return nil, errString
		}
	}
	return strings.Join(parts, separator), nil
}
