package resources

import (
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// BodyOf returns the JSON of a kept item as bodies have it: with its properties nested in one of them if bodies nest
// them so, see resource.Nesting.
func (s *Set) BodyOf(item *state.Item) []byte {
	var of *Runtime
	for _, k := range s.nested {
		if strings.HasSuffix(item.Collection, "/"+k.Name) && (of == nil || len(k.Name) > len(of.Name)) {
			of = k
		}
	}
	if of == nil {
		return item.JSON
	}
	return jsontext.Marshal(of.Nesting.Nest(DecodeItem(item)))
}
