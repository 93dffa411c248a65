package mock

import (
	"bytes"
	"strconv"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// maxAlike is how many items of a collection, the newest, are looked at for one
// that is the same: a creation in a large collection costs no more than in a small
// one.
const maxAlike = 1000

// alike refuses an item that would have a value which tells items apart and
// which another one of the collection has; old is what it was before. Only where
// the document has a conflict for it.
func (x *visit) alike(collection, key string, item, old map[string]any) bool {
	k := x.operation.keeps
	if len(k.Unique) == 0 {
		return false
	}
	if conflict := x.operation.Response(409); conflict == nil || conflict.Status != "409" {
		return false
	}
	for _, name := range k.Unique {
		value, ok := item[name]
		if !ok || value == nil || value == "" || old != nil && jsonvalue.Same(old[name], value) {
			continue
		}
		text := append(strconv.AppendQuote(nil, name), ':')
		text = jsontext.Append(text, value)
		seen := 0
		for other := range x.session.State.View().Newest(collection, 0) {
			if seen++; seen > maxAlike {
				break
			}
			if other.Key == key || !bytes.Contains(other.JSON, text) {
				continue
			}
			if kept := decodeItem(other); kept != nil && jsonvalue.Same(kept[name], value) {
				x.refuse(conflict, []exchange.Finding{{
					Code: "duplicate-value", Message: "there is an item with this value in " + k.Name + " already", In: exchange.InBody, Pointer: "/" + exchange.EscapePointer(name),
				}})
				return true
			}
		}
	}
	return false
}
