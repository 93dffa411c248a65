package scenario

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	exprparser "github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

const (
	// maxExpression limits an expression's text, in bytes.
	maxExpression = 4096
	// maxExpressionNodes limits its syntax tree.
	maxExpressionNodes = 1000
	// maxSteps limits one evaluation: iterations of loops, and the sizes of created values.
	maxSteps = 1_000_000
	// maxString limits a string that an expression creates, in bytes.
	maxString = 1 << 20
)

// disabled are functions of the language that are not available as they are. live.go replaces now, by the mock's
// clock, and date, without time zones, for rules. timezone reads system files; uniq takes quadratic time.
var disabled = []string{"now", "date", "duration", "timezone", "uniq"}

type expression struct {
	program *vm.Program // safe for concurrent use
	reads   fields
	place   exchange.Place
}

// scope is the variables that an expression may use, for type checking.
type scope struct {
	params   []string       // path parameters that all operations of the rule have
	strict   bool           // there are no other path parameters
	response bool           // there is a response
	live     bool           // there are a session, its items and a clock: the expression is part of a rule
	answer   bool           // the expression is part of a response, so the rule applies
	contract *spec.Contract // set if live
}

func newScope(operations []*spec.Operation, strict bool) scope {
	s := scope{strict: strict}
	for i, op := range operations {
		var names []string
		for _, parameter := range op.Parameters {
			if parameter.In == "path" {
				names = append(names, parameter.Name)
			}
		}
		if i == 0 {
			s.params = names
			continue
		}
		s.params = slices.DeleteFunc(s.params, func(name string) bool { return !slices.Contains(names, name) })
	}
	return s
}

func (s scope) environment() types.Map {
	params := types.Map{}
	for _, name := range s.params {
		params[name] = types.Any
	}
	if !s.strict {
		params[types.Extra] = types.Any
	}
	variables := types.Map{
		"request": types.Map{
			"method":  types.String,
			"path":    types.String,
			"params":  params,
			"query":   types.TypeOf(map[string]any{}),
			"headers": types.TypeOf(map[string]string{}),
			"body":    types.Any,
		},
		"null": types.Nil,
		budget: types.Any,
	}
	if s.response {
		variables["response"] = types.Map{
			"status":  types.Int,
			"headers": types.TypeOf(map[string]string{}),
			"body":    types.Any,
		}
	}
	if s.live {
		s.addLive(variables)
	}
	return variables
}

var asCondition = []expr.Option{expr.AsBool(), expr.WarnOnAny()}

func (c *compiler) expression(n *tree.Node, offset int, source string, s scope, options ...expr.Option) *expression {
	e, invalid := s.compile(source, options...)
	if invalid != nil {
		at := locate(n, offset+byteOffset(source, invalid.From))
		c.failAt(at, CodeExpression, "%s%s", invalid.Message, commentHint(n))
		return nil
	}
	e.place = locate(n, offset)
	return e
}

// compile compiles an expression, without its place in a file. The error has line 0 if its place in the source is
// unknown.
func (s scope) compile(source string, options ...expr.Option) (*expression, *file.Error) {
	if len(source) > maxExpression {
		return nil, &file.Error{Message: fmt.Sprintf("the expression is longer than %d bytes", maxExpression)}
	}
	g := &guard{scope: s}
	options = slices.Concat(options, []expr.Option{
		expr.Env(s.environment()), expr.MaxNodes(maxExpressionNodes), bounded, expr.Patch(g),
	})
	if s.live {
		options = append(options, withTime)
	}
	program, err := compileProgram(source, options)
	if err == nil {
		err = g.err
	}
	if err == nil {
		return &expression{program: program, reads: g.reads()}, nil
	}
	invalid := &file.Error{Message: err.Error()}
	errors.As(err, &invalid)
	invalid.Message = explain(invalid.Message, source, s)
	return nil, invalid
}

