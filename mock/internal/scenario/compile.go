package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/validate"
)

const (
	// maxDelay bounds delay.
	maxDelay = 10 * time.Minute
	// maxPer bounds the window of a limit.
	maxPer = 24 * time.Hour
	// maxBandwidth bounds bandwidth, in bytes a second.
	maxBandwidth = 1 << 30
)

// Parse compiles the text of one scenario file against a contract. name is the
// file's name for findings, and without folder and extension the scenario's
// name where the text gives none. All findings are given, sorted; the scenario
// is nil where one of them is an error.
func Parse(c *spec.Contract, name string, text []byte) (*Scenario, []exchange.Finding) {
	s, findings, _ := parse(c, name, text)
	if broken(findings) {
		return nil, findings
	}
	return s, findings
}

// parse also gives the place of the scenario's name, and gives the name of a
// scenario with errors. Without a contract it reads no rules.
func parse(c *spec.Contract, file string, text []byte) (*Scenario, []exchange.Finding, exchange.Place) {
	base := filepath.Base(file)
	s := &Scenario{
		Name:   strings.TrimSuffix(base, filepath.Ext(base)),
		File:   file,
		Active: true,
		Source: text,
		rules:  map[*spec.Operation]Rules{},
	}
	r := newReport(file, text)
	root := r.read(text)
	if root == nil {
		return s, exchange.Sort(r.findings), exchange.Place{File: file}
	}
	var f fileFormat
	if err := f.decode(r.validate(root)); err != nil && !broken(r.findings) {
		r.fail(root, CodeValue, "%v", err)
	}
	place := root.Place()
	if f.Name != "" {
		s.Name, place = f.Name, root.Get("name").Place()
	}
	s.Description = f.Description
	if f.Active != nil {
		s.Active = *f.Active
	}
	if c != nil {
		compile(r, c, s, root, &f)
	}
	return s, exchange.Sort(r.findings), place
}

// compiler compiles the rules of one file.
type compiler struct {
	*report
	contract    *spec.Contract
	scenario    *Scenario
	validators  map[*spec.Operation]*validate.Operation
	states      *states
	transitions []transition
}

func compile(r *report, contract *spec.Contract, s *Scenario, root *tree.Node, f *fileFormat) {
	c := &compiler{report: r, contract: contract, scenario: s, validators: map[*spec.Operation]*validate.Operation{}}
	c.states = &states{names: []string{initialState}}
	if f.Initial != "" {
		c.states.names[0] = f.Initial
	}
	for i, rule := range f.Rules {
		if rule != nil {
			c.rule(root.Get("rules").Items[i], i+1, rule)
		}
	}
	if c.transitions != nil {
		c.reachable()
		s.states = c.states
	} else if initial := root.Get("initial"); f.Initial != "" {
		c.fail(initial, CodeState, "initial has no effect, since no rule has state or then")
	}
	if !broken(r.findings) {
		c.shadowed()
	}
}

// rule compiles one rule for each of its operations.
func (c *compiler) rule(n *tree.Node, number int, f *fileRule) {
	rule := Rule{
		Scenario: c.scenario.Name, Number: number, Description: f.Description, Place: n.Place(),
		Fault: f.Fault, Violates: f.Violates, Bandwidth: int(f.Bandwidth), cycle: f.Cycle,
	}
	operations, complete := c.operations(n.Get("on"), &f.On)
	scope := newScope(operations, complete)
	if f.When != "" {
		rule.when = c.expression(n.Get("when"), 0, f.When, scope, asCondition...)
	}
	if k := n.Get("bandwidth"); f.Bandwidth > maxBandwidth {
		c.fail(k, CodeValue, "bandwidth must be bytes a second such as 64KiB, 1MiB or 5000, at most 1024MiB, is %s",
			describe(k))
	}
	rule.delay = c.delay(n.Get("delay"), &f.Delay)
	rule.counter = c.counter(&rule, n, f)
	c.scenario.counters = append(c.scenario.counters, rule.counter)
	c.scenario.outline = append(c.scenario.outline, RuleOutline{
		Number: number, On: texts(n.Get("on")), Description: rule.Description, Place: rule.Place, counter: rule.counter,
	})
	reads := rule.when != nil
	var sequence [][]*Response // one item for each answer, in it one for each operation
	for i := range f.Respond.items {
		at := n.Get("respond")
		if f.Respond.isArray {
			at = at.Items[i]
		}
		if at.Kind == tree.Object {
			a := c.answer(at, &f.Respond.items[i], scope)
			reads = reads || a.isDynamic()
			sequence = append(sequence, c.responses(operations, a, rule.Violates))
		}
	}
	if f.Limit != nil && !has(n, "respond", "delay", "bandwidth", "fault") { // a limit alone answers 429
		sequence = append(sequence, c.responses(operations, &answer{node: n.Get("limit"), status: 429}, rule.Violates))
	}
	for i, op := range operations {
		compiled := rule
		for _, responses := range sequence {
			step := rule
			step.Response = responses[i]
			compiled.sequence = append(compiled.sequence, &step)
		}
		if len(sequence) > 0 {
			compiled.Response = sequence[0][i]
		}
		rules := c.scenario.rules[op]
		rules.list = append(rules.list, &compiled)
		rules.reads = rules.reads || reads
		rules.locks = rules.locks || rule.counter.locks()
		c.scenario.rules[op] = rules
	}
}

