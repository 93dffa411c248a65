// Package lint finds what is wrong with a document: what loading it shows, and
// what only generating values and inferring resources show.
package lint

import (
	"errors"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Document gives the findings on a document, sorted: the contract's own, one for each schema of an operation
// that no value can satisfy, and those on the overrides of its resources, in the document and beside it.
func Document(c *spec.Contract, o resource.Overrides) []exchange.Finding {
	_, findings := resource.Infer(c, o)
	findings = append(findings, c.Findings...)
	seen := map[*spec.Schema]bool{nil: true}
	for _, operation := range c.Operations {
		for _, s := range schemas(operation) {
			if seen[s] {
				continue
			}
			seen[s] = true
			_, err := generate.New(s, generate.Options{Fill: "required"}).Value(generate.NewKey(0, "lint"))
			var impossible *generate.Error
			if errors.As(err, &impossible) {
				findings = append(findings, exchange.Finding{
					Code:     "unsatisfiable-schema",
					Message:  "no value satisfies the schema: " + impossible.Reason,
					Document: impossible.Place,
				})
			}
		}
	}
	return exchange.Sort(findings)
}

// schemas gives those of an operation's parameters, headers and bodies, nil among them.
func schemas(o *spec.Operation) []*spec.Schema {
	parameters := slices.Clone(o.Parameters)
	var content []*spec.MediaType
	if o.Body != nil {
		content = slices.Clone(o.Body.Content)
	}
	for _, r := range o.Responses {
		parameters, content = append(parameters, r.Headers...), append(content, r.Content...)
	}
	var all []*spec.Schema
	for _, p := range parameters {
		all = append(all, p.ValueSchema())
	}
	for _, media := range content {
		all = append(all, media.Schema, media.Item)
	}
	return all
}
