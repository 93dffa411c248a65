package respond

import (
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Revalidate gives a response to GET or HEAD that has an ETag field the tag of its body, unless the field is an item's
// version or the document's own, and answers 304 without a body to a client that has sent the tag in If-None-Match
// (RFC 9110 sections 8.8.3 and 13.1.2).
func (r *Responder) Revalidate(q *Request, a *Answer) {
	tag, has := a.Header.Get("ETag")
	if !has || a.Status != http.StatusOK || q.Method != http.MethodGet && q.Method != http.MethodHead {
		return
	}
	if tag == a.generatedTag {
		sum := fnv.New64a()
		sum.Write(a.Body)
		tag = strconv.Quote(strconv.FormatUint(sum.Sum64(), 36))
		a.Header.Set("ETag", tag)
	}
	known, sent := q.Header.Get("If-None-Match")
	if !sent || !listsTag(known, tag) {
		return
	}
	a.Findings, a.value = nil, nil
	r.Begin(q, a, http.StatusNotModified, q.Operation.Response(http.StatusNotModified))
	a.Header.Set("ETag", tag)
}

// listsTag reports whether a list of entity tags has a tag, by weak comparison. Some clients leave the quotes out.
func listsTag(list, tag string) bool {
	opaque := func(tag string) string { return strings.Trim(strings.TrimPrefix(strings.TrimSpace(tag), "W/"), `"`) }
	for one := range exchange.SplitQuoted(list, ",") {
		if strings.TrimSpace(one) == "*" || opaque(one) == opaque(tag) {
			return true
		}
	}
	return false
}
