package spec

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// IsJSON reports whether bodies of the media type are JSON: application/json,
// text/json and +json (RFC 6839 section 3.1).
func (m *MediaType) IsJSON() bool {
	return m.Subtype == "json" || strings.HasSuffix(m.Subtype, "+json")
}

// IsFile reports whether bodies of the media type are files, not values that a
// schema describes: images, PDF, CSV, plain text.
func (m *MediaType) IsFile() bool {
	switch {
	case m.IsJSON(), m.Type == "multipart", m.Type == "*", m.Subtype == "xml", strings.HasSuffix(m.Subtype, "+xml") &&
		m.Type != "image", strings.Contains(m.Subtype, "yaml"):
		return false
	}
	return m.Subtype != "x-www-form-urlencoded" && !m.Sequential()
}

// CarriesFile reports whether a file can be in a body: it is one, or has parts.
func (m *MediaType) CarriesFile() bool { return m.Type == "multipart" || m.IsFile() }

// Concrete gives a media type that the entry covers: itself, or the
// plainest member of a range.
func (m *MediaType) Concrete() string {
	switch {
	case m.Type == "*", m.Type == "application" && m.Subtype == "*":
		return "application/json"
	case m.Type == "text" && m.Subtype == "*":
		return "text/plain"
	case m.Type == "multipart" && m.Subtype == "*":
		return "multipart/form-data"
	case m.Type == "image" && m.Subtype == "*":
		return "image/png"
	case m.Subtype == "*":
		return "application/octet-stream"
	}
	return m.Range
}

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

// Check validates a body against the schema of the media type, and each item of
// a list against its itemSchema.
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
