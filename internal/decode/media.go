package decode

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// mediaType is a media type in a message (RFC 9110 section 8.3.1).
type mediaType struct {
	kind    string // lower case
	subtype string // lower case
	params  []exchange.Field
}

// parseMediaType parses a media type strictly: tokens and quoted strings must have only allowed characters.
func parseMediaType(text string) (mediaType, bool) {
	var m mediaType
	for part := range exchange.SplitQuoted(text, ";") {
		part = strings.Trim(part, " \t")
		switch {
		case m.kind == "":
			kind, subtype, _ := strings.Cut(part, "/")
			if !isToken(kind) || !isToken(subtype) {
				return m, false
			}
			m.kind, m.subtype = strings.ToLower(kind), strings.ToLower(subtype)
		case part != "": // an empty parameter is allowed (RFC 9110 section 5.6.6)
			name, value, _ := strings.Cut(part, "=")
			value, ok := parameterValue(value)
			if !ok || !isToken(name) {
				return m, false
			}
			m.params = append(m.params, exchange.Field{Name: strings.ToLower(name), Value: value})
		}
	}
	return m, true
}

func isToken(text string) bool { return text != "" && exchange.IsToken(text) }

func parameterValue(text string) (value string, ok bool) {
	quoted, ok := strings.CutPrefix(text, `"`)
	if !ok {
		return text, isToken(text)
	}
	var b strings.Builder
	for i := 0; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '"':
			return b.String(), i == len(quoted)-1
		case c == '\\' && i+1 < len(quoted):
			i++
			b.WriteByte(quoted[i])
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

func (m *mediaType) param(name string) string {
	for _, p := range m.params {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

func (m *mediaType) isJSON() bool {
	return m.subtype == "json" || strings.HasSuffix(m.subtype, "+json")
}

func (m *mediaType) isXML() bool {
	return m.subtype == "xml" || strings.HasSuffix(m.subtype, "+xml")
}

func (m *mediaType) isForm() bool {
	return m.kind == "application" && m.subtype == "x-www-form-urlencoded"
}

func (m *mediaType) isEvents() bool { return m.kind == "text" && m.subtype == "event-stream" }

// isLines reports whether bodies are JSON values, one a line: JSON Lines under its several names, and JSON text
// sequences (RFC 7464).
func (m *mediaType) isLines() bool {
	switch m.subtype {
	case "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "ndjson", "x-ndjson", "json-seq":
		return true
	}
	return strings.HasSuffix(m.subtype, "+json-seq")
}

// matches returns how specifically a documented media type covers a sent one: 0 means not at all.
func (m *mediaType) matches(documented *spec.MediaType) int {
	for name, want := range documented.Params {
		if name != "charset" && !strings.EqualFold(m.param(name), want) {
			return 0
		}
	}
	score := 0
	switch suffix := m.subtype[strings.LastIndexByte(m.subtype, '+')+1:]; {
	case documented.Type == "*":
		return 1
	case documented.Type != m.kind:
		return 0
	case documented.Subtype == m.subtype:
		score = 5
	// A type with a suffix may be read as its underlying type (RFC 6838 section 4.2.8), so application/json covers
	// application/problem+json.
	case suffix != m.subtype && suffix != "" && documented.Subtype == "*+"+suffix:
		score = 4
	case suffix != m.subtype && suffix != "" && documented.Subtype == suffix:
		score = 3
	case documented.Subtype == "*":
		score = 2
	default:
		return 0
	}
	return score*16 + min(len(documented.Params), 15)
}
