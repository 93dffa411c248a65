package resources

import (
	"maps"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

func etag(version uint64) string { return `"` + strconv.FormatUint(version, 36) + `"` }

// matchesTag reads a list of entity tags (RFC 9110 section 8.8.3) and reports whether
// one of them is the item's. Weak ones count where weak is allowed.
func matchesTag(field string, item Item, weak bool) bool {
	for tag := range exchange.SplitQuoted(field, ",") {
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

// checkPreconditions refuses a change whose client knows another version of the item
// (RFC 9110 section 13.1). An item that nobody created has no version.
func checkPreconditions(q *Request, item Item, deleted bool) error {
	match, sent := q.Header.Get(q.op.Headers.IfMatch)
	isMissing := item.Value == nil && (deleted || q.set.options.RefuseUnknown)
	if sent && (isMissing || item.Version > 0 && !matchesTag(match, item, false)) {
		return stale(q, item)
	}
	match, sent = q.Header.Get(q.op.Headers.IfNoneMatch)
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
	if _, sent := q.Header.Get(name); !sent {
		name = q.op.Headers.IfNoneMatch
	}
	return refuse(respond.StalePrecondition,
		exchange.Finding{Code: "stale-precondition", Message: message, In: exchange.InHeader, Name: name})
}

// Replies are the creations of a session by their Idempotency-Key. They are safe for concurrent use.
type Replies struct {
	mu    sync.Mutex // held while a creation with a key goes on
	byKey map[string]reply
}

type reply struct {
	body       string // of the request
	collection string
	key        string
}

// maxReplies bounds the creations that a session remembers by their
// Idempotency-Key; beyond it, some are forgotten.
const maxReplies = 10_000

// NewReplies gives none.
func NewReplies() *Replies { return &Replies{byKey: map[string]reply{}} }

// Fork copies the replies.
func (r *Replies) Fork() *Replies {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &Replies{byKey: maps.Clone(r.byKey)}
}

// set remembers a reply. The caller holds the lock.
func (r *Replies) set(key string, created reply) {
	if len(r.byKey) >= maxReplies {
		for old := range r.byKey {
			delete(r.byKey, old)
			break
		}
	}
	r.byKey[strings.Clone(key)] = created
}

// idempotencyKey gives the key under which the request is to be done once, "" where
// it has none or the document does not declare it.
func idempotencyKey(q *Request) string {
	key, _ := q.Header.Get(q.op.Headers.IdempotencyKey)
	if key == "" {
		return ""
	}
	return q.Method + " " + q.Path + "\x00" + key
}

// repeated gives the item that an earlier request with the same key created, one
// without a value where there is none. A key that was used for another body is refused.
func repeated(q *Request, key string) (Item, error) {
	before, ok := q.Replies.byKey[key]
	switch {
	case !ok:
		return Item{}, nil
	case before.body != string(q.Body):
		return Item{}, refuse(respond.BadBody, exchange.Finding{
			Code: "idempotency-key-reused", Message: "the key was used for another body",
			In: exchange.InHeader, Name: q.op.Headers.IdempotencyKey,
		})
	}
	if item, _ := q.Session.Get(before.collection, before.key); item != nil {
		return itemOf(item), nil
	}
	return Item{}, nil
}
