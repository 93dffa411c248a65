package decode

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// mediaType is a media type as it is sent (RFC 9110 section 8.3.1).
type mediaType struct {
	kind    string // lower case
	subtype string // lower case
	params  []exchange.Field
}

// parseMediaType reads a media type strictly: neither tokens nor quoted
// strings may hold what they must not.
func parseMediaType(text string) (mediaType, bool) {
	var m mediaType
	text = strings.Trim(text, " \t")
	end := tokenEnd(text)
	if end == 0 || end == len(text) || text[end] != '/' {
		return m, false
	}
	m.kind = strings.ToLower(text[:end])
	text = text[end+1:]
	if end = tokenEnd(text); end == 0 {
		return m, false
	}
	m.subtype = strings.ToLower(text[:end])
	text = strings.TrimLeft(text[end:], " \t")
	for text != "" {
		if text[0] != ';' {
			return m, false
		}
		text = strings.TrimLeft(text[1:], " \t")
		if text == "" || text[0] == ';' {
			continue // an empty parameter is allowed (RFC 9110 section 5.6.6)
		}
		end = tokenEnd(text)
		if end == 0 || end == len(text) || text[end] != '=' {
			return m, false
		}
		name := strings.ToLower(text[:end])
		value, rest, ok := parameterValue(text[end+1:])
		if !ok {
			return m, false
		}
		m.params = append(m.params, exchange.Field{Name: name, Value: value})
		text = strings.TrimLeft(rest, " \t")
	}
	return m, true
}

func parameterValue(text string) (value, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		end := tokenEnd(text)
		return text[:end], text[end:], end > 0
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), text[i+1:], true
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case c < ' ' && c != '\t' || c == 0x7f:
			return "", "", false
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// tokenEnd gives the length of the token that text begins with (RFC 9110
// section 5.6.2).
func tokenEnd(text string) int {
	for i := range len(text) {
		c := text[i]
		if !isLetterOrDigit(c) && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return i
		}
	}
	return len(text)
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

// matches says how well a documented media type covers a sent one: 0 not at
// all, more is more specific.
func (m *mediaType) matches(documented *spec.MediaType) int {
	for name, want := range documented.Params {
		if name != "charset" && !strings.EqualFold(m.param(name), want) {
			return 0
		}
	}
	score := 0
	switch suffix := suffixOf(m.subtype); {
	case documented.Type == "*":
		return 1
	case documented.Type != m.kind:
		return 0
	case documented.Subtype == m.subtype:
		score = 4
	// A type with a suffix may be read as its underlying type (RFC 6838
	// section 4.2.8), so application/json covers application/problem+json.
	case suffix != "" && (documented.Subtype == suffix || documented.Subtype == "*+"+suffix):
		score = 3
	case documented.Subtype == "*":
		score = 2
	}
	if score == 0 {
		return 0
	}
	return score*16 + min(len(documented.Params), 15)
}

func suffixOf(subtype string) string {
	if i := strings.LastIndexByte(subtype, '+'); i >= 0 {
		return subtype[i+1:]
	}
	return ""
}
