// Package report has what a contract test found, as plain values: [Report] with its findings, operations, phases and
// coverage. [contracts.Run] and [contracts.Check] return a Report; package contracts writes it in the usual formats.
//
// A Report is complete and sorted. A run fails because of its new errors:
//
//	r, err := contracts.Run(ctx, options)
//	if err != nil {
//		return err // nothing could be tested
//	}
//	for _, f := range r.New() {
//		fmt.Printf("%s: %s: %s\n  %s\n", f.Operation, f.Check, f.Message, f.Place)
//		for _, s := range f.Sent {
//			fmt.Println("  ", s.Curl)
//		}
//	}
//
// The requests and responses in it are values of package report/exchange, the coverage is one of report/coverage.
//
// [contracts.Run]: https://pkg.go.dev/github.com/coldframe/coldframe/contracts#Run
// [contracts.Check]: https://pkg.go.dev/github.com/coldframe/coldframe/contracts#Check
package report

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/coldframe/coldframe/report/coverage"
	"github.com/coldframe/coldframe/report/exchange"
)

// Report is what a run found. It is complete and sorted: the same document, backend and options lead to the same
// cases and findings in the same order. Times differ, and so does what depends on the order in which a
// backend got concurrent requests: keys that it created, and which of several requests shows a finding.
type Report struct {
	Title    string        `json:"title"`           // of the document
	Version  string        `json:"apiVersion"`      // of the document
	Document string        `json:"document"`        // its file or URL
	URL      string        `json:"url"`             // of the backend, without a password
	Seed     uint64        `json:"seed"`            // Options.Seed, which reproduces the cases
	Began    time.Time     `json:"began"`           // when the run began
	Took     time.Duration `json:"-"`               // how long it took
	Requests int           `json:"requests"`        // how many were sent, or checked
	Ended    string        `json:"ended,omitempty"` // why the run ended early; "" if it was complete
	// Insufficient says why too little could be tested; "" if it was enough.
	Insufficient string `json:"insufficient,omitempty"`
	// Incomplete names the phases that were not run to their end; "" if all were.
	Incomplete string           `json:"incomplete,omitempty"`
	Operations []*Operation     `json:"operations"` // in the document's order
	Phases     []Phase          `json:"phases"`     // in the order in which they ran
	Findings   []Finding        `json:"findings"`   // errors first, causes before consequences, then by operation
	Flaky      []Finding        `json:"flaky"`      // seen once, and not again when their requests were repeated alone
	Waived     []Finding        `json:"waived"`     // findings that a waiver lists, which do not fail a run
	Resolved   []string         `json:"resolved"`   // findings of the baseline that were not seen
	Stale      []string         `json:"stale"`      // rules and waivers that have expired, and waivers without findings
	Skipped    []Skipped        `json:"skipped"`    // what was not sent, and why
	Coverage   *coverage.Report `json:"coverage,omitempty"`
	Checks     []Check          `json:"-"` // every check, in the table's order; Finding.Check refers to them
}

// New returns the errors among the findings that the baseline does not have: the reasons for which a run fails.
func (r *Report) New() []Finding {
	var all []Finding
	for _, f := range r.Findings {
		if f.Severity == exchange.Error && !f.Known {
			all = append(all, f)
		}
	}
	return all
}

// Operation says what was done with one operation.
type Operation struct {
	Name     string         `json:"name"`        // POST /plants
	ID       string         `json:"operationId"` // as in the document, or Name if it has none
	Tags     []string       `json:"tags"`
	Place    exchange.Place `json:"document"`
	Cases    int            `json:"cases"`             // requests to it
	Accepted bool           `json:"accepted"`          // a plain request was accepted
	Statuses map[int]int    `json:"statuses"`          // number of responses by status; 0 counts missing responses
	Plain    map[int]int    `json:"plain"`             // likewise, for the plain requests at the start
	Findings int            `json:"findings"`          // that were seen in it
	Skipped  string         `json:"skipped,omitempty"` // why it was not tested; "" if it was
	Refused  *Refused       `json:"refused,omitempty"` // if it accepted no request
	Weak     []string       `json:"weak,omitempty"`    // parts that no accepted request had, with a refusal: "query.sort: 400 …"
	Unseen   []int          `json:"unseen,omitempty"`  // documented refusals (4xx) that it never answered with, in order
	Checks   []string       `json:"-"`                 // ids of the checks that were in use for it, in the table's order
}

// Phase says what one phase did.
type Phase struct {
	ID       string        `json:"id"` // coverage, stateful, fuzz, …
	Meaning  string        `json:"-"`  // what it sends
	Cases    int           `json:"cases"`
	Findings int           `json:"findings"` // that it found first
	Took     time.Duration `json:"-"`
}

// Skipped says what was not sent, and why.
type Skipped struct {
	Operation string `json:"operation,omitempty"` // "" if there were several
	Phase     string `json:"phase,omitempty"`     // "" if there were several
	Cases     int    `json:"cases"`               // 0: not known
	Reason    string `json:"reason"`
}

