package scenario

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/validate"
)

const (
	// maxDelay limits delay.
	maxDelay = 10 * time.Minute
	// maxPer limits the window of a limit.
	maxPer = 24 * time.Hour
	// maxBandwidth limits bandwidth, in bytes a second.
	maxBandwidth = 1 << 30
)

// Parse compiles the text of one scenario file against a contract. name is the file's name for findings; without
// folder and extension it is the default name of the scenario. It returns all findings, sorted; the scenario is nil
// if one of them is an error.
func Parse(c *spec.Contract, name string, text []byte) (*Scenario, []exchange.Finding) {
	s, findings, _ := parse(c, name, text)
	if broken(findings) {
		return nil, findings
	}
	return s, findings
}

// parse also returns the place of the scenario's name, and returns a scenario with only a name if there are errors.
// Without a contract it reads no rules.
func parse(c *spec.Contract, file string, text []byte) (*Scenario, []exchange.Finding, exchange.Place) {
	base := filepath.Base(file)
	s := &Scenario{
		Outline: Outline{Name: strings.TrimSuffix(base, filepath.Ext(base)), File: file, Active: true},
		Source:  text,
		rules:   map[*spec.Operation]Rules{},
	}
	r := &report{file: file}
	root := r.read(text)
	if root == nil {
		return s, exchange.Sort(r.findings), exchange.Place{File: file}
	}
	root = r.validate(root)
	place := root.Place()
	if name := root.Get("name"); name.Str() != "" {
		s.Name, place = name.Text, name.Place()
	}
	s.Description = root.Get("description").Str()
	if active := root.Get("active"); is(active, tree.Bool) {
		s.Active = active.True()
	}
	if c != nil {
		compile(r, c, s, root)
		s.identity = identify(s.Name, root)
	}
	return s, exchange.Sort(r.findings), place
}

// compiler compiles the rules of one file. Its nodes are valid against the schema; invalid ones are replaced by null.
type compiler struct {
	*report
	contract   *spec.Contract
	scenario   *Scenario
	rules      []*tree.Node
	validators map[*spec.Operation]*validate.Validator
	states     *states
}

func compile(r *report, contract *spec.Contract, s *Scenario, root *tree.Node) {
	initial := root.Get("initial")
	c := &compiler{
		report: r, contract: contract, scenario: s, rules: items(root.Get("rules")),
		validators: map[*spec.Operation]*validate.Validator{},
		states:     &states{names: []string{cmp.Or(initial.Str(), initialState)}},
	}
	for i, n := range c.rules {
		if n.Kind == tree.Object {
			c.rule(n, i+1)
		}
	}
	if i := slices.IndexFunc(s.All, func(rule *Rule) bool { return rule.states != nil }); i >= 0 {
		c.reachable()
		c.sameOwner(s.All[i])
		s.states = c.states
	} else if initial.Str() != "" {
		c.fail(initial, CodeState,
			"initial has no effect, since no rule has state or then; add one of them to a rule, or remove initial")
	}
	if !broken(r.findings) {
		c.shadowed()
	}
}

func is(n *tree.Node, kind tree.Kind) bool { return n != nil && n.Kind == kind }

// items returns the items of an array, or the one value that replaces it.
func items(n *tree.Node) []*tree.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == tree.Array:
		return n.List()
	}
	return []*tree.Node{n}
}

// number parses a number, which may be written as 1e3; 0 if none.
func number(n *tree.Node) float64 {
	if !is(n, tree.Number) {
		return 0
	}
	f, _ := strconv.ParseFloat(n.Text, 64)
	return f
}

// duration parses 1.5s, or a number of milliseconds. A longer time than a time.Duration holds becomes the longest.
func duration(n *tree.Node) time.Duration {
	if !is(n, tree.String) {
		return time.Duration(number(n) * float64(time.Millisecond))
	}
	d, err := time.ParseDuration(n.Text)
	if err != nil {
		return math.MaxInt64
	}
	return d
}

