package validate

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// The codes of findings on answers, beside those of decoding and the keywords
// of schemas.
const (
	CodeUndocumentedStatus = "undocumented-status"
	CodeUnexpectedBody     = "unexpected-body"
	CodeMissingHeader      = "missing-header"
)

// Response gives what is wrong with the answer to a request of the given
// method.
func (v *Operation) Response(method string, r *exchange.Response) []exchange.Finding {
	documented := v.operation.Response(r.Status)
	if documented == nil {
		return []exchange.Finding{{
			Code:     CodeUndocumentedStatus,
			Message:  "status " + strconv.Itoa(r.Status) + " is not documented",
			In:       exchange.InRequest,
			Document: v.operation.Place,
		}}
	}
	findings := v.headers(documented, r.Header)
	switch {
	case method == "HEAD" || exchange.IsBodiless(r.Status):
		if len(r.Body) > 0 {
			findings = append(findings, exchange.Finding{
				Code: CodeUnexpectedBody, Message: "the answer must have no body (RFC 9110 section 6.4.1)",
				In: exchange.InBody, Document: documented.Place,
			})
		}
	case len(documented.Content) > 0:
		value, media, wrong := v.responses[documented].Decode(r.Header, r.Body)
		findings = append(findings, wrong...)
		if len(wrong) == 0 && media != nil {
			findings = append(findings, media.Check(value)...)
		}
	}
	return exchange.Sort(findings)
}

// headers validates the documented headers of an answer.
func (v *Operation) headers(documented *spec.Response, h exchange.Header) []exchange.Finding {
	if len(documented.Headers) == 0 {
		return nil
	}
	values, findings := v.headerDecoders[documented].Decode(h)
	for i := range findings {
		if findings[i].Code == decode.CodeMissingParameter {
			findings[i].Code, findings[i].Message = CodeMissingHeader, "required header is missing"
		}
	}
	for _, p := range documented.Headers {
		if value, sent := values[p.Name]; sent && p.Schema != nil {
			findings = append(findings, p.Schema.Check(value, exchange.InHeader, p.Name)...)
		}
	}
	return findings
}
