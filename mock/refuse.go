package mock

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// undocumentedField says, in an answer that the document does not describe,
// which status that is.
const undocumentedField = "Coldframe-Undocumented"

// refuse answers a problem as the operation documents it, in the API's own
// words; where it documents nothing that fits, with problem+json.
func (x *visit) refuse(p problem, findings []exchange.Finding) {
	status, documented := refusal(x.operation.Operation, p)
	x.findings = findings
	if documented == nil {
		x.problem(status, findings...)
		x.response.Header.Set(undocumentedField, strconv.Itoa(status))
		return
	}
	x.explain(status, documented, exchange.Join(findings), findings)
}

// explain answers with a documented response whose body carries a reason.
func (x *visit) explain(status int, documented *spec.Response, reason string, findings []exchange.Finding) {
	media := x.negotiate(documented.Content)
	if media == nil && len(documented.Content) > 0 {
		media = documented.Content[0] // an error in another form helps more than none
	}
	x.response = exchange.Response{Status: status}
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
// document's operations put their errors, else with problem+json.
func (x *visit) refuseUnrouted(status int, f exchange.Finding) {
	x.findings = []exchange.Finding{f}
	if media := x.in.prevailing; media != nil {
		key := generate.NewKey(x.seed(), x.request.Method, strconv.Itoa(status))
		if value, err := x.in.producer(media).dialect(key, status, f.Message, x.findings); err == nil {
			x.response = exchange.Response{Status: status}
			x.body(media, value)
			return
		}
	}
	x.problem(status, f)
}

// problem answers with problem details (RFC 9457).
func (x *visit) problem(status int, findings ...exchange.Finding) {
	errors := make([]any, len(findings))
	for i, f := range findings {
		details := map[string]any{"detail": f.String()}
		if f.Pointer != "" || f.In == exchange.InBody {
			details["pointer"] = "#" + f.Pointer
		}
		errors[i] = details
	}
	x.findings = findings
	x.preferences.applied = nil
	x.response = exchange.Response{
		Status: status,
		Header: exchange.Header{{Name: "Content-Type", Value: "application/problem+json"}},
		Body: jsontext.Append(nil, map[string]any{
			"type":   "about:blank",
			"title":  statusText(status),
			"status": status,
			"detail": exchange.Join(findings),
			"errors": errors,
		}),
	}
	x.pending = false
}

// unsatisfiable answers where nothing that conforms can be made.
func (x *visit) unsatisfiable(err error) {
	f := exchange.Finding{Code: "no-conforming-answer", Message: err.Error(), In: exchange.InRequest, Document: x.operation.Place}
	x.problem(500, f)
}
