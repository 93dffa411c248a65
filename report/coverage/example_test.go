package coverage_test

import (
	"fmt"

	"github.com/coldframe/coldframe/report/coverage"
	"github.com/coldframe/coldframe/report/exchange"
)

// used is what a mock or a contract test returns, here in short.
var used = &coverage.Report{
	Summary: coverage.Summary{Covered: 2, Total: 3, Percent: 66.6},
	Operations: []coverage.OperationReport{{
		Method: "GET", Path: "/plants", Hits: 4, Summary: coverage.Summary{Covered: 2, Total: 3, Percent: 66.6},
		Points: []coverage.Point{
			{Kind: coverage.KindStatus, Name: "200", Hits: 4, Within: -1},
			{Kind: coverage.KindStatus, Name: "404", Within: -1, Place: exchange.Place{File: "openapi.yaml", Line: 12, Column: 9}},
		},
	}},
}

func ExampleReport_Missing() {
	for _, m := range used.Missing() {
		fmt.Println(m)
	}
	// Output:
	// status 404 (openapi.yaml:12:9)
}

// Two of three are no 80 %.
func ExampleSummary_Reaches() {
	fmt.Println(used.Reaches(50), used.Reaches(80))
	// Output:
	// true false
}
