package mock

import "sync"

// spare has values of handled that are not used any more: they are two thirds of the
// bytes that creating a plant allocates (BenchmarkExchange).
var spare sync.Pool

func newHandled() *handled {
	if h, ok := spare.Get().(*handled); ok {
		return h
	}
	h := &handled{}
	h.release = func() {
		*h = handled{release: h.release}
		spare.Put(h)
	}
	return h
}

// isSpare reports whether nothing refers to h but the answer on its way. What rules, items and callbacks note may.
func (h *handled) isSpare() bool {
	return h.operation != nil && !h.operation.stateful && h.entry == nil && h.rule == nil && len(h.messages) == 0
}
