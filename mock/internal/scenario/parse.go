package scenario

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// The codes of findings on a scenario file.
const (
	CodeSyntax     = "scenario-syntax"              // not YAML, or too much of it
	CodeDuplicate  = "scenario-duplicate-key"       // a key stands twice
	CodeKey        = "scenario-unknown-key"         // a key that means nothing
	CodeValue      = "scenario-value"               // a value that its key cannot have
	CodeName       = "scenario-name"                // two scenarios of one name
	CodeOperation  = "scenario-unknown-operation"   // on names no operation
	CodeStatus     = "scenario-undocumented-status" // the document has no such answer
	CodeMediaType  = "scenario-undocumented-type"   // the answer's media type is not documented
	CodeBody       = "scenario-body"                // the body breaks the response's schema, or cannot be written
	CodeHeader     = "scenario-header"              // a header breaks its schema
	CodeExample    = "scenario-unknown-example"     // no documented example of that name
	CodeExpression = "scenario-expression"          // an expression that cannot be compiled
	CodeRule       = "scenario-rule"                // a rule that does nothing, or contradicts itself
	CodeState      = "scenario-state"               // a state that does not come about
	CodeShadowed   = "scenario-shadowed"            // a rule that can never apply
	CodeFailed     = "scenario-when-failed"         // at a request: when could not be evaluated
)

// The keys of a file, of a rule and of respond. scenario.schema.json has the
// same.
var (
	fileKeys    = []string{"name", "description", "active", "initial", "rules"}
	ruleKeys    = []string{"on", "description", "when", "respond", "delay", "bandwidth", "cycle", "times", "every", "chance", "limit", "state", "then", "fault", "violates"}
	respondKeys = []string{"status", "headers", "body", "example"}
)

const (
	// maxDelay bounds delay.
	maxDelay = 10 * time.Minute
	// maxCount bounds times and every.
	maxCount = 1_000_000_000
)

// parser compiles one file.
type parser struct {
	contract   *spec.Contract
	file       string
	text       string
	lines      []string
	findings   []exchange.Finding
	scenario   *Scenario
	validators map[*spec.Operation]*validate.Operation

	machine     *machine
	transitions []transition
}

// Parse compiles the text of one scenario file against a contract. name is the
// file's name for findings, and without folder and extension the scenario's
// name where the text gives none. All findings are given, sorted; the scenario
// is nil where one of them is an error.
func Parse(c *spec.Contract, name string, text []byte) (*Scenario, []exchange.Finding) {
	s, findings, _ := parse(c, name, text)
	return s, findings
}

// parse also gives the scenario's name and where it is from, for comparing
// with the names of other files.
func parse(c *spec.Contract, file string, source []byte) (*Scenario, []exchange.Finding, *node) {
	p := newParser(c, file, source)
	name := &node{}
	if root := p.read(); root != nil {
		name = p.root(root)
		if !broken(p.findings) {
			p.shadowed()
		}
	}
	name.text = p.scenario.Name
	findings := exchange.Sort(p.findings)
	if broken(findings) {
		return nil, findings, name
	}
	return p.scenario, findings, name
}

func newParser(c *spec.Contract, file string, source []byte) *parser {
	p := &parser{contract: c, file: file, text: string(source), machine: &machine{}}
	p.lines = strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(p.text), "\n")
	base := filepath.Base(file)
	p.scenario = &Scenario{
		Name:   strings.TrimSuffix(base, filepath.Ext(base)),
		File:   file,
		Active: true,
		Source: source,
		rules:  map[*spec.Operation]Rules{},
	}
	return p
}

// root compiles the whole file and gives the node of its name.
func (p *parser) root(n *node) *node {
	keys := p.keys(n, "a scenario", fileKeys)
	name := p.head(n, keys)
	initial := keys["initial"]
	if initial == nil || p.stateName(initial, "initial") < 0 {
		p.machine.named(initialState)
	}
	rules := keys["rules"]
	switch {
	case rules == nil:
		if n.kind == kindMap {
			p.fail(n, CodeRule, `a scenario needs "rules", a list`)
		}
	case rules.kind != kindList:
		p.fail(rules, CodeValue, "rules must be a list, is %s", rules.kind)
	case len(rules.items) == 0:
		p.fail(rules, CodeRule, "rules is empty")
	default:
		for i, item := range rules.items {
			p.rule(item, i+1)
		}
		p.reachable(initial)
		if p.transitions != nil {
			p.scenario.machine = p.machine
		}
	}
	return name
}

// head reads what the file says of itself and gives the node of its name.
func (p *parser) head(n *node, keys map[string]*node) *node {
	name := &node{line: n.line, column: n.column}
	if k := keys["name"]; k != nil {
		if s, ok := p.string(k, "name"); ok {
			switch {
			case s == "":
				p.fail(k, CodeValue, "name must not be empty")
			case strings.ContainsAny(s, ",;\"\\") || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
				p.fail(k, CodeValue, "name %q must be ASCII without spaces, commas, semicolons and quotes: requests choose it by Prefer: scenario=NAME", shorten(s))
			default:
				p.scenario.Name = s
				name = k
			}
		}
	}
	if k := keys["description"]; k != nil {
		p.scenario.Description, _ = p.string(k, "description")
	}
	if k := keys["active"]; k != nil {
		p.scenario.Active = p.bool(k, "active")
	}
	return name
}

// keys gives the members of a mapping, having reported what is unknown.
func (p *parser) keys(n *node, what string, known []string) map[string]*node {
	if n.kind != kindMap {
		p.fail(n, CodeValue, "%s must be a mapping with %s, is %s", what, enumerate(known, "or"), n.kind)
		return nil
	}
	keys := make(map[string]*node, len(n.members))
	for _, m := range n.members {
		switch {
		case slices.Contains(known, m.name):
			keys[m.name] = m.value
		case what == "a rule" && slices.Contains(respondKeys, m.name):
			p.fail(m.key, CodeKey, "unknown key %q in a rule; it belongs under respond", m.name)
		case what == "respond" && slices.Contains(ruleKeys, m.name):
			p.fail(m.key, CodeKey, "unknown key %q in respond; it belongs beside respond", m.name)
		default:
			p.fail(m.key, CodeKey, "unknown key %q in %s%s", shorten(m.name), what, meant(m.name, known, "there are"))
		}
	}
	return keys
}
