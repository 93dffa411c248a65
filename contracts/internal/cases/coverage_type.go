package cases

import (
	"encoding/json"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// typeSwap puts a value of another type in a value's place.
type typeSwap struct {
	of       func(declared jsonTypes) bool // the types that the schema has, without null
	jsonOnly bool                          // texts of the two types look alike
	to       jsonTypes                     // not proposed where the schema has it; isAny: always
	rank     int
	textRank int // the rank where all values are texts
	what     string
	change   func(at any) (any, bool)
}

// typeSwaps are the likeliest mistakes first: "100" for 100, 1 for true, a bare
// item for a list of one.
var typeSwaps = []typeSwap{
	{isScalarOnly, true, isText, essential, 0, "as a string", asText},
	{isObjectType, true, isText, exotic, 0, "as a string of JSON", asJSONText},
	{isIntegerOnly, false, isFraction, essential, essential, "with a fraction", fraction},
	{isNumeric, false, isText, usual, essential, "text in place of a number", constant("abc")},
	{isNumeric, false, isBoolean, usual, usual, "a boolean in place of a number", constant(true)},
	{isBooleanType, true, isInteger, usual, 0, "1 in place of a boolean", constant(json.Number("1"))},
	{isBooleanType, true, isInteger, exotic, 0, "0 in place of a boolean", constant(json.Number("0"))},
	{isBooleanType, false, isText, usual, essential, "text in place of a boolean", constant("maybe")},
	{isTextType, false, isInteger, essential, essential, "a number in place of a string", asNumber},
	{isTextType, false, isBoolean, usual, usual, "a boolean in place of a string", constant(true)},
	{isArrayType, true, isAny, essential, 0, "a bare item in place of a list", bareItem},
	{isArrayType, true, isText, usual, 0, "a string in place of a list", constant("a,b")},
	{isArrayType, true, isInteger, exotic, 0, "a number in place of a list", constant(json.Number("1"))},
	{isObjectOnly, true, isArray, essential, 0, "in a list", inList},
	{isNeither, true, isArray, usual, 0, "in a list", inList},
	{isNotArray, true, isArray, exotic, 0, "an empty list in its place", constant([]any{})},
	{isObjectType, true, isText, essential, 0, "a string in place of an object", constant("text")},
	{isObjectType, true, isInteger, usual, 0, "a number in place of an object", constant(json.Number("1"))},
	{isObjectType, true, isBoolean, exotic, 0, "a boolean in place of an object", constant(false)},
	{isNotObject, true, isObject, usual, 0, "an object in its place", constant(map[string]any{})},
	{isNotObject, true, isObject, exotic, 0, "an object around it", inObject},
}

func isIntegerOnly(t jsonTypes) bool { return t&(isInteger|isFraction) == isInteger }
func isNumeric(t jsonTypes) bool     { return t&(isInteger|isFraction) != 0 }
func isBooleanType(t jsonTypes) bool { return t&isBoolean != 0 && !isNumeric(t) }
func isTextType(t jsonTypes) bool    { return t&isText != 0 && !isNumeric(t) && t&isBoolean == 0 }
func isScalarOnly(t jsonTypes) bool  { return t&(isInteger|isFraction|isBoolean) != 0 && t&isText == 0 }
func isArrayType(t jsonTypes) bool   { return t&isArray != 0 }
func isNotArray(t jsonTypes) bool    { return t&isArray == 0 }
func isObjectType(t jsonTypes) bool  { return t&isObject != 0 }
func isNotObject(t jsonTypes) bool   { return t&isObject == 0 && t != 0 }
func isObjectOnly(t jsonTypes) bool  { return isObjectType(t) && isNotArray(t) }
func isNeither(t jsonTypes) bool     { return !isObjectType(t) && isNotArray(t) }

// proposeTypes puts a value of each other type in a value's place.
func proposeTypes(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	if f.values != nil && f.untyped { // an enum without a type says it all
		return
	}
	for _, w := range typeSwaps {
		rank := w.rank
		if s.text() {
			rank = w.textRank
		}
		has := w.to != isAny && f.jsonTypes&w.to == w.to && f.values == nil
		if has || w.jsonOnly && s.text() || !w.of(f.jsonTypes&^isNull) {
			continue
		}
		p.refuse(rank, "type", w.what, once(w.change))
	}
}

func constant(v any) func(any) (any, bool) { return func(any) (any, bool) { return v, true } }

func asText(at any) (any, bool) {
	switch v := at.(type) {
	case json.Number:
		return string(v), true
	case bool:
		return string(jsontext.Append(nil, v)), true
	}
	return nil, false
}

func asJSONText(at any) (any, bool) { return string(jsontext.Append(nil, at)), true }

func asNumber(at any) (any, bool) {
	if text, ok := at.(string); ok && jsonNumber(text) {
		return json.Number(text), true
	}
	return json.Number("123"), true
}

func bareItem(at any) (any, bool) {
	if list, ok := at.([]any); ok && len(list) > 0 {
		return list[0], true
	}
	return "text", true
}

func inList(at any) (any, bool)   { return []any{at}, true }
func inObject(at any) (any, bool) { return map[string]any{"value": at}, true }

// fraction makes a number of an integer that is none.
func fraction(at any) (any, bool) {
	n, ok := at.(json.Number)
	if !ok || typeOf(at) != isInteger {
		return json.Number("1.5"), true
	}
	return json.Number(plainInteger(n) + ".5"), true
}

func plainInteger(n json.Number) string {
	if _, err := n.Int64(); err != nil {
		return "1"
	}
	return string(n)
}

func jsonNumber(text string) bool {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	v, err := jsontext.Decode(text)
	_, ok := v.(json.Number)
	return err == nil && ok
}

// proposeNull puts null in a value's place.
func proposeNull(_ *coverage, s *site, p *proposals) {
	if s.constraints.jsonTypes&isNull != 0 {
		p.accept(usual, "null", constants(nil)).bare()
	}
	if s.text() {
		return
	}
	rank := essential
	if s.optional {
		rank = usual
	}
	p.refuse(rank, "", "null", constants(nil)).bare()
}
