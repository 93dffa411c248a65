package resources

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

func etag(version uint64) string { return `"` + strconv.FormatUint(version, 36) + `"` }

// matchesTag reads a list of entity tags (RFC 9110 section 8.8.3) and reports whether
// one of them is the item's. Weak ones count where weak is allowed.
func matchesTag(field string, item Item, weak bool) bool {
	for tag := range respond.SplitQuoted(field, ',') {
		tag = strings.TrimSpace(tag)
		if tag == "*" && item.Value != nil {
			return true
		}
		if weak {
			tag = strings.TrimPrefix(tag, "W/")
		}
		if tag == etag(item.Version) || `"`+tag+`"` == etag(item.Version) { // some clients leave the quotes out
			return true
		}
	}
	return false
}

// condition gives a field that the document declares, "" for no name.
func condition(q *Request, name string) (field string, sent bool) {
	if name == "" {
		return "", false
	}
	return q.Header.Get(name)
}

// isUnmodified reports whether the client of a conditional read has the item already.
func isUnmodified(q *Request, item Item) bool {
	field, sent := condition(q, q.op.Headers.IfNoneMatch)
	return sent && matchesTag(field, item, true)
}

// checkPreconditions refuses a change whose client knows another version of the item
// (RFC 9110 section 13.1). An item that nobody created has no version.
func checkPreconditions(q *Request, item Item, deleted bool) error {
	match, sent := condition(q, q.op.Headers.IfMatch)
	isMissing := item.Value == nil && (deleted || q.set.options.RefuseUnknown)
	if sent && (isMissing || item.Version > 0 && !matchesTag(match, item, false)) {
		return stale(q, item)
	}
	match, sent = condition(q, q.op.Headers.IfNoneMatch)
	if sent && q.Method != "GET" && item.Version > 0 && matchesTag(match, item, true) {
		return stale(q, item)
	}
	return nil
}

func stale(q *Request, item Item) error {
	message := "the item has the version " + etag(item.Version)
	if item.Version == 0 {
		message = "there is no such item"
	}
	name := q.op.Headers.IfMatch
	if _, sent := condition(q, name); !sent {
		name = q.op.Headers.IfNoneMatch
	}
	return refuse(respond.StalePrecondition,
		exchange.Finding{Code: "stale-precondition", Message: message, In: exchange.InHeader, Name: name})
}
