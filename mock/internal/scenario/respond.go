package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Response is what a rule answers to one operation.
type Response struct {
	Answer                     // what is the same for every request; Content-Type is the first field, if known
	Documented *spec.Response  // for the status; nil where the document has none
	MediaType  *spec.MediaType // of the body; nil where none is given, or an undocumented one
	dynamic    []headerField   // in place of the fields behind Content-Type; nil where none is a template
	retryAfter retryAfter      // writes the Retry-After that may be added; nil for none
	body       *template       // nil where bytes are constant
	json       bool            // the body is written as JSON
	encoder    *decode.Encoder // of other media types that hold arrays and objects; nil for text
}

// Answer is the response that a rule makes for one request.
type Answer struct {
	Status  int
	Header  exchange.Header // with Content-Type where there is a body; shared between requests, not to be changed
	HasBody bool            // false: the mock makes the body for the status
	Body    []byte          // shared between requests, not to be changed
	Value   any             // of the body, as jsontext.Decode would give it; not to be changed either
	Checked bool            // the body was validated when the file was read, or may violate the document
}

// Answer makes the response for the request of the hit, with Retry-After where
// the rule's limit is exceeded. The rule must have a Response; request may be nil
// where Rules.Read is false. A constant answer is made without allocating. The
// error is an expression that failed on this request, with its place in the file.
func (h *Hit) Answer(request *Request) (Answer, error) {
	resp := h.Response
	a := resp.Answer
	a.Checked = a.HasBody && (resp.body == nil || h.Violates)
	a.Header = slices.Clip(a.Header) // so that appending copies
	for _, f := range resp.dynamic {
		text, err := f.render(request)
		if err != nil {
			return Answer{}, err
		}
		a.Header = append(a.Header, exchange.Field{Name: f.name, Value: text})
	}
	if resp.body != nil {
		value, err := resp.body.value(request)
		if err != nil {
			return Answer{}, err
		}
		body, contentType, err := resp.encode(value)
		if err != nil {
			return Answer{}, fmt.Errorf("%s: the body cannot be written: %w", h.Place, err)
		}
		if contentType != a.Header[0].Value {
			a.Header = slices.Clone(a.Header)
			a.Header[0].Value = contentType
		}
		a.Value, a.Body = value, body
	}
	if h.wait > 0 && resp.retryAfter != nil {
		a.Header = append(a.Header, exchange.Field{Name: "Retry-After", Value: resp.retryAfter(h.wait, h.until)})
	}
	return a, nil
}

// render gives the value of a field; no request can put a line break into it.
func (h *headerField) render(r *Request) (string, error) {
	if h.value.isConstant() {
		return h.text, nil
	}
	v, err := h.value.value(r)
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, string(appendText(nil, v))), err
}
