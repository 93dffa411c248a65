package cases

import (
	"context"
	"iter"

	"github.com/coldframe/coldframe/internal/spec"
)

// Examples makes a case for each example that the document gives of a request.
// Examples of one name belong together: those of the parameters and of the body
// make one request, and where a response other than a success has an example of
// that name, the request is not one that must be accepted. Broken examples are
// the document's fault, which lint reports.
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
				r, err := m.write(d)
				if err != nil {
					continue
				}
				c := m.accepted(d, r, title, "example "+name)
				if c == nil {
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
	}
}

// exampleNames gives the names of all examples of requests, in the document's
// order.
func (m *Builder) exampleNames() []string {
	var names []string
	seen := map[string]bool{}
	add := func(examples []*spec.Example) {
		for _, e := range examples {
			if len(e.Broken) == 0 && !seen[e.Name] {
				seen[e.Name] = true
				names = append(names, e.Name)
			}
		}
	}
	for _, p := range m.parameters {
		add(p.Examples)
	}
	for _, b := range m.bodies {
		add(b.Examples)
	}
	return names
}

// bodiesOf gives the bodies that have an example of a name; where none has, the
// plain one.
func (m *Builder) bodiesOf(name string) []*body {
	var all []*body
	for _, b := range m.bodies {
		if exampleOf(b.Examples, name) != nil {
			all = append(all, b)
		}
	}
	switch {
	case len(all) > 0:
		return all
	case len(m.bodies) > 0:
		return m.bodies[:1]
	}
	return []*body{nil}
}

// exampleOf gives the example of a name, nil where there is none that can be
// used.
func exampleOf(examples []*spec.Example, name string) *spec.Example {
	for _, e := range examples {
		if e.Name == name && len(e.Broken) == 0 {
			return e
		}
	}
	return nil
}

// failing reports whether a response that is no success has an example of a
// name, and no success has.
func (m *Builder) failing(name string) bool {
	if name == "" {
		return false
	}
	failing := false
	for _, r := range m.operation.Responses {
		for _, media := range r.Content {
			if exampleOf(media.Examples, name) == nil {
				continue
			}
			if first, _ := r.Code(); first/100 == 2 {
				return false
			}
			failing = true
		}
	}
	return failing
}
