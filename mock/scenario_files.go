package mock

import (
	"context"

	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// ScenarioSchema is the JSON Schema of scenario files, for editors.
func ScenarioSchema() []byte { return scenario.Schema() }

// ScenarioOutline says of a scenario file what it is for.
type ScenarioOutline = scenario.Outline

// ScenarioOutlines reads what scenario files are for, without a document. A path
// is a file or a directory of files.
func ScenarioOutlines(paths ...string) ([]ScenarioOutline, []Finding, error) {
	return scenario.Outlines(paths...)
}

// CheckScenarios reads Options.Scenarios and checks them against the document of
// the options. It gives the names of the scenarios, nil where a finding is an
// error, and all findings. The error is the document's, or says that a file cannot
// be read.
func CheckScenarios(ctx context.Context, o Options) (names []string, findings []Finding, err error) {
	document, err := o.document(ctx)
	if err != nil {
		return nil, nil, err
	}
	book, findings, err := scenario.Load(document, o.Scenarios...)
	if err != nil || book == nil {
		return nil, findings, err
	}
	return book.Names(), findings, nil
}

// NewScenario writes a scenario file that forces a status of an operation of the
// options' document: METHOD path or an operationId. The status is a documented one
// unless violates is set.
func NewScenario(ctx context.Context, o Options, operation string, status int, violates bool) ([]byte, error) {
	document, err := o.document(ctx)
	if err != nil {
		return nil, err
	}
	return scenario.New(document, operation, status, violates)
}
