package scenario

import (
	"fmt"
	"slices"
)

// rule compiles one rule for each of its operations.
func (p *parser) rule(n *node, number int) {
	keys := p.keys(n, "a rule", ruleKeys)
	if keys == nil {
		return
	}
	rule := Rule{Scenario: p.scenario.Name, Number: number, Place: n.place(p.file)}
	if k := keys["description"]; k != nil {
		rule.Description, _ = p.string(k, "description")
	}
	operations, all := p.operations(n, keys["on"])
	scope := newScope(operations, all)
	if k := keys["when"]; k != nil {
		if source, ok := p.string(k, "when"); ok {
			rule.when = p.condition(k, source, scope)
		} else if k.kind == kindBool {
			p.findings[len(p.findings)-1].Message += "; leave when out for a rule that always applies"
		}
	}
	if k := keys["delay"]; k != nil {
		rule.latency = p.latency(k)
	}
	if k := keys["bandwidth"]; k != nil {
		if rule.Bandwidth = p.bandwidth(k); keys["fault"] != nil {
			p.fail(k, CodeRule, "bandwidth has no effect beside fault; remove one of them")
		}
	}
	p.remember(&rule, keys)
	p.scenario.outline = append(p.scenario.outline, RuleOutline{
		Number: number, On: names(keys["on"]), Description: rule.Description, Place: rule.Place, counter: rule.counter,
	})
	if k := keys["violates"]; k != nil {
		rule.Violates = p.bool(k, "violates")
	}
	respond := keys["respond"]
	if keys["limit"] != nil && respond == nil && keys["delay"] == nil && keys["fault"] == nil && keys["bandwidth"] == nil {
		respond = tooMany(keys["limit"])
	}
	if k := keys["fault"]; k != nil {
		rule.Fault = p.fault(k, respond)
	}
	if respond == nil {
		if keys["delay"] == nil && keys["bandwidth"] == nil && keys["fault"] == nil && keys["then"] == nil {
			p.fail(n, CodeRule, "the rule does nothing; it needs respond, delay, bandwidth, fault or then")
		}
		if rule.Violates {
			p.fail(keys["violates"], CodeRule, "violates is about respond, which the rule does not have")
		}
	}
	reads := rule.when != nil
	var sequence [][]*Response // one item for each answer, in it one for each operation
	for _, item := range p.sequence(respond) {
		response := p.respond(item, scope)
		reads = reads || response.reads()
		if answers := p.answers(operations, response, rule.Violates); answers != nil {
			sequence = append(sequence, answers)
		}
	}
	for i, op := range operations {
		own := rule
		for _, answers := range sequence {
			step := own
			step.Response = answers[i]
			own.sequence = append(own.sequence, &step)
		}
		if len(sequence) > 0 {
			own.Response = sequence[0][i]
		}
		rules := p.scenario.rules[op]
		rules.list = append(rules.list, &own)
		rules.reads = rules.reads || reads
		rules.whole = rules.whole || rule.counter.whole()
		p.scenario.rules[op] = rules
	}
}

// remember compiles what makes the rule depend on the requests before.
func (p *parser) remember(rule *Rule, keys map[string]*node) {
	c := p.newCounter(rule.Number)
	if k := keys["times"]; k != nil {
		c.times = p.count(k, "times")
	}
	if k := keys["every"]; k != nil {
		c.every = p.count(k, "every")
	}
	if k := keys["chance"]; k != nil {
		c.chance = p.chance(k)
	}
	if k := keys["limit"]; k != nil {
		c.limit = p.limit(k)
	}
	p.states(c, rule.Number, keys["state"], keys["then"])
	respond := keys["respond"]
	isList := respond != nil && respond.kind == kindList
	if k := keys["cycle"]; k != nil {
		if rule.cycle = p.bool(k, "cycle"); rule.cycle && !isList {
			p.fail(k, CodeRule, "cycle is about a list of answers; write respond as a list")
		}
	}
	c.free = !isList && !rule.latency.drawn() && *c == *p.newCounter(rule.Number)
	rule.counter = c
	p.scenario.counters = append(p.scenario.counters, c)
}

// sequence gives the answers of respond, of which there may be a list.
func (p *parser) sequence(respond *node) []*node {
	switch {
	case respond == nil:
		return nil
	case respond.kind != kindList:
		return []*node{respond}
	case len(respond.items) == 0:
		p.fail(respond, CodeRule, "respond is an empty list")
	}
	return respond.items
}

func (p *parser) fault(n, respond *node) Fault {
	s, ok := p.string(n, "fault")
	if !ok {
		return NoFault
	}
	if !slices.Contains(faults, s) {
		p.fail(n, CodeValue, "unknown fault %q%s", shorten(s), meant(s, faults, "there are"))
		return NoFault
	}
	fault := Fault(s)
	if respond != nil && (fault == Reset || fault == Hang) {
		p.fail(n, CodeRule, "fault %s sends no answer, so respond has no effect; remove one of them", s)
	}
	return fault
}

// shadowed warns of rules that an earlier one leaves nothing to.
func (p *parser) shadowed() {
	type shadow struct {
		rule, by   *Rule
		operations []string
	}
	var shadows []shadow
	for _, op := range p.contract.Operations {
		var by *Rule
		for _, rule := range p.scenario.rules[op].list {
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
		p.warn(s.rule.Place, CodeShadowed, "rule %d never applies to %s: rule %d takes every request before it",
			s.rule.Number, some(s.operations), s.by.Number)
	}
}

// some names the first of many.
func some(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s, %s and %d more", names[0], names[1], len(names)-2)
	}
	return enumerate(names, "and")
}
