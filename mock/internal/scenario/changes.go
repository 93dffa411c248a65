package scenario

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Changes are the differences from a Book: scenarios that were put, deleted or switched. Those of a session
// lie over those for all. Nil changes nothing. Changes are immutable: each method gives others.
type Changes struct {
	replaces bool // nothing of the Book is left
	put      []*put
	deleted  map[string]bool // names
	active   map[string]bool
}

type put struct {
	Text
	compiled *Scenario      // nil where it is not, or has errors
	contract *spec.Contract // that it was compiled for
	findings []exchange.Finding
}

// Text is the text of a scenario file, YAML or JSON.
type Text struct {
	Name string
	Text []byte
}

func (ch *Changes) clone() *Changes {
	if ch == nil {
		return &Changes{deleted: map[string]bool{}, active: map[string]bool{}}
	}
	return &Changes{ch.replaces, slices.Clone(ch.put), maps.Clone(ch.deleted), maps.Clone(ch.active)}
}

// Put adds a scenario, or replaces the one of that name. Where there is none, its
// rules come before those of all others.
func (ch *Changes) Put(t Text) *Changes {
	c := ch.clone()
	delete(c.active, t.Name)
	if i := c.find(t.Name); i >= 0 {
		c.put[i] = &put{Text: t}
	} else {
		c.put = slices.Insert(c.put, 0, &put{Text: t})
	}
	return c
}

// Delete removes a scenario.
func (ch *Changes) Delete(name string) *Changes {
	c := ch.clone()
	c.put = slices.DeleteFunc(c.put, func(p *put) bool { return p.Name == name })
	delete(c.active, name)
	c.deleted[name] = true
	return c
}

// Switch puts a scenario in force or out of it.
func (ch *Changes) Switch(name string, active bool) *Changes {
	c := ch.clone()
	c.active[name] = active
	return c
}

// Replacement puts scenarios in the place of all others.
func Replacement(texts []Text) *Changes {
	c := (*Changes)(nil).clone()
	c.replaces = true
	for _, t := range texts {
		c.put = append(c.put, &put{Text: t})
	}
	return c
}

func (ch *Changes) find(name string) int {
	return slices.IndexFunc(ch.put, func(p *put) bool { return p.Name == name })
}

func (ch *Changes) bytes() (n int) {
	if ch != nil {
		for _, p := range ch.put {
			n += len(p.Text.Text)
		}
	}
	return n
}

// Compile compiles what was put and has not been compiled for this contract. All
// findings on what was put are given.
func (ch *Changes) Compile(c *spec.Contract) (*Changes, []exchange.Finding) {
	if ch == nil {
		return nil, nil
	}
	compiled := ch.clone()
	var findings []exchange.Finding
	names := map[string]bool{}
	for i, p := range compiled.put {
		if p.contract != c {
			p = compilePut(p.Text, c)
			compiled.put[i] = p
		}
		findings = append(findings, p.findings...)
		if names[p.Name] {
			findings = append(findings, exchange.Finding{
				Code: CodeName, Document: exchange.Place{File: p.Name + ".yaml"},
				Message: fmt.Sprintf("there are two scenarios %q", p.Name),
			})
		}
		names[p.Name] = true
	}
	return compiled, exchange.Sort(findings)
}

// Fitting is Compile without the scenarios that have errors.
func (ch *Changes) Fitting(c *spec.Contract) (*Changes, []exchange.Finding) {
	compiled, findings := ch.Compile(c)
	if compiled != nil {
		compiled.put = slices.DeleteFunc(compiled.put, func(p *put) bool { return p.compiled == nil })
	}
	return compiled, findings
}

func compilePut(t Text, c *spec.Contract) *put {
	s, findings, place := parse(c, t.Name+".yaml", t.Text)
	if s.Name != t.Name && !broken(findings) {
		findings = append(findings, exchange.Finding{
			Code:     CodeName,
			Message:  fmt.Sprintf("the name is %q here and %q where it is put; leave it out", s.Name, t.Name),
			Document: place,
		})
	}
	if broken(findings) {
		s = nil
	}
	return &put{t, s, c, findings}
}

// Book applies compiled changes to a book. A scenario that was put has the place
// of the one of its name, or else comes before all.
func (ch *Changes) Book(base *Book) *Book {
	if ch == nil {
		return base
	}
	var scenarios, first []*Scenario
	placed := map[string]bool{}
	if !ch.replaces {
		for _, s := range base.Scenarios {
			if i := ch.find(s.Name); i >= 0 && ch.put[i].compiled != nil {
				s = ch.put[i].compiled
				placed[s.Name] = true
			} else if ch.deleted[s.Name] {
				continue
			}
			scenarios = append(scenarios, s)
		}
	}
	for _, p := range ch.put {
		if p.compiled != nil && !placed[p.Name] {
			first = append(first, p.compiled)
		}
	}
	scenarios = append(first, scenarios...)
	for i, s := range scenarios {
		if active, ok := ch.active[s.Name]; ok && active != s.Active {
			switched := *s
			switched.Active = active
			scenarios[i] = &switched
		}
	}
	book := NewBook(scenarios...)
	book.Files = base.Files
	return book
}
