package decode

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
)

// freeText is the property for text beside child elements if the schema has none. It is not a valid XML name, so it
// cannot collide.
const freeText = "$text"

const schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

// decode reads an XML document into the values that the schema describes.
func (form *xmlForm) decode(sent *mediaType, body []byte) (any, *fault) {
	isDecoded := sent.param("charset") != ""
	if isDecoded {
		text, wrong := sent.text(body, "")
		if wrong != nil {
			return nil, wrong
		}
		body = []byte(text)
	}
	root, wrong := parseXML(body, isDecoded)
	if wrong != nil {
		return nil, wrong
	}
	s := form.shape
	switch {
	case s.kinds() == schema.String && root.isText(): // the text of the root element, or a document as text
		return root.text, nil
	case s.kinds() == schema.String:
		return string(body), nil
	case form.isList():
		return form.list(root.children), nil
	case form.name != "" && s != anything && !form.is(root.name, xmlName(form.name)):
		return nil, &fault{code: CodeXML, message: quote("root element is %s, want %s", root.name.Local, form.name)}
	}
	return form.value(root), nil
}

func (form *xmlForm) isList() bool {
	return form.items != nil && form.shape.kinds()&^schema.Null == schema.Array
}

// is reports whether an element or attribute is the one of this form. Any namespace matches if the document names
// none, and no namespace matches if it does; a prefix in the name requires a namespace.
func (form *xmlForm) is(name xml.Name, local string) bool {
	prefix, after, qualified := strings.Cut(local, ":")
	unknown, isUnknown := strings.CutPrefix(name.Space, unknownSpace)
	switch {
	case qualified && (name.Space == "" || isUnknown && unknown != prefix):
		return false
	case qualified:
		local = after
	case isUnknown:
		return false
	}
	return name.Local == local && (form.namespace == "" || name.Space == "" || name.Space == form.namespace)
}

func (form *xmlForm) value(e *element) any {
	s := form.shape
	switch {
	case e.isNil:
		return nil
	case s.kinds() == schema.AnyType || s == anything:
		return e.free()
	case s.has(schema.Object) && !(e.isText() && s.has(schema.Null|schema.Boolean|schema.Number|schema.String)):
		if e.isText() && len(form.properties) == 0 && strings.TrimSpace(e.text) != "" {
			return e.text
		}
		return form.object(e)
	case form.isList():
		return form.list(e.children)
	case len(e.children) > 0:
		return e.free()
	case s.has(schema.Number | schema.Boolean):
		return s.scalar(strings.TrimSpace(e.text))
	}
	return s.scalar(e.text)
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
	children, attrs := slices.Clone(e.children), slices.Concat(e.attrs, e.own) // not yet assigned to a property
	for _, p := range form.properties {
		switch p.form.node {
		case xmlText:
			if e.text != "" {
				object[p.name] = p.form.shape.scalar(e.text)
			}
		case xmlAttribute:
			j := slices.IndexFunc(attrs, func(a xml.Attr) bool { return p.form.is(a.Name, p.element) })
			if j >= 0 {
				object[p.name] = p.form.shape.scalar(attrs[j].Value)
				attrs = slices.Delete(attrs, j, j+1)
			}
		default:
			children = p.read(children, object)
		}
	}
	for _, a := range attrs {
		name := plainName(a.Name)
		if _, known := object[name]; !known && a.Name.Space == "" {
			object[name] = form.shape.property(name).scalar(a.Value)
		}
	}
	for _, child := range children {
		child.addTo(object, form.shape)
	}
	return object
}

// read reads a property from its elements, and returns the remaining elements.
func (p *xmlProperty) read(children []*element, object map[string]any) []*element {
	if p.isBare && p.required { // an empty list without a wrapper has no elements
		object[p.name] = []any{}
	}
	return slices.DeleteFunc(children, func(child *element) bool {
		if !p.of.is(child.name, p.element) {
			return false
		}
		value := p.of.value(child)
		before, again := object[p.name]
		switch {
		case again && p.form.isList() && !p.isBare: // too many: make a list, which validation refuses
			object[p.name] = []any{before, value}
		case again:
			object[p.name] = appended(before, value)
		case p.isBare:
			object[p.name] = []any{value}
		default:
			object[p.name] = value
		}
		return true
	})
}