// Finding is one fault of the backend, however often it was seen.
type Finding struct {
	Check       string            `json:"check"` // id of the check that found it
	Severity    exchange.Severity `json:"severity"`
	Operation   string            `json:"operation"`  // POST /plants: the first of Operations, which Sent shows
	Operations  []string          `json:"operations"` // in which it was seen, in the document's order
	Phase       string            `json:"phase"`
	Title       string            `json:"title"`             // of the case: what was special about the request
	Message     string            `json:"message"`           // what is wrong
	About       string            `json:"about,omitempty"`   // body.name
	Kind        string            `json:"kind,omitempty"`    // what was special about the request: null, max-length
	Places      []string          `json:"places,omitempty"`  // all places in the exchange, if there are several
	Place       exchange.Place    `json:"document"`          // what the document says about it
	Excerpt     string            `json:"excerpt,omitempty"` // the line of the document that Place is on
	Source      string            `json:"source"`            // the section of the specification that requires it
	Sent        []Sent            `json:"sent"`              // the requests that lead to it; the last was checked
	Said        string            `json:"-"`                 // the error message of the response, if it is about that
	Count       int               `json:"count"`             // how often it was seen
	Fingerprint string            `json:"fingerprint"`       // names the finding; baselines use the fingerprints of Faults
	Faults      []Fault           `json:"faults,omitempty"`  // that it groups, by operation and place
	Known       bool              `json:"known,omitempty"`   // the baseline has all of its faults
	Reason      string            `json:"reason,omitempty"`  // of the waiver that lists it
	// Consequences are findings that this one explains.
	Consequences []Consequence `json:"consequences,omitempty"`
}

// Fault is what a finding reports at one place of one operation.
type Fault struct {
	Operation   string `json:"operation"`
	About       string `json:"about,omitempty"` // body.items.*.name: "*" stands for indexes and keys
	Fingerprint string `json:"fingerprint"`     // of the check, the operation, the cause and the place
	Known       bool   `json:"known,omitempty"` // the baseline has it
}

// Of reports whether a finding was seen in an operation: "POST /plants".
func (f *Finding) Of(operation string) bool {
	return f.Operation == operation || slices.Contains(f.Operations, operation)
}

// Consequence is what a finding leads to: responses to a request that should have
// been refused, and bodies that show what it created.
type Consequence struct {
	Check       string   `json:"check"` // id of the check that saw it
	Operations  []string `json:"operations"`
	Message     string   `json:"message"`
	Count       int      `json:"count"`
	Fingerprint string   `json:"fingerprint"`
	Faults      []Fault  `json:"faults,omitempty"`
}

// Sent is one request and its response, with credentials redacted.
type Sent struct {
	Request  *exchange.Request
	Response *exchange.Response // nil if none came
	Fault    string             // of the connection: "the connection was closed without an answer"; "" if none
	Curl     string             // a command line that sends the request
	// RequestSize and ResponseSize are the bytes of the bodies, of which at most the first 16 KiB are kept.
	RequestSize, ResponseSize int
	// FieldsLeftOut says how many fields of the response are not in its Header, and FieldBytesLeftOut how many bytes of
	// all of them are not.
	FieldsLeftOut, FieldBytesLeftOut int
}

// Refused is what is known of an operation that accepted no request.
type Refused struct {
	Refusals []Refusal `json:"refusals"` // the responses to conforming requests, the most frequent first
	Needs    []Need    `json:"needs"`    // values that would help, if the backend has them
}

// Refusal is a response to conforming requests.
type Refusal struct {
	Status  int    `json:"status"` // 0: none came
	Message string `json:"message,omitempty"`
	About   string `json:"about,omitempty"` // the place in the request that it names: body.copyId
	Count   int    `json:"count"`
}

// Need is a value that the tester could not find out. A setup (contracts.Setup) can supply it.
type Need struct {
	In   string          `json:"in"`             // path, query, header, cookie or body
	Name string          `json:"name"`           // as in a setup
	Sent json.RawMessage `json:"sent,omitempty"` // what was sent instead; absent if nothing was
	// Own says that the operation changes what the value names, so that a setup must have it for this operation.
	Own bool `json:"own,omitempty"`
}

// Check is one rule that responses are judged by.
type Check struct {
	ID       string            // server-error
	Severity exchange.Severity // the highest of its findings; a single one may be less severe
	Meaning  string            // what must hold
	Source   string            // the RFC or the section of the specification that requires it
	// Certainty is the sentence of Source that forbids what an error of the check reports, quoted or in short,
	// or says why there is none. What rests on less is a warning.
	Certainty string
	// Strict marks a check that no document requires. It runs only on request.
	Strict bool
	// Stateful marks a check that compares several exchanges of a stateful test.
	Stateful bool
}

// Baseline is the findings of an earlier report. They are known: they do not fail a run.
type Baseline struct {
	Findings []KnownFinding `json:"findings"`
}

// KnownFinding is what identifies a finding of an earlier report. Its fields are fields of Finding. Reports of earlier
// versions have no faults: their findings are identified by the check, the operations and the places.
type KnownFinding struct {
	Faults       []Fault       `json:"faults"`
	Check        string        `json:"check"`
	Operation    string        `json:"operation"`
	Operations   []string      `json:"operations"`
	About        string        `json:"about"`
	Places       []string      `json:"places"`
	Message      string        `json:"message"`
	Phase        string        `json:"phase"`
	Consequences []Consequence `json:"consequences"`
}
