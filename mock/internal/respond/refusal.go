package respond

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/prefer"
)

// Problem is a reason for which a request cannot be answered as it should be.
type Problem uint8

// The problems of requests.
const (
	BadCredentials Problem = iota
	WrongPassword          // of a user who logs in
	MissingScope           // or role, of credentials that are good
	UnparsableBody
	BadParameter
	BadBody
	BadMediaType
	NotAcceptable
	TooLarge
	Overloaded
	Overdue
	NoItem
	Conflict
	StalePrecondition
	BadRange // of bytes that a file does not have
	UnknownPath
	UnknownMethod
	problems
)

// candidates are the statuses that answer a problem, best first: the first that the operation documents.
// Where it documents none of them, the first of all answers, with problem details.
var candidates = [problems][]string{
	BadCredentials:    {"401", "403", "4XX", "default", "400"},
	WrongPassword:     {"401", "400", "422", "403", "4XX", "default"},
	MissingScope:      {"403", "401", "4XX", "default", "400"},
	UnparsableBody:    {"400", "422", "4XX", "default"},
	BadParameter:      {"400", "422", "4XX", "default"},
	BadBody:           {"422", "400", "4XX", "default"},
	BadMediaType:      {"415", "400", "422", "4XX", "default"},
	NotAcceptable:     {"406", "400", "4XX", "default"},
	TooLarge:          {"413", "4XX", "default"},
	Overloaded:        {"503", "5XX", "default"},
	Overdue:           {"503", "5XX", "default"},
	NoItem:            {"404", "410", "4XX", "default"},
	Conflict:          {"409", "422", "400", "4XX", "default"},
	StalePrecondition: {"412", "422", "400", "4XX", "default"},
	BadRange:          {"416", "4XX", "default"},
	UnknownPath:       {"404"},
	UnknownMethod:     {"405"},
}

// Refusal says why a request is refused.
type Refusal struct {
	Problem Problem
	// Status answers with problem details in place of a documented status, where
	// the refusal is the mock's and not the API's; 0 if it is the API's.
	Status   int
	Findings []exchange.Finding
	Codes    []string        // error codes of the document that say why; nil if none is known
	Header   exchange.Header // more fields of the answer
}

func (r *Refusal) Error() string { return exchange.Join(r.Findings) }

// Refuse answers a request that is refused: as the operation documents it, in the
// API's own error body; where it documents nothing that fits, with problem details.
// A request without an operation is answered as most operations are.
func (r *Responder) Refuse(q *Request, a *Answer, refusal *Refusal) {
	status, documented := refusal.Status, (*spec.Response)(nil)
	if status == 0 {
		status, documented = refusal.Problem.documented(q.Operation, q.Preferences.Code)
	}
	findings := q.hide(refusal.Findings)
	a.Findings, a.Refused = append(a.Findings, findings...), true
	why := explanationOf(findings)
	why.codes = refusal.Codes
	if refusal.Status == 0 {
		why.problem = &refusal.Problem
	}
	placed := q.Method != http.MethodHead
	switch {
	case documented != nil:
		if q.Preferences.Code != status {
			a.Ignored |= prefer.Of(prefer.Code)
		}
		placed = r.explain(q, a, status, documented, why) && placed
	case refusal.Status != 0 || !r.refuseAsPrevailing(q, a, status, why):
		a.problemDetails(status, why)
	}
	if !placed {
		a.say(why.reason)
	}
	a.SetFields(refusal.Header)
	if refusal.Problem == Overloaded { // RFC 9110 section 10.2.3, in seconds
		a.Header.Set("Retry-After", "1")
	}
}

// maxFinding bounds FindingField, in bytes.
const maxFinding = 1000

// say puts a reason into FindingField.
func (a *Answer) say(reason string) {
	a.Header.Set(FindingField, FieldText(reason))
}

// FieldText returns a reason as the value of FindingField.
func FieldText(reason string) string {
	return exchange.Shorten(strings.Map(fieldCharacter, reason), maxFinding)
}

// documented returns the status that an operation answers a problem with, and what
// it documents for it; nil if it documents nothing, or there is no operation.
// preferred is the status that the request prefers if it is one of the problem's, 0 if none.
func (p Problem) documented(o *Operation, preferred int) (status int, documented *spec.Response) {
	first, _ := strconv.Atoi(candidates[p][0])
	if o == nil {
		return first, nil
	}
	names := candidates[p]
	if code := strconv.Itoa(preferred); slices.Contains(names, code) {
		names = append([]string{code}, names...)
	}
	for _, candidate := range names {
		for _, r := range o.Responses {
			if strings.EqualFold(r.Status, candidate) {
				if code, err := strconv.Atoi(candidate); err == nil {
					return code, r
				}
				return first, r
			}
		}
	}
	return first, nil
}

// IsDocumented reports whether an operation documents an answer to a problem.
func (p Problem) IsDocumented(o *Operation) bool {
	_, documented := p.documented(o, 0)
	return documented != nil
}

