package decode

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
)

// field is one name=value of a query, a cookie or an urlencoded form.
type field struct {
	name  string // decoded
	value string // as sent
	owner int    // index of the parameter it belongs to, or noField
	next  int    // index of the next field of that owner, or noField
}

const noField = -1

// fields are parameters that are looked up by name among name=value pairs.
type fields struct {
	params []*param
	byName map[string]int
}

func newFields(params []*param) fields {
	f := fields{params, make(map[string]int, len(params))}
	for i, p := range params {
		// If an object's properties are fields of their own, the parameter's name is never sent, unless the value may
		// also have another type.
		if !p.spread || p.shape.kinds() != schema.Object {
			f.byName[p.name] = i
		}
	}
	return f
}

// owner returns the index of the parameter that a name, or a name with brackets, belongs to.
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

func (f *fields) has(one *field) bool {
	return one.owner != noField || slices.ContainsFunc(f.params, func(p *param) bool { return p.hasProperty(one) })
}

// hasProperty reports whether the field is a property of the object that p spreads. A field with a documented name is
// not.
func (p *param) hasProperty(f *field) bool {
	return f.owner == noField && p.spread && (p.shape.IsOpen() || p.shape.Member(f.name) != nil)
}

// parse cuts text into fields at the delimiter and appends them to dst. It reports the first name that cannot be
// decoded, and still reads the other fields.
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
			return dst, &fault{code: CodeTooManyValues, message: "more than 65536 values"}
		}
		dst = append(dst, field{name, value, f.owner(name), noField})
	}
	return dst, first
}

// fields reads every parameter into values. unread is the fault of fields whose owner is unknown.
func (r *reader) fields(values map[string]any, f *fields, all []field, unread *fault, in string) {
	if unread != nil {
		r.findings = append(r.findings, exchange.Finding{Code: unread.code, Message: unread.message, In: in})
	}
	// The fields of each owner are linked, so that many fields and many parameters do not multiply.
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
		if !p.isOmitted(all, heads[i]) {
			value, sent, wrong := p.fromFields(all, heads[i])
			r.add(values, p, value, sent, wrong)
		}
	}
}

// isOmitted reports whether the only field of a parameter is empty, as allowEmptyValue permits: it counts as omitted.
func (p *param) isOmitted(all []field, head int) bool {
	return p.allowEmpty && head != noField && all[head].next == noField && all[head].name == p.name &&
		all[head].value == "" && !(p.shape.has(schema.String) && p.shape.holds(""))
}

// fromFields reads p from its fields; head is the first. It returns false if none.
func (p *param) fromFields(all []field, head int) (any, bool, *fault) {
	if head == noField {
		if p.spread {
			return p.spreadObject(all)
		}
		return nil, false, nil
	}
	count := 0
	bracketed := false
	for j := head; j != noField; j = all[j].next {
		count++
		bracketed = bracketed || len(all[j].name) > len(p.name)
	}
	if value, ok := p.asJSON(all[head].value); ok && count == 1 {
		return value, true, nil
	}
	var value any
	var wrong *fault
	switch {
	case bracketed:
		value, wrong = p.deep(all, head)
	case p.style == form && p.explode && p.content == nil:
		value, wrong = p.fromExploded(all, head, count)
	case count > 1 && p.in != exchange.InCookie:
		wrong = repeatedFault()
	case p.style == deepObject && p.shape.kinds() == schema.Object:
		wrong = malformed("style deepObject is written %s", p.name+"[property]=value")
	case p.style == deepObject:
		value, wrong = p.textScalar(all[head].value)
	default:
		value, wrong = p.text(all[head].value)
	}
	return value, true, wrong
}

// fromExploded reads a parameter of style form: a list is a field for each element. If the value cannot be a list,
// the first of several cookies counts, because it has the longer path (RFC 6265 section 5.4).
func (p *param) fromExploded(all []field, head, count int) (any, *fault) {
	anyType, lists := p.shape.kinds() == schema.AnyType, p.shape.names(schema.Array)
	switch scalars := p.shape.has(schema.Null | schema.Boolean | schema.Number | schema.String); {
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

// fromRepeated reads an array from count fields, one for each element.
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

func (p *param) spreadObject(all []field) (any, bool, *fault) {
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
			return nil, true, wrong
		}
		property := p.shape.property(name)
		before, again := object[name]
		if again && !property.names(schema.Array) {
			return nil, true, &fault{code: CodeRepeatedParameter, message: quote("property %s is given more than once", name)}
		}
		object[name] = property.withText(before, again, text)
	}
	return object, object != nil, nil
}

// cookies reads the pairs of every Cookie field (RFC 6265 section 4.2).
func (f *fields) cookies(dst []field, h exchange.Header) ([]field, *fault) {
	var first *fault
	for i := range h {
		if !strings.EqualFold(h[i].Name, "Cookie") {
			continue
		}
		var wrong *fault
		if dst, wrong = f.parse(dst, h[i].Value, ';', raw); wrong != nil && first == nil {
			first = wrong
		}
	}
	// Names are percent-encoded, except in style cookie.
	encoded := !slices.ContainsFunc(f.params, func(p *param) bool { return p.escape == raw })
	joined := false
	for i := range dst {
		c := &dst[i]
		if n := len(c.value); n >= 2 && c.value[0] == '"' && c.value[n-1] == '"' { // RFC 6265 section 4.1.1
			c.value = c.value[1 : n-1]
		}
		if c.owner == noField && encoded && strings.IndexByte(c.name, '%') >= 0 {
			if name, wrong := percent.decode(c.name); wrong == nil {
				c.name, c.owner = name, f.owner(name)
			}
		}
		joined = joined || f.joined(c) > 0
	}
	if joined {
		dst = f.split(dst)
	}
	return dst, first
}

// split cuts cookies that contain several elements or properties.
func (f *fields) split(cookies []field) []field {
	all := make([]field, 0, 2*len(cookies))
	for _, c := range cookies {
		at := f.joined(&c)
		for ; at > 0 && len(all) < maxValues; at = f.joined(&c) {
			name, value, _ := strings.Cut(c.value[at+1:], "=")
			c.value = c.value[:at]
			all = append(all, c)
			c = field{name, value, f.owner(name), noField}
		}
		all = append(all, c)
	}
	return all
}

// joined returns the index of an "&" in a cookie's value that begins the next element or property, as RFC 6570 writes
// an exploded style form; browsers send several cookies instead. It returns 0 if none.
func (f *fields) joined(c *field) int {
	at := strings.IndexByte(c.value, '&')
	if at < 0 {
		return 0
	}
	name, _, ok := strings.Cut(c.value[at+1:], "=")
	if !ok {
		return 0
	}
	continues := false
	if c.owner != noField {
		p := f.params[c.owner]
		continues = name == p.name && p.explode && p.escape != raw && p.content == nil
	} else {
		next := &field{name: name, owner: f.owner(name)}
		continues = slices.ContainsFunc(f.params, func(p *param) bool {
			return p.escape != raw && p.hasProperty(c) && p.hasProperty(next)
		})
	}
	if continues {
		return at
	}
	return 0
}
