package impact

import (
	"fmt"
	"sync"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// maxEchoes limits the values that a run remembers.
const maxEchoes = 100_000

// echoes are the values that a suite has sent in one run, by the names of their properties. A server that keeps what
// it gets returns them, so no change leaves them out.
type echoes struct {
	mu   sync.Mutex
	sent map[[2]string]bool
}

// add remembers the properties of all objects in the body of a request.
func (e *echoes) add(body any) {
	switch v := body.(type) {
	case []any:
		for _, item := range v {
			e.add(item)
		}
	case map[string]any:
		for name, value := range v {
			e.mu.Lock()
			if len(e.sent) < maxEchoes {
				e.sent[[2]string{name, echoOf(value)}] = true
			}
			e.mu.Unlock()
			e.add(value)
		}
	}
}

// has reports whether the suite has sent a value as a property of this name.
func (e *echoes) has(name string, value any) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sent[[2]string{name, echoOf(value)}]
}

// echoOf returns what identifies a value. Servers add to objects, so objects count as equal, and so do lists of the
// same length.
func echoOf(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return "{}"
	case []any:
		return fmt.Sprint("[]", len(v))
	}
	return string(jsontext.Marshal(value))
}
