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
		rule.Delay = p.duration(k)
	}
	times, every := keys["times"], keys["every"]
	if times != nil || every != nil {
		rule.counter = &counter{every: 1}
		if times != nil {
			rule.counter.times = p.count(times, "times")
		}
		if every != nil {
			rule.counter.every = p.count(every, "every")
		}
		p.scenario.counters = append(p.scenario.counters, rule.counter)
	}
	if k := keys["violates"]; k != nil {
		rule.Violates = p.bool(k, "violates")
	}
	respond := keys["respond"]
	if k := keys["fault"]; k != nil {
		rule.Fault = p.fault(k, respond)
	}
	if respond == nil {
		if keys["delay"] == nil && keys["fault"] == nil {
			p.fail(n, CodeRule, "the rule does nothing; it needs respond, delay or fault")
		}
		if rule.Violates {
			p.fail(keys["violates"], CodeRule, "violates is about respond, which the rule does not have")
		}
	}
	reads := rule.when != nil
	var response *response
	if respond != nil {
		response = p.respond(respond, scope)
		reads = reads || response.reads()
	}
	answers := p.answers(operations, response, rule.Violates)
	for i, op := range operations {
		own := rule
		if answers != nil {
			own.Response = answers[i]
		}
		rules := p.scenario.rules[op]
		rules.list = append(rules.list, &own)
		rules.reads = rules.reads || reads
		p.scenario.rules[op] = rules
	}
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
				if rule.when == nil && rule.counter == nil {
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
