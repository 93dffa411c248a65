package cases

import (
	"encoding/json"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// proposeTypes puts a value of each other type in a value's place, the likeliest
// mistakes first: "100" for 100, 1 for true, a bare item for a list of one.
func proposeTypes(_ *coverage, s *site, p *proposals) {
	f := s.facts
	if f.values != nil && f.openKinds { // an enum without a type says it all
		return
	}
	type swap struct {
		kind   kinds
		rank   int
		what   string
		change func(any) (any, bool)
	}
	constant := func(v any) func(any) (any, bool) { return func(any) (any, bool) { return v, true } }
	scalarText := func(at any) (any, bool) {
		switch v := at.(type) {
		case json.Number:
			return string(v), true
		case bool:
			return string(jsontext.Append(nil, v)), true
		}
		return nil, false
	}
	var swaps []swap
	add := func(kind kinds, rank int, what string, change func(any) (any, bool)) {
		swaps = append(swaps, swap{kind, rank, what, change})
	}
	own := f.kinds &^ isNull
	if !s.text() {
		if own&(isInteger|isFraction|isBoolean) != 0 && own&isText == 0 {
			add(isText, essential, "as a string", scalarText)
		}
		if own&isObject != 0 {
			add(isText, exotic, "as a string of JSON", func(at any) (any, bool) { return string(jsontext.Append(nil, at)), true })
		}
	}
	switch {
	case own&(isInteger|isFraction) == isInteger:
		add(isFraction, essential, "with a fraction", fraction)
		fallthrough
	case own&isFraction != 0:
		add(isText, textRank(s), "text in place of a number", constant("abc"))
		add(isBoolean, usual, "a boolean in place of a number", constant(true))
	case own&isBoolean != 0:
		if !s.text() { // programs differ in what texts they take for true
			add(isInteger, usual, "1 in place of a boolean", constant(json.Number("1")))
			add(isInteger, exotic, "0 in place of a boolean", constant(json.Number("0")))
		}
		add(isText, textRank(s), "text in place of a boolean", constant("maybe"))
	case own&isText != 0:
		add(isInteger, essential, "a number in place of a string", func(at any) (any, bool) {
			if text, ok := at.(string); ok && jsonNumber(text) {
				return json.Number(text), true
			}
			return json.Number("123"), true
		})
		add(isBoolean, usual, "a boolean in place of a string", constant(true))
	}
	if s.text() { // lists and objects look like other texts
		own = 0
	} else if own&isArray != 0 {
		add(isAny, essential, "a bare item in place of a list", func(at any) (any, bool) {
			if list, ok := at.([]any); ok && len(list) > 0 {
				return list[0], true
			}
			return "text", true
		})
		add(isText, usual, "a string in place of a list", constant("a,b"))
		add(isInteger, exotic, "a number in place of a list", constant(json.Number("1")))
	} else {
		add(isArray, listRank(own), "in a list", func(at any) (any, bool) { return []any{at}, true })
		add(isArray, exotic, "an empty list in its place", constant([]any{}))
	}
	if own == 0 {
	} else if own&isObject != 0 {
		add(isText, essential, "a string in place of an object", constant("text"))
		add(isInteger, usual, "a number in place of an object", constant(json.Number("1")))
		add(isBoolean, exotic, "a boolean in place of an object", constant(false))
	} else {
		add(isObject, usual, "an object in its place", constant(map[string]any{}))
		add(isObject, exotic, "an object around it", func(at any) (any, bool) { return map[string]any{"value": at}, true })
	}
	for _, w := range swaps {
		if w.kind != isAny && f.kinds&w.kind == w.kind && f.values == nil {
			continue
		}
		p.add(proposal{rank: w.rank, what: w.what, want: Refused, code: "type", change: once(w.change)})
	}
}

// textRank is that of a text in place of a number: where all values are texts,
// it is the only plain mistake.
func textRank(s *site) int {
	if s.text() {
		return essential
	}
	return usual
}

func listRank(own kinds) int {
	if own&isObject != 0 {
		return essential
	}
	return usual
}

// fraction makes a number of an integer that is none.
func fraction(at any) (any, bool) {
	n, ok := at.(json.Number)
	if !ok || kindOf(at) != isInteger {
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
	if s.facts.kinds&isNull != 0 {
		p.add(proposal{rank: usual, what: "null", want: Accepted, change: constants([]any{nil}), bare: true})
	}
	if s.text() {
		return
	}
	rank := essential
	if s.optional {
		rank = usual
	}
	p.add(proposal{rank: rank, what: "null", want: Refused, change: constants([]any{nil}), bare: true})
}
