package validate

import (
	"slices"

	"github.com/coldframe/coldframe/internal/exchange"
)

// statusesOfHTTP are statuses that a server or a proxy may return for reasons of HTTP rather than of the API, so that a
// document need not have them (RFC 9110 section 15, RFC 6585, RFC 7725).
var statusesOfHTTP = []int{401, 403, 404, 405, 406, 407, 408, 411, 412, 413, 414, 415, 416, 417, 421, 426, 428, 429, 431, 451}

// IsOfHTTP reports whether a status may have reasons of HTTP: redirects, and most refusals.
func IsOfHTTP(status int) bool { return status/100 == 3 || slices.Contains(statusesOfHTTP, status) }

// requestedByField are statuses that header fields request (RFC 9110 sections
// 12.5.1, 13 and 14.2). Clients such as browsers add these fields themselves.
var requestedByField = map[string][]int{
	"Accept": {406}, "If-None-Match": {304, 412}, "If-Modified-Since": {304},
	"If-Match": {412}, "If-Unmodified-Since": {412}, "Range": {206, 416},
}

// RequestedStatuses returns the statuses that the fields of a request ask for. A document need not have them.
func RequestedStatuses(h exchange.Header) (all []int) {
	for name, statuses := range requestedByField {
		if _, sent := h.Get(name); sent {
			all = append(all, statuses...)
		}
	}
	return all
}
