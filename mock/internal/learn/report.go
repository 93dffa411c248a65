package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Report is what a Learner found.
type Report struct {
	Operations []Compared `json:"operations"`         // by path
	Settings   string     `json:"settings,omitempty"` // lines of coldframe.yaml; "" for none
	Overlay    string     `json:"overlay,omitempty"`  // an OpenAPI Overlay 1.0; "" for none
}

// Compared is an operation with its differences.
type Compared struct {
	Operation   string   `json:"operation"` // METHOD path
	Exchanges   int      `json:"exchanges"`
	Differing   int      `json:"differing"`
	Differences []string `json:"differences"`
}

// Text returns the share of differing exchanges, and the differences of each operation.
func (r *Report) Text() string {
	var text strings.Builder
	exchanges, differing := 0, 0
	for _, o := range r.Operations {
		exchanges, differing = exchanges+o.Exchanges, differing+o.Differing
		fmt.Fprintf(&text, "  %s: %d of %d\n", o.Operation, o.Differing, o.Exchanges)
		for _, difference := range o.Differences {
			fmt.Fprintf(&text, "    %s\n", difference)
		}
	}
	return fmt.Sprintf("The mock's responses differ from the upstream's in %d of %s (%d %%):\n", differing,
		exchange.Count(exchanges, "exchange"), 100*differing/max(1, exchanges)) + text.String()
}

// leastSeen is how many exchanges must agree on a proposal.
const leastSeen = 2

// isFirm reports whether repeated evidence says what the upstream does.
func (f *fact) isFirm() bool { return f.seen >= leastSeen && f.differs > 0 && !f.isCut }

// always returns the only value that the upstream has at a place.
func (f *fact) always() (value string, is bool) {
	for value = range f.upstream {
	}
	return value, len(f.upstream) == 1 && f.isFirm()
}

// Report returns what was found so far.
func (l *Learner) Report() *Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	var p proposals
	r := &Report{Operations: []Compared{}}
	byPlace := func(a, b *operation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	}
	sorted := slices.SortedFunc(maps.Values(l.operations), byPlace)
	p.collect(sorted)
	for _, op := range sorted {
		compared := Compared{op.Method + " " + op.Path, op.exchanges, op.differing, []string{}}
		for _, at := range op.places() {
			if f := op.facts[at]; f.differs > 0 {
				compared.Differences = append(compared.Differences, at.describe(f))
			}
			p.add(op, at, op.facts[at])
		}
		r.Operations = append(r.Operations, compared)
	}
	r.Settings, r.Overlay = p.settings(), p.overlay()
	return r
}

func (o *operation) places() []place {
	return slices.SortedFunc(maps.Keys(o.facts), func(a, b place) int {
		return cmp.Or(strings.Compare(a.pointer, b.pointer), cmp.Compare(a.kind, b.kind), a.status-b.status)
	})
}

// describe returns a difference in one line.
func (at place) describe(f *fact) string {
	where := string(at.kind)
	if at.pointer != "" {
		where += " " + at.pointer
	}
	said := ""
	if upstream, mock := counted(f.upstream), counted(f.mock); upstream+mock != "" {
		said = ": " + upstream
		if mock != "" {
			said += ", the mock has " + mock
		}
	}
	return fmt.Sprintf("%s%s (differs in %d of %d)", where, said, f.differs, f.seen)
}

// counted lists values, each with how often it was seen if there are several.
func counted(values map[string]int) string {
	names := slices.Sorted(maps.Keys(values))
	if len(names) == 1 {
		return names[0]
	}
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%d)", name, values[name])
	}
	return strings.Join(names, " or ")
}

// proposals are lines with the evidence behind them.
type proposals struct {
	resources, values []string
	corrections       []*correction
	properties        map[aspect]map[string]int // the values of the upstream
	isProposed        map[*spec.Keywords]bool
}

// aspect is a kind of facts on a property, wherever it is shown.
type aspect struct {
	kind     kind
	property *spec.Keywords
}

// correction is an action with its evidence. Two different page sizes contradict each other.
type correction struct {
	*action
	kind           kind
	seen, of       int
	isContradicted bool
}

