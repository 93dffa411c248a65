package decode

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// xmlWriter writes values in the form that a schema gives them. What follows the first error is not written.
type xmlWriter struct {
	strings.Builder
	depth int
	err   error
}

func (w *xmlWriter) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// encode writes an XML document, the inverse of decode.
func (form *xmlForm) encode(value any) (string, error) {
	if text, ok := value.(string); ok && (form.shape.kinds == kindAny || form.shape.kinds == kindString) {
		if _, wrong := parseXML([]byte(text), false); wrong == nil {
			return text, nil // it is XML already
		}
	}
	w := &xmlWriter{}
	w.WriteString(xml.Header)
	w.element(form, cmp.Or(form.root, "root"), value)
	return w.String(), w.err
}

func (w *xmlWriter) name(form *xmlForm, name string) string {
	if !isXMLName(name) {
		w.fail("%q is no name in XML", name)
	}
	if form.prefix != "" {
		return form.prefix + ":" + name
	}
	return name
}

func (w *xmlWriter) namespace(form *xmlForm) {
	if form.namespace == "" {
		return
	}
	w.WriteString(" xmlns")
	if form.prefix != "" {
		w.WriteString(":" + form.prefix)
	}
	w.WriteString(`="`)
	w.escape(form.namespace)
	w.WriteByte('"')
}

func (w *xmlWriter) element(form *xmlForm, name string, value any) {
	if w.depth == jsontext.MaxDepth {
		w.fail("nested too deep")
	}
	if w.err != nil {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	tag := w.name(form, name)
	w.WriteString("<" + tag)
	w.namespace(form)
	switch v := value.(type) {
	case nil:
		w.WriteString(` xmlns:xsi="` + schemaInstance + `" xsi:nil="true"/>`)
		return
	case map[string]any:
		w.attributes(form, v)
		w.WriteByte('>')
		w.properties(form, v)
	case []any:
		w.WriteByte('>')
		items := cmp.Or(form.items, freeForm)
		for _, item := range v {
			w.element(items, form.itemName(name), item)
		}
	default:
		w.WriteByte('>')
		w.text(v)
	}
	w.WriteString("</" + tag + ">")
}

var freeForm = &xmlForm{shape: anything}

func (w *xmlWriter) attributes(form *xmlForm, object map[string]any) {
	for _, p := range form.properties {
		value := object[p.name]
		if p.form.node != xmlAttribute || value == nil {
			continue
		}
		name := w.name(p.form, p.element)
		if p.form.prefix != "" && (p.form.prefix != form.prefix || p.form.namespace != form.namespace) {
			w.namespace(p.form)
		}
		w.WriteString(" " + name + `="`)
		w.text(value)
		w.WriteByte('"')
	}
}

func (w *xmlWriter) properties(form *xmlForm, object map[string]any) {
	for _, p := range form.properties {
		if value, ok := object[p.name]; ok && p.form.node != xmlAttribute {
			w.property(p, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch {
		case slices.ContainsFunc(form.properties, func(p *xmlProperty) bool { return p.name == name }):
		case slices.ContainsFunc(form.properties, func(p *xmlProperty) bool {
			return p.form.node != xmlText && p.form.node != xmlAttribute && p.element == name
		}):
			w.fail("property %q has the name of another property's element", name)
		case name == freeText:
			w.text(object[name])
		default:
			for _, value := range listed(object[name]) {
				w.element(freeForm, name, value)
			}
		}
	}
}

func (w *xmlWriter) property(p *xmlProperty, value any) {
	list, isList := value.([]any)
	switch {
	case p.form.node == xmlText:
		w.text(value)
	case !isList || p.form.isList() && !p.isBare:
		w.element(p.form, p.form.elementName(p.name), value)
	default:
		for _, item := range list {
			w.element(p.of, p.element, item)
		}
	}
}

func (w *xmlWriter) text(value any) {
	if value == nil {
		return
	}
	text, err := scalarText(value)
	if err != nil {
		w.fail("a list or an object cannot be text or an attribute")
	}
	for _, r := range text {
		if !xmlCharacter(r) {
			w.fail("character %U cannot stand in XML", r)
		}
	}
	w.escape(text)
}

// escape writes text with a carriage return as a reference, lest reading turn
// it into a line feed (XML 1.0 section 2.11).
func (w *xmlWriter) escape(text string) {
	_ = xml.EscapeText(w, []byte(text)) // a strings.Builder does not fail
}

// xmlCharacter reports whether r may stand in XML (XML 1.0 section 2.2).
func xmlCharacter(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || ' ' <= r && r <= 0xd7ff || 0xe000 <= r && r <= 0xfffd ||
		0x10000 <= r && r <= utf8.MaxRune
}

// isXMLName accepts the names that need no thought: letters, digits, "_", "-"
// and ".", and letters beyond ASCII (XML 1.0 section 2.3).
func isXMLName(name string) bool {
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' ||
			0xc0 <= r && r <= 0x2ff && r != 0xd7 && r != 0xf7 || 0x370 <= r && r <= 0x1fff && r != 0x37e
		if !letter && (i == 0 || !slices.Contains([]rune("-.0123456789"), r)) {
			return false
		}
	}
	return name != ""
}
