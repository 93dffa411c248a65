// Package lint finds what is wrong with a document: what loading it shows, and
// what only generating values and inferring resources show.
package lint

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Document gives the findings on a document, sorted: the contract's own, one for each schema of an operation
// that no value can satisfy or whose alternatives only a discriminator tells apart, and those on the
// overrides of its resources, in the document and beside it.
func Document(c *spec.Contract, o resource.Overrides) []exchange.Finding {
	_, findings := resource.Infer(c, o)
	findings = append(findings, c.Findings...)
	seen, walked := map[*spec.Schema]bool{nil: true}, map[*schema.Keywords]bool{nil: true}
	options := generate.Options{Fill: "required", Cache: &generate.Cache{}}
	for _, operation := range c.Operations {
		for _, s := range schemas(operation) {
			if seen[s] {
				continue
			}
			seen[s] = true
			findings = append(findings, overlaps(s, s.Keywords, walked)...)
			_, err := generate.New(s, options).Value(generate.NewKey(0, "lint"))
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

// overlaps finds the alternatives of oneOf that one value fits, where a discriminator tells them apart.
func overlaps(s *spec.Schema, k *schema.Keywords, walked map[*schema.Keywords]bool) []exchange.Finding {
	if walked[k] {
		return nil
	}
	walked[k] = true
	var findings []exchange.Finding
	for _, inner := range schema.Subschemas(k, []*schema.Keywords{k.Ref}) {
		findings = append(findings, overlaps(s, inner, walked)...)
	}
	name := s.Node(k).Get("discriminator").Get("propertyName").Str()
	for i, branch := range k.OneOf {
		if name == "" || branch.Not == nil || branch.Ref == nil { // which the discriminator puts there
			continue
		}
		one := *s
		one.Keywords = branch
		value, err := generate.New(&one, generate.Options{Fill: "required"}).Value(generate.NewKey(0, "lint"))
		fits := func(b *schema.Keywords) bool { return b != branch && b.Ref != nil && schema.Conforms(b.Ref, value) }
		if j := slices.IndexFunc(k.OneOf, fits); err == nil && j >= 0 {
			return append(findings, exchange.Finding{Severity: exchange.Warning, Code: "overlapping-alternatives",
				Message: fmt.Sprintf("alternatives %d and %d of oneOf overlap; only the discriminator %s tells them apart",
					i+1, j+1, exchange.Quote(name)),
				Document: s.Node(k).Place()})
		}
	}
	return findings
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
