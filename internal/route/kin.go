package route

import (
	"net/http"
	"net/url"
	"sync"

	"github.com/getkin/kin-openapi/routers"
)

var _ routers.Router = (*Router)(nil)

var matches = sync.Pool{New: func() any { return new(Match) }}

// FindRoute implements kin-openapi's routers.Router. The route is the
// operation's own and must not be changed; the values of the path's variables
// are percent-decoded.
func (r *Router) FindRoute(req *http.Request) (*routers.Route, map[string]string, error) {
	m := matches.Get().(*Match)
	defer matches.Put(m)
	switch r.Find(req.Method, req.URL.EscapedPath(), req.URL.RawQuery, m) {
	case NotFound:
		return nil, nil, routers.ErrPathNotFound
	case MethodNotAllowed:
		return nil, nil, routers.ErrMethodNotAllowed
	}
	values := make(map[string]string, len(m.Names))
	for i, name := range m.Names {
		value, err := url.PathUnescape(m.Values[i])
		if err != nil {
			value = m.Values[i]
		}
		values[name] = value
	}
	return m.Operation.Route, values, nil
}
