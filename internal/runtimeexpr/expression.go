// Package runtimeexpr reads and evaluates OpenAPI's runtime expressions
// (OpenAPI 3.1 section 4.8.20.3), by which callbacks and links take values from
// an exchange: $request.body#/url, or {$request.query.id} inside a text.
package runtimeexpr

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// maxLength bounds the bytes of an expression and of a text with expressions.
const maxLength = 8 << 10

// source is where an expression takes its value from.
type source uint8

const (
	fromURL source = iota
	fromMethod
	fromStatus
	fromHeader
	fromQuery
	fromPath
	fromBody
)

// Expression is one runtime expression, parsed.
type Expression struct {
	text     string
	source   source
	response bool   // of the response rather than of the request
	name     string // of a header, query or path parameter
	pointer  string // JSON Pointer into the body; "" is all of it
}

// Exchange is what expressions are evaluated against. What is not there yet
// has no values.
type Exchange struct {
	URL          string            // of the request, absolute
	Request      *exchange.Request // nil: none
	Path         map[string]any    // decoded path parameters by name
	RequestBody  any               // decoded; nil where there is none
	Response     *exchange.Response
	ResponseBody any
}

// Parse reads an expression, which begins with "$".
func Parse(text string) (*Expression, error) {
	fail := func(reason string) (*Expression, error) {
		return nil, fmt.Errorf("%s is no runtime expression: %s", quote(text), reason)
	}
	if len(text) > maxLength {
		return fail("it is too long")
	}
	e := &Expression{text: text}
	switch text {
	case "$url":
		return e, nil
	case "$method":
		e.source = fromMethod
		return e, nil
	case "$statusCode":
		e.source = fromStatus
		return e, nil
	}
	rest, ok := strings.CutPrefix(text, "$request.")
	if !ok {
		if rest, e.response = strings.CutPrefix(text, "$response."); !e.response {
			return fail("it begins with none of $url, $method, $statusCode, $request., $response.")
		}
	}
	kind, name, named := strings.Cut(rest, ".")
	switch {
	case rest == "body" || strings.HasPrefix(rest, "body#"):
		e.source, e.pointer = fromBody, strings.TrimPrefix(strings.TrimPrefix(rest, "body"), "#")
		if e.pointer != "" && !isPointer(e.pointer) {
			return fail("what follows body# is no JSON Pointer")
		}
		return e, nil
	case kind == "header":
		e.source = fromHeader
		if named && strings.Trim(name, tokenCharacters) != "" {
			return fail("a header's name is a token")
		}
	case kind == "query":
		e.source = fromQuery
	case kind == "path":
		e.source = fromPath
	default:
		return fail("want header., query., path. or body")
	}
	if !named || name == "" {
		return fail("a name is missing after " + kind + ".")
	}
	e.name = name
	return e, nil
}

// tokenCharacters may stand in a token (RFC 9110 section 5.6.2).
const tokenCharacters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// isPointer reports whether a text is a JSON Pointer (RFC 6901 section 3).
func isPointer(text string) bool {
	for i := range len(text) {
		if text[i] == '~' && (i+1 == len(text) || text[i+1] != '0' && text[i+1] != '1') {
			return false
		}
	}
	return text[0] == '/'
}

func quote(text string) string {
	if runes := []rune(text); len(runes) > 80 {
		text = string(runes[:79]) + "…"
	}
	return strconv.Quote(text)
}

// String gives the expression as it was written.
func (e *Expression) String() string { return e.text }

// OfResponse reports whether the value is only there once there is a response.
func (e *Expression) OfResponse() bool { return e.response || e.source == fromStatus }

// Evaluate gives the expression's value, and whether the exchange has one.
// Values of bodies and path parameters keep their types.
func (e *Expression) Evaluate(x *Exchange) (any, bool) {
	switch e.source {
	case fromURL:
		return x.URL, x.URL != ""
	case fromStatus:
		if x.Response == nil {
			return nil, false
		}
		return json.Number(strconv.Itoa(x.Response.Status)), true
	case fromPath:
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
	case e.source == fromMethod:
		return x.Request.Method, true
	case e.source == fromHeader:
		text, ok := header.Get(e.name)
		return text, ok
	case e.source == fromBody && e.pointer == "":
		return body, body != nil
	case e.source == fromBody:
		return at(body, e.pointer)
	case e.response: // a response has no query
		return nil, false
	}
	query, _ := url.ParseQuery(x.Request.Query) // what can be read of it
	values, ok := query[e.name]
	if !ok {
		return nil, false
	}
	return values[0], true
}

// at follows a JSON Pointer into a value.
func at(value any, pointer string) (any, bool) {
	for token := range strings.SplitSeq(pointer[1:], "/") {
		token = exchange.UnescapePointer(token)
		switch v := value.(type) {
		case map[string]any:
			member, ok := v[token]
			if !ok {
				return nil, false
			}
			value = member
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) || strconv.Itoa(i) != token {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}
