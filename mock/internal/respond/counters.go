package respond

import (
	"encoding/json"
	"strconv"

	"github.com/coldframe/coldframe/internal/spec"
)

// Counters are the properties of an object that count its lists, with these lists, as in generate.Counters.
type Counters map[string]string

// Set returns a new object its counts: of the lists that it has, and of those that could have been sent and were not.
func (c Counters) Set(object map[string]any, properties, sendable map[string]*spec.Keywords) {
	for name, counted := range c {
		list, has := object[counted].([]any)
		if _, isSent := object[name]; isSent || !has && sendable[counted] == nil {
			continue
		}
		if n, ok := Typed(json.Number(strconv.Itoa(len(list))), properties[name]); ok {
			object[name] = n
		}
	}
}
