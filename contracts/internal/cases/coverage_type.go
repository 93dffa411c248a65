package cases

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// typeSwap puts a value of another type in a value's place.
type typeSwap struct {
	has      jsonTypes // the schema has one of these types; 0: any
	lacks    jsonTypes // and none of these
	jsonOnly bool      // texts of the two types look alike
	to       jsonTypes // not proposed where the schema has it; isAny: always
	rank     int
	textRank int // the rank where all values are texts
	what     string
	change   change
}

// typeSwaps are the likeliest mistakes first: "100" for 100, 1 for true, a bare item for a list of one.
var typeSwaps = []typeSwap{
	{isNumeric | isBoolean, isText, true, isText, essential, 0, "as a string", once(asText)},
	{isObject, 0, true, isText, exotic, 0, "as a string of JSON", once(asJSONText)},
	{isInteger, isFraction, false, isFraction, essential, essential, "with a fraction", once(fraction)},
	{isNumeric, 0, false, isText, usual, essential, "text in place of a number", constants("abc")},
	{isNumeric, isText, false, isText, exotic, usual, "a number with letters after it", once(withLetters)},
	{isNumeric, 0, false, isBoolean, usual, usual, "a boolean in place of a number", constants(true)},
	{isBoolean, isNumeric, true, isInteger, usual, 0, "1 in place of a boolean", constants(json.Number("1"))},
	{isBoolean, isNumeric, true, isInteger, exotic, 0, "0 in place of a boolean", constants(json.Number("0"))},
	{isBoolean, isNumeric, false, isText, usual, essential, "text in place of a boolean", constants("maybe")},
	{isText, isNumeric | isBoolean, false, isInteger, essential, essential, "a number in place of a string", once(asNumber)},
	{isText, isNumeric | isBoolean, false, isBoolean, usual, usual, "a boolean in place of a string", constants(true)},
	{isArray, 0, true, isAny, essential, 0, "a bare item in place of a list", once(bareItem)},
	{isArray, 0, true, isText, usual, 0, "a string in place of a list", constants("a,b")},
	{isArray, 0, true, isInteger, exotic, 0, "a number in place of a list", constants(json.Number("1"))},
	{isObject, isArray, true, isArray, essential, 0, "in a list", once(inList)},
	{0, isObject | isArray, true, isArray, usual, 0, "in a list", once(inList)},
	{0, isArray, true, isArray, exotic, 0, "an empty list in its place", constants([]any{})},
	{isObject, 0, true, isText, essential, 0, "a string in place of an object", constants("text")},
	{isObject, 0, true, isInteger, usual, 0, "a number in place of an object", constants(json.Number("1"))},
	{isObject, 0, true, isBoolean, exotic, 0, "a boolean in place of an object", constants(false)},
	{isAny, isObject, true, isObject, usual, 0, "an object in its place", constants(map[string]any{})},
	{isAny, isObject, true, isObject, exotic, 0, "an object around it", once(around)},
}

func proposeTypes(s *site, p *proposals) {
	f := s.constraints
	if f.values != nil && f.untyped { // an enum without a type says it all
		return
	}
	types := f.jsonTypes &^ isNull
	for _, w := range typeSwaps {
		rank := w.rank
		if s.text() {
			rank = w.textRank
		}
		is := (w.has == 0 || types&w.has != 0) && types&w.lacks == 0
		has := w.to != isAny && f.jsonTypes&w.to == w.to && f.values == nil
		if is && !has && !(w.jsonOnly && s.text()) {
			p.refuse(rank, "type", w.what, w.change)
		}
	}
}

func asText(at any) (any, bool) {
	switch v := at.(type) {
	case json.Number:
		return string(v), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return nil, false
}

// withLetters gives a number with letters after it, which programs that read until the first of them accept.
func withLetters(at any) (any, bool) {
	n, ok := at.(json.Number)
	return string(n) + "abc", ok
}

func asJSONText(at any) (any, bool) { return string(jsontext.Append(nil, at)), true }

// asNumber reads a text as a number; another number where it is none.
func asNumber(at any) (any, bool) {
	if text, ok := at.(string); ok && text == strings.TrimSpace(text) {
		if v, err := jsontext.Decode(text); err == nil {
			if n, ok := v.(json.Number); ok {
				return n, true
			}
		}
	}
	return json.Number("123"), true
}

func bareItem(at any) (any, bool) {
	if list, ok := at.([]any); ok && len(list) > 0 {
		return list[0], true
	}
	return "text", true
}

func inList(at any) (any, bool) { return []any{at}, true }
func around(at any) (any, bool) { return map[string]any{"value": at}, true }

func fraction(at any) (any, bool) {
	n, ok := at.(json.Number)
	if _, err := n.Int64(); ok && typeOf(at) == isInteger && err == nil {
		return n + ".5", true
	}
	return json.Number("1.5"), true
}

func proposeNull(s *site, p *proposals) {
	if s.text() {
		return // text has no null: an undefined value is left out (RFC 6570 section 3.2.1)
	}
	if s.constraints.jsonTypes&isNull != 0 {
		p.accept(usual, "null", constants(nil)).bare().on(Null)
	}
	rank := essential
	if s.optional {
		rank = usual
	}
	p.refuse(rank, "", "null", constants(nil)).bare()
}
