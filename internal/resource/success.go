package resource

import "github.com/coldframe/coldframe/internal/spec"

// Creates reports whether a method can create an item: POST does, and PUT where
// the item does not exist yet (RFC 9110 sections 9.3.3 and 9.3.4).
func Creates(method string) bool { return method == "POST" || method == "PUT" }

// Success gives the response when all is well and its status: 201 where the
// method can create and the document has it, else the lowest 2xx, 2XX before
// default (both as 200). The response is nil where the document has none.
func Success(o *spec.Operation) (int, *spec.Response) {
	var first *spec.Response
	for _, r := range o.Responses { // exact codes ascending, then ranges, then default
		code, count := r.Code()
		if count == 1 && code == 201 && Creates(o.Method) {
			return 201, r
		}
		if first == nil && (code/100 == 2 || r.Status == "default") {
			first = r
		}
	}
	if first == nil {
		return 200, nil
	}
	code, _ := first.Code()
	return max(code, 200), first
}
