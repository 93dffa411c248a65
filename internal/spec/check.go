package spec

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// CodeTooComplex is the code of a finding on a value that is too costly to check, so that it is unknown whether it
// conforms.
const CodeTooComplex = "too-complex"

// maxFindings limits the findings on one value.
const maxFindings = 50

// Check validates a value and returns a finding for each violated keyword, nil if the value conforms. in and name say
// which part of the exchange it is.
func (s *Schema) Check(value any, in, name string) []exchange.Finding {
	return s.CheckWithin(new(Allowance), value, in, name)
}

// CheckWithin is Check for one of several values that share an allowance.
func (s *Schema) CheckWithin(a *Allowance, value any, in, name string) []exchange.Finding {
	if conforms, _ := schema.FastValidate(s.Keywords, value, a); conforms {
		return s.checkSubtypes(a, value, in, name)
	}
	if !schema.Affordable(s.Keywords, value, a) {
		message := "value takes more steps to check against the schema than it may; it is too large, or nested too deep"
		if a.Pattern != nil {
			message = "value takes too long to check against the pattern " + exchange.Quote(a.Pattern.String()) +
				", which backtracks; write it without look-around and back references"
		}
		return []exchange.Finding{{Code: CodeTooComplex, In: in, Name: name, Document: s.Place, Message: message}}
	}
	err := s.Keywords.Validate(value)
	var invalid *jsonschema.ValidationError
	switch {
	case err == nil:
		return s.checkSubtypes(a, value, in, name)
	case !errors.As(err, &invalid):
		return []exchange.Finding{{Code: "schema", Message: err.Error(), In: in, Name: name, Document: s.Place}}
	}
	findings := s.findingsOf(invalid, value, in, name)
	return findings[:min(len(findings), maxFindings)]
}

// Conforms reports whether Check finds nothing.
func (s *Schema) Conforms(value any) bool {
	return Conforms(s.Keywords, value) && len(s.checkSubtypes(new(Allowance), value, "", "")) == 0
}

// findingsOf returns a finding for each violated keyword, sorted.
func (s *Schema) findingsOf(invalid *jsonschema.ValidationError, value any, in, name string) []exchange.Finding {
	var findings []exchange.Finding
	for _, leaf := range leaves(invalid, nil) {
		if names, ok := leaf.ErrorKind.(*kind.PropertyNames); ok {
			leaf.InstanceLocation = holder(value, names.Property, len(leaf.InstanceLocation))
		}
		findings = s.appendFindings(findings, leaf, in, name)
	}
	return exchange.Sort(findings)
}

// holder returns the path of the first object, depth levels deep, that has a property. It is needed because the
// library (v6.0.3) reuses the slice of an error's path for errors on property names, so that the path may be wrong by
// then.
func holder(value any, property string, depth int) []string {
	for place, inner := range jsonvalue.Walk(value) {
		object, _ := inner.(map[string]any)
		if _, ok := object[property]; ok && len(place) == depth {
			return place
		}
	}
	return nil
}

// leaves returns the errors without causes. Among the branches of an anyOf or oneOf, only the closest one counts.
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

