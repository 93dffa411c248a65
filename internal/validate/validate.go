// Package validate checks exchanges against the contract: it decodes a request
// or a response and validates every part against its compiled schema. Findings
// are complete and sorted.
package validate

import (
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Operation validates the exchanges of one operation. It is immutable and safe
// for concurrent use.
type Operation struct {
	operation      *spec.Operation
	decoder        *decode.Operation
	responses      map[*spec.Response]*decode.Content
	headerDecoders map[*spec.Response]*decode.Headers
}

// New binds the decoders of an operation.
func New(o *spec.Operation) *Operation {
	v := &Operation{
		operation:      o,
		decoder:        decode.New(o),
		responses:      make(map[*spec.Response]*decode.Content, len(o.Responses)),
		headerDecoders: map[*spec.Response]*decode.Headers{},
	}
	for _, r := range o.Responses {
		v.responses[r] = decode.NewContent(r.Content)
		if len(r.Headers) > 0 {
			v.headerDecoders[r] = decode.NewHeaders(r.Headers)
		}
	}
	return v
}

// Request decodes a request and gives what is wrong with it. path are the
// percent-encoded values of the template's variables in their order.
func (v *Operation) Request(r *exchange.Request, path []string) (decode.Values, []exchange.Finding) {
	values, findings := v.Decode(r, path)
	return values, exchange.Sort(append(findings, v.Check(&values)...))
}

// Decode is the first half of Request: it reads the values, and its findings
// are about their form.
func (v *Operation) Decode(r *exchange.Request, path []string) (decode.Values, []exchange.Finding) {
	return v.decoder.Request(r, path)
}

// Check is the second half: it validates the values that could be read.
func (v *Operation) Check(values *decode.Values) []exchange.Finding {
	var findings []exchange.Finding
	for _, p := range v.operation.Parameters {
		schema := p.Schema
		if p.Content != nil {
			schema = p.Content.Schema
		}
		if schema == nil {
			continue
		}
		if value, ok := values.In(p.In)[p.Name]; ok {
			findings = append(findings, schema.Check(value, p.In, p.Name)...)
		}
	}
	if values.HasBody && values.MediaType != nil {
		findings = append(findings, values.MediaType.Check(values.Body)...)
	}
	return findings
}

// Unknown gives a finding for each query parameter that the document does not
// know.
func (v *Operation) Unknown(r *exchange.Request) []exchange.Finding {
	return v.decoder.Unknown(r)
}
