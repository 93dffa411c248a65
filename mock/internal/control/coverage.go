package control

import "strings"

// coverageTypes are the formats of a report by their media types.
var coverageTypes = map[string]string{
	"application/json": "json",
	"text/plain":       "text",
	"text/x-lcov":      "lcov",
}

// getCoverage reports what of the document was used, by all or in one session.
func (h *Handler) getCoverage(c *call) (any, error) {
	session, one := c.Query["session"].(string)
	report := h.Coverage(session, one)
	if report == nil {
		return nil, unknownSession(session)
	}
	format := c.query("format")
	if format == "" {
		format = acceptedFormat(strings.Join(c.request.Header.Values("Accept"), ","))
	}
	switch format {
	case "text":
		return written("text/plain; charset=utf-8", []byte(report.Text())), nil
	case "lcov":
		return written("text/x-lcov; charset=utf-8", []byte(report.LCOV())), nil
	}
	return report, nil
}

// acceptedFormat gives the first format that an Accept names, JSON by default.
func acceptedFormat(accept string) string {
	for mediaType := range strings.SplitSeq(accept, ",") {
		mediaType, _, _ = strings.Cut(mediaType, ";")
		if format, ok := coverageTypes[strings.ToLower(strings.TrimSpace(mediaType))]; ok {
			return format
		}
	}
	return "json"
}
