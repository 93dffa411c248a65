package mock

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// negotiate picks the media type that the request's Accept fields like best
// (RFC 9110 section 12.5.1); between equals the document's order decides. It is
// nil where none is acceptable, or there is none.
func (x *visit) negotiate(content []*spec.MediaType) *spec.MediaType {
	if len(content) == 0 {
		return nil
	}
	accept, ok := x.request.Header.Get("Accept")
	if !ok || accept == "*/*" || strings.TrimSpace(accept) == "" {
		return content[0]
	}
	if values := x.request.Header.Values("Accept"); len(values) > 1 {
		accept = strings.Join(values, ",")
	}
	var best *spec.MediaType
	bestQuality := 0.0
	for _, media := range content {
		if q := quality(accept, media); q > bestQuality {
			best, bestQuality = media, q
		}
	}
	return best
}

// quality gives the q-value that the most specific matching range of accept
// has for a media type; 0 where none matches.
func quality(accept string, media *spec.MediaType) float64 {
	quality, specific := 0.0, -1
	for element := range strings.SplitSeq(accept, ",") {
		rangeText, params, _ := strings.Cut(element, ";")
		kind, sub, ok := strings.Cut(strings.ToLower(strings.TrimSpace(rangeText)), "/")
		if !ok {
			continue
		}
		specificity := matches(kind, sub, media)
		if specificity <= specific {
			continue
		}
		specific, quality = specificity, 1
		for param := range strings.SplitSeq(params, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(param), "=")
			if strings.EqualFold(name, "q") {
				q, err := strconv.ParseFloat(value, 64)
				if err == nil {
					quality = min(max(q, 0), 1)
				}
			}
		}
	}
	return quality
}

// matches says how specifically a range names a media type: -1 not at all, 0
// as anything, 1 by its type, 2 as JSON by a suffix, 3 itself.
func matches(kind, sub string, media *spec.MediaType) int {
	switch {
	case kind == "*" && sub == "*", media.Type == "*":
		return 0
	case kind != media.Type:
		return -1
	case sub == "*", media.Subtype == "*":
		return 1
	case sub == media.Subtype:
		return 3
	case sub == "json" && strings.HasSuffix(media.Subtype, "+json"):
		return 2
	}
	return -1
}
