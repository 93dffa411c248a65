package respond

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Partial changes an answer with a file into the part that the request asks for by Range (RFC 9110 section 14),
// if the operation documents 206. It refuses a range that the file does not have. Several ranges are not cut out.
func (r *Responder) Partial(q *Request, a *Answer) {
	if q.Operation == nil || q.Method != http.MethodGet || a.Status != http.StatusOK || a.pending {
		return
	}
	documented := q.Operation.Response(http.StatusPartialContent)
	if documented == nil {
		return
	}
	text, _ := q.Header.Get("Range")
	_, isConditional := q.Header.Get("If-Range")
	contentType, _ := a.Header.Get("Content-Type")
	if mediaType, _, _ := strings.Cut(contentType, ";"); !isFileType(documented, mediaType) {
		return
	}
	whole := a.Body
	first, last, ok := exchange.ByteRange(text, len(whole))
	switch {
	case isConditional || !ok:
		a.Header.Set("Accept-Ranges", "bytes")
	case first > last:
		r.Refuse(q, a, &Refusal{Problem: BadRange, Findings: []exchange.Finding{{
			Code: "range-not-satisfiable", In: exchange.InHeader, Name: "Range",
			Message: "the file has " + strconv.Itoa(len(whole)) + " bytes",
		}}})
		a.Header.Set("Content-Range", "bytes */"+strconv.Itoa(len(whole)))
	default:
		fields := slices.Clone(a.Header)
		r.Begin(q, a, http.StatusPartialContent, documented)
		a.SetFields(fields)
		a.SetBytes(contentType, whole[first:last+1])
		a.Header.Set("Content-Range", "bytes "+strconv.Itoa(first)+"-"+strconv.Itoa(last)+"/"+strconv.Itoa(len(whole)))
	}
}

// isFileType reports whether a response is documented to be a file of a media type.
func isFileType(documented *spec.Response, mediaType string) bool {
	for _, m := range documented.Content {
		isSame := m.Type+"/"+m.Subtype == mediaType || m.Subtype == "*" && strings.HasPrefix(mediaType, m.Type+"/")
		if m.IsFile() && isSame || m.Type == "*" {
			return true
		}
	}
	return false
}
