package resources

import (
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Account says which items made an answer, and what a request did to items. A nil Account notes nothing.
type Account struct {
	Collection string // of the items; "" if no items are concerned
	Key        string // of the item; "" for several, or if it is not known
	Answers    bool   // the items of the session made the answer
	Writes     []state.Write

	generated bool // the answer is a list whose items nobody created
}

// maxWrites is how many writes of one request are noted.
const maxWrites = 100

func (a *Account) wrote(kind state.ChangeKind, collection, key string, version uint64) {
	if a != nil && len(a.Writes) < maxWrites {
		a.Writes = append(a.Writes, state.Write{Collection: collection, Key: key, Kind: kind, Version: version})
	}
}

// shows notes the item that an answer shows.
func (a *Account) shows(item Item) {
	if a != nil {
		a.Key, a.Answers = item.Key, item.Version > 0 || item.encoded != nil
	}
}

// account notes what a request was about. answered says that the items are dealt with.
func (q *Request) account(answered bool) {
	a := q.Account
	if a == nil || q.op == nil {
		return
	}
	a.Collection = q.collection
	if a.Key == "" && q.op.KeyIn == resource.InPath {
		a.Key = q.pathText(q.op.Variable)
	}
	a.Answers = answered && (a.Answers || len(a.Writes) > 0 || q.op.Role == resource.List && !a.generated)
}

// put is Session.Put.
func (q *Request) put(
	collection, key string, json []byte, flags state.Flags, match state.Match,
) (item *state.Item, isNew bool, err error) {
	if item, isNew, err = q.Session.Put(collection, key, json, flags, match); err == nil {
		kind := state.Changed
		if isNew {
			kind = state.Created
		}
		q.Account.wrote(kind, item.Collection, item.Key, item.Version)
	}
	return item, isNew, err
}

// delete is Session.Delete.
func (q *Request) delete(collection, key string, match state.Match) (item *state.Item, deleted bool, err error) {
	if item, deleted, err = q.Session.Delete(collection, key, match); err == nil && !deleted {
		version := uint64(0)
		if item != nil {
			version = item.Version
		}
		q.Account.wrote(state.Deleted, collection, key, version)
	}
	return item, deleted, err
}
