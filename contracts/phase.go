package contracts

import (
	"iter"

	"github.com/coldframe/coldframe/contracts/cases"
)

// Phase is a family of cases.
type Phase struct {
	ID      string
	Meaning string
	// cases makes those of one operation; nil for a phase that is made otherwise.
	cases func(m *cases.Maker, have map[string]any) iter.Seq[*cases.Case]
}

// phases is all phases, in the order in which they run.
var phases = []*Phase{
	{ID: "examples", Meaning: "every example that the document gives", cases: (*cases.Maker).Examples},
	{ID: "coverage", Meaning: "each constraint at, just inside and just outside of its bound", cases: (*cases.Maker).Coverage},
	{ID: "security", Meaning: "credentials left out, wrong, empty, and each of several alone", cases: (*cases.Maker).Security},
	{ID: "methods", Meaning: "methods that the document does not have"},
	{ID: "stateful", Meaning: "what is created is there, changes and goes; pages, filters, conditions"},
	{ID: "fuzz", Meaning: "random requests, shrunk where they find something", cases: (*cases.Maker).Fuzz},
}

// Phases gives the table of phases, in the order in which they run.
func Phases() []*Phase { return phases }
