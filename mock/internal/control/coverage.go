package control

import "strings"

// coverageTypes are the media types of the forms that a report has.
var coverageTypes = map[string]string{
	"application/json": "json",
	"text/plain":       "text",
	"text/x-lcov":      "lcov",
}

// coverage says what of the document was used, by all or in one session.
func (h *Handler) coverage(c *call) Answer {
	session, one := c.Query["session"].(string)
	report := h.Coverage(session, one)
	if report == nil {
		return noSession(session)
	}
	format := c.text("format")
	if format == "" {
		format = coverageFormat(strings.Join(c.request.Header.Values("Accept"), ","))
	}
	switch format {
	case "text":
		return written("text/plain; charset=utf-8", []byte(report.Text()))
	case "lcov":
		return written("text/x-lcov; charset=utf-8", []byte(report.LCOV()))
	}
	return marshalled(report)
}

// coverageFormat gives the first form that an Accept names, else JSON.
func coverageFormat(accept string) string {
	for kind := range strings.SplitSeq(accept, ",") {
		kind, _, _ = strings.Cut(kind, ";")
		if format, ok := coverageTypes[strings.ToLower(strings.TrimSpace(kind))]; ok {
			return format
		}
	}
	return "json"
}
