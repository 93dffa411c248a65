package decode

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// formDecoder decodes urlencoded and multipart bodies, whose fields and parts
// are the properties of an object.
type formDecoder struct {
	media  *spec.MediaType
	shape  *shape
	fields fields
	parts  map[string]*part
}

func newForm(media *spec.MediaType, s *shape) *formDecoder {
	d := &formDecoder{media: media, shape: s, parts: make(map[string]*part, len(s.names))}
	params := make([]*param, len(s.names))
	for i, name := range s.names {
		params[i] = bindProperty(name, s.properties[name], media)
		d.parts[name] = newPart(params[i], media.Encoding[name])
		d.parts[name].file = isFile(media.Schema, params[i].shape)
	}
	d.fields = newFields(params)
	return d
}

// bindProperty makes a parameter of a property. Where the document gives no
// style, a list is repeated fields, and an object is JSON (OpenAPI 3.1 section
// 4.8.15.1.1) or, as most clients send it, fields with brackets.
func bindProperty(name string, s *shape, media *spec.MediaType) *param {
	p := &param{
		name: name, in: exchange.InBody, pointer: "/" + escapeToken(name), place: media.Place,
		style: form, explode: true, escape: plus, shape: s,
	}
	e := media.Encoding[name]
	if e == nil || e.Style == "" && e.ContentType == "" {
		p.brackets, p.unstyled = s.kinds != kindAny && s.kinds.has(kindObject|kindArray), true
		return p
	}
	p.reserved = e.AllowReserved
	if e.Style == "" {
		if m, ok := parseMediaType(e.ContentType); ok && (m.isJSON() || m.isXML()) && !s.kinds.has(kindArray) {
			p.content = &spec.MediaType{Range: e.ContentType, Type: m.kind, Subtype: m.subtype}
		}
		return p
	}
	p.style, p.explode = styleNamed(e.Style, exchange.InQuery, e.Explode)
	p.spread = p.style == form && p.explode && s.kinds != kindAny && s.kinds.has(kindObject)
	return p
}

// decode reads application/x-www-form-urlencoded.
func (d *formDecoder) decode(text string) (any, []*fault) {
	if !d.shape.kinds.has(kindObject) {
		return text, nil
	}
	all, wrong := d.fields.parse(nil, text, '&', plus)
	if wrong != nil {
		return nil, []*fault{wrong}
	}
	object := make(map[string]any, len(d.shape.names))
	var faults []*fault
	for _, f := range d.fields.decode(all, object, nil) {
		faults = append(faults, &fault{f.Code, f.Pointer, f.Message})
	}
	for i := range all {
		f := &all[i]
		if f.owner != noField || slices.ContainsFunc(d.fields.params, func(p *param) bool { return p.hasProperty(f) }) {
			continue
		}
		value, wrong := plus.decode(f.value)
		if wrong != nil {
			wrong.pointer = "/" + escapeToken(f.name)
			faults = append(faults, wrong)
			continue
		}
		addProperty(object, f.name, d.shape.additional, value)
	}
	if faults != nil {
		return nil, faults
	}
	return object, nil
}

// addProperty adds a property that the schema does not name; given again it
// becomes a list.
func addProperty(object map[string]any, name string, s *shape, text string) {
	before, again := object[name]
	switch list, isList := before.([]any); {
	case isList:
		object[name] = append(list, s.item(len(list)).nested(text))
	case again:
		object[name] = []any{before, s.item(1).nested(text)}
	case s.kinds == kindArray:
		object[name] = []any{s.item(0).nested(text)}
	default:
		object[name] = s.nested(text)
	}
}