func (c *compiler) rule(n *tree.Node, ordinal int) {
	respond := n.Get("respond")
	rule := &Rule{
		Scenario:    c.scenario.Name,
		Number:      ordinal,
		On:          texts(n.Get("on")),
		Description: n.Get("description").Str(),
		Place:       n.Place(),
		Fault:       n.Get("fault").Str(),
		Bandwidth:   c.bandwidth(n.Get("bandwidth")),
		Violates:    n.Get("violates").True(),
		delay:       c.delay(n.Get("delay")),
		cycle:       n.Get("cycle").True(),
		times:       uint64(number(n.Get("times"))),
		every:       max(1, uint64(number(n.Get("every")))),
		chance:      number(n.Get("chance")),
		state:       c.state(n.Get("state")),
		then:        c.state(n.Get("then")),
		limit:       c.limit(n.Get("limit")),
		after:       c.after(n.Get("after")),
		forItem:     n.Get("for").Str() == "item",
		key:         ruleKey(c.scenario.Name, ordinal),
	}
	if n.Get("state").Str() != "" || n.Get("then").Str() != "" {
		rule.states = c.states
	}
	rule.stateless = rule.always() && rule.states == nil && !rule.delay.varies() && !is(respond, tree.Array) &&
		!rule.forItem
	c.scenario.All = append(c.scenario.All, rule)
	operations, complete := c.operations(n.Get("on"))
	if rule.forItem {
		c.forItem(n.Get("for"), operations)
	}
	scope := newScope(operations, complete)
	scope.live, scope.contract = true, c.contract
	if when := n.Get("when"); when.Str() != "" {
		rule.when = c.expression(when, 0, when.Text, scope, asCondition...)
	}
	reads := rule.when != nil || rule.forItem
	scope.answer = true
	var sequence [][]*Response // for each response of the array, one for each operation
	for _, at := range items(respond) {
		if at.Kind == tree.Object {
			a := c.response(at, scope)
			reads = reads || a.isDynamic()
			sequence = append(sequence, c.responses(operations, a, rule.Violates))
		}
	}
	if rule.limit != nil && !has(n, "respond", "delay", "bandwidth", "fault") { // without these, limit answers 429
		tooMany := &parsedResponse{node: n.Get("limit"), status: 429}
		sequence = append(sequence, c.responses(operations, tooMany, rule.Violates))
	}
	for i, op := range operations {
		bound := boundRule{Rule: rule}
		for _, responses := range sequence {
			bound.sequence = append(bound.sequence, responses[i])
		}
		rules := c.scenario.rules[op]
		if rule.forItem {
			rules.itemPath = itemPath(op)
		}
		c.scenario.rules[op] = Rules{
			append(rules.list, bound), rules.reads || reads, rules.locks || rule.locks(), rules.itemPath,
		}
	}
}

func has(n *tree.Node, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) != nil })
}

// bandwidth parses bytes a second: 64KiB, 1MiB or a number.
func (c *compiler) bandwidth(n *tree.Node) int {
	if !is(n, tree.String) {
		return int(number(n))
	}
	digits, isMiB := strings.CutSuffix(n.Text, "MiB")
	unit := 1 << 10
	if isMiB {
		unit = 1 << 20
	}
	count, err := strconv.Atoi(strings.TrimSuffix(digits, "KiB"))
	if err != nil || count > maxBandwidth/unit {
		c.fail(n, CodeValue, "bandwidth must be bytes a second such as 64KiB, 1MiB or 5000, at most 1024MiB, is %s",
			describe(n))
	}
	return count * unit
}

func (c *compiler) after(n *tree.Node) time.Duration {
	if !is(n, tree.String) {
		return 0
	}
	d := duration(n)
	if d <= 0 || d > maxPer {
		c.fail(n, CodeValue, "after must be a duration such as 5s or 2m, at most 24h, is %s", describe(n))
	}
	return d
}

// forItem requires that the path of each operation names an item.
func (c *compiler) forItem(n *tree.Node, operations []*spec.Operation) {
	var without []string
	for _, op := range operations {
		if itemPath(op) == "" {
			without = append(without, title(op))
		}
	}
	if without != nil {
		c.fail(n, CodeRule, "for: item is about the item that the path names; "+
			"the path of %s has no parameter; choose other operations, or leave for out to count for the session", some(without))
	}
}

func (c *compiler) limit(n *tree.Node) *limit {
	if !is(n, tree.Object) {
		return nil
	}
	l := &limit{requests: uint64(number(n.Get("requests"))), per: duration(n.Get("per"))}
	if per := n.Get("per"); is(per, tree.String) && (l.per <= 0 || l.per > maxPer) {
		c.fail(per, CodeValue, "per must be a duration such as 1s or 1m, at most 24h, is %s", describe(per))
	}
	return l
}

