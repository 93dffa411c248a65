package decode

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// maxElements bounds the elements and attributes of an XML document.
const maxElements = 100_000

// element is one XML element as it was read.
type element struct {
	name     xml.Name
	attrs    []xml.Attr // those that are data: no namespace declarations, none of XML's own vocabularies
	isNil    bool       // xsi:nil
	children []*element
	text     string
	chunks   []byte // text while it is being read
}

// isText reports whether the element has nothing but text.
func (e *element) isText() bool { return len(e.children) == 0 && len(e.attrs) == 0 }

// parseXML reads a document into its root. utf8Only says that the field
// Content-Type has named the encoding, which has been undone (RFC 7303 section 3.2).
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
	open := []*element{document} // those that have not ended, the innermost last
	count := 0                   // of elements and attributes
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
			case len(e.children) == 0 || !isSpace: // space between children is no text
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
		case a.Name.Local == "xmlns", a.Name.Space == "xmlns", a.Name.Space == "http://www.w3.org/XML/1998/namespace":
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