// collect finds what operations say together: a property is the same in all of them.
func (p *proposals) collect(operations []*operation) {
	p.properties, p.isProposed = map[aspect]map[string]int{}, map[*spec.Keywords]bool{}
	for _, op := range operations {
		for at, f := range op.facts {
			if (at.kind == ofDefault || at.kind == ofEnum) && f.property != nil {
				of := aspect{at.kind, schema.Resolve(f.property)}
				if p.properties[of] == nil {
					p.properties[of] = map[string]int{}
				}
				for value, n := range f.upstream {
					p.properties[of][value] += n
				}
			}
		}
	}
}

func (p *proposals) add(op *operation, at place, f *fact) {
	evidence := fmt.Sprintf("  # seen %d of %d times", f.seen, f.seen)
	of := aspect{kind: at.kind}
	if f.property != nil {
		of.property = schema.Resolve(f.property)
	}
	isNew := of.property != nil && !p.isProposed[of.property]
	value, isAlways := f.always()
	switch {
	case at.kind == ofDefault && isAlways && len(p.properties[of]) == 1 && f.document.File == op.Place.File:
		path := exchange.SplitPointer(f.document.Pointer)
		if value == absent {
			p.correct(at.kind, newAction(append(path, "default"), nil), f.seen, f.seen)
		} else if allows(f.property, value) {
			value, _ := jsontext.Decode(value)
			p.correct(at.kind, newAction(path, map[string]any{"default": value}), f.seen, f.seen)
		}
	case at.kind == ofEnum && f.isFirm() && isNew:
		used := slices.Sorted(maps.Keys(p.properties[of]))
		p.isProposed[of.property] = true
		where := fmt.Sprintf("%s %s %d %s", op.Method, op.Path, at.status, at.pointer)
		p.values = append(p.values, "  "+quoted(where)+": ["+strings.Join(used, ", ")+"]"+evidence)
	case at.kind == ofOrder && f.isFirm():
		if order := f.order(); order != "" {
			name := quoted(op.Method + " " + op.Path)
			p.resources = append(p.resources, "  "+name+": {order: "+quoted(order)+"}"+evidence)
		}
	case at.kind == ofPageSize && isAlways && f.limit != nil && f.limit.Schema != nil:
		if place := f.limit.Schema.Place; place.File == op.Place.File {
			a := newAction(exchange.SplitPointer(place.Pointer), map[string]any{"default": json.Number(value)})
			p.correct(at.kind, a, f.seen, f.seen)
		}
	case at.kind == ofDocument && f.action != nil && f.seen >= leastSeen:
		p.correct(at.kind, f.action, f.seen, op.exchanges)
	}
}

func (p *proposals) correct(k kind, a *action, seen, of int) {
	for _, c := range p.corrections {
		switch {
		case *c.action == *a:
			c.seen, c.of = c.seen+seen, c.of+of
			return
		case c.target == a.target && c.kind == k && k == ofPageSize:
			c.isContradicted = true
			return
		}
	}
	p.corrections = append(p.corrections, &correction{a, k, seen, of, false})
}

// order returns the order in which all lists were; "" for none. Times come first, then shorter names.
func (f *fact) order() string {
	var found []string
	for order, is := range f.orders {
		if is {
			found = append(found, order)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MinFunc(found, func(a, b string) int {
		isTime := func(order string) int { return 1 - f.times[strings.TrimPrefix(order, "-")] }
		return cmp.Or(isTime(a)-isTime(b), len(a)-len(b), strings.Compare(a, b))
	})
}

func (p *proposals) settings() string {
	var b strings.Builder
	section := func(name string, lines []string) {
		if len(lines) > 0 {
			b.WriteString(name + ":\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	section("resources", p.resources)
	section("values", p.values)
	return b.String()
}

func (p *proposals) overlay() string {
	var lines strings.Builder
	for _, c := range p.corrections {
		if !c.isContradicted {
			fmt.Fprintf(&lines, "  - {target: %s, %s}  # seen %d of %d times\n", quoted(c.target), c.change, c.seen, c.of)
		}
	}
	if lines.Len() == 0 {
		return ""
	}
	return "overlay: 1.0.0\ninfo: {title: What the upstream does, version: \"1\"}\nactions:\n" + lines.String()
}

// allows reports whether the document allows a value, whose JSON is given.
func allows(k *spec.Keywords, text string) bool {
	value, err := jsontext.Decode(text)
	return err == nil && spec.Conforms(k, value)
}

func quoted(text string) string { return string(jsontext.Marshal(text)) }