// compileProgram turns a panic of the compiler into an error.
func compileProgram(source string, options []expr.Option) (program *vm.Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			program, err = nil, fmt.Errorf("the expression cannot be compiled: %v", r)
		}
	}()
	return expr.Compile(source, options...)
}

func byteOffset(s string, runes int) int {
	for i := range s {
		if runes == 0 {
			return i
		}
		runes--
	}
	return len(s)
}

// explain rewrites a message of the compiler and adds a remedy.
func explain(message, source string, s scope) string {
	if got, ok := strings.CutPrefix(message, "expected bool, but got "); ok {
		key := "when"
		if s.response {
			key = "where"
		}
		if got == "unknown" {
			return key + " must be boolean, but its type is known only at a request; " +
				"compare it, such as request.body.flag == true"
		}
		return key + " must be boolean, is " + strings.ReplaceAll(got, "interface {}", "any")
	}
	if name, ok := strings.CutPrefix(message, "unknown name "); ok {
		if live := s.liveHint(name); live != "" {
			return fmt.Sprintf("unknown name %q%s", name, live)
		}
		if slices.Contains(disabled, name) {
			return "the function " + name + " is not available in scenarios"
		}
		known := []string{"request"}
		if s.live {
			known = append(known, liveNames...)
		}
		for _, f := range builtin.Builtins {
			if !slices.Contains(disabled, f.Name) {
				known = append(known, f.Name)
			}
		}
		if name == "status" && s.response {
			return `unknown name "status"; write response.status`
		}
		if slices.Contains(fieldNames, name) {
			return fmt.Sprintf("unknown name %q; write request.%s", name, name)
		}
		return fmt.Sprintf("unknown name %q%s", name, hint(name, known, ""))
	}
	if name, ok := strings.CutPrefix(message, "unknown field "); ok {
		for _, of := range []string{"session", "rule"} {
			if strings.Contains(source, of+"."+name) {
				return fmt.Sprintf("unknown field %q%s", name, hint(name, liveFields[of], of+" has"))
			}
		}
		return fmt.Sprintf("unknown field %q%s", name, hint(name, slices.Concat(fieldNames, s.params), "a request has"))
	}
	message, _, _ = strings.Cut(message, "\n")
	return formula.Explain(message)
}

// charge is the name of the function steps in expressions, and budget the variable with the remaining steps. No
// expression can contain these names.
const (
	charge = "a step"
	budget = "the steps left"
)

// bounded replaces functions of the language by versions that respect maxSteps and maxString.
func bounded(c *conf.Config) {
	for _, name := range disabled {
		c.Disabled[name] = true
	}
	for _, f := range []*builtin.Function{
		{Name: charge, Func: steps, Types: []reflect.Type{reflect.TypeFor[func(any, any) any]()}},
		{Name: "replace", Func: replace, Types: []reflect.Type{
			reflect.TypeFor[func(string, string, string) string](),
			reflect.TypeFor[func(string, string, string, int) string](),
		}},
		{Name: "join", Func: join, Types: []reflect.Type{
			reflect.TypeFor[func([]any) string](),
			reflect.TypeFor[func([]any, string) string](),
			reflect.TypeFor[func([]string) string](),
			reflect.TypeFor[func([]string, string) string](),
		}},
	} {
		c.Functions[f.Name] = f
	}
}

var machines = sync.Pool{New: func() any { return new(vm.VM) }}

func (e *expression) value(r *Request) (any, error) {
	if r.Work.Over() {
		return nil, r.Work.Ended()
	}
	machine := machines.Get().(*vm.VM)
	environment := r.environment(e.reads)
	before := r.left
	machine.MemoryBudget = uint(max(before, 1))
	v, err := machine.Run(e.program, environment)
	if r.Allowance != nil {
		*r.Allowance -= before - max(r.left, 0)
		if err != nil && before < maxSteps { // the remaining steps are not enough
			*r.Allowance = 0
		}
	}
	clear(machine.Stack[:cap(machine.Stack)]) // the pool must not keep the request alive
	machines.Put(machine)
	if err == nil {
		return v, nil
	}
	if f := (*file.Error)(nil); errors.As(err, &f) {
		err = errors.New(failure(f.Message))
	}
	return nil, err
}

