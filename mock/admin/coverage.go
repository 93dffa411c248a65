package admin

// coverage says what of the document was used.
func (h *Handler) coverage(c *call) Answer {
	report := h.Coverage()
	switch c.text("format") {
	case "text":
		return written("text/plain; charset=utf-8", []byte(report.Text()))
	case "lcov":
		return written("text/plain; charset=utf-8", []byte(report.LCOV()))
	}
	return marshalled(report)
}
