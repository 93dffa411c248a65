package decode

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// text reads a parameter that stands in one piece: every style but form
// exploded and deepObject.
func (p *param) text(text string) (any, *fault) {
	if p.content != nil {
		return p.whole(text)
	}
	allowed := p.shape.kinds
	if allowed == kindAny || !allowed.has(kindArray|kindObject) {
		return p.textScalar(text)
	}
	if allowed == kindArray {
		return p.textArray(text)
	}
	if allowed == kindObject {
		return p.textObject(text)
	}
	// Of several types, the first reading that the schema accepts; else the
	// first that is well-formed.
	readings := [...]struct {
		kinds kinds
		read  func(string) (any, *fault)
	}{
		{kindArray, p.textArray}, {kindObject, p.textObject}, {kindAny &^ (kindArray | kindObject), p.textScalar},
	}
	if !p.delimited(text) {
		readings[0], readings[2] = readings[2], readings[0]
	}
	var first any
	var firstFault *fault
	found := false
	for _, reading := range readings {
		if !allowed.has(reading.kinds) {
			continue
		}
		value, f := reading.read(text)
		switch {
		case f != nil && firstFault == nil:
			firstFault = f
		case f == nil && p.shape.holds(value):
			return value, nil
		case f == nil && !found:
			first, found = value, true
		}
	}
	if found {
		return first, nil
	}
	return nil, firstFault
}

// delimited reports whether text holds what stands between values.
func (p *param) delimited(text string) bool {
	switch {
	case p.style == label && p.explode:
		return strings.LastIndexByte(text, '.') > 0
	case p.style == matrix && p.explode:
		return strings.LastIndexByte(text, ';') > 0
	case p.style == spaceDelimited:
		return strings.Contains(text, "%20") || strings.ContainsAny(text, " +")
	case p.style == pipeDelimited:
		return strings.Contains(text, "%7C") || strings.Contains(text, "%7c") || strings.Contains(text, "|")
	}
	return strings.Contains(text, ",")
}

// strip takes off what a style puts before the value: "." of label, ";name="
// of matrix.
func (p *param) strip(text string) (string, *fault) {
	switch p.style {
	case label:
		rest, ok := strings.CutPrefix(text, ".")
		if !ok {
			return "", malformed("style label starts with \".\", got %s", text)
		}
		return rest, nil
	case matrix:
		rest, ok := strings.CutPrefix(text, ";")
		if !ok {
			return "", malformed("style matrix starts with \";\", got %s", text)
		}
		return p.stripName(rest)
	}
	return text, nil
}

// stripName takes "name=" off; a name alone stands for an empty value.
func (p *param) stripName(text string) (string, *fault) {
	name, value, _ := strings.Cut(text, "=")
	decoded, f := p.escape.decode(name)
	if f != nil {
		return "", f
	}
	if decoded != p.name {
		return "", malformed("style matrix names the parameter %s, got %s", p.name, text)
	}
	return value, nil
}

func (p *param) textScalar(text string) (any, *fault) {
	text, f := p.strip(text)
	if f != nil {
		return nil, f
	}
	if text, f = p.escape.decode(text); f != nil {
		return nil, f
	}
	if p.in == exchange.InBody {
		return p.shape.nested(text), nil
	}
	return p.shape.scalar(text), nil
}

func (p *param) textArray(text string) (any, *fault) {
	rest, started := strings.CutPrefix(text, ";")
	exploded := p.style == matrix && p.explode && started && strings.Contains(rest, "=")
	if exploded {
		text = rest
	} else {
		var f *fault
		if text, f = p.strip(text); f != nil {
			return nil, f
		}
	}
	if text == "" {
		return []any{}, nil
	}
	pieces, f := p.split(text)
	if f != nil {
		return nil, f
	}
	array := make([]any, len(pieces))
	for i, piece := range pieces {
		if exploded {
			if piece, f = p.stripName(piece); f != nil {
				return nil, f
			}
		}
		if piece, f = p.escape.decode(piece); f != nil {
			return nil, f
		}
		array[i] = p.shape.item(i).nested(piece)
	}
	return array, nil
}

func (p *param) textObject(text string) (any, *fault) {
	var f *fault
	if p.style == matrix && p.explode {
		rest, ok := strings.CutPrefix(text, ";")
		if !ok {
			return nil, malformed("style matrix starts with \";\", got %s", text)
		}
		text = rest
	} else if text, f = p.strip(text); f != nil {
		return nil, f
	}
	if text == "" {
		return map[string]any{}, nil
	}
	pieces, f := p.split(text)
	if f != nil {
		return nil, f
	}
	object := make(map[string]any, len(pieces))
	for len(pieces) > 0 {
		var name, value string
		if p.explode {
			var ok bool
			if name, value, ok = strings.Cut(pieces[0], "="); !ok {
				return nil, malformed("an object is written name=value, got %s", pieces[0])
			}
			pieces = pieces[1:]
		} else {
			if len(pieces) == 1 {
				return nil, malformed("an object is written as names and values in turn, %s has no value", pieces[0])
			}
			name, value, pieces = pieces[0], pieces[1], pieces[2:]
		}
		if name, f = p.escape.decode(name); f != nil {
			return nil, f
		}
		if value, f = p.escape.decode(value); f != nil {
			return nil, f
		}
		if _, ok := object[name]; ok {
			return nil, malformed("property %s is given twice", name)
		}
		object[name] = p.shape.property(name).nested(value)
	}
	return object, nil
}

// split cuts at the delimiter of the style. One that is percent-encoded
// belongs to a value, but for the styles whose delimiter cannot stand in a URL
// as it is: there "%20" and "%7C" delimit, as in the specification's examples.
func (p *param) split(text string) ([]string, *fault) {
	delimiter := ","
	switch {
	case p.style == label && p.explode:
		delimiter = "."
	case p.style == matrix && p.explode:
		delimiter = ";"
	case p.style == spaceDelimited:
		delimiter = " "
		text = strings.ReplaceAll(strings.ReplaceAll(text, "+", " "), "%20", " ")
	case p.style == pipeDelimited:
		delimiter = "|"
		text = strings.ReplaceAll(strings.ReplaceAll(text, "%7C", "|"), "%7c", "|")
	}
	if strings.Count(text, delimiter) >= maxValues {
		return nil, &fault{code: CodeTooManyValues, message: "more values than are read"}
	}
	pieces := strings.Split(text, delimiter)
	if p.in == exchange.InHeader { // RFC 9110 section 5.6.1
		for i := range pieces {
			pieces[i] = strings.Trim(pieces[i], " \t")
		}
	}
	return pieces, nil
}
