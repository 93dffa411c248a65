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

// fields is a set of fields of a request, a bit for each of fieldNames.
type fields uint8

const allFields = fields(1<<6 - 1)

var fieldNames = []string{"method", "path", "params", "query", "headers", "body"}

// field gives a field as expressions compute with it.
func (r *Request) field(name string) any {
	switch name {
	case "method":
		return r.Method
	case "path":
		return r.Path
	case "params":
		return native(r.Params)
	case "query":
		return native(r.Query)
	case "headers":
		return r.Header.Joined()
	}
	return native(r.Body)
}

// environment gives the variables of an expression that reads the fields
// given, and the steps that it may take. A body is converted once, and only if an
// expression reads it.
func (r *Request) environment(read fields) map[string]any {
	if r.seen == nil {
		r.seen = map[string]any{"request": make(map[string]any, len(fieldNames)), budget: &r.left}
	}
	r.left = maxSteps
	if missing := read &^ r.has; missing != 0 {
		r.has |= missing
		inner := r.seen["request"].(map[string]any)
		for i, name := range fieldNames {
			if missing&(1<<i) != 0 {
				inner[name] = r.field(name)
			}
		}
	}
	return r.seen
}
