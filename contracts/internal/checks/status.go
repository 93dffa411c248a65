package checks

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// failed reports whether the answer is a 5xx that is a fault. A documented status other than 500 is not a fault, nor
// is 501 for an undocumented method (RFC 9110 section 15.6.2).
func (in *input) failed() bool {
	status := in.Status()
	if status/100 != 5 || status == 501 && in.Case.Expected == cases.NotAllowed || IsUnavailable(in.Exchange) {
		return false
	}
	return status == 500 || !in.operation.DocumentsExactly(status)
}

// IsUnavailable reports whether an answer says when the backend can be asked again (RFC 9110 section 15.6.4).
func IsUnavailable(x *Exchange) bool {
	if x.Status() != 503 {
		return false
	}
	_, says := x.Response.Header.Get("Retry-After")
	return says
}

func serverError(in *input) []Violation {
	if !in.failed() {
		return nil
	}
	named := in.documented != nil && in.documented.Status != "default"
	return asWarning(named || in.Status() == 503,
		in.violation("", strconv.Itoa(in.Status()), "answered %d", in.Status()))
}

func wholeAnswer(in *input) []Violation {
	if in.Fault == nil {
		return nil
	}
	if in.Fault.Code == wire.ExtraBytes && in.Response != nil && in.hasNoBody() {
		return in.violation("", in.Fault.Code+" "+strconv.Itoa(in.Status()),
			"%s: the answer to %s with %d has no body (RFC 9110 section 6.4.1)",
			in.Fault.Message, in.Request.Method, in.Status())
	}
	return asWarning(in.Fault.Code == wire.Timeout, in.violation("", in.Fault.Code, "%s", in.Fault.Message))
}

func statusDocumented(in *input) []Violation {
	switch {
	case in.documented != nil, len(in.operation.Responses) == 0, in.Case.Expected == cases.NotAllowed,
		in.isUndocumentedRefusal(), in.otherOrigin() != "":
		return nil
	case in.checker.Uses("valid-refused") && len(validAccepted(in)) > 0:
		return nil // the same fault
	}
	var documented []string
	for _, r := range in.operation.Responses {
		documented = append(documented, r.Status)
	}
	return asWarning(in.isOfHTTP(), in.violation("", strconv.Itoa(in.Status()),
		"status %d is not documented; the document has %s", in.Status(), strings.Join(documented, ", ")))
}

// brokenSyntax are findings of requests that no server reads: "malformed request syntax" (RFC 9110 section 15.5.1).
var brokenSyntax = []string{jsontext.CodeSyntax, jsontext.CodeTrailing, jsontext.CodeDuplicate, jsontext.CodeDepth,
	jsontext.CodeUTF8, jsontext.CodeSurrogate, decode.CodePercentEncoding, decode.CodeMalformedParameter, decode.CodeContentType,
	decode.CodeCharset, decode.CodeForm, decode.CodeMultipart, decode.CodeXML}

// isOfHTTP reports whether the status has a reason of HTTP. The 404 of a path has no such reason if neither the path
// nor anything else in the request names an item.
func (in *input) isOfHTTP() bool {
	status, f := in.Status(), in.Case.Violation
	if status == 404 && in.Case.Expected == cases.Accepted && in.Case.Varied == "" && !in.mayBeMissing() &&
		len(in.Request.Body) == 0 {
		return false
	}
	return validate.IsOfHTTP(status) || status == 400 && f != nil && slices.Contains(brokenSyntax, f.Code)
}

// noted are undocumented refusals that clients should know of: an item may be missing, and a media type not supported.
var noted = []int{404, 410, 415}

func refusalDocumented(in *input) []Violation {
	if in.documented != nil || in.Case.Expected == cases.NotAllowed || !in.isUndocumentedRefusal() {
		return nil
	}
	all := in.violation("", strconv.Itoa(in.Status()),
		"status %d is not documented, nor is another that refuses such a request", in.Status())
	if !in.checker.options.Strict {
		if !slices.Contains(noted, in.Status()) {
			return nil
		}
		all[0].Severity = exchange.Info
	}
	return all
}

// otherOrigin returns the origin that an undocumented redirect leads to, "" if it is the backend's own.
func (in *input) otherOrigin() string {
	if in.Status()/100 != 3 || in.documented != nil || in.checker.options.Origin == "" {
		return ""
	}
	location, _ := in.Response.Header.Get("Location")
	base, err := url.Parse(in.checker.options.Origin)
	if err != nil {
		return ""
	}
	to, err := base.Parse(strings.TrimSpace(location))
	if err != nil || to.Host == "" || to.Scheme == base.Scheme && to.Host == base.Host {
		return ""
	}
	return to.Scheme + "://" + to.Host
}

func redirectToOtherOrigin(in *input) []Violation {
	to := in.otherOrigin()
	if to == "" || in.Case.Expected == cases.NotAllowed {
		return nil
	}
	return in.violation("header.Location", to,
		"answered %d, which the document does not have, to another origin, %s; it was not followed", in.Status(), to)
}

func inTime(in *input) []Violation {
	limit := in.checker.options.Limit
	if limit == 0 || in.Took <= limit || in.Fault != nil {
		return nil
	}
	return in.violation("", "slow", "took longer than %v", limit)
}