func (c *compiler) delay(n *tree.Node) *delay {
	checked := func(n *tree.Node, key string) time.Duration {
		d := duration(n)
		if d < 0 || d > maxDelay {
			c.fail(n, CodeValue, "%s must be from 0 to 10m, is %s", key, n.Text)
		}
		return d
	}
	uniform, lognormal := n.Get("uniform"), n.Get("lognormal")
	d := &delay{longest: maxDelay}
	switch {
	case n == nil:
		return nil
	case n.Kind != tree.Object:
		d.low = checked(n, "delay")
		d.high = d.low
	case is(uniform, tree.Array):
		d.low, d.high = checked(uniform.List()[0], "uniform"), checked(uniform.List()[1], "uniform")
		if d.low > d.high {
			c.fail(uniform, CodeValue, "uniform must have the shortest delay first")
		}
	default:
		d.sigma = number(lognormal.Get("sigma"))
		median, longest := lognormal.Get("median"), n.Get("max")
		if d.median = checked(median, "median"); d.median == 0 && median != nil && median.Kind != tree.Null {
			c.fail(median, CodeValue, "median must be more than 0")
		}
		if longest != nil {
			d.longest = checked(longest, "max")
		}
	}
	return d
}

func (c *compiler) shadowed() {
	type shadow struct {
		rule, by   *Rule
		operations []string
	}
	var shadows []shadow
	for _, op := range c.contract.Operations {
		var by *Rule
		for _, bound := range c.scenario.rules[op].list {
			rule := bound.Rule
			if by == nil {
				if rule.when == nil && rule.always() {
					by = rule
				}
				continue
			}
			i := slices.IndexFunc(shadows, func(s shadow) bool { return s.rule == rule && s.by == by })
			if i < 0 {
				i = len(shadows)
				shadows = append(shadows, shadow{rule: rule, by: by})
			}
			shadows[i].operations = append(shadows[i].operations, title(op))
		}
	}
	for _, s := range shadows {
		c.warn(s.rule.Place, CodeShadowed, "rule %d never applies to %s: rule %d takes every request before it",
			s.rule.Number, some(s.operations), s.by.Number)
	}
}

func title(op *spec.Operation) string { return op.Method + " " + op.Path }

// operations resolves on. complete is false if part of it names no operation.
func (c *compiler) operations(on *tree.Node) (operations []*spec.Operation, complete bool) {
	complete = on != nil
	for _, n := range items(on) {
		found := c.named(n, n.Str())
		complete = complete && len(found) > 0
		for _, op := range found {
			if slices.Contains(operations, op) {
				c.warn(n.Place(), CodeOperation, "on names %s twice", title(op))
				break
			}
			operations = append(operations, op)
		}
	}
	return operations, complete
}

func (c *compiler) named(n *tree.Node, name string) []*spec.Operation {
	switch name {
	case "": // reported as a violation of the schema
		return nil
	case "*":
		if len(c.contract.Operations) == 0 {
			c.fail(n, CodeOperation, "the document has no operations")
		}
		return slices.Clone(c.contract.Operations)
	}
	op, err := FindOperation(c.contract, name)
	if err != nil {
		c.fail(n, CodeOperation, "%v", err)
		return nil
	}
	return []*spec.Operation{op}
}

// FindOperation returns the operation with a name: METHOD path or an operationId. The error suggests the operation
// that was probably meant.
func FindOperation(c *spec.Contract, name string) (*spec.Operation, error) {
	name = strings.Join(strings.Fields(name), " ")
	if op := c.Operation(name); op != nil {
		return op, nil
	}
	return nil, fmt.Errorf("unknown operation %q%s", shorten(name), suggest(c, name))
}

func suggest(c *spec.Contract, name string) string {
	method, path, isPath := strings.Cut(name, " ")
	var names, methods []string
	for _, op := range c.Operations {
		names = append(names, title(op))
		if !isPath && op.ID != title(op) {
			names = append(names, op.ID)
		}
		if isPath && op.Path == path {
			if strings.EqualFold(op.Method, method) {
				return fmt.Sprintf("; did you mean %q?", title(op))
			}
			methods = append(methods, op.Method)
		}
	}
	if methods != nil {
		return "; " + path + " has " + enumerate(methods, "and")
	}
	if isPath && strings.HasPrefix(path, "/") {
		router, method := route.New(c), strings.ToUpper(method)
		var m route.Match
		if router.Find(method, path, &m) == route.Found {
			if strings.Contains(m.Operation.Path, "{") && !strings.HasSuffix(path, m.Operation.Path) {
				return fmt.Sprintf("; write %q and narrow it with when: request.params", title(m.Operation))
			}
			return fmt.Sprintf("; write %q, without the server's base path", title(m.Operation))
		}
		if op := router.Nearest(method, path); op != nil {
			return fmt.Sprintf("; did you mean %q?", title(op))
		}
	}
	return hint(name, names, "the document has")
}
