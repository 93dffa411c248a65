// Package draft writes scenario files from recordings and from the files of other tools. It loads each rule as the mock
// does. Rules that the contract does not allow are left out and returned with the reason.
package draft

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// File is a scenario file that is written rule by rule.
type File struct {
	contract *spec.Contract
	rules    []any
	bytes    int
}

// New returns a file without rules.
func New(c *spec.Contract) *File { return &File{contract: c} }

// Rule is a rule of a File. What is zero is left out.
type Rule struct {
	On      *spec.Operation
	When    []string // expressions that must all hold
	State   string
	Then    string
	Delay   any // as the file has it
	Fault   string
	Answers [][]tree.Pair // see Answer; several are a sequence
	Cycle   bool          // the first of several follows the last
}

// Answer is a value of respond. body is nil for an empty body.
func Answer(status int, header exchange.Header, body any) []tree.Pair {
	answer := []tree.Pair{{Name: "status", Value: status}}
	if len(header) > 0 {
		var fields []tree.Pair
		for _, f := range header {
			fields = append(fields, tree.Pair{Name: f.Name, Value: scenario.Escape(f.Value)})
		}
		answer = append(answer, tree.Pair{Name: "headers", Value: fields})
	}
	if exchange.IsBodiless(status) {
		return answer
	}
	if body == nil {
		body = ""
	}
	return append(answer, tree.Pair{Name: "body", Value: jsonvalue.WithTexts(body, scenario.Escape)})
}

// Add adds a rule, with violates if its answer breaks the document; it reports that. The error says why the rule cannot
// be in a scenario.
func (d *File) Add(r Rule) (violates bool, err error) {
	rule := []tree.Pair{{Name: "on", Value: r.On.Method + " " + r.On.Path}}
	add := func(name string, value any, given bool) {
		if given {
			rule = append(rule, tree.Pair{Name: name, Value: value})
		}
	}
	when := ""
	for i, condition := range r.When {
		if i > 0 {
			when += " and "
		}
		when += condition
	}
	add("when", when, when != "")
	add("delay", r.Delay, r.Delay != nil)
	add("fault", r.Fault, r.Fault != "")
	for at, answer := range r.Answers {
		r.Answers[at] = withoutEmptyBody(r.On, answer)
	}
	switch len(r.Answers) {
	case 0:
	case 1:
		add("respond", r.Answers[0], true)
	default:
		answers := make([]any, len(r.Answers))
		for i := range r.Answers {
			answers[i] = r.Answers[i]
		}
		add("respond", answers, true)
		add("cycle", true, r.Cycle)
	}
	if len(rule) == 1 || len(rule) == 2 && when != "" {
		add("then", r.Then, true) // checked as such
	}
	for _, violates := range []bool{false, true} {
		if violates {
			add("violates", true, true)
		}
		var text []byte
		if text, err = tree.WriteYAML([]tree.Pair{{Name: "rules", Value: []any{rule}}}); err != nil {
			return false, err
		}
		s, findings := scenario.Parse(d.contract, "draft.yaml", text)
		if s == nil {
			err = errors.New(findings[0].Message)
			continue
		}
		if d.bytes += len(text); d.bytes > scenario.MaxSize-1<<10 {
			d.bytes -= len(text)
			return false, fmt.Errorf("the file would have more than %d bytes", scenario.MaxSize)
		}
		if rule[len(rule)-1].Name == "then" {
			rule = rule[:len(rule)-1]
		}
		add("state", r.State, r.State != "")
		add("then", r.Then, r.Then != "")
		d.rules = append(d.rules, rule)
		return violates, nil
	}
	return false, err
}

// withoutEmptyBody leaves out an empty body that the document does not have either.
func withoutEmptyBody(o *spec.Operation, answer []tree.Pair) []tree.Pair {
	status, _ := answer[0].Value.(int)
	documented := o.Response(status)
	return slices.DeleteFunc(slices.Clone(answer), func(p tree.Pair) bool {
		return p.Name == "body" && p.Value == "" && documented != nil && len(documented.Content) == 0
	})
}

// Text returns the file. It returns an error if there are no rules, or if they do not fit together.
func (d *File) Text(description, initial string) ([]byte, error) {
	if len(d.rules) == 0 {
		return nil, errors.New("nothing can be a rule of a scenario")
	}
	file := []tree.Pair{{Name: "description", Value: description}}
	if initial != "" {
		file = append(file, tree.Pair{Name: "initial", Value: initial})
	}
	text, err := tree.WriteYAML(append(file, tree.Pair{Name: "rules", Value: d.rules}))
	if err != nil {
		return nil, err
	}
	if s, findings := scenario.Parse(d.contract, "draft.yaml", text); s == nil {
		return nil, errors.New(findings[0].String())
	}
	return text, nil
}

// Equal returns the expressions that hold if what an expression reads is a JSON value, or an object that has at least
// the members of the value.
func Equal(reads string, value any) (all []string) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, Equal(member(reads, name), v[name])...)
		}
		if len(v) == 0 {
			all = []string{"len(" + reads + " ?? [0]) == 0"}
		}
		return all
	case []any:
		all = append(all, fmt.Sprintf("len(%s ?? \"\") == %d", reads, len(v)))
		if len(v) == 0 {
			all[0] = "len(" + reads + " ?? [0]) == 0"
		}
		for i, element := range v {
			all = append(all, Equal(fmt.Sprintf("%s?.[%d]", reads, i), element)...)
		}
		return all
	case nil:
		return []string{reads + " == nil"}
	}
	return []string{reads + " == " + string(jsontext.Append(nil, value))}
}

// sizes returns the expressions that hold if the objects of a value that Equal accepts have no other members.
func sizes(reads string, value any) (all []string) {
	object, _ := value.(map[string]any)
	if len(object) > 0 {
		all = append(all, fmt.Sprintf("len(%s) == %d", reads, len(object)))
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		all = append(all, sizes(member(reads, name), object[name])...)
	}
	return all
}

// member returns the expression for a member of what another expression reads.
func member(reads, name string) string {
	if isIdentifier(name) {
		return reads + "?." + name
	}
	return reads + "?.[" + quoted(name) + "]"
}

// isIdentifier reports whether an expression can read a member by its bare name.
func isIdentifier(name string) bool {
	for i, c := range name {
		if c != '_' && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func quoted(text string) string { return string(jsontext.AppendString(nil, text)) }
