package resources

import (
	"fmt"
	"net/url"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Named returns the kept item that an operation's path names with some values; nil if none.
func (s *Set) Named(o *spec.Operation, in *state.State, path map[string]any, work *exchange.Work) *state.Item {
	op := s.operations[o]
	if op == nil || op.KeyIn != resource.InPath && !op.runtime.Singleton {
		return nil
	}
	text := func(variable string) string {
		text, _ := jsonvalue.Text(path[variable])
		return text
	}
	key := SingletonKey
	if !op.runtime.Singleton {
		key = text(op.Variable)
	}
	item, _ := op.findKept(in, op.Collection(text), key, path, work)
	return item.encoded
}

// CollectionAt names the collection at a path.
func (s *Set) CollectionAt(router *route.Router, path string) (string, error) {
	var m route.Match
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		if router.Find(method, path, &m) != route.Found {
			continue
		}
		op := s.operations[m.Operation]
		if op == nil || op.Role == resource.Action || op.Role == resource.Unknown || op.KeyIn == resource.InPath {
			continue
		}
		values := make(map[string]string, len(m.Names))
		for i, name := range m.Names {
			values[name], _ = url.PathUnescape(m.Values[i])
		}
		return op.Collection(func(variable string) string { return values[variable] }), nil
	}
	return "", fmt.Errorf("the mock keeps no collection at %s; coldframe plan shows those that it keeps",
		exchange.Shorten(path, 200))
}
