package exchange_test

import (
	"fmt"

	"github.com/coldframe/coldframe/report/exchange"
)

// A finding says where in the exchange it is, and which line of the document requires it.
func ExampleFinding() {
	f := exchange.Finding{
		Code: "max-length", Message: "must have at most 20 characters, has 21", In: exchange.InBody, Pointer: "/tags/0",
		Document: exchange.Place{File: "openapi.yaml", Line: 6, Column: 108},
	}
	fmt.Println(f.Severity, f)
	fmt.Println(f.Where(), f.Document)
	// Output:
	// error body.tags.0: must have at most 20 characters, has 21
	// body.tags.0 openapi.yaml:6:108
}

// The names of fields are case-insensitive, and a field may come several times.
func ExampleHeader() {
	h := exchange.Header{{Name: "Vary", Value: "Accept"}, {Name: "vary", Value: "Origin"}}
	first, found := h.Get("VARY")
	fmt.Println(first, found, h.Values("Vary"), h.Joined()["vary"])
	h.Set("Vary", "*")
	fmt.Println(h)
	// Output:
	// Accept true [Accept Origin] Accept, Origin
	// [{Vary *}]
}
