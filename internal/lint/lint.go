// Package lint finds what is wrong with a document: what loading it shows, and
// what only generating values and inferring resources show.
package lint

import (
	"errors"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Document gives the findings on a document, sorted: the contract's own, one
// for each schema of an operation that no value can satisfy, and those on the
// overrides of its resources, in the document and beside it.
func Document(c *spec.Contract, o resource.Overrides) []exchange.Finding {
	_, findings := resource.Infer(c, o)
	l := linter{findings: append(findings, c.Findings...), seen: map[*spec.Schema]bool{}}
	for _, o := range c.Operations {
		l.parameters(o.Parameters)
		if o.Body != nil {
			l.content(o.Body.Content)
		}
		for _, r := range o.Responses {
			l.parameters(r.Headers)
			l.content(r.Content)
		}
	}
	return exchange.Sort(l.findings)
}

type linter struct {
	findings []exchange.Finding
	seen     map[*spec.Schema]bool
}

func (l *linter) parameters(parameters []*spec.Parameter) {
	for _, p := range parameters {
		l.schema(p.Schema)
		if p.Content != nil {
			l.schema(p.Content.Schema)
		}
	}
}

func (l *linter) content(content []*spec.MediaType) {
	for _, media := range content {
		l.schema(media.Schema)
		l.schema(media.Item)
	}
}

// schema reports a schema for which no value can be generated.
func (l *linter) schema(s *spec.Schema) {
	if s == nil || l.seen[s] {
		return
	}
	l.seen[s] = true
	_, err := generate.New(s, generate.Options{Fill: "required"}).Value(generate.NewKey(0, "lint"))
	var impossible *generate.Error
	if errors.As(err, &impossible) {
		l.findings = append(l.findings, exchange.Finding{
			Code:     "unsatisfiable-schema",
			Message:  "no value satisfies the schema: " + impossible.Reason,
			Document: impossible.Place,
		})
	}
}
