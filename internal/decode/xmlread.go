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
	attrs    []xml.Attr
	children []*element
	text     string
	chunks   []byte // text while it is being read
}

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
	t := &xmlTree{}
	for {
		token, err := d.Token()
		if err == io.EOF && t.root != nil && len(t.open) == 0 {
			return t.root, nil
		}
		if err != nil {
			return nil, xmlFault(d, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(t.open) == 0 && t.root != nil {
				return nil, xmlFault(d, errors.New("data follows the root element"))
			}
			if wrong := t.start(token); wrong != nil {
				return nil, wrong
			}
		case xml.EndElement:
			e := t.open[len(t.open)-1]
			e.text, e.chunks = string(e.chunks), nil
			t.open = t.open[:len(t.open)-1]
		case xml.CharData:
			if !t.add(token) {
				return nil, xmlFault(d, errors.New("text outside of the root element"))
			}
		}
	}
}

// xmlTree is a document that is being read.
type xmlTree struct {
	root  *element
	open  []*element // those that have not ended, the innermost last
	count int        // of elements and attributes
}

func (t *xmlTree) start(token xml.StartElement) *fault {
	if len(t.open) == jsontext.MaxDepth {
		return &fault{code: jsontext.CodeDepth, message: fmt.Sprintf("nested more than %d deep", jsontext.MaxDepth)}
	}
	if t.count += 1 + len(token.Attr); t.count > maxElements {
		return &fault{code: CodeTooManyValues, message: "more than 100000 elements and attributes"}
	}
	e := &element{name: token.Name, attrs: token.Attr}
	if len(t.open) == 0 {
		t.root = e
	} else {
		parent := t.open[len(t.open)-1]
		parent.children = append(parent.children, e)
	}
	t.open = append(t.open, e)
	return nil
}

// add adds text, but for the space between children; false where no element is open.
func (t *xmlTree) add(text xml.CharData) bool {
	isSpace := len(bytes.TrimSpace(text)) == 0
	if len(t.open) == 0 {
		return isSpace
	}
	if e := t.open[len(t.open)-1]; len(e.children) == 0 || !isSpace {
		e.chunks = append(e.chunks, text...)
	}
	return true
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
