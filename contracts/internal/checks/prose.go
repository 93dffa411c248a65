package checks

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/schema"
)

// rules are words with which documents tell in prose what their schemas do not.
var rules = lazyregexp.New(`(?i)\b(must|may not|shall|should|only|unless|except|unique|distinct|` +
	`duplicates?|already|taken|in use|no other|future|past|before|after|earlier|later|check ?digits?|checksum|at least|` +
	`enough|sufficient|in stock|balance|sum|total|match(es)?|same|different|differ|required|needs?|requires|` +
	`not allowed|forbidden|depends?|rules?|policy|reserved|conditions?|together|either|exactly one|once|twice|400|409|422)\b`)

// limits are words of such rules that count in the description of the value itself only.
var limits = lazyregexp.New(`(?i)\b(without|no|not|none|never|cannot|can't|within|up to|at most|between|refused|rejected|` +
	`closed|digits?|letters?|characters?|capitals?|valid|known|existing|registered|supported|(400|409|422))\b`)

// wider are words with which documents say that more is accepted than a schema has.
var wider = lazyregexp.New(`(?i)\b(accepted|accepts|tolerated|tolerant|lenient|ignored|coerced|converted|either|any case|` +
	`case.insensitive|regardless|as well)\b`)

// mayTake reports whether the document says of a value that more is accepted than its schema has.
func (in *input) mayTake(f *exchange.Finding) bool {
	around := f.Document
	around.Pointer = around.Pointer[:max(0, strings.LastIndexByte(around.Pointer, '/'))]
	return slices.ContainsFunc([]exchange.Place{f.Document, around, in.placeOf(f.Where())}, func(p exchange.Place) bool {
		return wider.Get().MatchString(in.checker.contract.Description(p))
	})
}

// hasRuleInProse reports whether the document tells a rule of a place, of the operation, of its body, or of its
// refusal that may explain why a conforming value is refused.
func (in *input) hasRuleInProse(where string) bool {
	o := in.operation
	own := in.placeOf(where)
	texts := []string{o.Summary, o.Description, in.checker.contract.Description(own)}
	if own.Pointer != o.Place.Pointer && limits.Get().MatchString(texts[2]) {
		return true
	}
	if in.documented != nil && !(pointsToRules(in.documented.Description) && in.hasNoRuleElsewhere(where)) {
		texts = append(texts, in.documented.Description)
	}
	if o.Body != nil && strings.HasPrefix(where, exchange.InBody) {
		texts = append(texts, in.checker.contract.Description(o.Body.Place))
		for _, media := range o.Body.Content {
			if media.Schema != nil {
				k := schema.Resolve(media.Schema.Keywords)
				texts = append(texts, in.checker.contract.Description(media.Schema.Node(k).Place()))
			}
		}
	}
	return slices.ContainsFunc(texts, rules.Get().MatchString)
}

// pointer matches the words by which a refusal points to rules that are written elsewhere.
var pointer = lazyregexp.New(`(?i)\bdescri(bed|ptions?)\b`)

// pointsToRules reports whether the description of a refusal only says that rules are in other descriptions.
func pointsToRules(text string) bool {
	return rules.Get().MatchString(text) && pointer.Get().MatchString(text)
}

// ownRules are words of rules that a value keeps or breaks by itself, whatever stands beside it.
var ownRules = lazyregexp.New(`(?i)\b(check ?digits?|checksum|luhn|mod(ulo)? ?(10|11|97))\b`)

// hasNoRuleElsewhere reports whether no description in the body can be a rule of a place: it has none itself, and
// the other properties' descriptions are rules of properties that are not sent.
func (in *input) hasNoRuleElsewhere(where string) bool {
	if in.operation.Body == nil || in.checker.contract.Description(in.placeOf(where)) != "" {
		return false
	}
	sent, _ := in.requestValue().(map[string]any)
	for _, media := range in.operation.Body.Content {
		if media.Schema == nil {
			continue
		}
		for name, k := range schema.Properties(media.Schema.Keywords) {
			_, isSent := sent[name]
			for part := range schema.All(k) {
				isRule := part.Description != "" && (isSent || !ownRules.Get().MatchString(part.Description))
				if isRule && !schema.ReadOnly(k) {
					return false
				}
			}
		}
	}
	return true
}
