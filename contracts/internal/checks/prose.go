package checks

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
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
// operation, the refusal, and the other properties of the body that name it.
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

// minShared is how many words a refusal and a sentence have in common if the sentence states what was refused.
const minShared = 2

// statedRule returns the sentence of a value's own description that states the rule for which it was refused: both have
// the same words, apart from common words of errors and names in the request. It is "" if none.
func (in *input) statedRule(where string) string {
	own := in.placeOf(where)
	if where == "" || own.Pointer == in.operation.Place.Pointer {
		return ""
	}
	names, refused := in.ownNames(), map[string]bool{}
	for _, word := range naming.Words(Said(in.Response)) {
		refused[word] = !ofAnyError(word) && !names[word]
	}
	for _, sentence := range doubt.Sentences(in.checker.contract.Description(own)) {
		shared := map[string]bool{}
		for _, word := range naming.Words(sentence) {
			if refused[word] {
				shared[word] = true
			}
		}
		if len(shared) >= minShared {
			return sentence
		}
	}
	return ""
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
