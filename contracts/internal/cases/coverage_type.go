package cases

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
)

// typeSwap puts a value of another type in a value's place.
type typeSwap struct {
	has      schema.Type // the schema has one of these types; 0: any
	lacks    schema.Type // and none of these
	jsonOnly bool        // texts of the two types look alike
	to       schema.Type // not proposed if the schema has it; schema.AnyType: always
	rank     int
	textRank int // the rank if all values are texts
	what     string
	change   change
}

// typeSwaps are the likeliest mistakes first: "100" for 100, 1 for true, a bare item for a list of one.
var typeSwaps = []typeSwap{
	{schema.Number | schema.Boolean, schema.String, true, schema.String, essential, 0, "as a string", once(asText)},
	{schema.Object, 0, true, schema.String, exotic, 0, "as a string of JSON", once(asJSONText)},
	{schema.Integer, schema.Fraction, false, schema.Fraction, essential, essential, "with a fraction", once(fraction)},
	{schema.Number, 0, false, schema.String, usual, essential, "text in place of a number", constants("abc")},
	{schema.Number, schema.String, false, schema.String, exotic, usual, "a number with letters after it", once(withLetters)},
	{schema.Number, 0, false, schema.Boolean, usual, usual, "a boolean in place of a number", constants(true)},
	{schema.Boolean, schema.Number, true, schema.Integer, usual, 0, "1 in place of a boolean", constants(json.Number("1"))},
	{schema.Boolean, schema.Number, true, schema.Integer, exotic, 0, "0 in place of a boolean", constants(json.Number("0"))},
	{schema.Boolean, schema.Number, false, schema.String, usual, essential, "text in place of a boolean", constants("maybe")},
	{schema.String, schema.Number | schema.Boolean, false, schema.Integer, essential, essential, "a number in place of a string", once(asNumber)},
	{schema.String, schema.Number | schema.Boolean, false, schema.Boolean, usual, usual, "a boolean in place of a string", constants(true)},
	{schema.Array, 0, true, schema.AnyType, essential, 0, "a bare item in place of a list", once(bareItem)},
	{schema.Array, 0, true, schema.String, usual, 0, "a string in place of a list", constants("a,b")},
	{schema.Array, 0, true, schema.Integer, exotic, 0, "a number in place of a list", constants(json.Number("1"))},
	{schema.Object, schema.Array, true, schema.Array, essential, 0, "in a list", once(inList)},
	{0, schema.Object | schema.Array, true, schema.Array, usual, 0, "in a list", once(inList)},
	{0, schema.Array, true, schema.Array, exotic, 0, "an empty list in its place", constants([]any{})},
	{schema.Object, 0, true, schema.String, essential, 0, "a string in place of an object", constants("text")},
	{schema.Object, 0, true, schema.Integer, usual, 0, "a number in place of an object", constants(json.Number("1"))},
	{schema.Object, 0, true, schema.Boolean, exotic, 0, "a boolean in place of an object", constants(false)},
	{schema.AnyType, schema.Object, true, schema.Object, usual, 0, "an object in its place", constants(map[string]any{})},
	{schema.AnyType, schema.Object, true, schema.Object, exotic, 0, "an object around it", once(around)},
}

func proposeTypes(s *site, p *proposals) {
	f := s.constraints
	if f.Values != nil && f.Untyped { // an enum without a type says it all
		return
	}
	types := f.Types &^ schema.Null
	for _, w := range typeSwaps {
		rank := w.rank
		if s.text() {
			rank = w.textRank
		}
		is := (w.has == 0 || types&w.has != 0) && types&w.lacks == 0
		has := w.to != schema.AnyType && f.Types&w.to == w.to && !f.Listed
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

// withLetters returns a number with letters after it, which programs that read until the first of them accept.
func withLetters(at any) (any, bool) {
	n, ok := at.(json.Number)
	return string(n) + "abc", ok
}

func asJSONText(at any) (any, bool) { return string(jsontext.Append(nil, at)), true }

// asNumber reads a text as a number; it returns another number if the text is not a number.
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
	if _, err := n.Int64(); ok && schema.TypeOf(at) == schema.Integer && err == nil {
		return n + ".5", true
	}
	return json.Number("1.5"), true
}

func proposeNull(s *site, p *proposals) {
	if s.text() {
		return // text has no null: an undefined value is left out (RFC 6570 section 3.2.1)
	}
	if s.constraints.Types&schema.Null != 0 {
		p.accept(usual, "null", constants(nil)).bare().on(Null)
	}
	rank := essential
	if s.optional {
		rank = usual
	}
	p.refuse(rank, "", "null", constants(nil)).bare()
}
