package resource

import (
	"fmt"
	"strings"
)

// Explain gives the rules that decided, a paragraph for each resource and each
// operation, a line for each rule: what is decided, the weight, the rule's name
// and where it holds.
func (p *Plan) Explain() string {
	var b strings.Builder
	write := func(title string, evidence []Evidence) {
		fmt.Fprintln(&b, strings.TrimSpace(title))
		for _, e := range evidence {
			fmt.Fprintf(&b, "  %-9s  %+.2f  %-38s  %s\n", e.Decision, e.Weight, e.Rule, e.Saw)
		}
		fmt.Fprintln(&b)
	}
	for _, r := range p.Resources {
		evidence := r.Evidence
		if r.Key != nil && r.Key.Property != nil {
			evidence = append(evidence[:len(evidence):len(evidence)], r.Key.evidence)
		}
		write("resource "+r.Name, evidence)
	}
	for _, o := range p.Bindings {
		role := fmt.Sprintf("%s %s: %s %s", o.Operation.Method, o.Operation.Path, o.role(), o.Resource.name())
		write(role, append(o.Evidence[:len(o.Evidence):len(o.Evidence)], o.List.evidence()...))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// evidence says what the names of a list's parameters and of the properties of
// its page mean. It is safe on nil.
func (l *Listing) evidence() []Evidence {
	if l == nil {
		return nil
	}
	var all []Evidence
	for i := range l.Params {
		p := &l.Params[i]
		saw := "?" + p.Name()
		if p.Role == Filter {
			saw += " " + p.Compare.String() + " " + strings.Join(p.Property, ".")
		}
		all = append(all, Evidence{"parameter", p.Role.String(), 1, saw})
	}
	for _, f := range l.Fields {
		all = append(all, Evidence{"page", f.Role.String(), 1, strings.Join(f.Path, ".")})
	}
	for _, h := range l.Header {
		all = append(all, Evidence{"page", h.Role.String(), 1, h.Name})
	}
	return all
}
