package cases

import (
	"context"
	"iter"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
)

// Examples makes a case for each example that the document has of a request. Examples of one name belong together: the
// examples of the parameters and of the body make one request. If a response other than a success has an example of
// that name, the request may be refused. Broken examples are the document's fault, which lint reports. Then come the
// examples and defaults that schemas have themselves, each in a plain request of its own.
func (m *Builder) Examples(ctx context.Context, have map[string]any, _ int) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		plain, err := m.draft(m.key.Child("examples"), have)
		if err != nil {
			return
		}
		for _, name := range m.exampleNames() {
			for _, body := range m.bodiesOf(name) {
				if ctx.Err() != nil {
					return
				}
				d := plain.clone()
				for _, p := range m.parameters {
					if e := exampleOf(p.Examples, name); e != nil {
						d.values[p] = e.Value
					}
				}
				title := "the document's example"
				if name != "" {
					title += " " + name
				}
				if body != nil {
					d.body = body
					if e := exampleOf(body.Examples, name); e != nil {
						d.value = e.Value
					}
					if len(m.bodies) > 1 {
						title += " as " + body.Range
					}
				}
				c, err := m.accepted(d, title, "example "+name)
				if err != nil {
					continue
				}
				if m.failing(name) {
					c.Expected = Anything
				}
				if !yield(c) {
					return
				}
			}
		}
		m.schemaExamples(ctx, have)(yield)
	}
}

// maxSchemaExamples is how many examples of schemas are sent for an operation.
const maxSchemaExamples = 1000

func (m *Builder) schemaExamples(ctx context.Context, have map[string]any) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		c := newCoverage(ctx, m, have)
		if c == nil {
			return
		}
		p := proposals{}
		for _, s := range c.sites {
			p.site = s
			proposeExamples(s, &p, slices.Contains([]string{"GET", "HEAD", "QUERY"}, m.operation.Method))
		}
		for n, one := range p.all[:min(len(p.all), maxSchemaExamples)] {
			if made := c.make(one, n); made != nil && !yield(made) {
				return
			}
		}
	}
}

// proposeExamples sends what the document has for a place as an example or a default. An id of a path is not an
// example of an item that may be changed: safe says that the operation changes nothing.
func proposeExamples(s *site, p *proposals, safe bool) {
	isPath := s.parameter != nil && s.parameter.In == exchange.InPath
	if s.schema == nil || s.repeated || isPath && !safe {
		return
	}
	if isPath && len(s.tokens) == 0 {
		for _, e := range s.parameter.Examples {
			p.accepted(usual, "its example", e.Value)
		}
	}
	schemas := slices.Clone(s.constraints.Schemas)
	for _, choice := range s.constraints.choices {
		for _, k := range combined(choice.Branches...) {
			if !slices.Contains(schemas, k) {
				schemas = append(schemas, k)
			}
		}
	}
	for _, k := range schemas {
		defaults := s.schema.Node(k).Get("default")
		for _, value := range generate.ExamplesOf(s.schema, k) {
			one := p.accepted(usual, "its example", value)
			if defaults != nil && jsonvalue.Equals(defaults.Value(), value) {
				one.what = "its default"
				one.on(Default)
			}
		}
	}
}

func (m *Builder) exampleNames() []string {
	var all []*spec.Example
	for _, p := range m.parameters {
		all = append(all, p.Examples...)
	}
	for _, b := range m.bodies {
		all = append(all, b.Examples...)
	}
	var names []string
	for _, e := range all {
		if len(e.Broken) == 0 && !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	}
	return names
}

// bodiesOf returns the bodies that have an example of a name; if none has, the plain one.
func (m *Builder) bodiesOf(name string) []*body {
	all := slices.Clone(m.bodies)
	all = slices.DeleteFunc(all, func(b *body) bool { return exampleOf(b.Examples, name) == nil })
	switch {
	case len(all) > 0:
		return all
	case len(m.bodies) > 0:
		return m.bodies[:1]
	}
	return []*body{nil}
}

// exampleOf returns the example of a name, nil if there is none that can be used.
func exampleOf(examples []*spec.Example, name string) *spec.Example {
	i := slices.IndexFunc(examples, func(e *spec.Example) bool { return e.Name == name && len(e.Broken) == 0 })
	if i < 0 {
		return nil
	}
	return examples[i]
}

// failing reports whether only responses other than successes have an example of a name.
func (m *Builder) failing(name string) bool {
	failing := false
	for _, r := range m.operation.Responses {
		if slices.ContainsFunc(r.Content, func(m *spec.MediaType) bool { return exampleOf(m.Examples, name) != nil }) {
			if first, _ := r.Code(); first/100 == 2 {
				return false
			}
			failing = true
		}
	}
	return failing && name != ""
}
