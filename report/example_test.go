package report_test

import (
	"fmt"

	"github.com/coldframe/coldframe/report"
	"github.com/coldframe/coldframe/report/exchange"
)

// A run fails because of its new errors: neither warnings nor known findings count.
func ExampleReport_New() {
	r := &report.Report{Findings: []report.Finding{
		{Check: "server-error", Operation: "GET /plants", Message: "answered 500"},
		{Check: "body", Operation: "GET /plants", Message: "body.name: got null, want string", Known: true},
		{Check: "in-time", Operation: "GET /plants", Message: "took longer than 1s", Severity: exchange.Warning},
	}}
	for _, f := range r.New() {
		fmt.Println(f.Operation, f.Check, f.Message)
	}
	// Output:
	// GET /plants server-error answered 500
}

// What several operations have in common is one finding.
func ExampleFinding_Of() {
	f := report.Finding{Check: "body", Operation: "GET /plants", Operations: []string{"GET /plants", "GET /plants/{id}"}}
	fmt.Println(f.Of("GET /plants/{id}"), f.Of("DELETE /plants/{id}"))
	// Output:
	// true false
}