func (q *Request) hide(findings []exchange.Finding) []exchange.Finding {
	return q.Secrets.Sent(q.Request).HideFindings(findings)
}

// explain answers with an error body that has the reason, or with the example that the request prefers. It reports
// whether the reason stands in the body.
func (r *Responder) explain(q *Request, a *Answer, status int, documented *spec.Response, why explanation) bool {
	media, as := Negotiate(q.Header, documented.Content)
	if media == nil && len(documented.Content) > 0 {
		media = documented.Content[0] // an error in another form helps more than none
	}
	a.begin(status)
	r.setHeaders(q, a, documented)
	if media == nil {
		a.Ignored |= prefer.Of(prefer.Example)
		return false
	}
	b, name := r.bodies[media], q.Preferences.Example
	if e := b.Example(name); name != "" && e != nil && b.respondExample(q, a, as, e, nil) {
		return false
	}
	a.Ignored |= prefer.Of(prefer.Example)
	if e := b.Example(""); e != nil && media.Schema == nil {
		if _, isText := e.Value.(string); isText && b.respondExample(q, a, as, e, nil) {
			return false
		}
	}
	value, placed := b.explain(q, b.Key(q, status), status, why)
	a.SetBody(media, as, value)
	return placed
}

// refuseAsPrevailing answers with the error body that most operations have. It reports false if none, or if no
// body conforms to it.
func (r *Responder) refuseAsPrevailing(q *Request, a *Answer, status int, why explanation) bool {
	if r.prevailing == nil {
		return false
	}
	key := generate.NewKey(q.Seed, q.Method, strconv.Itoa(status))
	if q.Operation == nil {
		why.reason = why.findings[0].Message // the place would be the request as a whole
	}
	value, placed := r.bodies[r.prevailing].explain(q, key, status, why)
	if !r.prevailing.Conforms(value) {
		return false
	}
	a.begin(status)
	if q.Operation != nil {
		a.Ignored |= prefer.Of(prefer.Code, prefer.Example)
		a.Header.Set(UndocumentedField, strconv.Itoa(status))
	}
	if a.SetBody(r.prevailing, "", value); !placed {
		a.say(why.reason)
	}
	return true
}

// Unsatisfiable answers if a body cannot be encoded.
func (r *Responder) Unsatisfiable(q *Request, a *Answer, err error) {
	f := exchange.Finding{Code: "no-conforming-answer", Message: err.Error(), In: exchange.InRequest}
	if q.Operation != nil {
		f.Document = q.Operation.Place
	}
	r.Refuse(q, a, &Refusal{Status: 500, Findings: []exchange.Finding{f}})
}

// problemDetails answers with problem details (RFC 9457), which are not what the document describes.
func (a *Answer) problemDetails(status int, why explanation) {
	errors := make([]any, len(why.findings))
	for i, f := range why.findings {
		details := map[string]any{"detail": f.String()}
		if f.In == exchange.InBody {
			details["pointer"] = "#" + f.Pointer
		}
		errors[i] = details
	}
	a.begin(status)
	a.Ignored |= prefer.Of(prefer.Code, prefer.Example)
	body := map[string]any{
		"type":   "about:blank",
		"title":  StatusText(status),
		"status": status,
		"detail": why.reason,
	}
	if len(errors) > 0 {
		body["errors"] = errors
	}
	a.SetBytes("application/problem+json", jsontext.Append(nil, body))
	a.Header.Set(UndocumentedField, strconv.Itoa(status))
}

// ProblemOf returns the problem that a refused request's findings amount to: what
// keeps the body from being read comes before what it says.
func ProblemOf(findings []exchange.Finding) Problem {
	order := []Problem{Overloaded, BadMediaType, TooLarge, UnparsableBody, BadParameter, BadBody}
	first := len(order) - 1
	for _, f := range findings {
		first = min(first, slices.Index(order, problemOf(f)))
	}
	return order[first]
}

func problemOf(f exchange.Finding) Problem {
	switch f.Code {
	case decode.CodeMediaType, decode.CodeContentType, decode.CodeCharset, decode.CodeContentEncoding:
		return BadMediaType
	case decode.CodeBodyTooLarge:
		return TooLarge
	case decode.CodeOverloaded:
		return Overloaded
	}
	if f.In != exchange.InBody {
		return BadParameter
	}
	switch f.Code {
	case decode.CodeMissingBody, decode.CodeCompression, decode.CodeForm, decode.CodeMultipart, decode.CodeXML,
		jsontext.CodeSyntax, jsontext.CodeTrailing, jsontext.CodeDuplicate, jsontext.CodeUTF8, jsontext.CodeDepth,
		jsontext.CodeNumberTooBig, jsontext.CodeSurrogate:
		return UnparsableBody
	}
	return BadBody
}

// RefusePreference refuses a request for a preference of its own.
func RefusePreference(f exchange.Finding) *Refusal {
	return &Refusal{Status: 400, Findings: []exchange.Finding{f}}
}
