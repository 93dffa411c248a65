package issuer

import "sync"

// kept is a map with a limit in bytes: the oldest entries are dropped. It is safe for concurrent use.
type kept[V any] struct {
	most int // bytes

	mu     sync.Mutex
	values map[string]entry[V]
	order  []string // oldest first; some may have been removed
	bytes  int
}

type entry[V any] struct {
	value V
	bytes int
}

const entryBytes = 300 // overhead of an entry

// put stores a value; bytes is the size of its texts.
func (k *kept[V]) put(key string, value V, bytes int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.values == nil {
		k.values = map[string]entry[V]{}
	}
	bytes += entryBytes + 2*len(key)
	if before, known := k.values[key]; known {
		k.bytes -= before.bytes
	} else {
		k.order = append(k.order, key)
	}
	k.values[key] = entry[V]{value, bytes}
	k.bytes += bytes
	for k.bytes > k.most && len(k.order) > 0 {
		k.drop(k.order[0])
		k.order = k.order[1:]
	}
	if len(k.order) > 2*len(k.values)+100 { // most were removed
		order := make([]string, 0, len(k.values))
		for _, key := range k.order {
			if _, is := k.values[key]; is {
				order = append(order, key)
			}
		}
		k.order = order
	}
}

func (k *kept[V]) drop(key string) {
	k.bytes -= k.values[key].bytes
	delete(k.values, key)
}

func (k *kept[V]) get(key string) (V, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, known := k.values[key]
	return e.value, known
}

// change changes a stored value.
func (k *kept[V]) change(key string, by func(*V)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e, known := k.values[key]; known {
		by(&e.value)
		k.values[key] = e
	}
}

// take removes a value and returns it.
func (k *kept[V]) take(key string) (V, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, known := k.values[key]
	if known {
		k.drop(key)
	}
	return e.value, known
}
