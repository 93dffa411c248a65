package respond

import (
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Revalidate computes the ETag of a response to GET or HEAD from its body, if the response has the field and its value
// is neither an item's version nor the document's own. It answers 304 without a body if If-None-Match has the tag (RFC
// 9110 sections 8.8.3 and 13.1.2).
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
