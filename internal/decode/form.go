package decode

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// formDecoder decodes and encodes urlencoded and multipart bodies. Their fields or parts are the properties of an
// object, or the elements of a list by their indices.
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
	if d.shape.names(schema.Array) && !d.shape.has(schema.Object) {
		return d.decodeList(text)
	}
	if !d.shape.has(schema.Object) {
		return text, nil
	}
	all, wrong := d.fields.parse(nil, text, '&', plus)
	if wrong != nil {
		return nil, []*fault{wrong}
	}
	object, faults := d.fields.object(all)
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

// object returns the values of the fields of a form by their names.
func (f *fields) object(all []field) (map[string]any, []*fault) {
	object := make(map[string]any, len(f.params))
	var r reader
	r.fields(object, f, all, nil, exchange.InBody)
	var faults []*fault
	for _, finding := range r.findings {
		faults = append(faults, &fault{finding.Code, finding.Pointer, finding.Message})
	}
	return object, faults
}

// decodeList reads a form whose fields are the elements of a list: 0=a&1=b. Other text is no list.
func (d *formDecoder) decodeList(text string) (any, []*fault) {
	var elements fields
	all, wrong := elements.parse(nil, text, '&', plus)
	if wrong != nil {
		return nil, []*fault{wrong}
	}
	indices := map[string]bool{}
	for i := range all {
		index, _, _ := strings.Cut(all[i].name, "[")
		indices[index] = true
	}
	params := make([]*param, len(indices))
	for i := range params {
		params[i] = d.element(i)
	}
	elements = newFields(params)
	for i := range all {
		all[i].owner = elements.owner(all[i].name)
	}
	object, faults := elements.object(all)
	if faults != nil {
		return nil, faults
	}
	list := make([]any, len(params))
	for i, p := range params {
		value, has := object[p.name]
		if !has {
			return text, nil
		}
		list[i] = value
	}
	return list, nil
}

// element returns the parameter for an element of a list. No specification defines a form for a list; browser libraries
// and PHP write an object whose property names are the indices.
func (d *formDecoder) element(i int) *param {
	return bindProperty(strconv.Itoa(i), d.shape.items(), d.media)
}

// encode writes application/x-www-form-urlencoded.
func (d *formDecoder) encode(value any) (string, error) {
	var pairs []string
	list, isList := value.([]any)
	for i, element := range list {
		text, err := nestedText(element)
		if err != nil {
			return "", fmt.Errorf("element %d: %w", i, err)
		}
		pairs = append(pairs, strconv.Itoa(i)+"="+plus.encode(text, false, ""))
	}
	object, isObject := value.(map[string]any)
	if !isObject && !isList {
		return scalarText(value)
	}
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
