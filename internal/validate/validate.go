// Package validate checks exchanges against the contract: it decodes a request or a response and validates
// every part against its compiled schema. Findings are complete and sorted.
package validate

import (
	"strconv"
	"sync"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// The codes of findings on responses, beside the codes of decoding and the keywords of schemas.
const (
	CodeUndocumentedStatus = "undocumented-status"
	CodeUnexpectedBody     = "unexpected-body"
	CodeMissingHeader      = "missing-header"
)

// Validator validates the exchanges of one operation. It is safe for concurrent use.
type Validator struct {
	operation *spec.Operation
	decoder   func() *decode.Decoder
	responses func() map[*spec.Response]response
}

type response struct {
	content *decode.Content
	headers decode.Headers
}

// New returns a validator whose decoders are bound at first use, because clients use few operations of a large
// document. Binding all of GitHub's document (767 operations) takes 2 MB, and allocates 5 MB.
func New(o *spec.Operation) *Validator {
	return &Validator{
		operation: o,
		decoder:   sync.OnceValue(func() *decode.Decoder { return decode.New(o) }),
		responses: sync.OnceValue(func() map[*spec.Response]response {
			all := make(map[*spec.Response]response, len(o.Responses))
			for _, r := range o.Responses {
				all[r] = response{decode.NewContent(r.Content), decode.NewHeaders(r.Headers)}
			}
			return all
		}),
	}
}

// Name returns the method and path of the operation, as in the document.
func (v *Validator) Name() string { return v.operation.Method + " " + v.operation.Path }

// Request decodes a request and returns its values and findings. path has the percent-encoded values of the
// template's variables, in order.
func (v *Validator) Request(r *exchange.Request, path []string) (decode.Values, []exchange.Finding) {
	values, findings := v.Decode(r, path)
	return values, exchange.Sort(append(findings, v.Check(&values)...))
}

// Decode is the first half of Request: it decodes the values, and its findings are about their syntax.
func (v *Validator) Decode(r *exchange.Request, path []string) (decode.Values, []exchange.Finding) {
	return v.decoder().Request(r, path)
}

// Check is the second half: it validates the values that were decoded.
func (v *Validator) Check(values *decode.Values) []exchange.Finding {
	var findings []exchange.Finding
	var allowance spec.Allowance
	for _, p := range v.operation.Parameters {
		value, sent := values.In(p.In)[p.Name]
		if schema := p.ValueSchema(); sent && schema != nil {
			findings = append(findings, schema.CheckWithin(&allowance, value, p.In, p.Name)...)
		}
	}
	if values.HasBody && values.MediaType != nil && values.Flat() == nil {
		findings = append(findings, values.MediaType.CheckWithin(&allowance, values.Body())...)
	}
	return findings
}

// Unknown returns a finding for each undocumented query parameter.
func (v *Validator) Unknown(r *exchange.Request) []exchange.Finding { return v.decoder().Unknown(r) }

// Response returns the findings on the response to a request with the given method.
func (v *Validator) Response(method string, r *exchange.Response) []exchange.Finding {
	_, _, findings := v.DecodeResponse(method, r)
	return findings
}

// DecodeResponse is Response that returns the value of the body, too; the media type is nil if it cannot be decoded.
func (v *Validator) DecodeResponse(
	method string, r *exchange.Response,
) (body any, of *spec.MediaType, findings []exchange.Finding) {
	documented := v.operation.Response(r.Status)
	if documented == nil {
		return nil, nil, []exchange.Finding{{
			Code:     CodeUndocumentedStatus,
			Message:  "status " + strconv.Itoa(r.Status) + " is not documented",
			In:       exchange.InRequest,
			Document: v.operation.Place,
		}}
	}
	decoders := v.responses()[documented]
	var allowance spec.Allowance
	values, findings := decoders.headers.Decode(r.Header)
	for i := range findings {
		if findings[i].Code == decode.CodeMissingParameter {
			findings[i].Code, findings[i].Message = CodeMissingHeader, "required header is missing"
		}
	}
	for _, p := range documented.Headers {
		if value, sent := values[p.Name]; sent && p.Schema != nil {
			findings = append(findings, p.Schema.CheckWithin(&allowance, value, exchange.InHeader, p.Name)...)
		}
	}
	isBodiless := method == "HEAD" || exchange.IsBodiless(r.Status)
	switch {
	case isBodiless && len(r.Body) > 0:
		findings = append(findings, exchange.Finding{
			Code: CodeUnexpectedBody, Message: "the answer must have no body (RFC 9110 section 6.4.1)",
			In: exchange.InBody, Document: documented.Place,
		})
	case !isBodiless && len(documented.Content) > 0:
		value, media, wrong := decoders.content.Decode(r.Header, r.Body)
		findings = append(findings, wrong...)
		if len(wrong) == 0 && media != nil {
			body, of = value, media
			findings = append(findings, media.CheckWithin(&allowance, value)...)
		}
	}
	return body, of, exchange.Sort(findings)
}
