package scenario

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formula"
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
	patch      *template       // of the body that the mock makes; nil for none
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
	Patch   *any            // a merge patch (RFC 7396) of the body that the mock makes; nil for none
	Checked bool            // the body was validated when the file was read, or may violate the document
}

// Answer makes the response for the request of the hit, with Retry-After where the rule's limit is exceeded.
// The rule must have a Response; request may be nil if no rule reads it. A constant answer is made without
// allocating. The error is an expression that failed on this request, with its place in the file.
func (h *Hit) Answer(request *Request) (Answer, error) {
	resp := h.Response
	if request != nil {
		request.environment(0)["rule"] = map[string]any{"applied": int(h.applied)}
	}
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
	if resp.patch != nil {
		patch, err := resp.patch.value(request)
		if err != nil {
			return Answer{}, err
		}
		a.Patch = &patch
	}
	if h.wait > 0 && resp.retryAfter != nil {
		a.Header = append(a.Header, exchange.Field{Name: "Retry-After", Value: resp.retryAfter(h.wait, h.until)})
	}
	return a, nil
}

// render returns the value of a field; no request can put a line break into it.
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
	}, string(formula.AppendText(nil, v))), err
}

// Request is what expressions see of a request. Its values are as jsontext.Decode gives them. It serves one
// request and is not safe for concurrent use.
type Request struct {
	Method string
	Path   string          // as sent, without the query
	Params map[string]any  // path parameters, decoded
	Query  map[string]any  // parameters of the query, decoded; an undeclared one is a string, several of a name a list
	Header exchange.Header // as sent
	Body   any             // JSON values, or a string for text; nil for none and for what cannot be read
	// Allowance is what the expressions on several requests may take together, in steps. Default: each has maxSteps.
	Allowance *int
	// Session is the name of the session, and Kept what it keeps.
	Session string
	Kept    Kept
	// Work is what answering the request may take: no expression is evaluated once it is over.
	Work *exchange.Work

	seen  map[string]any // the part of it that expressions have asked for, as they compute with it
	has   fields
	left  int              // steps that the expression at hand may still take
	state *State           // of the rule that is tried, set by Match; nil outside of rules
	at    time.Time        // what now() gives; zero until it is asked for
	lists map[string][]any // of items, by the path that the expression has
}

// fields is a set of what an expression reads: a bit for each of fieldNames, and for item.
type fields uint8

const (
	readItem  = fields(1 << 6)
	allFields = readItem<<1 - 1
)

var fieldNames = []string{"method", "path", "params", "query", "headers", "body"}

func (r *Request) field(name string) any {
	switch name {
	case "method":
		return r.Method
	case "path":
		return r.Path
	case "params":
		return formula.Native(r.Params)
	case "query":
		return formula.Native(r.Query)
	case "headers":
		return r.Header.Joined()
	}
	return formula.Native(r.Body)
}

// environment returns the variables of an expression that reads the fields given, and the steps that it may
// take. A body is converted once, and only if an expression reads it.
func (r *Request) environment(read fields) map[string]any {
	if r.seen == nil {
		r.seen = map[string]any{"request": make(map[string]any, len(fieldNames)), budget: &r.left}
		if r.state != nil {
			r.seeLive()
		}
	}
	if r.left = maxSteps; r.Allowance != nil {
		r.left = min(r.left, *r.Allowance)
	}
	if missing := read &^ r.has; missing != 0 {
		r.has |= missing
		if missing&readItem != 0 {
			r.seen[itemName] = r.item()
		}
		inner := r.seen["request"].(map[string]any)
		for i, name := range fieldNames {
			if missing&(1<<i) != 0 {
				inner[name] = r.field(name)
			}
		}
	}
	return r.seen
}