// equivalent are the statuses that refuse a request for the same reason. A
// document that has one of them says how the operation refuses such requests.
var equivalent = [][]int{{400, 422}, {401, 403}, {404, 410}}

// isUndocumentedRefusal reports whether the answer is a sensible refusal for
// which the document has no status at all.
func (in *input) isUndocumentedRefusal() bool {
	status := in.Status()
	same := []int{status}
	if i := slices.IndexFunc(equivalent, func(all []int) bool { return slices.Contains(all, status) }); i >= 0 {
		same = equivalent[i]
	}
	return slices.Contains(in.sensibleRefusals(), status) &&
		!slices.ContainsFunc(same, func(s int) bool { return in.operation.DocumentsExactly(s) })
}

// sensibleRefusals returns the statuses with which a backend may refuse a case.
func (in *input) sensibleRefusals() []int {
	c, all := in.Case, []int{408, 429}
	if in.mayBeMissing() {
		all = append(all, 404, 410)
	}
	if IsUnavailable(in.Exchange) {
		all = append(all, 503)
	}
	all = append(all, validate.RequestedStatuses(in.Request.Header)...)
	if len(in.Request.Path)+len(in.Request.Query) > maxSafeTarget {
		all = append(all, 414, 431)
	}
	switch c.Expected {
	case cases.Unauthorized:
		all = append(all, 401, 403)
	case cases.Anything:
		all = append(all, 400, 413, 415, 422)
	case cases.Refused:
		all = append(all, 400, 422)
		switch c.Violation.Code {
		case decode.CodeMediaType, decode.CodeContentType, decode.CodeCharset, decode.CodeContentEncoding,
			decode.CodeMissingBody:
			all = append(all, 415)
		case decode.CodeBodyTooLarge:
			all = append(all, 413)
		}
	}
	return all
}

// maxSafeTarget is the length of a target that every server accepts, in bytes.
const maxSafeTarget = 2000

// mayBeMissing reports whether the path has variables, or can be deleted.
func (in *input) mayBeMissing() bool {
	return strings.Contains(in.operation.Path, "{") ||
		slices.ContainsFunc(in.checker.contract.Operations, func(o *spec.Operation) bool {
			return o.Template() == in.operation.Template() && o.Method == "DELETE"
		})
}

// canSucceed reports whether a status other than refusals is documented.
func (in *input) canSucceed() bool {
	return len(in.operation.Responses) == 0 ||
		slices.ContainsFunc(in.operation.Responses, func(r *spec.Response) bool {
			return r.Status == "default" || r.Status[0] >= '1' && r.Status[0] <= '3'
		})
}

// methodRefused tolerates a 404, as the item may be looked for first, a refusal of
// the credentials, and a 501 (RFC 9110 section 15.6.2).
func methodRefused(in *input) []Violation {
	if in.Case.Expected != cases.NotAllowed {
		return nil
	}
	method := in.Case.Request.Method
	switch {
	case in.Succeeded():
		return asWarning(true,
			in.violation("method", method, "%s is not documented, and was answered %d", method, in.Status()))
	case in.Status() == 400 && in.onlyMethodWrong():
		return asWarning(true, in.violation("method", "400",
			"%s is not documented, and was answered 400, though nothing but the method is wrong: want 405", method))
	case in.Status() != 405:
		return nil
	}
	allow := in.Response.Header.Values("Allow")
	if len(allow) == 0 {
		return in.violation("header.Allow", "allow", "a 405 must have Allow")
	}
	var listed []string
	for name := range strings.SplitSeq(strings.Join(allow, ","), ",") {
		listed = append(listed, strings.TrimSpace(name))
	}
	names := strings.Join(listed, ", ")
	if slices.Contains(listed, method) {
		return in.violation("header.Allow", "allow refused", "%s was refused with 405, and Allow names it: %s", method, names)
	}
	for _, o := range in.checker.contract.Operations {
		if o.Template() == in.operation.Template() && !slices.Contains(listed, o.Method) {
			return asWarning(true, at(o.Place, "header.Allow", "allow lacks "+o.Method,
				"Allow does not name %s, which the document has: %s", o.Method, names))
		}
	}
	return nil
}

// onlyMethodWrong reports whether a request of an undocumented method has no other fault: the item exists,
// and no required parameter is missing. TRACE is often refused by a proxy.
func (in *input) onlyMethodWrong() bool {
	if in.Case.Request.Method == "TRACE" || in.mayBeMissing() && !in.Exists {
		return false
	}
	return !slices.ContainsFunc(in.operation.Parameters,
		func(p *spec.Parameter) bool { return p.Required && p.In == "query" })
}

func methodKnown(in *input) []Violation {
	if in.Case.Expected != cases.NotAllowed || in.Status() != 501 {
		return nil
	}
	method := in.Case.Request.Method
	for _, o := range in.checker.contract.Operations {
		if o.Method == method {
			return in.violation("method", "501",
				"%s was answered 501, which is for methods that a server does not know: want 405, as the document has %[1]s %s",
				method, o.Path)
		}
	}
	return nil
}
