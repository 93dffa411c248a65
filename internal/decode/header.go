package decode

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Headers decodes header fields: those of a response, or of a part.
type Headers struct{ params []*param }

// NewHeaders binds the decoders of documented header fields.
func NewHeaders(documented []*spec.Parameter) *Headers {
	h := &Headers{}
	for _, p := range documented {
		if !strings.EqualFold(p.Name, "Content-Type") { // ignored (OpenAPI 3.1 section 4.8.17.1)
			header := *p
			header.In = exchange.InHeader
			h.params = append(h.params, bind(&header))
		}
	}
	return h
}

// Decode reads the documented fields; its keys are names as documented. A
// required one that is not there is reported.
func (h *Headers) Decode(header exchange.Header) (map[string]any, []exchange.Finding) {
	if len(h.params) == 0 {
		return nil, nil
	}
	return readHeader(h.params, header, nil)
}

func readHeader(params []*param, h exchange.Header, findings []exchange.Finding) (map[string]any, []exchange.Finding) {
	values := make(map[string]any, len(params))
	for _, p := range params {
		text, count := fieldValue(h, p.name)
		if count == 0 {
			if p.required {
				findings = append(findings, p.missing())
			}
			continue
		}
		// Fields of one name mean their values joined with commas (RFC 9110
		// section 5.3), which numbers and booleans are not.
		if count > 1 && (p.content != nil || !p.shape.kinds.has(kindString|kindArray|kindObject)) {
			findings = append(findings, p.finding(repeatedFault()))
			continue
		}
		value, wrong := p.text(text)
		if wrong != nil {
			findings = append(findings, p.finding(wrong))
			continue
		}
		values[p.name] = value
	}
	return values, findings
}

// fieldValue gives the value of all fields of a name, and how many there are.
func fieldValue(h exchange.Header, name string) (value string, count int) {
	for i := range h {
		if !strings.EqualFold(h[i].Name, name) {
			continue
		}
		if count++; count == 1 {
			value = strings.Trim(h[i].Value, " \t")
		}
	}
	if count > 1 {
		values := h.Values(name)
		for i := range values {
			values[i] = strings.Trim(values[i], " \t")
		}
		value = strings.Join(values, ", ")
	}
	return value, count
}
