package decode

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// xmlWriter writes values in the form that a schema gives them.
type xmlWriter struct {
	strings.Builder
	depth int
}

// encode writes an XML document, the inverse of decode.
func (form *xmlForm) encode(value any) ([]byte, error) {
	if text, ok := value.(string); ok && (form.shape.kinds == kindAny || form.shape.kinds == kindString) {
		if _, wrong := parseXML([]byte(text), false); wrong == nil {
			return []byte(text), nil // it is XML already
		}
	}
	w := &xmlWriter{}
	w.WriteString(xml.Header)
	name := cmp.Or(form.root, "root")
	var err error
	if list, ok := value.([]any); ok && form.items != nil {
		err = w.element(form, name, list)
	} else {
		err = w.element(form, name, value)
	}
	return []byte(w.String()), err
}

// open writes a start tag up to its attributes.
func (w *xmlWriter) open(form *xmlForm, name string) (string, error) {
	if w.depth++; w.depth > jsontext.MaxDepth {
		return "", errors.New("nested too deep")
	}
	if !isXMLName(name) {
		return "", fmt.Errorf("%q is no name in XML", name)
	}
	if form.prefix != "" {
		name = form.prefix + ":" + name
	}
	w.WriteString("<" + name)
	if form.namespace != "" {
		w.namespace(form)
	}
	return name, nil
}

func (w *xmlWriter) namespace(form *xmlForm) {
	w.WriteString(" xmlns")
	if form.prefix != "" {
		w.WriteString(":" + form.prefix)
	}
	w.WriteString(`="`)
	w.escape(form.namespace)
	w.WriteByte('"')
}

func (w *xmlWriter) close(name string) {
	w.depth--
	w.WriteString("</" + name + ">")
}

func (w *xmlWriter) element(form *xmlForm, name string, value any) error {
	tag, err := w.open(form, name)
	if err != nil {
		return err
	}
	switch v := value.(type) {
	case nil:
		w.depth--
		w.WriteString(` xmlns:xsi="` + schemaInstance + `" xsi:nil="true"/>`)
		return nil
	case map[string]any:
		if err := w.attributes(form, v); err != nil {
			return err
		}
		w.WriteByte('>')
		if err := w.properties(form, v); err != nil {
			return err
		}
	case []any:
		w.WriteByte('>')
		items := form.items
		if items == nil {
			items = &xmlForm{shape: anything}
		}
		for _, item := range v {
			if err := w.element(items, form.itemName(name), item); err != nil {
				return err
			}
		}
	default:
		w.WriteByte('>')
		if err := w.text(v); err != nil {
			return err
		}
	}
	w.close(tag)
	return nil
}

func (w *xmlWriter) attributes(form *xmlForm, object map[string]any) error {
	for i := range form.properties {
		p := &form.properties[i]
		value, ok := object[p.name]
		if !ok || p.form.node != xmlAttribute || value == nil {
			continue
		}
		name := p.form.elementName(p.name)
		if !isXMLName(name) {
			return fmt.Errorf("%q is no name in XML", name)
		}
		if p.form.prefix != "" {
			name = p.form.prefix + ":" + name
			if p.form.namespace != "" && (p.form.prefix != form.prefix || p.form.namespace != form.namespace) {
				w.namespace(p.form)
			}
		}
		w.WriteString(" " + name + `="`)
		if err := w.text(value); err != nil {
			return err
		}
		w.WriteByte('"')
	}
	return nil
}

func (w *xmlWriter) properties(form *xmlForm, object map[string]any) error {
	for i := range form.properties {
		p := &form.properties[i]
		value, ok := object[p.name]
		if !ok || p.form.node == xmlAttribute {
			continue
		}
		if err := w.property(p, value); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, known := form.byName[name]; known {
			continue
		}
		if form.claims(name) {
			return fmt.Errorf("property %q has the name of another property's element", name)
		}
		if name == freeText {
			if err := w.text(object[name]); err != nil {
				return err
			}
			continue
		}
		values := []any{object[name]}
		if list, ok := object[name].([]any); ok {
			values = list
		}
		for _, value := range values {
			if err := w.element(&xmlForm{shape: anything}, name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// claims reports whether an element of the name would be read as a property.
func (form *xmlForm) claims(name string) bool {
	for i := range form.properties {
		p := &form.properties[i]
		switch {
		case p.form.node == xmlText || p.form.node == xmlAttribute:
		case p.form.isList() && p.form.node == xmlNone:
			if p.form.itemName(p.name) == name {
				return true
			}
		case p.form.elementName(p.name) == name:
			return true
		}
	}
	return false
}

func (w *xmlWriter) property(p *xmlProperty, value any) error {
	if p.form.node == xmlText {
		return w.text(value)
	}
	list, ok := value.([]any)
	if !ok || p.form.isList() && p.form.node != xmlNone {
		return w.element(p.form, p.form.elementName(p.name), value)
	}
	items, name := p.form, p.form.elementName(p.name)
	if p.form.isList() {
		items, name = p.form.items, p.form.itemName(p.name)
	}
	for _, item := range list {
		if err := w.element(items, name, item); err != nil {
			return err
		}
	}
	return nil
}

func (w *xmlWriter) text(value any) error {
	if value == nil {
		return nil
	}
	text, err := scalarText(value)
	if err != nil {
		return errors.New("a list or an object cannot be text or an attribute")
	}
	for _, r := range text {
		if !xmlCharacter(r) {
			return fmt.Errorf("character %U cannot stand in XML", r)
		}
	}
	w.escape(text)
	return nil
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
