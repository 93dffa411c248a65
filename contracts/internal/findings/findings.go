// Package findings has what a run of the contract tester found, as plain values.
package findings

import (
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
)

// Report is what a run found. It is complete and sorted: the same document,
// backend and options give the same cases and findings in the same order. Times
// differ, and what depends on the order in which a backend got requests that
// were on their way together: keys that it made, and by which of several
// requests a finding is shown.
type Report struct {
	Title, Version string // of the document
	Document       string
	URL            string
	Seed           uint64
	Began          time.Time
	Took           time.Duration
	Requests       int
	Operations     []*OperationReport // in the document's order
	Phases         []PhaseReport
	Findings       []Finding // errors before warnings, causes before what they lead to, then by operation
	Resolved       []string  // fingerprints of the baseline that were not seen
	Skipped        []Skipped
	// Coverage is what of the tested operations was exercised: hits are 0 or 1.
	Coverage *Coverage
	// Ended says why the run ended before it was done; "" where it was done.
	Ended string
}

// Coverage says what of the tested operations was exercised, with the place of
// each operation, parameter, value, media type, status, property and constraint:
// Reaches and Missing ask it; Text, LCOV and JSON write it.
type Coverage = coverage.Report

// OperationReport is what was done with one operation.
type OperationReport struct {
	Name     string // POST /plants
	ID       string // its operationId
	Tags     []string
	Place    exchange.Place
	Cases    int
	Accepted bool        // a plain request was accepted
	Statuses map[int]int // how often each status came
	Plain    map[int]int // likewise, to the plain requests that the run began with
	Findings int
	Skipped  string // why it was not tested; "" where it was
}

// PhaseReport is what one phase did.
type PhaseReport struct {
	ID       string
	Meaning  string
	Cases    int
	Findings int
	Took     time.Duration
}

// Skipped is what was not sent, and why.
type Skipped struct {
	Operation string
	Phase     string
	Cases     int // 0: not known
	Reason    string
}

// Finding is one fault of the backend, however often it was seen.
type Finding struct {
	Check        string            `json:"check"`
	Severity     exchange.Severity `json:"severity"`
	Operation    string            `json:"operation"`  // POST /plants: the first of Operations, which Sent shows
	Operations   []string          `json:"operations"` // in which it was seen, in the document's order
	Phase        string            `json:"phase"`
	Title        string            `json:"title"` // of the case
	Message      string            `json:"message"`
	About        string            `json:"about,omitempty"` // body.name
	Place        exchange.Place    `json:"document"`
	Excerpt      string            `json:"excerpt,omitempty"` // the line of the document that Place is on
	Source       string            `json:"source"`
	Sent         []Sent            `json:"sent"` // the requests that lead to it, the last of them the one that was judged
	Count        int               `json:"count"`
	Fingerprint  string            `json:"fingerprint"` // the same in every run
	Known        bool              `json:"known,omitempty"`
	Consequences []Consequence     `json:"follows,omitempty"` // what was found besides, and merely follows from it
}

// Consequence is what a finding leads to: answers to a request that should have been
// refused, and bodies that show what it made.
type Consequence struct {
	Check       string   `json:"check"`
	Operations  []string `json:"operations"`
	Message     string   `json:"message"`
	Count       int      `json:"count"`
	Fingerprint string   `json:"fingerprint"`
}

// Of reports whether a finding was seen in an operation.
func (f *Finding) Of(operation string) bool {
	return f.Operation == operation || slices.Contains(f.Operations, operation)
}

// Sent is one request and its answer, with credentials redacted.
type Sent struct {
	Request  *exchange.Request
	Response *exchange.Response // nil where none came
	Fault    string
	Curl     string
	// RequestSize and ResponseSize are the bytes of the bodies, of which no more
	// than the first 16 KiB are kept.
	RequestSize, ResponseSize int
}

// New gives the errors among the findings that the baseline does not know.
func (r *Report) New() []Finding {
	var all []Finding
	for _, f := range r.Findings {
		if f.Severity == exchange.Error && !f.Known {
			all = append(all, f)
		}
	}
	return all
}
