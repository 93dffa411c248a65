package checks

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
)

// doubtOfAccepted returns the sentence by which a value may be accepted that violates a constraint: of the value, or of
// the schema around the constraint.
func (in *input) doubtOfAccepted(f *exchange.Finding) string {
	around := f.Document
	around.Pointer = around.Pointer[:max(0, strings.LastIndexByte(around.Pointer, '/'))]
	describe := in.checker.contract.Description
	return doubt.In(doubt.Wider, nil, describe(f.Document), describe(around), describe(in.placeOf(f.Where())))
}

// doubtOfRefused returns the sentence by which a conforming value may be refused: of the value itself, and of the
// operation, the refusal and the other properties of the body as far as they name it.
func (in *input) doubtOfRefused(where string) string {
	o, own := in.operation, in.placeOf(where)
	if own.Pointer != o.Place.Pointer {
		if said := doubt.In(doubt.Refused, nil, in.checker.contract.Description(own)); said != "" {
			return said
		}
	}
	texts := []string{o.Summary, o.Description}
	if in.documented != nil {
		texts = append(texts, in.documented.Description)
	}
	if o.Body != nil {
		for _, media := range o.Body.Content {
			if media.Schema == nil {
				continue
			}
			properties := schema.Properties(media.Schema.Keywords)
			for _, name := range slices.Sorted(maps.Keys(properties)) {
				texts = append(texts, schema.Resolve(properties[name]).Description)
			}
		}
	}
	return doubt.About(doubt.Refused, []string{where[strings.LastIndexByte(where, '.')+1:]}, texts...)
}

// excused lowers violations by one step for a sentence that may excuse them, which they print; "" lowers nothing.
func excused(said string, violations []Violation) []Violation {
	if said != "" {
		for i := range violations {
			v := &violations[i]
			v.Severity = v.Severity.Lower()
			v.Message += "; the document says: " + strconv.Quote(said)
		}
	}
	return violations
}
