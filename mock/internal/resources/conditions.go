package resources

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
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
	grown func(bytes int64)

	mu    sync.Mutex // held while a creation with a key goes on
	byKey map[digest]reply
	order []digest // oldest first
	bytes int64
}

// digest stands for a text of any length.
type digest = [sha256.Size]byte

type reply struct {
	body       digest // of the request
	collection string
	key        string
}

const (
	// maxReplies bounds the creations that a session remembers by their Idempotency-Key; the oldest are forgotten.
	maxReplies = 10_000
	// replyBytes is what a reply takes in memory beside its texts.
	replyBytes = 250
)

func (r *reply) size() int64 { return replyBytes + int64(len(r.collection)+len(r.key)) }

// NewReplies returns none. grown is called with the bytes of memory that more of them take.
func NewReplies(grown func(bytes int64)) *Replies {
	return &Replies{grown: grown, byKey: map[digest]reply{}}
}

// Fork copies the replies.
func (r *Replies) Fork() *Replies {
	r.mu.Lock()
	defer r.mu.Unlock()
	return &Replies{grown: r.grown, byKey: maps.Clone(r.byKey), order: slices.Clone(r.order), bytes: r.bytes}
}

// SavedReply is a creation by its Idempotency-Key, to be written as JSON and read by another process: digests of the
// key and of the request's body, and the key of the item.
type SavedReply struct {
	Key        []byte          `json:"key"`
	Body       []byte          `json:"body"`
	Collection state.SavedText `json:"collection"`
	Item       state.SavedText `json:"item"`
}

// Save returns the replies, oldest first.
func (r *Replies) Save() (saved []SavedReply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, key := range r.order {
		one := r.byKey[key]
		saved = append(saved, SavedReply{key[:], one.body[:], state.SavedText(one.collection), state.SavedText(one.key)})
	}
	return saved
}

// Load adds saved replies. Those that are no digests are ignored.
func (r *Replies) Load(saved []SavedReply) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range saved {
		var key, body digest
		if copy(key[:], one.Key) == len(key) && copy(body[:], one.Body) == len(body) {
			r.set(key, reply{body, string(one.Collection), string(one.Item)})
		}
	}
}

// Bytes estimates the memory of the replies.
func (r *Replies) Bytes() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bytes
}

// Clear forgets the replies. It returns how many there were and how much memory they took.
func (r *Replies) Clear() (replies int, bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	replies, bytes = len(r.byKey), r.bytes
	r.byKey, r.order, r.bytes = map[digest]reply{}, nil, 0
	return replies, bytes
}

// set remembers a reply. The caller holds the lock.
func (r *Replies) set(key digest, created reply) {
	if old, known := r.byKey[key]; known {
		r.bytes -= old.size()
	} else {
		r.order = append(r.order, key)
	}
	if len(r.order) > maxReplies {
		oldest := r.byKey[r.order[0]]
		r.bytes -= oldest.size()
		delete(r.byKey, r.order[0])
		r.order = r.order[1:]
	}
	r.byKey[key] = created
	r.bytes += created.size()
	r.grown(created.size())
}

// idempotencyKey returns the key for which the request is executed once. It reports
// false if none or the document does not declare it.
func idempotencyKey(q *Request) (digest, bool) {
	key, _ := q.Header.Get(q.op.Headers.IdempotencyKey)
	if key == "" {
		return digest{}, false
	}
	return sha256.Sum256([]byte(q.Method + " " + q.Path + "\x00" + key)), true
}

// repeated returns the item that an earlier request with the same key created, one
// without a value if there is none. A key that was used for another body is refused.
func repeated(q *Request, key digest) (Item, error) {
	before, ok := q.Replies.byKey[key]
	switch {
	case !ok:
		return Item{}, nil
	case before.body != sha256.Sum256(q.Body):
		return Item{}, refuse(respond.BadBody, exchange.Finding{
			Code: "idempotency-key-reused", Message: "the key was used for another body",
			In: exchange.InHeader, Name: q.op.Headers.IdempotencyKey,
		})
	}
	if item, _ := q.get(before.collection, before.key); item != nil {
		return itemOf(item), nil
	}
	return Item{}, nil
}
