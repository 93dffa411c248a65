// Package runtimeexpr parses and evaluates OpenAPI's runtime expressions (OpenAPI 3.1 section 4.8.20.3), which take
// values for callbacks and links from an exchange: $request.body#/url, or {$request.query.id} in a text.
package runtimeexpr

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// maxLength limits the length of an expression, and of a text with expressions, in bytes.
const maxLength = 8 << 10

// Expression is one parsed runtime expression.
type Expression struct {
	text     string
	source   string // url, method, statusCode, header, query, path or body
	response bool   // about the response, not the request
	name     string // of a header, query or path parameter
	pointer  string // JSON Pointer into the body; "" is the whole body
}

// Exchange is the exchange for evaluation. Missing parts have no values.
type Exchange struct {
	URL          string            // of the request, absolute
	Request      *exchange.Request // nil: none
	Path         map[string]any    // decoded path parameters by name
	RequestBody  any               // decoded; nil if none
	Response     *exchange.Response
	ResponseBody any
}

// Parse reads an expression, which begins with "$".
func Parse(text string) (*Expression, error) {
	fail := func(reason string) (*Expression, error) {
		return nil, fmt.Errorf("%s is no runtime expression: %s", exchange.Quote(text), reason)
	}
	if len(text) > maxLength {
		return fail("it is too long")
	}
	switch text {
	case "$url", "$method", "$statusCode":
		return &Expression{text: text, source: text[1:]}, nil
	}
	e := &Expression{text: text}
	rest, ok := strings.CutPrefix(text, "$request.")
	if !ok {
		if rest, e.response = strings.CutPrefix(text, "$response."); !e.response {
			return fail("it begins with none of $url, $method, $statusCode, $request., $response.")
		}
	}
	kind, name, _ := strings.Cut(rest, ".")
	e.source = kind
	switch {
	case rest == "body", strings.HasPrefix(rest, "body#"):
		e.source, e.pointer = "body", strings.TrimPrefix(strings.TrimPrefix(rest, "body"), "#")
		if e.pointer != "" && !isPointer(e.pointer) {
			return fail("what follows body# is no JSON Pointer")
		}
		return e, nil
	case kind != "header" && kind != "query" && kind != "path":
		return fail("want header., query., path. or body")
	}
	if e.name = name; name == "" {
		return fail("a name is missing after " + kind + ".")
	}
	if kind == "header" && !exchange.IsToken(name) {
		return fail("a header's name is a token")
	}
	return e, nil
}

// isPointer reports whether a text is a JSON Pointer (RFC 6901 section 3).
func isPointer(text string) bool {
	escapes := strings.Count(text, "~0") + strings.Count(text, "~1")
	return text[0] == '/' && strings.Count(text, "~") == escapes
}

// String returns the text of the expression.
func (e *Expression) String() string { return e.text }

// Evaluate returns the expression's value, and whether there is one. Values of bodies and path parameters keep their
// types.
func (e *Expression) Evaluate(x *Exchange) (any, bool) {
	switch e.source {
	case "url":
		return x.URL, x.URL != ""
	case "statusCode":
		if x.Response == nil {
			return nil, false
		}
		return json.Number(strconv.Itoa(x.Response.Status)), true
	case "path":
		value, ok := x.Path[e.name]
		return value, ok && !e.response
	}
	var header exchange.Header
	var body any
	switch {
	case e.response && x.Response != nil:
		header, body = x.Response.Header, x.ResponseBody
	case !e.response && x.Request != nil:
		header, body = x.Request.Header, x.RequestBody
	default:
		return nil, false
	}
	switch {
	case e.source == "method":
		return x.Request.Method, true
	case e.source == "header":
		text, ok := header.Get(e.name)
		return text, ok
	case e.source == "body" && e.pointer == "":
		return body, body != nil
	case e.source == "body":
		return jsonvalue.At(body, exchange.SplitPointer(e.pointer))
	case e.response: // a response has no query
		return nil, false
	}
	query, _ := url.ParseQuery(x.Request.Query) // the readable part
	return query.Get(e.name), query.Has(e.name)
}
