// Package checks judges exchanges: each check is a row of a table with an id, a
// severity, what it means and where that is said.
package checks

import (
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// Exchange is a case that was sent, and what came.
type Exchange struct {
	Case    *cases.Case
	Request *exchange.Request // as it was sent, with its credentials
	wire.Answer
	// Exists says that every item which the path names is known to be there.
	Exists bool
	// Plain says that the operation's plain request has been accepted, so that a
	// refusal can only come from what the case changes.
	Plain bool
	// Recorded is what is known of a recorded exchange besides; nil for one that
	// was made here.
	Recorded *Recorded
}

// Status gives the answer's status, 0 where none came.
func (x *Exchange) Status() int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

// Succeeded reports whether the answer is a 2xx.
func (x *Exchange) Succeeded() bool { return x.Status()/100 == 2 }

// Violation is one thing that a check holds against an exchange.
type Violation struct {
	Check   *Check
	Message string
	// About is the place in the exchange: body.name, header.ETag; "" for all of it.
	About string
	Place exchange.Place // in the document
	// Cause tells verdicts of one fault from those of others: within a check and
	// an operation, verdicts of the same cause are one finding.
	Cause string
	// Shared is Cause without where in the exchange it is, for verdicts on a place
	// of the document that several operations share; "" where that is Cause.
	Shared string
	// Says is what the contract says against the request or the answer; nil for
	// verdicts that come from elsewhere.
	Says *exchange.Finding
}

// Check is one judgement of exchanges.
type Check struct {
	ID       string
	Severity exchange.Severity
	Meaning  string
	Source   string // the RFC or the section of the specification that asks for it
	// Strict marks what is sensible but asked for by no document: it only accuses
	// when the user wants it to.
	Strict bool
	judge  func(*judged) []Violation // nil for a check that sequences make
	always bool                      // also of answers that broke off or are a 5xx
}

// Stateful reports whether the check judges what several exchanges tell together:
// sequences make its verdicts.
func (c *Check) Stateful() bool { return c.judge == nil }

// judged is an exchange with what several checks ask of it.
type judged struct {
	*Exchange
	judge     *Checker
	operation *spec.Operation
	routes    routes
	response  *spec.Response     // what the document says of the status; nil where it says nothing
	content   []byte             // the answer's body without its encodings
	findings  []exchange.Finding // of the answer against the contract
	encoding  *exchange.Finding  // why the body cannot be read
}

// Checker holds the answers of a contract's operations to the checks. It is
// immutable and safe for concurrent use.
type Checker struct {
	checks     []*Check
	contract   *spec.Contract
	validators map[*spec.Operation]*validate.Operation
	secrets    map[*spec.Response]*decode.Content // of those that have anything to hide
	routes     map[*spec.Operation]routes
	origin     string
	limit      time.Duration

	takesTables bool // clients may send text/csv, so that what is in one is theirs
}

// Options say how exchanges are judged.
type Options struct {
	// Only names the checks that judge. Default all that are not strict.
	Only func(*Check) bool
	// Limit is the longest that an answer may take. Default: not judged.
	Limit time.Duration
	// Origin is the backend's: http://localhost:8080. Default: redirects to others
	// are not judged.
	Origin string
}

// New makes a judge.
func New(c *spec.Contract, o Options) *Checker {
	j := &Checker{contract: c, validators: make(map[*spec.Operation]*validate.Operation, len(c.Operations)), limit: o.Limit, origin: o.Origin}
	for _, op := range c.Operations {
		j.validators[op] = validate.New(op)
	}
	j.secrets = secretsOf(c)
	j.routes = routesOf(c)
	j.takesTables = takesTables(c)
	for _, check := range table {
		if o.Only == nil && !check.Strict || o.Only != nil && o.Only(check) {
			j.checks = append(j.checks, check)
		}
	}
	return j
}

// Check gives what the checks hold against an exchange, in their order.
//
// What one fault explains is not told twice: an answer that broke off, or that
// is a 5xx, is held to nothing else.
func (j *Checker) Check(x *Exchange) []Violation {
	d := &judged{Exchange: x, judge: j, operation: x.Case.Operation, routes: j.routes[x.Case.Operation]}
	d.read()
	broken := x.Fault != nil || d.failed()
	var verdicts []Violation
	for _, check := range j.checks {
		if check.judge == nil || broken && !check.always {
			continue
		}
		for _, v := range check.judge(d) {
			v.Check = check
			verdicts = append(verdicts, v)
		}
	}
	return verdicts
}

// maxContent is how many bytes a compressed body may have that is read.
const maxContent = 64 << 20

// read holds the answer to what the document says of its status.
func (d *judged) read() {
	if d.Response == nil || d.Fault != nil {
		return
	}
	d.response = d.operation.Response(d.Status())
	if d.Case.Expected == cases.NotAllowed && (d.Status() != 405 || !documents(d.operation, 405)) {
		d.response = nil // what is said of an operation is not said of the path's other methods
	}
	d.content = d.Response.Body
	response := d.Response
	if encoding, ok := response.Header.Get("Content-Encoding"); ok && len(d.content) > 0 {
		if d.content, d.encoding = decode.Decompress(encoding, d.content, maxContent); d.encoding != nil {
			return
		}
		plain := *response
		plain.Body = d.content
		response = &plain
	}
	if v := d.judge.validators[d.operation]; v != nil && d.response != nil {
		d.findings = v.Response(d.Request.Method, response)
	}
}

// Has reports whether the judge uses a check; sequences ask it before they
// accuse.
func (j *Checker) Has(id string) (*Check, bool) {
	for _, check := range j.checks {
		if check.ID == id {
			return check, true
		}
	}
	return nil, false
}

// All gives the table, in its order.
func All() []*Check { return table }
