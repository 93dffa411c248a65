package scenario

import "github.com/coldframe/coldframe/internal/exchange"

// Request is what expressions see of a request. Its values are as
// jsontext.Decode gives them. It serves one request and is not safe for
// concurrent use.
type Request struct {
	Method string
	Path   string          // as sent, without the query
	Params map[string]any  // path parameters, decoded
	Query  map[string]any  // parameters of the query, decoded; an undeclared one is a string, several of a name a list
	Header exchange.Header // as sent
	Body   any             // JSON values, or a string for text; nil for none and for what cannot be read

	seen map[string]any // the part of it that expressions have asked for, as they compute with it
	has  fields
	left int // steps that the expression at hand may still take
}

// fields is a set of fields of a request.
type fields uint8

const (
	fieldMethod fields = 1 << iota
	fieldPath
	fieldParams
	fieldQuery
	fieldHeaders
	fieldBody
	fieldAll = 1<<iota - 1
)

var fieldNames = []string{"method", "path", "params", "query", "headers", "body"}

func fieldNamed(name string) fields {
	for i, n := range fieldNames {
		if n == name {
			return 1 << i
		}
	}
	return 0
}

// environment gives the variables of an expression that reads the fields
// given, and the steps that it may take. A body is converted once, and only if an expression reads it.
func (r *Request) environment(read fields) map[string]any {
	if r.seen == nil {
		inner := make(map[string]any, len(fieldNames))
		r.seen = map[string]any{"request": inner, budget: &r.left}
	}
	r.left = maxSteps
	missing := read &^ r.has
	if missing == 0 {
		return r.seen
	}
	r.has |= missing
	inner := r.seen["request"].(map[string]any)
	if missing&fieldMethod != 0 {
		inner["method"] = r.Method
	}
	if missing&fieldPath != 0 {
		inner["path"] = r.Path
	}
	if missing&fieldParams != 0 {
		inner["params"] = native(r.Params)
	}
	if missing&fieldQuery != 0 {
		inner["query"] = native(r.Query)
	}
	if missing&fieldHeaders != 0 {
		inner["headers"] = r.Header.Joined()
	}
	if missing&fieldBody != 0 {
		inner["body"] = native(r.Body)
	}
	return r.seen
}
