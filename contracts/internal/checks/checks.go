// Package checks validates exchanges against the contract. Each check is a row of one table: what it
// requires, where that is written, and how a report orders and relates what it finds.
package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// Exchange is a case that was sent, and its answer.
type Exchange struct {
	Case    *cases.Case
	Request *exchange.Request // with its credentials
	wire.Result
	// Exists says that every item which the path names is known to exist.
	Exists bool
	// Denied says that the body of a success says that the request was refused: see Checker.Denies.
	Denied bool
	// Plain says that the operation has accepted its plain request, so that only
	// what the case changes can be the reason of a refusal.
	Plain bool
	// Size is how many bytes the body of the response had, if only its beginning is kept; otherwise 0.
	Size int
	// Recorded is nil for exchanges that this program made.
	Recorded *Recorded
}

// Recorded is what is known of an exchange that another program recorded.
type Recorded struct {
	// Findings are violations of the contract by the request, Undeclared its query
	// parameters that the contract does not have.
	Findings, Undeclared []exchange.Finding
	// HeadUnknown and BodyUnknown say that the recording lacks the answer's fields, or a part of its body.
	HeadUnknown, BodyUnknown bool
}

// MaxKeptBody is how many bytes are kept of the body of a response once its exchange has been checked.
const MaxKeptBody = 16 << 10

// Kept returns the exchange as it may be kept after its checks: without the rest of a large body.
func (x *Exchange) Kept() *Exchange {
	if x.Response == nil || len(x.Response.Body) <= MaxKeptBody {
		return x
	}
	kept := *x
	kept.Response, kept.Size = exchange.Beginning(x.Response, MaxKeptBody), x.BodySize()
	return &kept
}

// BodySize returns how many bytes the body of the response had, even if only its beginning is kept.
func (x *Exchange) BodySize() int {
	if x.Response == nil {
		return 0
	}
	return max(x.Size, len(x.Response.Body))
}

// Is reports whether two exchanges are the same; one may be the kept form of the other.
func (x *Exchange) Is(other *Exchange) bool {
	return x == other || x.Request != nil && x.Request == other.Request
}

// Status returns the answer's status, 0 if none.
func (x *Exchange) Status() int {
	if x == nil || x.Response == nil {
		return 0
	}
	return x.Response.Status
}

// Succeeded reports whether the answer is a 2xx whose body denies nothing, or leads to the result of a POST.
func (x *Exchange) Succeeded() bool { return x.Status()/100 == 2 && !x.Denied || x.SeesOther() }

// SeesOther reports whether a redirect is the successful answer to a POST (RFC 9110 sections 9.3.3 and 15.4.4).
func (x *Exchange) SeesOther() bool {
	if status := x.Status(); status < 301 || status > 303 || x.Case == nil || x.Case.Expected == cases.Unauthorized ||
		x.Request.Method != "POST" {
		return false
	}
	location, _ := x.Response.Header.Get("Location")
	r := x.Case.Operation.Response(x.Status())
	return location != "" && r != nil && r.Status != "default" && EndsInRedirect(x.Case.Operation)
}

// EndsInRedirect reports whether the document has only redirects for the success of a POST.
func EndsInRedirect(o *spec.Operation) bool {
	redirects := false
	for _, r := range o.Responses {
		first, _ := r.Code()
		redirects = redirects || first >= 300 && first <= 303
		if first/100 == 2 {
			return false
		}
	}
	return redirects && o.Method == "POST"
}

// Violation is one fault that a check found in an exchange.
type Violation struct {
	Check *Check
	// Severity is a warning if the document or the RFC may be read otherwise. Default: the check's.
	Severity exchange.Severity
	Message  string
	// Of is the operation that failed. Default: the operation of the exchange, which only shows the failure of another
	// otherwise.
	Of *spec.Operation
	// About is the place in the exchange: body.name, header.ETag; "" for all of it.
	About string
	Place exchange.Place // in the document
	// Cause identifies the fault within a check and an operation: violations of one cause are one finding.
	Cause string
	// Shared is Cause without its place in the exchange, for violations at a place of
	// the document that several operations share. Default: Cause.
	Shared string
	// Across identifies the fault among the faults of the check, or of all checks that compare, in all operations and
	// places; "" for one that concerns its operation alone. Textless is Cause without the text of the answer, if that
	// is in it.
	Across, Textless string
	// Doubt is a sentence of the document that lowered the severity by one step; "" if none.
	Doubt string
	// Finding is the violated constraint; nil for violations that come from elsewhere.
	Finding *exchange.Finding
	// Waiver is the number of the waiver that has the violation, from 1; 0 if none.
	Waiver int
}

// Operation returns the operation that failed, of a violation that an exchange shows.
func (v *Violation) Operation(x *Exchange) *spec.Operation { return cmp.Or(v.Of, x.Case.Operation) }

// gotType finds in the message of a finding which type a value has.
var gotType = lazyregexp.New(`^got ([a-z]+)`)

