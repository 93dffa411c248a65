package mock

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// undocumentedField says, in an answer that the document does not describe,
// which status that is.
const undocumentedField = "Coldframe-Undocumented"

// refuse answers a problem as the operation documents it, in the API's own
// words; where it documents nothing that fits, with problem details.
func (x *visit) refuse(p problem, findings []exchange.Finding) {
	status, documented := refusal(x.operation.Operation, p)
	findings = x.credentials().HideFindings(findings)
	x.findings = append(x.findings, findings...)
	findings = distinct(findings)
	if documented == nil {
		x.problem(status, findings)
	} else {
		x.preferences.ignores(preferCode, preferExample)
		x.explain(status, documented, reasonOf(findings), findings)
	}
	if p == badCredentials {
		x.challenge()
	}
}

// challenge says which credentials the operation takes (RFC 9110 section
// 11.6.1).
func (x *visit) challenge() {
	if challenges := x.operation.auth.Challenges(); len(challenges) > 0 {
		x.response.Header.Set("WWW-Authenticate", strings.Join(challenges, ", "))
	}
}

// explain answers with a documented response whose body carries a reason.
func (x *visit) explain(status int, documented *spec.Response, reason string, findings []exchange.Finding) {
	media := x.negotiate(documented.Content)
	if media == nil && len(documented.Content) > 0 {
		media = documented.Content[0] // an error in another form helps more than none
	}
	x.begin(status)
	x.headers(documented)
	if media == nil {
		return
	}
	key := x.key(status, media)
	value, err := x.in.producer(media).dialect(key, status, reason, findings)
	if err != nil {
		x.unsatisfiable(err)
		return
	}
	x.body(media, value)
}

// refuseUnrouted answers a request that leads to no operation: as most of the
// document's operations put their errors, else with problem details.
func (x *visit) refuseUnrouted(status int, f exchange.Finding) {
	f.Message = x.credentials().Hide(f.Message)
	if media := x.in.prevailing; media != nil {
		key := generate.NewKey(x.seed(), x.request.Method, strconv.Itoa(status))
		if value, err := x.in.producer(media).dialect(key, status, f.Message, []exchange.Finding{f}); err == nil {
			x.findings = append(x.findings, f)
			x.begin(status)
			x.body(media, value)
			return
		}
	}
	x.fail(status, f)
}

// fail answers with problem details for one finding.
func (x *visit) fail(status int, f exchange.Finding) {
	f.Message = x.credentials().Hide(f.Message)
	x.findings = append(x.findings, f)
	x.problem(status, []exchange.Finding{f})
}

// problem answers with problem details (RFC 9457), which are not what the
// document describes.
func (x *visit) problem(status int, findings []exchange.Finding) {
	errors := make([]any, len(findings))
	for i, f := range findings {
		details := map[string]any{"detail": f.String()}
		if f.In == exchange.InBody {
			details["pointer"] = "#" + f.Pointer
		}
		errors[i] = details
	}
	x.pending = false
	x.preferences.ignores(preferCode, preferExample)
	x.response = exchange.Response{
		Status: status,
		Header: exchange.Header{
			{Name: "Content-Type", Value: "application/problem+json"},
			{Name: undocumentedField, Value: strconv.Itoa(status)},
		},
		Body: jsontext.Append(nil, map[string]any{
			"type":   "about:blank",
			"title":  statusText(status),
			"status": status,
			"detail": reasonOf(findings),
			"errors": errors,
		}),
	}
}

// unsatisfiable answers where nothing that conforms can be made.
func (x *visit) unsatisfiable(err error) {
	f := exchange.Finding{Code: "no-conforming-answer", Message: err.Error(), In: exchange.InRequest, Document: x.operation.Place}
	x.fail(500, f)
}
