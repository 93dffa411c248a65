package decode

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
)

// style is a row of the table of styles (OpenAPI 3.2 section 4.12.3, "Style Values"). To add a style, add a row here
// and a data case in testdata.
type style struct {
	name  string
	in    []string // the places where it is allowed
	lead  string   // prefix of the value: "." or ";"
	named bool     // the prefix includes the parameter's name and "="
	plain string   // separates values, as written
	// fromExploded separates values with explode. It is "" if explode is not defined for the style; the parameter is
	// then read as form.
	fromExploded string
	// separators are other accepted forms of the plain delimiter, for styles whose delimiter must be encoded in a
	// URL, as in the specification's examples.
	separators []string
	// repeats is set if each exploded value has the parameter's name: a=1&a=2, ;a=1;a=2.
	repeats bool
}

// delimitedIn are the places of the delimited styles: OpenAPI 3 allows them in queries, Swagger 2.0 has ssv and pipes
// in each place (its section "Parameter Object", collectionFormat).
var delimitedIn = []string{exchange.InQuery, exchange.InPath, exchange.InHeader}

var (
	simple = &style{name: "simple", in: []string{exchange.InPath, exchange.InHeader}, plain: ",", fromExploded: ","}
	label  = &style{name: "label", in: []string{exchange.InPath}, lead: ".", plain: ",", fromExploded: "."}
	matrix = &style{
		name: "matrix", in: []string{exchange.InPath}, lead: ";", named: true, plain: ",", fromExploded: ";", repeats: true,
	}
	form = &style{
		name: "form", in: []string{exchange.InQuery, exchange.InCookie}, named: true, plain: ",", fromExploded: "&", repeats: true,
	}
	spaceDelimited = &style{
		name: "spaceDelimited", in: delimitedIn, named: true, plain: "%20", separators: []string{" ", "+", "%20"},
	}
	pipeDelimited = &style{
		name: "pipeDelimited", in: delimitedIn, named: true, plain: "%7C", separators: []string{"|", "%7C", "%7c"},
	}
	deepObject = &style{name: "deepObject", in: []string{exchange.InQuery}, named: true, plain: "&", fromExploded: "&"}

	styles = []*style{simple, label, matrix, form, spaceDelimited, pipeDelimited, deepObject}
)

// styleNamed returns the style with a name for a place, otherwise the default of the place (OpenAPI 3.2 section
// 4.12.2.2) or of a form's property. Exploded delimited styles are not defined; they are read as form.
func styleNamed(name, in string, explode bool) (*style, bool) {
	s := simple
	if in == exchange.InQuery || in == exchange.InCookie {
		s = form
	}
	if i := slices.IndexFunc(styles, func(s *style) bool { return s.name == name && slices.Contains(s.in, in) }); i >= 0 {
		s = styles[i]
	}
	switch {
	case s == deepObject:
		explode = true
	case explode && s.fromExploded == "" && in == exchange.InQuery:
		s = form
	}
	return s, explode
}

// delimiter returns the separator of written values.
func (p *param) delimiter() string {
	switch {
	case p.style.separators != nil && p.in == exchange.InHeader:
		return p.style.separators[0]
	case !p.explode || p.style.fromExploded == "":
		return p.style.plain
	case p.style == form && p.in == exchange.InCookie:
		return "; "
	}
	return p.style.fromExploded
}

// cutter returns text with a single delimiter between its values, and that delimiter. A percent-encoded delimiter is
// part of a value, except in styles with separators.
func (p *param) cutter(text string) (rest, delimiter string) {
	if separators := p.style.separators; separators != nil {
		for _, s := range separators[1:] {
			text = strings.ReplaceAll(text, s, separators[0])
		}
		return text, separators[0]
	}
	if p.explode && p.style.lead != "" {
		return text, p.style.fromExploded
	}
	return text, ","
}

// delimited reports whether text contains a separator of values.
func (p *param) delimited(text string) bool {
	text, delimiter := p.cutter(text)
	last := strings.LastIndex(text, delimiter)
	return last > 0 || last == 0 && delimiter != p.style.lead
}

func (p *param) sentName() string { return p.escape.encode(p.name, false, "") }

// prefix adds the style's prefix to a value.
func (p *param) prefix(text string) string {
	switch {
	case !p.style.named, p.style.separators != nil && (p.in == exchange.InPath || p.in == exchange.InHeader):
		return p.style.lead + text
	case text == "" && p.style.lead != "":
		return p.style.lead + p.sentName()
	}
	return p.style.lead + p.sentName() + "=" + text
}

// strip removes the style's prefix: "." of label, ";name=" of matrix. With several values, each has the name.
func (p *param) strip(text string, several bool) (string, *fault) {
	rest, ok := strings.CutPrefix(text, p.style.lead)
	switch {
	case !ok:
		return "", malformed("style "+p.style.name+" starts with \""+p.style.lead+"\", got %s", text)
	case p.style == matrix && !several:
		return p.stripName(rest)
	}
	return rest, nil
}

// stripName removes "name="; the name alone means an empty value.
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

// text reads a parameter that is one piece of text: every style except an exploded form and deepObject.
func (p *param) text(text string) (any, *fault) {
	if p.content != nil {
		return p.serialized(text)
	}
	if value, ok := p.asJSON(text); ok {
		return value, nil
	}
	allowed := p.shape.kinds()
	switch {
	case !p.shape.names(schema.Array | schema.Object):
		return p.textScalar(text)
	case allowed == schema.Array:
		return p.textArray(text)
	case allowed == schema.Object:
		return p.textObject(text)
	}
	// With several possible types, the first reading that the schema accepts wins; else the first well-formed one.
	readings := [...]struct {
		types schema.Type
		read  func(string) (any, *fault)
	}{
		{schema.Array, p.textArray}, {schema.Object, p.textObject}, {schema.Scalar, p.textScalar},
	}
	if !p.delimited(text) {
		readings[0], readings[2] = readings[2], readings[0]
	}
	var first any
	var firstFault *fault
	found := false
	for _, reading := range readings {
		if !allowed.Has(reading.types) {
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
	text, f := p.strip(text, false)
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
	named := p.style == matrix && p.explode && strings.Contains(text, "=")
	pieces, f := p.pieces(text, named)
	if f != nil {
		return nil, f
	}
	for i, piece := range pieces {
		if named {
			if piece, f = p.stripName(piece); f != nil {
				return nil, f
			}
		}
		if pieces[i], f = p.escape.decode(piece); f != nil {
			return nil, f
		}
	}
	return p.shape.elements(pieces), nil
}

func (p *param) textObject(text string) (any, *fault) {
	pieces, f := p.pieces(text, p.explode)
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

// pieces cuts a value at the delimiter of its style. named says that the pieces have names.
func (p *param) pieces(text string, named bool) ([]string, *fault) {
	text, f := p.strip(text, named)
	if f != nil || text == "" {
		return nil, f
	}
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
