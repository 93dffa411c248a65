package spec

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Sequential reports whether bodies of the media type are items one after
// another (OpenAPI 3.2 section 4.14.4): JSON Lines under its several names,
// JSON text sequences (RFC 7464), server-sent events, and any multipart type
// but that of forms.
func (m *MediaType) Sequential() bool {
	switch m.Subtype {
	case "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "ndjson", "x-ndjson", "json-seq":
		return true
	case "event-stream":
		return m.Type == "text"
	}
	return strings.HasSuffix(m.Subtype, "+json-seq") || m.Type == "multipart" && m.Subtype != "form-data"
}

// Check holds a body to the media type: as a whole to its schema, and each
// item of a list to its itemSchema. It gives all that is wrong.
func (m *MediaType) Check(value any) []exchange.Finding {
	var findings []exchange.Finding
	if m.Schema != nil {
		findings = m.Schema.Check(value, exchange.InBody, "")
	}
	list, ok := value.([]any)
	if m.Item == nil || !ok {
		return findings
	}
	for i, item := range list {
		if len(findings) >= maxFindings {
			break
		}
		for _, f := range m.Item.Check(item, exchange.InBody, "") {
			f.Pointer = "/" + strconv.Itoa(i) + f.Pointer
			findings = append(findings, f)
		}
	}
	return findings
}

// Conforms reports whether Check finds nothing.
func (m *MediaType) Conforms(value any) bool {
	if m.Schema != nil && !Conforms(m.Schema.Keywords, value) {
		return false
	}
	if list, ok := value.([]any); ok && m.Item != nil {
		for _, item := range list {
			if !Conforms(m.Item.Keywords, item) {
				return false
			}
		}
	}
	return true
}
