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

// Response is the response of a rule for one operation.
type Response struct {
	Answer                     // the constant part; Content-Type is the first field, if known
	Documented *spec.Response  // for the status; nil if it is undocumented
	MediaType  *spec.MediaType // of the body; nil if none, or an undocumented one
	dynamic    []headerField   // replaces the fields after Content-Type; nil without templates
	retryAfter retryAfter      // formats the added Retry-After; nil if none
	body       *template       // nil if the bytes are constant
	patch      *template       // for the mock's own body; nil if none
	json       bool            // the body is written as JSON
	encoder    *decode.Encoder // for other media types with arrays and objects; nil for text
}

// Answer is the response that a rule makes for one request.
type Answer struct {
	Status  int
	Header  exchange.Header // includes Content-Type if there is a body; shared between requests, not to be changed
	HasBody bool            // false: the mock generates the body for the status
	Body    []byte          // shared between requests, not to be changed
	Value   any             // the body as jsontext.Decode returns it; not to be changed either
	Patch   *any            // a merge patch (RFC 7396) for the mock's own body; nil if none
	Checked bool            // the body was validated when the file was read, or may violate the document
}

// Answer returns the response for the request of the hit, with Retry-After if the rule's limit is exceeded. The rule
// must have a Response; request may be nil if no rule reads it. A constant response needs no allocation. The error is
// an expression that failed for this request, with its place in the file.
func (h *Hit) Answer(request *Request) (Answer, error) {
	resp := h.Response
	if request != nil {
		request.environment(0)["rule"] = map[string]any{"applied": int(h.applied)}
	}
	a := resp.Answer
	a.Checked = a.HasBody && (resp.body == nil || h.Violates)
	a.Header = slices.Clip(a.Header) // so that append copies
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

// render returns the value of a field; no request can insert a line break.
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

// Request is the request for expressions. Its values are as jsontext.Decode returns them. It is for one request and
// not safe for concurrent use.
type Request struct {
	Method string
	Path   string          // as sent, without the query
	Params map[string]any  // path parameters, decoded
	Query  map[string]any  // decoded query parameters; an undeclared one is a string, a repeated one a list
	Header exchange.Header // as sent
	Body   any             // JSON values, or a string for text; nil if none and for an unreadable one
	// Allowance limits the total steps of expressions for several requests. Default: maxSteps for each.
	Allowance *int
	// Session is the name of the session, and Kept is the access to its items.
	Session string
	Kept    Kept
	// Work limits the work for the request: once it is over, no expression is evaluated.
	Work *exchange.Work

	seen  map[string]any // the converted parts that expressions have used
	has   fields
	left  int              // remaining steps of the current expression
	state *State           // of the current rule, set by Match; nil outside of rules
	at    time.Time        // the result of now(); zero until its first use
	lists map[string][]any // items, by the path in the expression
}

// fields is the set of fields that an expression reads: a bit for each of fieldNames, and one for item.
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

// environment returns the variables of an expression that reads the given fields, and its remaining steps. A body is
// converted once, and only if an expression reads it.
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
