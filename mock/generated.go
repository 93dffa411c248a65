package mock

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/generate"
)

const (
	defaultCount = 3    // items of a stream
	maxCount     = 1000 // items that a request can ask for
)

// generated makes the value of a body: what the request says of it stands in
// it, the rest is decided by the key.
func (x *visit) generated(p *producer, key generate.Key) (any, error) {
	count := defaultCount
	asked := x.preferences.given[preferCount]
	if asked {
		count = x.preferences.count
	}
	if p.media.Item != nil {
		items, err := p.items(key, count)
		if err != nil || p.media.Schema == nil || p.conforms(items) {
			x.preferences.counted = asked && err == nil
			return items, err
		}
		// The schema asks for more of the whole than items one by one can give.
	}
	if have, unsent := x.own(p); len(have) > 0 {
		return p.generator().Fill(key, have, unsent...)
	}
	value, err := p.value(key)
	if list, ok := value.([]any); err == nil && ok && asked {
		if sized, ok := p.resized(key, list, count); ok {
			x.preferences.counted = true
			return sized, nil
		}
	}
	return value, err
}

// items makes the items of a sequential media type, each by its own key.
func (p *producer) items(key generate.Key, count int) ([]any, error) {
	items := make([]any, count)
	for i := range items {
		item, err := p.itemGenerator().Value(key.Child(strconv.Itoa(i)))
		if err != nil {
			return nil, err
		}
		items[i] = item
	}
	return items, nil
}

// resized makes a generated list longer, with the items of other lists, or
// shorter. It reports false where the schema does not take that many.
func (p *producer) resized(key generate.Key, list []any, count int) ([]any, bool) {
	for i := 1; len(list) < count; i++ {
		more, err := p.value(key.Child("more").Child(strconv.Itoa(i)))
		items, ok := more.([]any)
		if err != nil || !ok || len(items) == 0 {
			return nil, false
		}
		list = append(list, items...)
	}
	list = list[:count]
	return list, p.conforms(list)
}
