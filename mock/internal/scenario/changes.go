package scenario

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Changes are what is different from the scenarios that were loaded: some put,
// some taken away, some switched on or off. They lie over a Book as a layer, so
// that there may be a layer over that. Nil changes nothing. Changes are
// immutable: each method gives others.
type Changes struct {
	alone  bool // nothing of what is below is left
	put    []*put
	gone   map[string]bool // names of what is below
	active map[string]bool
}

// put is a scenario that was given while the mock runs.
type put struct {
	name     string
	text     []byte
	compiled *Scenario      // nil where it is not, or has errors
	in       *spec.Contract // that it was compiled for
	findings []exchange.Finding
}

// Text is a scenario that is to be put.
type Text struct {
	Name string
	Text []byte // of the file, YAML or JSON
}

// clone copies changes, so that the copy can be written.
func (ch *Changes) clone() *Changes {
	if ch == nil {
		return &Changes{gone: map[string]bool{}, active: map[string]bool{}}
	}
	return &Changes{ch.alone, slices.Clone(ch.put), maps.Clone(ch.gone), maps.Clone(ch.active)}
}

// Put adds a scenario, or puts it in the place of the one of that name. Where
// there is none, its rules come before those of all others.
func (ch *Changes) Put(t Text) *Changes {
	c := ch.clone()
	delete(c.active, t.Name)
	p := &put{name: t.Name, text: t.Text}
	if i := c.find(t.Name); i >= 0 {
		c.put[i] = p
	} else {
		c.put = slices.Insert(c.put, 0, p)
	}
	return c
}

// Delete takes a scenario away.
func (ch *Changes) Delete(name string) *Changes {
	c := ch.clone()
	if i := c.find(name); i >= 0 {
		c.put = slices.Delete(c.put, i, i+1)
	}
	delete(c.active, name)
	c.gone[name] = true
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
	c.alone = true
	for _, t := range texts {
		c.put = append(c.put, &put{name: t.Name, text: t.Text})
	}
	return c
}

func (ch *Changes) find(name string) int {
	return slices.IndexFunc(ch.put, func(p *put) bool { return p.name == name })
}

// Size gives how many scenarios were put, and the bytes of their texts.
func (ch *Changes) Size() (count, bytes int) {
	if ch == nil {
		return 0, 0
	}
	for _, p := range ch.put {
		bytes += len(p.text)
	}
	return len(ch.put), bytes
}

// Compile reads what was put and has not been read for this contract. All
// findings on what was put are given.
func (ch *Changes) Compile(c *spec.Contract) (*Changes, []exchange.Finding) {
	if ch == nil {
		return nil, nil
	}
	compiled := ch.clone()
	var findings []exchange.Finding
	names := map[string]bool{}
	for i, p := range compiled.put {
		if p.in != c {
			p = p.compile(c)
			compiled.put[i] = p
		}
		findings = append(findings, p.findings...)
		if names[p.name] {
			findings = append(findings, exchange.Finding{Code: CodeName, Message: fmt.Sprintf("there are two scenarios %q", p.name), Document: exchange.Place{File: p.file()}})
		}
		names[p.name] = true
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

// file is what findings call the text.
func (p *put) file() string { return p.name + ".yaml" }

func (p *put) compile(c *spec.Contract) *put {
	s, findings, place := parse(c, p.file(), p.text)
	if s.Name != p.name && !broken(findings) {
		findings = append(findings, exchange.Finding{
			Code:     CodeName,
			Message:  fmt.Sprintf("the name is %q here and %q where it is put; leave it out", s.Name, p.name),
			Document: place,
		})
	}
	if broken(findings) {
		s = nil
	}
	return &put{p.name, p.text, s, c, findings}
}

// Book lays compiled changes over a book. A scenario that was put has the place
// of the one of its name, or else comes before all.
func (ch *Changes) Book(below *Book) *Book {
	if ch == nil {
		return below
	}
	var scenarios, first []*Scenario
	placed := map[string]bool{}
	if !ch.alone {
		for _, s := range below.Scenarios {
			if i := ch.find(s.Name); i >= 0 && ch.put[i].compiled != nil {
				s = ch.put[i].compiled
				placed[s.Name] = true
			} else if ch.gone[s.Name] {
				continue
			}
			scenarios = append(scenarios, s)
		}
	}
	for _, p := range ch.put {
		if p.compiled != nil && !placed[p.name] {
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
	book.Files = below.Files
	return book
}