func failure(message string) string {
	switch {
	case message == "memory budget exceeded":
		return errSteps.Error()
	case strings.HasPrefix(message, "cannot fetch ") && strings.HasSuffix(message, " from <nil>"):
		field := strings.TrimSuffix(strings.TrimPrefix(message, "cannot fetch "), " from <nil>")
		return fmt.Sprintf("there is no %s in null; write ?.%[1]s if null is expected", field)
	}
	if strings.HasPrefix(message, "reflect") {
		return "a value is missing, or has a type that the expression cannot use"
	}
	if got, ok := strings.CutPrefix(message, "invalid operation: bool("); ok {
		message = strings.TrimSuffix(got, ")") + ", not bool"
	}
	message = strings.TrimPrefix(message, "interface conversion: interface {} is ")
	return typeName.Get().ReplaceAllStringFunc(message, func(s string) string { return typeNames[s] })
}

// typeNames maps Go's types to JSON's names.
var (
	typeName  = lazyregexp.New(`<nil>|\bnil\b|map\[string\]interface \{\}|\[\]interface \{\}|\bfloat64\b|\bint\b|\bbool\b`)
	typeNames = map[string]string{
		"<nil>": "null", "nil": "null", "map[string]interface {}": "object", "[]interface {}": "array",
		"float64": "number", "int": "number", "bool": "boolean",
	}
)

func (e *expression) holds(r *Request) (bool, error) {
	v, err := e.value(r)
	b, ok := v.(bool)
	if err == nil && !ok {
		err = fmt.Errorf("the value is a %T, not a boolean", v)
	}
	return b, err
}

// Condition is an expression about a completed exchange: beside request it can use response, with status, headers and
// body. It is split at "and", so that it can report which parts do not hold. It is immutable and safe for concurrent
// use.
type Condition struct {
	conjuncts []conjunct
}

// conjunct is an operand of "and".
type conjunct struct {
	source string
	holds  *expression
	shown  *expression // the value that explains why the conjunct does not hold; nil if none
}

// WithResponse adds the response for conditions.
func (r *Request) WithResponse(status int, header exchange.Header, body any) {
	seen := map[string]any{"status": status, "headers": header.Joined(), "body": formula.Native(body)}
	r.environment(0)["response"] = seen
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
		if all := s.conjuncts(tree.Node); all != nil {
			return &Condition{all}, nil
		}
	}
	return &Condition{[]conjunct{{source: source, holds: compiled}}}, nil
}

// conjuncts compiles the operands of "and" separately; nil if that is not possible.
func (s scope) conjuncts(n ast.Node) []conjunct {
	b, ok := n.(*ast.BinaryNode)
	if ok && (b.Operator == "&&" || b.Operator == "and") {
		left, right := s.conjuncts(b.Left), s.conjuncts(b.Right)
		if left == nil || right == nil {
			return nil
		}
		return append(left, right...)
	}
	p := conjunct{source: n.String()}
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
	return []conjunct{p}
}

var comparisons = []string{"==", "!=", "<", ">", "<=", ">=", "in", "contains", "startsWith", "endsWith", "matches"}

// Miss is a part of a condition that does not hold.
type Miss struct {
	Condition string
	Value     any    // the compared value, as jsontext.Decode returns it
	HasValue  bool   // Value is set
	Failure   string // why the part could not be evaluated; "" if it could
}

// Misses returns the parts that do not hold; none if the condition holds. It omits parts that fail after a part that
// does not hold, because "and" would not have evaluated them.
func (c *Condition) Misses(r *Request) []Miss {
	var misses []Miss
	for _, p := range c.conjuncts {
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
				m.Value, err = formula.Plain(v)
				m.HasValue = err == nil
			}
		}
		misses = append(misses, m)
	}
	return misses
}
