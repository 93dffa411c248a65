package decode

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// text reads a parameter that stands in one piece: every style but form
// fromExploded and deepObject.
func (p *param) text(text string) (any, *fault) {
	if p.content != nil {
		return p.serialized(text)
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
	fromExploded := p.style == matrix && p.explode && started && strings.Contains(rest, "=")
	if fromExploded {
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
		if fromExploded {
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

// split cuts at the delimiter of the style.
func (p *param) split(text string) ([]string, *fault) {
	text, delimiter := p.cutter(text)
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
