package spec

// Concrete gives a media type that the entry stands for: itself, or the
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
