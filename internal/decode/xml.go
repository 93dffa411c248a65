package decode

import (
	"encoding/xml"
	"strings"
)

// freeText is the property that text beside children becomes where no schema
// says so. It is no name in XML, so nothing else is called so.
const freeText = "$text"

const schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

// decode reads an XML document into the values that the schema describes.
func (form *xmlForm) decode(sent *mediaType, body []byte) (any, *fault) {
	if sent.param("charset") != "" {
		text, wrong := sent.text(body)
		if wrong != nil {
			return nil, wrong
		}
		body = []byte(text)
	}
	root, wrong := parseXML(body, sent.param("charset") != "")
	if wrong != nil {
		return nil, wrong
	}
	s := form.shape
	if s.kinds == kindString { // the text of the one element, or else a document as a text
		if len(root.children) == 0 && len(form.attributes(root)) == 0 {
			return root.text, nil
		}
		return string(body), nil
	}
	if form.name != "" && s != anything && !form.isList() && !form.is(root.name, form.name) {
		return nil, &fault{code: CodeXML, message: quote("root element is %s, want %s", root.name.Local, form.name)}
	}
	if form.isList() {
		return form.list(root.children), nil
	}
	return form.value(root), nil
}

func (form *xmlForm) isList() bool {
	return form.items != nil && form.shape.kinds&^kindNull == kindArray
}

// is reports whether an element or attribute is the one of this form. Any
// namespace will do where the document names none, and none where it does.
func (form *xmlForm) is(name xml.Name, local string) bool {
	return name.Local == local && (form.namespace == "" || name.Space == "" || name.Space == form.namespace)
}

// value reads one element.
func (form *xmlForm) value(e *element) any {
	s := form.shape
	for _, a := range e.attrs {
		if a.Name.Space == schemaInstance && a.Name.Local == "nil" && (a.Value == "true" || a.Value == "1") {
			return nil
		}
	}
	simple := len(e.children) == 0 && len(form.attributes(e)) == 0
	switch {
	case s.kinds == kindAny || s == anything:
		return e.free()
	case s.kinds.has(kindObject) && !(simple && s.kinds.has(kindNull|kindBoolean|kindNumber|kindString)):
		if simple && len(form.properties) == 0 && strings.TrimSpace(e.text) != "" {
			return e.text
		}
		return form.object(e)
	case form.isList():
		return form.list(e.children)
	case len(e.children) > 0:
		return e.free()
	case s.kinds.has(kindNumber | kindBoolean):
		return s.scalar(strings.TrimSpace(e.text))
	}
	return s.scalar(e.text)
}

// attributes gives those that are data: no namespace declarations, none of
// other vocabularies unless the schema has them.
func (form *xmlForm) attributes(e *element) []xml.Attr {
	var kept []xml.Attr
	for _, a := range e.attrs {
		if a.Name.Local == "xmlns" || a.Name.Space == "xmlns" || a.Name.Space == schemaInstance ||
			a.Name.Space == "http://www.w3.org/XML/1998/namespace" {
			continue
		}
		kept = append(kept, a)
	}
	return kept
}

func (form *xmlForm) list(children []*element) []any {
	list := make([]any, 0, len(children))
	for _, child := range children {
		list = append(list, form.items.value(child))
	}
	return list
}

func (form *xmlForm) object(e *element) map[string]any {
	object := make(map[string]any, len(form.properties))
	taken := make([]bool, len(e.children))
	attrs := form.attributes(e)
	for i := range form.properties {
		p := &form.properties[i]
		switch {
		case p.form.node == xmlText:
			if text := e.text; text != "" {
				object[p.name] = p.form.shape.scalar(text)
			}
		case p.form.node == xmlAttribute:
			for j, a := range attrs {
				if p.form.is(a.Name, p.form.elementName(p.name)) {
					object[p.name] = p.form.shape.scalar(a.Value)
					attrs = append(attrs[:j:j], attrs[j+1:]...)
					break
				}
			}
		case p.form.node == xmlNone && p.form.isList():
			p.form.bare(e, taken, object, p)
		default:
			p.form.fromElement(e, taken, object, p)
		}
	}
	for _, a := range attrs {
		if _, known := object[a.Name.Local]; !known && a.Name.Space == "" {
			object[a.Name.Local] = form.shape.property(a.Name.Local).scalar(a.Value)
		}
	}
	for i, child := range e.children {
		if !taken[i] {
			child.addTo(object, form.shape)
		}
	}
	return object
}

// fromElement reads a property that is an element of its own.
func (form *xmlForm) fromElement(e *element, taken []bool, object map[string]any, p *xmlProperty) {
	for i, child := range e.children {
		if taken[i] || !form.is(child.name, form.elementName(p.name)) {
			continue
		}
		taken[i] = true
		value := form.value(child)
		if before, again := object[p.name]; again { // one too many: a list, for validation to refuse
			if list, ok := before.([]any); ok && !form.isList() {
				object[p.name] = append(list, value)
			} else {
				object[p.name] = []any{before, value}
			}
			continue
		}
		object[p.name] = value
	}
}

// bare reads a list without an element around its own.
func (form *xmlForm) bare(e *element, taken []bool, object map[string]any, p *xmlProperty) {
	var list []any
	for i, child := range e.children {
		if !taken[i] && form.items.is(child.name, form.itemName(p.name)) {
			taken[i] = true
			list = append(list, form.items.value(child))
		}
	}
	if list != nil {
		object[p.name] = list
	} else if p.required { // nothing at all is how an empty list is written
		object[p.name] = []any{}
	}
}

// addTo adds an element that the schema does not name.
func (e *element) addTo(object map[string]any, s *shape) {
	name := e.name.Local
	value := e.free()
	if text, ok := value.(string); ok {
		value = s.additional.scalar(text)
	}
	switch before, again := object[name]; {
	case !again:
		object[name] = value
	default:
		if list, ok := before.([]any); ok {
			object[name] = append(list, value)
		} else {
			object[name] = []any{before, value}
		}
	}
}

// free reads an element that no schema describes: text, or an object of its
// attributes and children.
func (e *element) free() any {
	attrs := (&xmlForm{}).attributes(e)
	if len(e.children) == 0 && len(attrs) == 0 {
		return e.text
	}
	object := make(map[string]any, len(e.children)+len(attrs))
	for _, a := range attrs {
		object[a.Name.Local] = a.Value
	}
	for _, child := range e.children {
		child.addTo(object, anything)
	}
	if text := strings.TrimSpace(e.text); text != "" {
		object[freeText] = text
	}
	return object
}
