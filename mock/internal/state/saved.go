package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// Saved is what a View has, to be written as JSON and read by another process. Loading it makes a View with the same
// items, keys and versions.
type Saved struct {
	Version     uint64            `json:"version"` // of the last change
	Ticks       uint64            `json:"ticks"`   // see State.Tick
	Collections []SavedCollection `json:"collections"`
	Items       []SavedItem       `json:"items"`
}

// SavedCollection is a collection without its items.
type SavedCollection struct {
	Name    SavedText `json:"name"`
	Next    int64     `json:"next"` // the integer key that comes next
	Adopted bool      `json:"adopted,omitempty"`
}

// SavedItem is an item or a tombstone.
type SavedItem struct {
	Collection SavedText       `json:"collection"`
	Key        SavedText       `json:"key"`
	Value      json.RawMessage `json:"value,omitempty"` // absent in a tombstone
	Version    uint64          `json:"version"`
	Flags      Flags           `json:"flags,omitempty"`
	Created    int64           `json:"created,omitempty"` // nanoseconds since 1970
	Changed    int64           `json:"changed,omitempty"` // likewise
	Upstream   json.RawMessage `json:"upstream,omitempty"`
}

// SavedText is a text of any bytes: a JSON string, or a list of bytes if it is not UTF-8.
type SavedText string

// MarshalJSON implements json.Marshaler.
func (t SavedText) MarshalJSON() ([]byte, error) {
	if !utf8.ValidString(string(t)) {
		return json.Marshal([]any{[]byte(t)})
	}
	return json.Marshal(string(t))
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *SavedText) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		var bytes [1][]byte
		if err := json.Unmarshal(text, &bytes); err != nil {
			return err
		}
		*t = SavedText(bytes[0])
		return nil
	}
	return json.Unmarshal(text, (*string)(t))
}

// Saved returns the View without its items, which SavedItems returns.
func (v *View) Saved() Saved {
	saved := Saved{Version: v.contents.version, Ticks: v.contents.ticks}
	v.contents.collections.Scan(func(name string, in *collection) bool {
		saved.Collections = append(saved.Collections, SavedCollection{SavedText(name), in.next, in.adopted})
		return true
	})
	return saved
}

// SavedItems goes over the items, oldest first, and then over the tombstones.
func (v *View) SavedItems() iter.Seq[SavedItem] {
	return func(yield func(SavedItem) bool) {
		for _, all := range []*tree[uint64, *Item]{v.contents.items, v.contents.tombstones} {
			more := true
			all.Scan(func(_ uint64, i *Item) bool {
				if i.Version == 0 { // a reservation
					return true
				}
				more = yield(SavedItem{
					SavedText(i.Collection), SavedText(i.Key), i.JSON, i.Version, i.Flags, i.created, i.changed, i.Upstream,
				})
				return more
			})
			if !more {
				return
			}
		}
	}
}

// Load returns the View that was saved. The error says which item or collection it cannot have.
func (saved *Saved) Load() (*View, error) {
	c := newContents()
	if saved.Version > math.MaxInt64 {
		return nil, errors.New("/version: it is too large")
	}
	for i, one := range saved.Items {
		item := &Item{
			Key: string(one.Key), Collection: string(one.Collection), JSON: one.Value, Flags: one.Flags,
			Upstream: one.Upstream, created: one.Created, changed: one.Changed,
		}
		at := fmt.Sprintf("/items/%d", i)
		switch before := c.get(item.Collection, item.Key); {
		case before != nil:
			return nil, fmt.Errorf("%s: the collection %q has two items of the key %q", at, item.Collection, item.Key)
		case one.Version == 0 || one.Version > saved.Version:
			return nil, fmt.Errorf("%s/version: it is not between 1 and the version of the last change", at)
		case !isObject(item.JSON) || !isObject(item.Upstream):
			return nil, fmt.Errorf("%s: it is not an object of JSON", at)
		case item.Deleted():
			c.version = one.Version - 1
			c.delete(item, nil)
		default:
			c.version = one.Version - 1
			c.put(item, nil)
		}
	}
	for i, one := range saved.Collections {
		if one.Next < 1 || one.Next > math.MaxInt64/2 {
			return nil, fmt.Errorf("/collections/%d/next: it is not between 1 and %d", i, math.MaxInt64/2)
		}
		in := c.know(string(one.Name))
		in.next, in.adopted = one.Next, one.Adopted
	}
	c.version, c.ticks = saved.Version, saved.Ticks
	return &View{contents: c}, nil
}

// isObject reports whether a text is an object of JSON, or there is none.
func isObject(text []byte) bool {
	if text == nil {
		return true
	}
	value, err := jsontext.Decode(string(text))
	_, ok := value.(map[string]any)
	return ok && err == nil
}