// addTo adds an element that the schema does not list.
func (e *element) addTo(object map[string]any, s shape) {
	name := plainName(e.name)
	value := e.free()
	if text, ok := value.(string); ok {
		value = s.additional().scalar(text)
	}
	if before, again := object[name]; again {
		value = appended(before, value)
	}
	object[name] = value
}

// free reads an element without a schema: text, or an object of its attributes and children.
func (e *element) free() any {
	if e.isText() {
		return e.text
	}
	object := make(map[string]any, len(e.children)+len(e.attrs))
	for _, a := range e.attrs {
		object[plainName(a.Name)] = a.Value
	}
	for _, child := range e.children {
		child.addTo(object, anything)
	}
	if text := strings.TrimSpace(e.text); text != "" {
		object[freeText] = text
	}
	return object
}

// maxElements limits the elements and attributes of an XML document.
const maxElements = 100_000

type element struct {
	name     xml.Name
	attrs    []xml.Attr // attributes with data: no namespace declarations, none of XML's own vocabularies
	own      []xml.Attr // attributes with the prefix xml (xml:lang and others), which are data if a schema names them
	isNil    bool       // xsi:nil
	children []*element
	text     string
	chunks   []byte // the text so far
}

func (e *element) isText() bool { return len(e.children) == 0 && len(e.attrs) == 0 }

// parseXML parses a document and returns its root. utf8Only says that Content-Type declared an encoding, which has
// been decoded already (RFC 7303 section 3.2).
func parseXML(body []byte, utf8Only bool) (*element, *fault) {
	d := xml.NewDecoder(bytes.NewReader(body))
	d.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
		switch strings.ToLower(charset) {
		case "us-ascii", "utf-8", "utf8":
			return input, nil
		case "iso-8859-1", "latin1":
			if utf8Only {
				return input, nil
			}
			return charmap.ISO8859_1.NewDecoder().Reader(input), nil
		}
		return nil, fmt.Errorf("charset %q is not read, want utf-8", charset)
	}
	document := &element{}
	open := []*element{document} // open elements, the innermost last
	count := 0                   // elements and attributes
	for {
		token, err := d.Token()
		if err == io.EOF && len(document.children) > 0 && len(open) == 1 {
			return document.children[0], nil
		}
		if err != nil {
			return nil, xmlFault(d, err)
		}
		e := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			switch count += 1 + len(token.Attr); {
			case e == document && len(document.children) > 0:
				return nil, xmlFault(d, errors.New("data follows the root element"))
			case len(open) > jsontext.MaxDepth:
				return nil, &fault{code: jsontext.CodeDepth, message: fmt.Sprintf("nested more than %d deep", jsontext.MaxDepth)}
			case count > maxElements:
				return nil, &fault{code: CodeTooManyValues, message: "more than 100000 elements and attributes"}
			}
			child := newElement(token)
			e.children = append(e.children, child)
			open = append(open, child)
		case xml.EndElement:
			e.text, e.chunks = string(e.chunks), nil
			open = open[:len(open)-1]
		case xml.CharData:
			isSpace := len(bytes.TrimSpace(token)) == 0
			switch {
			case e == document && !isSpace:
				return nil, xmlFault(d, errors.New("text outside of the root element"))
			case len(e.children) == 0 || !isSpace: // white space between children is not text
				e.chunks = append(e.chunks, token...)
			}
		}
	}
}

func newElement(token xml.StartElement) *element {
	e := &element{name: token.Name}
	for _, a := range token.Attr {
		switch {
		case a.Name.Space == schemaInstance:
			e.isNil = e.isNil || a.Name.Local == "nil" && (a.Value == "true" || a.Value == "1")
		case a.Name.Local == "xmlns", a.Name.Space == "xmlns":
		case a.Name.Space == xmlSpace:
			e.own = append(e.own, a)
		default:
			e.attrs = append(e.attrs, a)
		}
	}
	return e
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
	return &fault{code: CodeXML, message: fmt.Sprintf("%s at line %d, column %d", strings.TrimPrefix(message, "xml: "),
		line, column)}
}