// has reports whether an object has one of several keys.
func has(n *tree.Node, keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return n.Get(key) != nil })
}

// counter compiles what makes the rule depend on earlier requests.
func (c *compiler) counter(rule *Rule, n *tree.Node, f *fileRule) *counter {
	k := newCounter(rule.Scenario, rule.Number)
	k.times, k.every, k.chance = uint64(f.Times), uint64(max(f.Every, 1)), f.Chance
	if f.Limit != nil {
		k.limit = &limit{requests: uint64(f.Limit.Requests)}
		if f.Limit.Per != nil {
			k.limit.per = time.Duration(*f.Limit.Per)
			if per := n.Get("limit").Get("per"); k.limit.per <= 0 || k.limit.per > maxPer {
				c.fail(per, CodeValue, "per must be a duration such as 1s or 1m, at most 24h, is %s", describe(per))
			}
		}
	}
	if f.State != "" || f.Then != "" {
		k.states = c.states
		k.state, k.then = c.state(n.Get("state"), f.State), c.state(n.Get("then"), f.Then)
		c.transitions = append(c.transitions, transition{k, rule.Number, n.Get("state")})
	}
	k.stateless = !f.Respond.isArray && !rule.delay.varies() && *k == *newCounter(rule.Scenario, rule.Number)
	return k
}

// delay compiles delay, whose durations are checked.
func (c *compiler) delay(n *tree.Node, f *fileDelay) *delay {
	if n == nil {
		return nil
	}
	checked := func(n *tree.Node, key string, d duration) time.Duration {
		if d < 0 || time.Duration(d) > maxDelay {
			c.fail(n, CodeValue, "%s must be from 0 to 10m, is %s", key, n.Text)
		}
		return time.Duration(d)
	}
	d := &delay{longest: maxDelay}
	switch uniform := n.Get("uniform"); {
	case n.Kind != tree.Object:
		d.low = checked(n, "delay", f.constant)
		d.high = d.low
	case len(f.Uniform) == 2:
		d.low, d.high = checked(uniform.Items[0], "uniform", f.Uniform[0]), checked(uniform.Items[1], "uniform", f.Uniform[1])
		if d.low > d.high {
			c.fail(uniform, CodeValue, "uniform must have the shortest delay first")
		}
	case f.Lognormal != nil:
		d.sigma = f.Lognormal.Sigma
		if f.Lognormal.Median != nil {
			median := n.Get("lognormal").Get("median")
			if d.median = checked(median, "median", *f.Lognormal.Median); d.median == 0 {
				c.fail(median, CodeValue, "median must be more than 0")
			}
		}
		if f.Max != nil {
			d.longest = checked(n.Get("max"), "max", *f.Max)
		}
	}
	return d
}

// shadowed warns of rules that never apply because of an earlier one.
func (c *compiler) shadowed() {
	type shadow struct {
		rule, by   *Rule
		operations []string
	}
	var shadows []shadow
	for _, op := range c.contract.Operations {
		var by *Rule
		for _, rule := range c.scenario.rules[op].list {
			if by == nil {
				if rule.when == nil && rule.counter.always() {
					by = rule
				}
				continue
			}
			i := slices.IndexFunc(shadows, func(s shadow) bool {
				return s.rule.Number == rule.Number && s.by.Number == by.Number
			})
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
