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
	"github.com/coldframe/coldframe/internal/schema"
)

// xmlWriter writes values in the form of a schema. After the first error it writes nothing.
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
	if text, ok := value.(string); ok && (form.shape.kinds() == schema.AnyType || form.shape.kinds() == schema.String) {
		if _, wrong := parseXML([]byte(text), false); wrong == nil {
			return text, nil // the text is already XML
		}
	}
	w := &xmlWriter{}
	w.WriteString(xml.Header)
	w.element(form, cmp.Or(form.root, "root"), value)
	return w.String(), w.err
}

// tag is the start tag being written. It declares each prefix once.
type tag struct {
	*xmlWriter
	declared []string
}

// name returns the name with its prefix, and a function that declares its namespace if it is new.
func (t *tag) name(form *xmlForm, name string) (string, func()) {
	name = xmlName(name)
	prefix, _, qualified := strings.Cut(name, ":")
	namespace := form.namespace
	switch {
	case !qualified && form.prefix != "":
		prefix, name = form.prefix, form.prefix+":"+name
	case !qualified:
		prefix = ""
	case namespace == "" && prefix != "xml": // xml needs no declaration
		namespace = unknownSpace + prefix
	}
	return name, func() {
		if namespace != "" && !slices.Contains(t.declared, prefix) {
			t.declared = append(t.declared, prefix)
			t.WriteString(" xmlns")
			if prefix != "" {
				t.WriteString(":" + prefix)
			}
			t.WriteString(`="`)
			t.escape(namespace)
			t.WriteByte('"')
		}
	}
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
	t := tag{xmlWriter: w}
	written, declare := t.name(form, name)
	w.WriteString("<" + written)
	declare()
	switch v := value.(type) {
	case nil:
		w.WriteString(` xmlns:xsi="` + schemaInstance + `" xsi:nil="true"/>`)
		return
	case map[string]any:
		t.attributes(form, v)
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
	w.WriteString("</" + written + ">")
}

var freeForm = &xmlForm{shape: anything}

func (t *tag) attributes(form *xmlForm, object map[string]any) {
	for _, p := range form.properties {
		value := object[p.name]
		if p.form.node != xmlAttribute || value == nil {
			continue
		}
		name, declare := t.name(p.form, p.element)
		if strings.Contains(name, ":") {
			declare() // an attribute without a prefix has no namespace
		}
		t.WriteString(" " + name + `="`)
		t.text(value)
		t.WriteByte('"')
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
			return p.form.node != xmlText && p.form.node != xmlAttribute && p.element == xmlName(name)
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

// escape writes text with a carriage return as a reference, because readers would otherwise turn it into a line feed
// (XML 1.0 section 2.11).
func (w *xmlWriter) escape(text string) {
	_ = xml.EscapeText(w, []byte(text)) // a strings.Builder does not fail
}

// xmlCharacter reports whether r may stand in XML (XML 1.0 section 2.2).
func xmlCharacter(r rune) bool {
	return r == '\t' || r == '\n' || r == '\r' || ' ' <= r && r <= 0xd7ff || 0xe000 <= r && r <= 0xfffd ||
		0x10000 <= r && r <= utf8.MaxRune
}
