// must agree on what a document says.
package main

import (
	"context"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/mock/mocktest"
)

// TestAlternatives tests operations with the same method and path.
func TestAlternatives(t *testing.T) {
	archive, err := txtar.ParseFile("../../../mock/testdata/alternatives.txtar")
	if err != nil {
		t.Fatal(err)
	}
	report, err := against(t.Context(), "generate", contracts.Options{
		Document: archive.Files[0].Name, Text: archive.Files[0].Data, Limits: contracts.Limits{FuzzCases: 20}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults(report) {
		t.Error(describe(f))
	}
	for _, o := range report.Operations {
		if !o.Accepted {
			t.Errorf("%s: no plain request was accepted", o.Name)
		}
	}
}

func TestPlantStore(t *testing.T) {
	backend := mocktest.Start(t, "../../../openapi.yaml")
	report, err := contracts.Run(context.Background(), contracts.Options{Document: "../../../openapi.yaml", URL: backend.URL()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults(report) {
		t.Errorf("%s: %s: %s\n%s", f.Operation, f.Check, f.Message, f.Sent[0].Curl)
	}
	t.Log(report.Requests, report.Operations[0])
}

// TestDocuments tests documents whose forms are unusual: the halves agree on each.
func TestDocuments(t *testing.T) {
	documents, err := filepath.Glob("testdata/documents/*.yaml")
	if err != nil || len(documents) == 0 {
		t.Fatal(documents, err)
	}
	for _, path := range documents {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			report, err := against(t.Context(), "generate", contracts.Options{Document: path, Limits: contracts.Limits{FuzzCases: 20}})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range faults(report) {
				t.Error(describe(f))
			}
		})
	}
}
