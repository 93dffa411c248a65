package contracts

import (
	"errors"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/rules"
	"github.com/coldframe/coldframe/contracts/internal/runner"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// Rules are settings for single operations of a backend, and for the findings on them. The zero value has none.
type Rules struct {
	Operations []OperationRule // of several on one operation all hold; the last decides if they differ
	Waivers    []Waiver
}

// OperationRule changes how operations are tested.
type OperationRule struct {
	// Operation is "POST /plants", "/plants/*", "tag:plants", an operationId or a glob of these.
	Operation string
	// Skip sends nothing to the operations, not even to create items for others.
	Skip bool
	// Checks are ids of the checks that judge the operations; one that begins with "!" is excluded. Default: the checks
	// of the run.
	Checks []string
	// Severity is "error" or "warning", by the id of a check; "" stands for all checks that are not named.
	Severity map[string]string
	// Timeout bounds each request, in place of Limits.Timeout.
	Timeout time.Duration
	// Statuses are expected although the document does not have them.
	Statuses []int
	// Reason says why the rule exists. It is required.
	Reason string
	// Until is when the rule expires; the report then says so. Default: never.
	Until time.Time
	// Origin is where the rule is written, for messages: "coldframe.yaml:5:3".
	Origin string
}

// Waiver keeps findings from failing a run: they are listed apart, in Report.Waived. It applies to findings of Check in
// Operation, and if they are set only at Place or of Kind.
type Waiver struct {
	// Check is the id of a check.
	Check string
	// Operation is as in an OperationRule.
	Operation string
	// Place is Finding.About: "body.tag", "query.limit"; "*" stands for any text. Default: every place.
	Place string
	// Kind is Finding.Kind: "null", "invalid-utf8", "trailing-data"; "*" stands for any text. Default: every kind.
	Kind string
	// Reason says why the findings do not count. It is required.
	Reason string
	// Until is when the waiver expires; the report then says so. Default: never.
	Until time.Time
	// Origin is where the waiver is written, for messages: "coldframe.yaml:5:3".
	Origin string
}

// LoadRules reads the operations and waivers in the section "test" of a coldframe.yaml. The error may be a *RuleError.
func LoadRules(file string) (Rules, error) {
	loaded, err := rules.Load(file)
	var r Rules
	for _, o := range loaded.Operations {
		r.Operations = append(r.Operations, OperationRule(o))
	}
	for _, w := range loaded.Waivers {
		r.Waivers = append(r.Waivers, Waiver(w))
	}
	return r, ruleError(err)
}

// bind makes the rules of a run on a contract.
func (r *Rules) bind(c *spec.Contract, now time.Time) (*rules.Set, error) {
	var given rules.Rules
	for _, o := range r.Operations {
		given.Operations = append(given.Operations, rules.OperationRule(o))
	}
	for _, w := range r.Waivers {
		given.Waivers = append(given.Waivers, rules.Waiver(w))
	}
	set, err := rules.New(c, given, now)
	return set, ruleError(err)
}

// RuleError says what is wrong in Options.Rules, or in the file that LoadRules reads.
type RuleError struct {
	Problems []string // a line for each, with where it is written
}

func (e *RuleError) Error() string { return (&rules.Error{Problems: e.Problems}).Error() }

// ruleError returns an error as callers know it.
func ruleError(err error) error {
	if wrong, ok := errors.AsType[*rules.Error](err); ok {
		return &RuleError{wrong.Problems}
	}
	return err
}

// Setup is values that exist at the backend, which a run cannot find out: keys of items, tenants, texts in a known
// form. Values are for all operations; Operations has more for single ones, by "METHOD path", which come before.
type Setup struct {
	Values     SetupValues
	Operations map[string]SetupValues
}

// SetupValues are values by name.
type SetupValues struct {
	Path map[string]any // variables of paths
	// Body has properties of bodies, by name, or by path: items.0.sku, items.*.sku.
	Body map[string]any
	// Query, Header and Cookie have parameters. Requests have them even if they are optional.
	Query, Header, Cookie map[string]any
}

// values returns a setup as the run takes it.
func (s *Setup) values() *runner.Setup {
	if s == nil {
		return nil
	}
	out := &runner.Setup{Values: runner.SetupValues(s.Values), Operations: map[string]runner.SetupValues{}}
	for name, values := range s.Operations {
		out.Operations[name] = runner.SetupValues(values)
	}
	return out
}

// ResourceOverrides correct what is inferred of a document's resources. ReadResourceOverrides makes them from a text;
// the zero value corrects nothing.
type ResourceOverrides struct {
	Resources *tree.Node // the text, parsed; nil for no corrections
}

// ReadResourceOverrides reads corrections: an object in YAML or JSON, like "resources" of coldframe.yaml, with a name
// for each path, "METHOD path" or operationId to correct:
//
//	/plants: {name: plants, key: slug}               # one resource; slug is the key of its items
//	POST /plants/search: {role: list, items: /data}  # lists them, in the property data
//	POST /plants/{id}/pot: {sets: "state=potted"}    # sets a property of the item
//	/notes: {parent: plants, parentKey: subject}     # notes on plants: subject has the key of one
//	POST /sessions: {login: login}                   # returns tokens; also logout, refresh, none
//	/health: false                                   # no resource
//
// name is the name of the file, for messages. The error says that the text is not YAML or JSON; Run checks names and
// keys against the document.
func ReadResourceOverrides(name string, text []byte) (ResourceOverrides, error) {
	o, err := resource.ReadOverrides(name, text)
	return ResourceOverrides(o), err
}
