package decode

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// field is one name=value of a query, a cookie or an urlencoded form.
type field struct {
	name  string // decoded
	value string // as sent
	owner int    // index of the parameter it belongs to, or nobody
	next  int    // index of the next field of that owner, or nobody
}

const noField = -1

// fields are the parameters that are found by name among name=value pairs.
type fields struct {
	params  []*param
	byName  map[string]int
	spreads bool // any parameter does
}

func newFields(params []*param) fields {
	f := fields{params, make(map[string]int, len(params)), false}
	for i, p := range params {
		// The name of an object whose properties are spread is never sent,
		// unless the value may be something else.
		if !p.spread || p.shape.kinds != kindObject {
			f.byName[p.name] = i
		}
		f.spreads = f.spreads || p.spread
	}
	return f
}

// owner tells whose a name is: that of a parameter, or its name with brackets.
func (f *fields) owner(name string) int {
	if i, ok := f.byName[name]; ok {
		return i
	}
	if end := strings.IndexByte(name, '['); end > 0 {
		if i, ok := f.byName[name[:end]]; ok && (f.params[i].style == deepObject || f.params[i].brackets) {
			return i
		}
	}
	return noField
}

// hasProperty reports whether the field is a property of the object that p spreads.
// A field with a documented name of its own never is.
func (p *param) hasProperty(f *field) bool {
	return f.owner == noField && p.spread && (p.shape.free || p.shape.properties[f.name] != nil)
}

// parse cuts text into fields at the delimiter and adds them to dst. Of names
// that cannot be read the first is reported; the others' fields are read.
func (f *fields) parse(dst []field, text string, delimiter byte, e escaping) ([]field, *fault) {
	var first *fault
	for text != "" {
		pair := text
		if end := strings.IndexByte(text, delimiter); end >= 0 {
			pair, text = text[:end], text[end+1:]
		} else {
			text = ""
		}
		if delimiter == ';' {
			pair = strings.Trim(pair, " \t")
		}
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, wrong := e.decode(name)
		if wrong != nil {
			if first == nil {
				first = wrong
			}
			continue
		}
		if len(dst) == maxValues {
			return dst, tooMany()
		}
		dst = append(dst, field{name, value, f.owner(name), noField})
	}
	return dst, first
}

func tooMany() *fault {
	return &fault{code: CodeTooManyValues, message: "more than 65536 values"}
}

// decode reads every parameter into values; a parameter that cannot be read is
// left out and reported.
func (f *fields) decode(all []field, values map[string]any, findings []exchange.Finding) []exchange.Finding {
	// Each owner's fields are chained, lest many fields times many parameters
	// take long.
	var few [16]int
	heads := few[:0]
	for range f.params {
		heads = append(heads, noField)
	}
	for j := len(all) - 1; j >= 0; j-- {
		if owner := all[j].owner; owner != noField {
			all[j].next, heads[owner] = heads[owner], j
		}
	}
	for i, p := range f.params {
		value, found, wrong := p.fromFields(all, heads[i])
		switch {
		case wrong != nil:
			findings = append(findings, p.finding(wrong))
		case found == filled:
			values[p.name] = value
		case found == absent && p.required:
			findings = append(findings, p.missing())
		}
	}
	return findings
}

// presence says whether a parameter is in the request.
type presence uint8

const (
	absent presence = iota
	empty           // without a value, as allowEmptyValue permits: it counts as omitted
	filled
)

// fromFields reads p from the fields it owns, of which head is the first.
func (p *param) fromFields(all []field, head int) (any, presence, *fault) {
	count := 0
	bracketed := false
	for j := head; j != noField; j = all[j].next {
		count++
		bracketed = bracketed || len(all[j].name) > len(p.name)
	}
	switch {
	case count == 0 && p.spread:
		return p.spreadObject(all)
	case count == 0:
		return nil, absent, nil
	case bracketed:
		value, wrong := p.deep(all, head)
		return value, filled, wrong
	case p.allowEmpty && count == 1 && all[head].value == "" && !(p.shape.kinds.has(kindString) && p.shape.holds("")):
		return nil, empty, nil
	}
	value, wrong := p.fromNamed(all, head, count)
	return value, filled, wrong
}

// fromNamed reads a parameter from count fields that carry its name.
func (p *param) fromNamed(all []field, head, count int) (any, *fault) {
	switch {
	case p.style == form && p.explode && p.content == nil:
		return p.fromExploded(all, head, count)
	case count > 1 && p.in != exchange.InCookie:
		return nil, repeatedFault()
	case p.style == deepObject && p.shape.kinds == kindObject:
		return nil, malformed("style deepObject is written %s", p.name+"[property]=value")
	case p.style == deepObject:
		return p.textScalar(all[head].value)
	}
	return p.text(all[head].value)
}

// fromExploded reads a parameter of style form: a list is a field for each element. Of
// several cookies the first counts where a list is not allowed: it has the longer
// path (RFC 6265 section 5.4).
func (p *param) fromExploded(all []field, head, count int) (any, *fault) {
	anyType := p.shape.kinds == kindAny
	lists := !anyType && p.shape.kinds.has(kindArray)
	switch scalars := p.shape.kinds.has(kindNull | kindBoolean | kindNumber | kindString); {
	case anyType && count > 1, lists && (count > 1 || !scalars):
		return p.fromRepeated(all, head, count)
	case count > 1 && p.in != exchange.InCookie:
		return nil, repeatedFault()
	}
	value, wrong := p.textScalar(all[head].value)
	if lists && wrong == nil && !p.shape.holds(value) {
		if array, wrong := p.fromRepeated(all, head, count); wrong == nil && p.shape.holds(array) {
			return array, nil
		}
	}
	return value, wrong
}

func repeatedFault() *fault {
	return &fault{code: CodeRepeatedParameter, message: "is given more than once, takes one value"}
}

// fromRepeated reads an array whose elements are one field each, count of them.
func (p *param) fromRepeated(all []field, head, count int) (any, *fault) {
	array := make([]any, 0, count)
	for j := head; j != noField; j = all[j].next {
		text, wrong := p.escape.decode(all[j].value)
		if wrong != nil {
			return nil, wrong
		}
		array = append(array, p.shape.item(len(array)).nested(text))
	}
	return p.shape.listOf(array), nil
}

// listOf gives a list read from repeated fields. "n=" is no number, but an
// empty list of them.
func (s *shape) listOf(array []any) []any {
	if len(array) == 1 && array[0] == "" && !s.item(0).kinds.has(kindString) {
		return []any{}
	}
	return array
}

// spreadObject reads an object from the fields named like its properties.
func (p *param) spreadObject(all []field) (any, presence, *fault) {
	var object map[string]any
	for j := range all {
		if !p.hasProperty(&all[j]) {
			continue
		}
		if object == nil {
			object = map[string]any{}
		}
		name := all[j].name
		text, wrong := p.escape.decode(all[j].value)
		if wrong != nil {
			return nil, filled, wrong
		}
		property := p.shape.property(name)
		before, again := object[name]
		array, isArray := before.([]any)
		switch {
		case property.kinds == kindArray || again && property.kinds != kindAny && property.kinds.has(kindArray):
			if again && !isArray {
				array = []any{before}
			}
			object[name] = append(array, property.item(len(array)).nested(text))
		case again:
			return nil, filled, &fault{code: CodeRepeatedParameter, message: quote("property %s is given more than once", name)}
		default:
			object[name] = property.nested(text)
		}
	}
	if object == nil {
		return nil, absent, nil
	}
	return object, filled, nil
}
