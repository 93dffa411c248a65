package mock

import (
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// ScenarioSchema is the JSON Schema of scenario files, for editors.
func ScenarioSchema() []byte { return scenario.Schema() }

// ScenarioBook is a set of scenario files that were read together.
type ScenarioBook = scenario.Book

// ScenarioOutline says of a scenario file what it is for.
type ScenarioOutline = scenario.Outline

// LoadScenarios reads scenario files and checks them against the contract.
func LoadScenarios(c *spec.Contract, paths ...string) (*ScenarioBook, []Finding, error) {
	return scenario.Load(c, paths...)
}

// ScenarioOutlines reads what scenario files are for, without a document.
func ScenarioOutlines(paths ...string) ([]ScenarioOutline, []Finding, error) {
	return scenario.Outlines(paths...)
}

// NewScenario writes a scenario file that forces a status of an operation.
func NewScenario(c *spec.Contract, operation string, status int, violates bool) ([]byte, error) {
	return scenario.New(c, operation, status, violates)
}
