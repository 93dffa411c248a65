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
	chunks   []byte // text while it is being read
}

// parseXML reads a document into its root. utf8Only says that the field
// Content-Type has named the encoding, which has been undone.
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
			e := open[len(open)-1]
			e.text, e.chunks = string(e.chunks), nil
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 0 {
				if len(bytes.TrimSpace(t)) > 0 {
					return nil, xmlFault(d, errors.New("text outside of the root element"))
				}
				continue
			}
			e := open[len(open)-1]
			if len(e.children) == 0 || len(bytes.TrimSpace(t)) > 0 { // not the space between children
				e.chunks = append(e.chunks, t...)
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