// closest returns the errors of the one branch that the value is probably meant for, nil if there are several or
// none: "is neither a cat nor a dog" helps less than "the dog's name is missing". A branch is ruled out if it does
// not accept the value's type, a constant or a discriminator.
func closest(branches []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	var best []*jsonschema.ValidationError
	for _, branch := range branches {
		faults := leaves(branch, nil)
		ruledOut := slices.ContainsFunc(faults, func(leaf *jsonschema.ValidationError) bool {
			switch leaf.ErrorKind.(type) {
			case *kind.Type:
				return len(leaf.InstanceLocation) == len(branch.InstanceLocation)
			case *kind.Const, *kind.Enum, *kind.Not, *kind.FalseSchema:
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

// appendFindings adds the findings of one error: each missing or unknown property gets its own finding, at its own
// place.
func (s *Schema) appendFindings(all []exchange.Finding, e *jsonschema.ValidationError, in, name string,
) []exchange.Finding {
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
		return append(all, f)
	}
	all, around := slices.Grow(all, len(names)), f.Pointer
	for _, name := range names {
		f.Pointer = around + "/" + exchange.EscapePointer(name)
		all = append(all, f)
	}
	return all
}

func keywordPath(e *jsonschema.ValidationError) []string {
	if _, ok := e.ErrorKind.(*kind.Not); ok { // the library omits the keyword
		return []string{"not"}
	}
	return e.ErrorKind.KeywordPath()
}

// code returns the violated keyword in kebab-case: min-length, additional-properties.
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

// message says what is wrong with the value.
func message(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return "required property is missing"
	case *kind.DependentRequired:
		return "property is required if " + exchange.Quote(k.Prop) + " is present"
	case *kind.AdditionalProperties:
		return "property is not allowed"
	case *kind.FalseSchema:
		return "value is not allowed"
	case *kind.PropertyNames:
		return "property name is not allowed"
	case *kind.Type:
		return "got " + k.Got + ", want " + strings.Join(k.Want, " or ")
	case *kind.Enum:
		if len(k.Want) == 0 {
			return "no value is allowed: the enum is empty"
		}
		return "must be one of " + listed(k.Want) + ", is " + brief(k.Got)
	case *kind.Const:
		return "must be " + brief(k.Want) + ", is " + brief(k.Got)
	case *kind.Format:
		return brief(k.Got) + " is not a valid " + k.Want
	case *kind.Pattern:
		return brief(k.Got) + " does not match the pattern " + exchange.Quote(k.Want)
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal", k.Duplicates[0], k.Duplicates[1])
	}
	for _, of := range []func(*jsonschema.ValidationError) string{countMessage, limitMessage, branchMessage} {
		if text := of(e); text != "" {
			return text
		}
	}
	return strings.Join(strings.Fields(e.Error()), " ")
}

// countMessage returns the message about a length or a number of things, "" for other faults.
func countMessage(e *jsonschema.ValidationError) string {
	text := func(bound string, want int, thing string, got int) string {
		return "must have at " + bound + " " + exchange.Count(want, thing) + ", has " + strconv.Itoa(got)
	}
	switch k := e.ErrorKind.(type) {
	case *kind.MinLength:
		return text("least", k.Want, "character", k.Got)
	case *kind.MaxLength:
		return text("most", k.Want, "character", k.Got)
	case *kind.MinItems:
		return text("least", k.Want, "item", k.Got)
	case *kind.MaxItems:
		return text("most", k.Want, "item", k.Got)
	case *kind.MinProperties:
		return text("least", k.Want, "property", k.Got)
	case *kind.MaxProperties:
		return text("most", k.Want, "property", k.Got)
	}
	return ""
}

// limitMessage returns the message about the value of a number, "" for other faults.
func limitMessage(e *jsonschema.ValidationError) string {
	text := func(operator string, want, got *big.Rat) string {
		return "must be " + operator + " " + decimal(want) + ", is " + decimal(got)
	}
	switch k := e.ErrorKind.(type) {
	case *kind.Minimum:
		return text(">=", k.Want, k.Got)
	case *kind.Maximum:
		return text("<=", k.Want, k.Got)
	case *kind.ExclusiveMinimum:
		return text(">", k.Want, k.Got)
	case *kind.ExclusiveMaximum:
		return text("<", k.Want, k.Got)
	case *kind.MultipleOf:
		return text("a multiple of", k.Want, k.Got)
	}
	return ""
}

// branchMessage returns the message about subschemas that the value must or must not fit, "" for other faults.
func branchMessage(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return "fits more than one schema of oneOf"
		}
		return "fits no schema of oneOf" + branches(e)
	case *kind.AnyOf:
		return "fits no schema of anyOf" + branches(e)
	case *kind.Not:
		return "fits the schema that not excludes"
	case *kind.Contains:
		return "no item fits the schema of contains"
	case *kind.MinContains:
		return fmt.Sprintf("must have at least %s fitting the schema of contains, has %d",
			exchange.Count(k.Want, "item"), len(k.Got))
	case *kind.MaxContains:
		return fmt.Sprintf("must have at most %s fitting the schema of contains, has %d",
			exchange.Count(k.Want, "item"), len(k.Got))
	}
	return ""
}

// maxBranches limits the branches for which a message says why they do not fit.
const maxBranches = 3

// branches says why a value fits none of several schemas: the first message of each, or one message if all are equal.
func branches(e *jsonschema.ValidationError) string {
	var why []string
	for _, branch := range e.Causes {
		if _, ok := branch.ErrorKind.(*kind.FalseSchema); ok { // a dangling reference, or a branch that nobody means
			continue
		}
		why = append(why, branchFault(leaves(branch, nil)[0], len(e.InstanceLocation)))
	}
	if all := slices.Compact(slices.Clone(why)); len(all) == 1 {
		return ": " + all[0]
	}
	var b strings.Builder
	for i, text := range why[:min(len(why), maxBranches)] {
		fmt.Fprintf(&b, "%c %d. %s", ":;"[min(i, 1)], i+1, text)
	}
	if len(why) > maxBranches {
		fmt.Fprintf(&b, "; and %d more", len(why)-maxBranches)
	}
	return b.String()
}

// branchFault says what is wrong with a value, and where below the given depth.
func branchFault(leaf *jsonschema.ValidationError, depth int) string {
	at := slices.Clone(leaf.InstanceLocation[min(depth, len(leaf.InstanceLocation)):])
	text := ""
	switch k := leaf.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		text = "fits none of several schemas"
	case *kind.Required:
		at, text = append(at, k.Missing[0]), message(leaf)
	case *kind.AdditionalProperties:
		at, text = append(at, k.Properties[0]), message(leaf)
	default:
		text = message(leaf)
	}
	if len(at) == 0 {
		return text
	}
	return strings.Join(at, ".") + ": " + text
}

// decimal writes a number as JSON would, if it has a finite decimal form.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	digits, _ := r.FloatPrec()
	return r.FloatString(min(digits, 20))
}

func brief(value any) string {
	switch v := value.(type) {
	case string:
		return exchange.Quote(v)
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	}
	return exchange.Shorten(string(jsontext.Append(nil, value)), exchange.MaxQuoted)
}

func listed(values []any) string {
	const most = 8
	var texts []string
	for i, v := range values {
		if i == most {
			texts = append(texts, fmt.Sprintf("… (%d in all)", len(values)))
			break
		}
		texts = append(texts, brief(v))
	}
	return strings.Join(texts, ", ")
}
