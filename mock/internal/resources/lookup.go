package resources

import (
	"fmt"
	"net/url"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Named returns the kept item that the path of a request names; nil if none.
func (s *Set) Named(q *Request) *state.Item {
	q.set, q.op = s, s.operations[q.Operation.Operation]
	if q.op == nil || q.op.KeyIn != resource.InPath && !q.op.runtime.Singleton {
		return nil
	}
	q.collection = q.op.Collection(q.pathText)
	item, _ := find(q)
	kept, _ := q.get(q.collection, item.Key)
	return kept
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