// Kind says in a word or two what was special about the exchange in which the violation was found: the type that
// a value had (null), the code of the constraint (invalid-utf8, max-length), the status if it is the fault, else
// the words of the case without its place.
func (v *Violation) Kind(x *Exchange) string {
	f, status := cmp.Or(v.Finding, x.Case.Violation), strconv.Itoa(x.Status())
	switch {
	case x.Fault != nil:
		return x.Fault.Code
	case cmp.Or(v.Textless, v.Cause) == status:
		return status
	case f != nil:
		if got := gotType.Get().FindStringSubmatch(f.Message); got != nil && f.Code == "type" {
			return got[1]
		}
		return f.Code
	}
	words, _, _ := strings.Cut(x.Case.Title, ": ")
	words, _, _ = strings.Cut(words, ", ")
	if v.About != "" {
		words = strings.TrimPrefix(words, v.About+" ")
	}
	return words
}

// Options say how exchanges are checked.
type Options struct {
	// Only selects the checks. Default: all that are not strict.
	Only func(*Check) bool
	// Strict also reports what no document requires, in checks that report a part of it.
	Strict bool
	// Limit is the longest that an answer may take. Default: no limit.
	Limit time.Duration
	// Origin is the backend's, as http://localhost:8080. Default: redirects to other origins are not checked.
	Origin string
}

// Checker runs the checks of a contract. It is immutable and safe for concurrent use.
type Checker struct {
	checks []*Check
	// large has room for one large body that is checked at a time, as its values take much memory.
	large      chan struct{}
	ended      <-chan struct{} // closed when a run ends; nil means never
	contract   *spec.Contract
	validators map[*spec.Operation]*validate.Validator
	writeOnly  map[*spec.Response]*decode.Content // decoders of responses with writeOnly properties
	options    Options
	takesCSV   bool // clients may send text/csv, so that its content is theirs
	denials    map[*spec.Response][]denial
}

// New makes the checker of a contract.
func New(c *spec.Contract, o Options) *Checker {
	checker := &Checker{
		contract: c, validators: make(map[*spec.Operation]*validate.Validator, len(c.Operations)), options: o,
		writeOnly: writeOnlyResponses(c), denials: denials(c), takesCSV: takesCSV(c), large: make(chan struct{}, 1),
	}
	for _, op := range c.Operations {
		checker.validators[op] = validate.New(op)
	}
	for _, check := range table {
		if o.Only == nil && !check.Strict || o.Only != nil && o.Only(check) {
			checker.checks = append(checker.checks, check)
		}
	}
	return checker
}

// Has returns a check that is in use.
func (c *Checker) Has(id string) (*Check, bool) {
	i := slices.IndexFunc(c.checks, func(check *Check) bool { return check.ID == id })
	if i < 0 {
		return nil, false
	}
	return c.checks[i], true
}

// Uses reports whether a check is in use.
func (c *Checker) Uses(id string) bool {
	_, used := c.Has(id)
	return used
}

// Until stops checks of large bodies once ended is closed: several would wait for each other. It is called before
// Check.
func (c *Checker) Until(ended <-chan struct{}) { c.ended = ended }

// largeBody is from how many bytes on the bodies of responses are checked one after another.
const largeBody = 256 << 10

// Check returns the violations in an exchange, in the table's order. An answer
// that broke off, or that is a 5xx, has no others. If the request fits several operations that its method and path
// do not tell apart, the answer may be the answer of any.
func (c *Checker) Check(x *Exchange) []Violation {
	if x.Response != nil && len(x.Response.Body) > largeBody {
		select {
		case <-c.ended:
			return nil
		case c.large <- struct{}{}:
			defer func() { <-c.large }()
		}
	}
	all := c.check(x, x.Case.Operation)
	if len(all) == 0 || x.Case.Operation.Alternatives == nil {
		return all
	}
	var path []string
	for _, name := range x.Case.Operation.Variables() {
		path = append(path, x.Case.Path[name])
	}
	var validators []*validate.Validator
	for _, o := range x.Case.Operation.Alternatives {
		validators = append(validators, c.validators[o])
	}
	for _, o := range validate.Fitting(x.Request, path, validators) {
		if len(c.check(x, o)) == 0 {
			return nil
		}
	}
	return all
}

// check returns the violations in an exchange with an operation.
func (c *Checker) check(x *Exchange, o *spec.Operation) []Violation {
	in := c.input(x, o)
	broken := x.Fault != nil || x.Response == nil || in.failed() || x.Case.Undescribed
	var all []Violation
	for _, check := range c.checks {
		if check.verify == nil || broken && !check.always {
			continue
		}
		found := check.verify(in)
		for i := range found {
			v := &found[i]
			v.Check, v.Severity = check, max(v.Severity, check.Severity)
			if check.across != nil {
				check.across(in, v)
			}
		}
		if all == nil {
			all = found
		} else {
			all = append(all, found...)
		}
	}
	return all
}

