package jsontext

import "strings"

// IsMediaType reports whether a Content-Type is JSON or ends in +json (RFC 6839 section 3.1).
func IsMediaType(contentType string) bool {
	essence, _, _ := strings.Cut(contentType, ";")
	essence = strings.ToLower(strings.TrimSpace(essence))
	return strings.HasSuffix(essence, "/json") || strings.HasSuffix(essence, "+json")
}

// DecodeBody gives a body of JSON as a value, any other as text, nil for none.
func DecodeBody(contentType string, body []byte) any {
	if len(body) == 0 {
		return nil
	}
	if IsMediaType(contentType) {
		if v, err := Decode(string(body)); err == nil {
			return v
		}
	}
	return string(body)
}
