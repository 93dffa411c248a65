package rules

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
)

// maxBytes is the maximum size of a file, as for coldframe.yaml.
const maxBytes = 4 << 20

// Load reads the rules in the section test of a coldframe.yaml:
//
//	test:
//	  operations:
//	    POST /mails: {skip: true, reason: it sends real mail}
//	  waivers:
//	    - {check: invalid-accepted, operation: POST /plants, place: body.tag, kind: null, reason: old clients,
//	      until: 2027-06-30}
func Load(file string) (Rules, error) {
	info, err := os.Stat(file)
	if err == nil && info.Size() > maxBytes {
		err = fmt.Errorf("%s is larger than 4 MiB", file)
	}
	if err != nil {
		return Rules{}, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return Rules{}, err
	}
	root, findings, err := tree.ReadStrict(file, text)
	if err != nil {
		return Rules{}, err
	}
	r := reader{}
	for _, f := range findings {
		r.problems = append(r.problems, f.String())
	}
	section, rules := root.Get("test"), Rules{}
	if n := section.Get("operations"); n != nil {
		r.is(n, tree.Object, "operations and what holds for them")
		for _, m := range n.Fields() {
			rules.Operations = append(rules.Operations, r.rule(m.Name, n.PlaceOf(m.Name), m.Value))
		}
	}
	if n := section.Get("waivers"); n != nil {
		r.is(n, tree.Array, "a list of waivers")
		for _, item := range n.List() {
			rules.Waivers = append(rules.Waivers, r.waiver(item))
		}
	}
	if r.problems != nil {
		return Rules{}, &Error{r.problems}
	}
	return rules, nil
}

// reader collects what is wrong while it reads.
type reader struct{ problems []string }

func (r *reader) problem(at exchange.Place, format string, args ...any) {
	r.problems = append(r.problems, at.String()+": "+fmt.Sprintf(format, args...))
}

// is notes if a node is of another kind than is wanted.
func (r *reader) is(n *tree.Node, kind tree.Kind, wanted string) bool {
	if n.Kind != kind {
		r.problem(n.Place(), "%s wanted here, not %s", wanted, n.Kind)
	}
	return n.Kind == kind
}

// fields reads the members of an object, each with the reader of its name.
func (r *reader) fields(n *tree.Node, wanted string, read map[string]func(*tree.Node)) {
	if !r.is(n, tree.Object, wanted) {
		return
	}
	known := slices.Sorted(maps.Keys(read))
	for _, m := range n.Fields() {
		if read[m.Name] == nil {
			r.problem(n.PlaceOf(m.Name), "%q is unknown%s; there are %s", m.Name, nearest.Hint(m.Name, known),
				strings.Join(known, ", "))
			continue
		}
		read[m.Name](m.Value)
	}
}

func (r *reader) rule(pattern string, at exchange.Place, n *tree.Node) OperationRule {
	rule := OperationRule{Operation: pattern, Origin: at.String()}
	const wanted = "an object of what holds for the operation"
	r.fields(n, wanted, r.withNote(&rule.Reason, &rule.Until, map[string]func(*tree.Node){
		"skip": func(n *tree.Node) {
			if r.is(n, tree.Bool, "true or false") {
				rule.Skip = n.True()
			}
		},
		"check": func(n *tree.Node) {
			for _, item := range items(n) {
				for id := range strings.SplitSeq(r.text(item), ",") {
					rule.Checks = append(rule.Checks, strings.TrimSpace(id))
				}
			}
		},
		"severity": func(n *tree.Node) {
			rule.Severity = map[string]string{}
			if n.Kind != tree.Object {
				rule.Severity[""] = r.text(n)
			}
			for _, m := range n.Fields() {
				rule.Severity[m.Name] = r.text(m.Value)
			}
		},
		"timeout": func(n *tree.Node) {
			var err error
			if rule.Timeout, err = time.ParseDuration(n.Text); err != nil || rule.Timeout <= 0 {
				r.problem(n.Place(), "%q is no time such as 500ms, 30s or 5m", n.Text)
			}
		},
		"status": func(n *tree.Node) {
			for _, item := range items(n) {
				status, err := strconv.Atoi(item.Text)
				if err != nil || status < 100 || status > 599 {
					r.problem(item.Place(), "%q is no status such as 503", item.Text)
				}
				rule.Statuses = append(rule.Statuses, status)
			}
		},
	}))
	return rule
}

func (r *reader) waiver(n *tree.Node) Waiver {
	w := Waiver{Origin: n.Place().String()}
	read := map[string]func(*tree.Node){}
	for name, to := range map[string]*string{"check": &w.Check, "operation": &w.Operation, "place": &w.Place,
		"kind": &w.Kind} {
		read[name] = func(n *tree.Node) { *to = r.text(n) }
	}
	r.fields(n, "an object with check, operation and reason", r.withNote(&w.Reason, &w.Until, read))
	for _, needed := range []struct{ name, value string }{{"check", w.Check}, {"operation", w.Operation}} {
		if needed.value == "" && n.Kind == tree.Object {
			r.problem(n.Place(), "%s is missing; a finding's first line has it", needed.name)
		}
	}
	return w
}

// withNote adds the readers of what rules and waivers both have.
func (r *reader) withNote(reason *string, until *time.Time,
	read map[string]func(*tree.Node)) map[string]func(*tree.Node) {
	read["reason"] = func(n *tree.Node) { *reason = n.Text }
	read["until"] = func(n *tree.Node) {
		day, err := time.Parse(time.DateOnly, n.Text)
		if err != nil {
			r.problem(n.Place(), "%q is no day such as 2027-06-30", n.Text)
		}
		*until = day.AddDate(0, 0, 1)
	}
	return read
}

// items returns the items of a list, or the only value.
func items(n *tree.Node) []*tree.Node {
	if n.Kind == tree.Array {
		return n.List()
	}
	return []*tree.Node{n}
}

// text returns the source text of a scalar, which may be null for a kind.
func (r *reader) text(n *tree.Node) string {
	switch n.Kind {
	case tree.Null:
		return "null"
	case tree.Object, tree.Array:
		r.problem(n.Place(), "one value wanted here, not %s", n.Kind)
	}
	return n.Text
}
