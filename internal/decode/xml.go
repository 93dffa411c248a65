package decode

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// maxElements bounds the elements and attributes of an XML document.
const maxElements = 100_000

// element is one XML element as it was read.
type element struct {
	name     xml.Name
	attrs    []xml.Attr
	children []*element
	text     string
}

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
	if s.kinds == kindString {
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

func parseXML(body []byte, utf8Only bool) (*element, *fault) {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
		switch strings.ToLower(charset) {
		case "us-ascii", "utf-8", "utf8":
			return input, nil
		case "iso-8859-1", "latin1":
			if utf8Only { // the field Content-Type wins (RFC 7303 section 3.2), and has been obeyed
				return input, nil
			}
			return &latin1{r: input}, nil
		}
		return nil, fmt.Errorf("charset %q is not read, want utf-8", charset)
	}
	var root *element
	var open []*element
	count := 0
	for {
		token, err := d.Token()
		if err == io.EOF && root != nil && len(open) == 0 {
			return root, nil
		}
		if err != nil {
			return nil, xmlFault(d, err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if len(open) == 0 && root != nil {
				return nil, xmlFault(d, errors.New("data follows the root element"))
			}
			if len(open) == jsontext.MaxDepth {
				return nil, &fault{code: jsontext.CodeDepth, message: fmt.Sprintf("nested more than %d deep", jsontext.MaxDepth)}
			}
			if count += 1 + len(t.Attr); count > maxElements {
				return nil, &fault{code: CodeTooManyValues, message: "more than 100000 elements and attributes"}
			}
			e := &element{name: t.Name, attrs: t.Attr}
			if len(open) == 0 {
				root = e
			} else {
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 0 {
				if len(bytes.TrimSpace(t)) > 0 {
					return nil, xmlFault(d, errors.New("text outside of the root element"))
				}
				continue
			}
			e := open[len(open)-1]
			if e.text == "" {
				e.text = string(t)
			} else if len(bytes.TrimSpace(t)) > 0 || len(e.children) == 0 {
				e.text += string(t)
			}
		}
	}
}

func xmlFault(d *xml.Decoder, err error) *fault {
	line, column := d.InputPos()
	message := err.Error()
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &syntax):
		message = syntax.Msg
	case errors.Is(err, io.EOF):
		message = "no element"
	}
	return &fault{code: CodeXML, message: fmt.Sprintf("%s at line %d, column %d", strings.TrimPrefix(message, "xml: "), line, column)}
}

// latin1 turns ISO-8859-1 into UTF-8.
type latin1 struct {
	r    io.Reader
	rest []byte
}

func (l *latin1) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		var b [512]byte
		n, err := l.r.Read(b[:])
		for _, c := range b[:n] {
			l.rest = utf8.AppendRune(l.rest, rune(c))
		}
		if n == 0 {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
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
		if a.Name.Local == "xmlns" || a.Name.Space == "xmlns" || a.Name.Space == schemaInstance || a.Name.Space == "http://www.w3.org/XML/1998/namespace" {
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
			p.form.named(e, taken, object, p)
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

// named reads a property that is an element of its own.
func (form *xmlForm) named(e *element, taken []bool, object map[string]any, p *xmlProperty) {
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
