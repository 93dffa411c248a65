package decode

import "github.com/coldframe/coldframe/internal/jsontext"

// isNumber reports whether text is a JSON number (RFC 8259 section 6) within
// jsontext's limits.
func isNumber(text string) bool {
	if text == "" || text[0] != '-' && (text[0] < '0' || text[0] > '9') {
		return false
	}
	s := jsontext.NewScanner(text)
	_, err := s.Number()
	return err == nil && s.Offset() == len(text)
}
