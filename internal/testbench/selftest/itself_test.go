// must agree on what a document says.
package main

import (
	"context"
	"testing"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/mock/mocktest"
)

func TestPlantStore(t *testing.T) {
	backend := mocktest.Start(t, "../../../openapi.yaml")
	report, err := contracts.Run(context.Background(), contracts.Options{Document: "../../../openapi.yaml", URL: backend.URL()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		t.Errorf("%s: %s: %s\n%s", f.Operation, f.Check, f.Message, f.Sent[0].Curl)
	}
	t.Log(report.Requests, report.Operations[0])
}