// input is an exchange with what several checks need.
type input struct {
	*Exchange
	checker    *Checker
	recorded   Recorded
	operation  *spec.Operation
	documented *spec.Response     // for the status; nil if none
	body       []byte             // of the answer, without its encodings
	findings   []exchange.Finding // of the answer against the contract
	undecoded  *exchange.Finding  // why the body cannot be decompressed
}

// maxBody is the largest body that is decompressed, in bytes.
const maxBody = 64 << 20

func (c *Checker) input(x *Exchange, o *spec.Operation) *input {
	in := &input{Exchange: x, checker: c, operation: o}
	if x.Recorded != nil {
		in.recorded = *x.Recorded
	}
	if x.Response == nil || x.Fault != nil {
		return in
	}
	in.documented = in.operation.Response(x.Status())
	if x.Case.Expected == cases.NotAllowed {
		in.documented = nil // the operation does not document the path's other methods
	}
	in.body = x.Response.Body
	response := x.Response
	if encoding, ok := response.Header.Get("Content-Encoding"); ok && len(in.body) > 0 {
		if in.body, in.undecoded = decode.Decompress(encoding, in.body, maxBody, new(bodies.Share)); in.undecoded != nil {
			return in
		}
		plain := *response
		plain.Body = in.body
		response = &plain
	}
	if v := c.validators[in.operation]; v != nil && in.documented != nil {
		in.findings = v.Response(x.Request.Method, response)
	}
	return in
}

func (in *input) violation(about, cause, format string, args ...any) []Violation {
	return at(in.operation.Place, about, cause, format, args...)
}

func at(place exchange.Place, about, cause, format string, args ...any) []Violation {
	return []Violation{{Message: fmt.Sprintf(format, args...), About: about, Place: place, Cause: cause}}
}

// asWarning makes warnings of violations if a reading allows what they report.
func asWarning(allowed bool, violations []Violation) []Violation {
	if allowed {
		for i := range violations {
			violations[i].Severity = exchange.Warning
		}
	}
	return violations
}

func (in *input) hasNoBody() bool {
	return in.Request.Method == "HEAD" || exchange.IsBodiless(in.Status())
}

// inContentType stands for Content-Type among the parts of an answer.
const inContentType = "content-type"

// part returns the violations in one part of the answer: exchange.InHeader, exchange.InBody or inContentType.
// The same fault in several items, or under several statuses of one class, is one.
func (in *input) part(part string) []Violation {
	var all []Violation
	for i := range in.findings {
		f := &in.findings[i]
		if partOf(f) != part || in.isUnknown(f) {
			continue
		}
		class := strconv.Itoa(in.Status() / 100)
		cause := class + " " + f.Code + " " + f.Name + " " + General(f.Pointer)
		if slices.ContainsFunc(all, func(v Violation) bool { return v.Cause == cause }) {
			continue
		}
		v := Violation{Message: f.Message, About: f.Where(), Place: f.Document, Cause: cause, Finding: f,
			Shared: class + " " + f.Code + " " + f.Name + " " + lastName(f.Pointer)}
		if slices.Contains(advisedAgainst, f.Code) || in.mayBeOfFormat(*f) {
			v.Severity = exchange.Warning
		}
		all = append(all, v)
	}
	return all
}

// isUnknown reports whether a recording lacks what a finding concerns.
func (in *input) isUnknown(f *exchange.Finding) bool {
	if f.In == exchange.InHeader {
		return in.recorded.HeadUnknown
	}
	return in.recorded.BodyUnknown
}

// advisedAgainst are findings of JSON that RFC 8259 sections 4, 6, 8.2 and 9 only advise against, or leave to the
// reader.
var advisedAgainst = []string{jsontext.CodeDuplicate, jsontext.CodeDepth, jsontext.CodeNumberTooBig,
	jsontext.CodeSurrogate}

func partOf(f *exchange.Finding) string {
	switch {
	case f.In != exchange.InHeader:
		return exchange.InBody
	case strings.EqualFold(f.Name, "Content-Type"):
		return inContentType
	}
	return exchange.InHeader
}

// General returns a pointer with "*" in place of indexes and items' keys, so that it is the same for all items.
func General(pointer string) string {
	if !strings.ContainsAny(pointer, "0123456789") {
		return pointer
	}
	tokens := strings.Split(pointer, "/")
	for i, t := range tokens {
		if isKey(t) {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, "/")
}

// lastName returns the last name in a pointer: of an item of a list, the list's.
func lastName(pointer string) string {
	for {
		at := strings.LastIndexByte(pointer, '/')
		if at < 0 {
			return ""
		}
		if token := pointer[at+1:]; !isKey(token) {
			return token
		}
		pointer = pointer[:at]
	}
}

// isKey reports whether a token is an index, or looks like an item's key: names
// of properties have at most two digits.
func isKey(token string) bool {
	digits := 0
	for i := range len(token) {
		if c := token[i]; c >= '0' && c <= '9' {
			digits++
		}
	}
	return digits > 0 && (digits == len(token) || digits > 2)
}
