package scenario

import (
	"errors"
	"fmt"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	exprparser "github.com/expr-lang/expr/parser"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Condition is an expression over an exchange that is over: besides request there is response, with status,
// headers and body. It knows its parts, which and joins, so that it can say which of them does not hold. It
// is immutable and safe for concurrent use.
type Condition struct {
	parts []part
}

type part struct {
	source string
	holds  *expression
	shown  *expression // the value that explains why it does not hold; nil for none
}

// WithResponse lets conditions see the response to the request.
func (r *Request) WithResponse(status int, header exchange.Header, body any) {
	r.environment(0)["response"] = map[string]any{"status": status, "headers": header.Joined(), "body": native(body)}
}

// NewCondition compiles a condition on exchanges of an operation, nil for any.
func NewCondition(source string, op *spec.Operation) (*Condition, error) {
	s := newScope(nil, false)
	if op != nil {
		s = newScope([]*spec.Operation{op}, true)
	}
	s.response = true
	compiled, invalid := s.compile(source, asCondition...)
	if invalid != nil {
		if invalid.Line == 0 {
			return nil, errors.New(invalid.Message)
		}
		return nil, fmt.Errorf("%s (at %d:%d)", invalid.Message, invalid.Line, invalid.Column+1)
	}
	if tree, err := exprparser.Parse(source); err == nil {
		if parts := s.parts(tree.Node); parts != nil {
			return &Condition{parts}, nil
		}
	}
	return &Condition{[]part{{source: source, holds: compiled}}}, nil
}

// parts compiles what and joins, each by itself; nil where that is not to be had.
func (s scope) parts(n ast.Node) []part {
	b, ok := n.(*ast.BinaryNode)
	if ok && (b.Operator == "&&" || b.Operator == "and") {
		left, right := s.parts(b.Left), s.parts(b.Right)
		if left == nil || right == nil {
			return nil
		}
		return append(left, right...)
	}
	p := part{source: n.String()}
	var invalid *file.Error
	if p.holds, invalid = s.compile(p.source, expr.AsBool()); invalid != nil {
		return nil
	}
	if ok && slices.Contains(comparisons, b.Operator) {
		side := b.Left
		if isLiteral(side) {
			side = b.Right
		}
		if !isLiteral(side) {
			p.shown, _ = s.compile(side.String())
		}
	}
	return []part{p}
}

var comparisons = []string{"==", "!=", "<", ">", "<=", ">=", "in", "contains", "startsWith", "endsWith", "matches"}

// Miss is a part of a condition that does not hold.
type Miss struct {
	Condition string
	Value     any    // that was compared, as jsontext.Decode gives values
	HasValue  bool   // there is a Value
	Failure   string // why the part could not be evaluated; "" where it could
}

// Misses gives the parts that do not hold; none where the condition does. What fails behind a part that does
// not hold is left out, as and would not have come to it.
func (c *Condition) Misses(r *Request) []Miss {
	var misses []Miss
	for _, p := range c.parts {
		holds, err := p.holds.holds(r)
		if holds {
			continue
		}
		m := Miss{Condition: p.source}
		if err != nil {
			if len(misses) > 0 {
				break
			}
			m.Failure = err.Error()
			return []Miss{m}
		}
		if p.shown != nil {
			if v, err := p.shown.value(r); err == nil {
				m.Value, err = plain(v, 0)
				m.HasValue = err == nil
			}
		}
		misses = append(misses, m)
	}
	return misses
}
