package spec

import (
	"errors"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// maxFindings bounds the findings on one value.
const maxFindings = 50

// Check validates a value and gives a finding for each keyword it breaks, nil
// where it conforms. in and name say which part of the exchange it is.
func (s *Schema) Check(value any, in, name string) []exchange.Finding {
	if conforms, _ := schema.FastValidate(s.Keywords, value); conforms {
		return nil
	}
	if !schema.Affordable(s.Keywords, value) {
		return []exchange.Finding{{Code: "too-complex", In: in, Name: name, Document: s.Place,
			Message: "value is nested so deep in alternatives of the schema that it cannot be checked"}}
	}
	err := s.Keywords.Validate(value)
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &invalid):
		return []exchange.Finding{{Code: "schema", Message: err.Error(), In: in, Name: name, Document: s.Place}}
	}
	var findings []exchange.Finding
	for _, leaf := range leaves(invalid, nil) {
		if names, ok := leaf.ErrorKind.(*kind.PropertyNames); ok {
			leaf.InstanceLocation = holder(value, names.Property, len(leaf.InstanceLocation))
		}
		findings = append(findings, s.findings(leaf, in, name)...)
	}
	findings = exchange.Sort(findings)
	return findings[:min(len(findings), maxFindings)]
}

// holder gives the place of the first object so many levels deep that has a
// property. The library reuses the place that it gives with errors on property
// names (v6.0.3), so that it can be another's by then.
func holder(value any, property string, depth int) []string {
	for place, inner := range jsonvalue.Walk(value) {
		object, _ := inner.(map[string]any)
		if _, ok := object[property]; ok && len(place) == depth {
			return place
		}
	}
	return nil
}

// leaves gives the errors that have no cause but themselves. Of the branches
// of an anyOf or oneOf only the closest one counts.
func leaves(e *jsonschema.ValidationError, into []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		if best := closest(e.Causes); best != nil {
			return append(into, best...)
		}
		return append(into, e)
	case *kind.Contains, *kind.MinContains, *kind.MaxContains, *kind.Not, *kind.PropertyNames:
		return append(into, e)
	}
	if len(e.Causes) == 0 {
		return append(into, e)
	}
	for _, cause := range e.Causes {
		into = leaves(cause, into)
	}
	return into
}

// closest gives the errors of the one branch that the value may be meant for,
// nil where there are several or none: "is neither a cat nor a dog" helps less than "the
// dog's name is missing". A branch that the value's type or a constant rules
// out is not meant.
func closest(branches []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	var best []*jsonschema.ValidationError
	for _, branch := range branches {
		faults := leaves(branch, nil)
		ruledOut := slices.ContainsFunc(faults, func(leaf *jsonschema.ValidationError) bool {
			switch leaf.ErrorKind.(type) {
			case *kind.Type:
				return len(leaf.InstanceLocation) == len(branch.InstanceLocation)
			case *kind.Const, *kind.Enum:
				return true
			}
			return false
		})
		switch {
		case ruledOut:
		case best != nil:
			return nil
		default:
			best = faults
		}
	}
	return best
}

// findings makes the findings of one error: a missing or unknown property each
// gets its own, at its own place.
func (s *Schema) findings(e *jsonschema.ValidationError, in, name string) []exchange.Finding {
	f := exchange.Finding{Code: code(e), Message: message(e), In: in, Name: name,
		Pointer: tree.Pointer(e.InstanceLocation), Document: s.Place}
	if at := s.schemas.locate(e.SchemaURL, keywordPath(e)); at != nil {
		f.Document = at.Place()
	}
	var names []string
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		names = k.Missing
	case *kind.DependentRequired:
		names = k.Missing
	case *kind.AdditionalProperties:
		names = k.Properties
	case *kind.PropertyNames:
		names = []string{k.Property}
	}
	if names == nil {
		return []exchange.Finding{f}
	}
	each := slices.Repeat([]exchange.Finding{f}, len(names))
	for i, name := range names {
		each[i].Pointer += "/" + exchange.EscapePointer(name)
	}
	return each
}

// keywordPath is the way from a schema to the keyword that is broken.
func keywordPath(e *jsonschema.ValidationError) []string {
	if _, ok := e.ErrorKind.(*kind.Not); ok { // the library leaves it out
		return []string{"not"}
	}
	return e.ErrorKind.KeywordPath()
}

// code is the broken keyword in kebab-case: min-length, additional-properties.
func code(e *jsonschema.ValidationError) string {
	if _, ok := e.ErrorKind.(*kind.FalseSchema); ok {
		return "not-allowed"
	}
	path := keywordPath(e)
	if len(path) == 0 {
		return "schema"
	}
	var b strings.Builder
	for _, r := range path[0] {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
