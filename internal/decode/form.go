package decode

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// formDecoder decodes and encodes urlencoded and multipart bodies. Their fields or parts are the properties of an
// object.
type formDecoder struct {
	media  *spec.MediaType
	shape  shape
	fields fields
	parts  map[string]*part
}

func newForm(media *spec.MediaType, s shape) *formDecoder {
	d := &formDecoder{media: media, shape: s, parts: make(map[string]*part, len(s.Names()))}
	params := make([]*param, len(s.Names()))
	for i, name := range s.Names() {
		params[i] = bindProperty(name, s.property(name), media)
		d.parts[name] = newPart(params[i], media)
	}
	d.fields = newFields(params)
	return d
}

// bindProperty returns the parameter for a property. If the document sets no style, a list is repeated fields, and an
// object is JSON (OpenAPI 3.1 section 4.8.15.1.1) or, as most clients send it, fields with brackets.
func bindProperty(name string, s shape, media *spec.MediaType) *param {
	p := &param{
		name: name, in: exchange.InBody, pointer: "/" + exchange.EscapePointer(name), place: media.Place,
		style: form, explode: true, escape: plus, shape: s,
	}
	e := media.Encoding[name]
	if e == nil || e.Style == "" && e.ContentType == "" {
		p.brackets, p.unstyled = s.names(schema.Object|schema.Array), true
		return p
	}
	p.reserved = e.AllowReserved
	if e.Style != "" {
		p.style, p.explode = styleNamed(e.Style, exchange.InQuery, e.Explode)
		p.spread = p.spreads()
	} else if m, ok := parseMediaType(e.ContentType); ok && (m.isJSON() || m.isXML()) && !s.has(schema.Array) {
		p.content = &spec.MediaType{Range: e.ContentType, Type: m.kind, Subtype: m.subtype}
	}
	return p
}

// decode reads application/x-www-form-urlencoded.
func (d *formDecoder) decode(text string) (any, []*fault) {
	if !d.shape.has(schema.Object) {
		return text, nil
	}
	all, wrong := d.fields.parse(nil, text, '&', plus)
	if wrong != nil {
		return nil, []*fault{wrong}
	}
	object := make(map[string]any, len(d.shape.Names()))
	var r reader
	r.fields(object, &d.fields, all, nil, exchange.InBody)
	var faults []*fault
	for _, f := range r.findings {
		faults = append(faults, &fault{f.Code, f.Pointer, f.Message})
	}
	for i := range all {
		f := &all[i]
		if d.fields.has(f) {
			continue
		}
		value, wrong := plus.decode(f.value)
		if wrong != nil {
			wrong.pointer = "/" + exchange.EscapePointer(f.name)
			faults = append(faults, wrong)
			continue
		}
		before, again := object[f.name]
		object[f.name] = d.shape.additional().withText(before, again, value)
	}
	if faults != nil {
		return nil, faults
	}
	return object, nil
}

// encode writes application/x-www-form-urlencoded.
func (d *formDecoder) encode(value any) (string, error) {
	object, ok := value.(map[string]any)
	if !ok {
		if text, ok := value.(string); ok {
			return text, nil
		}
		return "", errors.New("a form is an object")
	}
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var p *param
		if known := d.parts[name]; known != nil {
			p = known.param
		} else {
			p = bindProperty(name, d.shape.additional(), d.media)
		}
		text, err := p.encodeProperty(object[name])
		if errors.Is(err, ErrOmitted) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("property %q: %w", name, err)
		}
		pairs = append(pairs, text)
	}
	return strings.Join(pairs, "&"), nil
}

// encodeProperty writes one property; without a style, objects are JSON.
func (p *param) encodeProperty(value any) (string, error) {
	if !p.unstyled {
		return p.encode(value)
	}
	list := listed(value)
	if len(list) == 0 {
		return "", ErrOmitted
	}
	pairs := make([]string, len(list))
	for i, element := range list {
		text, err := nestedText(element)
		if err != nil {
			return "", err
		}
		pairs[i] = p.sentName() + "=" + p.escape.encode(text, false, "")
	}
	return strings.Join(pairs, "&"), nil
}
