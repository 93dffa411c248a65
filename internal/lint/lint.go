// Package lint collects all findings on a document: from loading it, generating values and inferring resources.
package lint

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/internal/values"
)

// maxSteps limits the work on all schemas of a document, in steps of the generator. The largest real documents take
// up to 2,000,000.
const maxSteps = 20_000_000

// Document returns the findings on a document, sorted: the contract's own; schemas of operations that no value can
// satisfy or whose alternatives only a discriminator distinguishes; indistinguishable operations; unusable settings of
// values; and findings on corrections of resources, in the document and beside it.
func Document(c *spec.Contract, o resource.Overrides, said values.Overrides) []exchange.Finding {
	_, findings := resource.Infer(c, o)
	_, onValues := values.Resolve(c, said)
	findings = append(findings, onValues...)
	findings = append(findings, c.Findings...)
	seen, walked := map[*spec.Schema]bool{nil: true}, map[*schema.Keywords]bool{nil: true}
	options := generate.Options{Fill: "required", Cache: &generate.Cache{}}
	steps := maxSteps
	var untried []*spec.Schema
	for _, operation := range c.Operations {
		for _, s := range schemas(operation) {
			if seen[s] {
				continue
			}
			if seen[s] = true; steps <= 0 {
				untried = append(untried, s)
				continue
			}
			findings = append(findings, walk(s, s.Keywords, walked, &steps)...)
			_, err := generate.New(s, options).ValueWithin(generate.NewKey(0, "lint"), &steps)
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
	if untried != nil {
		findings = append(findings, exchange.Finding{Severity: exchange.Warning, Code: "untried-schemas",
			Message: fmt.Sprintf("the schemas of the document are too costly to try all: from here on %d were not",
				len(untried)),
			Document: untried[0].Place})
	}
	return exchange.Sort(append(findings, indistinct(c)...))
}

// maxAlternatives limits the operations with the same method and path that are compared with each other.
const maxAlternatives = 100

// indistinct finds the operations whose plain request another operation with the same method and path answers.
func indistinct(c *spec.Contract) []exchange.Finding {
	var findings []exchange.Finding
	router := route.New(c)
	validators := map[*spec.Operation]*validate.Validator{}
	for _, o := range c.Operations {
		if o.Alternatives == nil || len(o.Alternatives) > maxAlternatives {
			continue
		}
		validators[o] = validate.New(o)
	}
	for _, o := range c.Operations {
		if validators[o] == nil {
			continue
		}
		var match route.Match
		r, err := request.New(o, generate.Options{Fill: "required"}).Valid(generate.NewKey(0, "lint"))
		if err != nil || router.Find(r.Method, r.Path, &match) != route.Found {
			continue
		}
		var all []*validate.Validator
		for _, other := range o.Alternatives {
			all = append(all, validators[other])
		}
		if answering := validate.Fitting(r, match.Values, all)[0]; answering != o {
			findings = append(findings, exchange.Finding{Severity: exchange.Warning, Code: "indistinct-operation",
				Message: "a request with what " + exchange.Quote(o.Method+" "+o.Path) + " requires is answered by " +
					exchange.Quote(answering.Method+" "+answering.Path) + " at line " + strconv.Itoa(answering.Place.Line) +
					"; let a required parameter or the body tell them apart",
				Document: o.Place})
		}
	}
	return findings
}

// walk returns the findings on a schema and its subschemas, each once: overlapping alternatives, unusable settings of
// values, and broken examples.
func walk(s *spec.Schema, k *schema.Keywords, walked map[*schema.Keywords]bool, steps *int) []exchange.Finding {
	if walked[k] {
		return nil
	}
	walked[k] = true
	var findings []exchange.Finding
	for _, inner := range schema.Subschemas(k, []*schema.Keywords{k.Ref}) {
		findings = append(findings, walk(s, inner, walked, steps)...)
	}
	if f := values.Check(s.Node(k), k); f != nil {
		findings = append(findings, *f)
	}
	findings = append(findings, brokenExamples(s, k)...)
	if len(k.OneOf) == 0 {
		return findings
	}
	return append(findings, overlaps(s, k, steps)...)
}

// brokenExamples finds the examples of a schema that violate it. They are not served.
func brokenExamples(s *spec.Schema, k *schema.Keywords) []exchange.Finding {
	one := *s
	one.Keywords = k
	var findings []exchange.Finding
	for n, value := range generate.WrittenExamples(s, k) {
		if broken := one.Check(value, "example", ""); broken != nil {
			findings = append(findings, exchange.Finding{Severity: exchange.Warning, Code: "broken-example",
				Message: "the example breaks its own schema: " + exchange.Join(broken), Document: n.Place()})
		}
	}
	return findings
}

// overlaps finds alternatives of oneOf that the same value fits, if a discriminator distinguishes them.
func overlaps(s *spec.Schema, k *schema.Keywords, steps *int) []exchange.Finding {
	name := s.Node(k).Get("discriminator").Get("propertyName").Str()
	for i, branch := range k.OneOf {
		if name == "" || *steps <= 0 || branch.Not == nil || branch.Ref == nil { // the discriminator adds these
			continue
		}
		one := *s
		one.Keywords = branch
		value, err := generate.New(&one, generate.Options{Fill: "required"}).ValueWithin(generate.NewKey(0, "lint"), steps)
		*steps -= len(k.OneOf)
		fits := func(b *schema.Keywords) bool { return b != branch && b.Ref != nil && schema.Conforms(b.Ref, value) }
		if j := slices.IndexFunc(k.OneOf, fits); err == nil && j >= 0 {
			return []exchange.Finding{{Severity: exchange.Warning, Code: "overlapping-alternatives",
				Message: fmt.Sprintf("alternatives %d and %d of oneOf overlap; only the discriminator %s tells them apart",
					i+1, j+1, exchange.Quote(name)),
				Document: s.Node(k).Place()}}
		}
	}
	return nil
}

// schemas returns the schemas of an operation's parameters, headers and bodies, possibly nil.
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
