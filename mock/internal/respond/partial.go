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
	spelled, isBytes := strings.CutPrefix(text, "bytes=")
	_, isConditional := q.Header.Get("If-Range")
	contentType, _ := a.Header.Get("Content-Type")
	if mediaType, _, _ := strings.Cut(contentType, ";"); !isFileType(documented, mediaType) {
		return
	}
	whole := a.Body
	first, last, ok := byteRange(spelled, len(whole))
	switch {
	case !isBytes || isConditional || !ok:
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

// byteRange reads the one range of a field: 0-99, 100- and -5 of a number of bytes. first is beyond last if there are
// no such bytes; ok is false if it is not a single range.
func byteRange(text string, size int) (first, last int, ok bool) {
	from, to, isRange := strings.Cut(strings.TrimSpace(text), "-")
	if !isRange || strings.Contains(text, ",") {
		return 0, 0, false
	}
	last = size - 1
	if from == "" {
		n, err := strconv.Atoi(to)
		if err != nil || n < 0 {
			return 0, 0, false
		}
		if n == 0 {
			return size, last, true
		}
		return max(0, size-n), last, true
	}
	first, err := strconv.Atoi(from)
	if err != nil || first < 0 {
		return 0, 0, false
	}
	if to != "" {
		n, err := strconv.Atoi(to)
		if err != nil || n < first {
			return 0, 0, false
		}
		last = min(last, n)
	}
	return first, last, true
}
