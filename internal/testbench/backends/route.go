package backends

import (
	"net/http"
	"net/url"
	"strings"
)

// operation is one operation of a document.
type operation struct {
	name   string // the operation, as faults name it: create-book
	place  string // the path, as faults name it: books
	method string
	path   string // its template
	guard  guard
	body   *bodyRule // nil if the operation takes none
	// produces are the media types of its success where Accept is looked at.
	produces []string
	handle   func(*call)
}

// match returns the path's values, or false.
func (r *operation) match(path []string) ([]string, bool) {
	want := strings.Split(r.path, "/")
	if len(want) != len(path) {
		return nil, false
	}
	var values []string
	for i, segment := range want {
		switch {
		case strings.HasPrefix(segment, "{"):
			value, err := url.PathUnescape(path[i])
			if err != nil || path[i] == "" {
				return nil, false
			}
			values = append(values, value)
		case segment != path[i]:
			return nil, false
		}
	}
	return values, true
}

// route finds the operation of a request, or answers 404 or 405.
func (c *call) route() bool {
	path := strings.Split(c.r.URL.EscapedPath(), "/")
	var allowed []string
	var found *operation
	for i := range c.s.routes {
		r := &c.s.routes[i]
		values, ok := r.match(path)
		if !ok {
			continue
		}
		if found == nil || found.method != c.r.Method {
			if found == nil || strings.Count(r.path, "{") <= strings.Count(found.path, "{") {
				found, c.path = r, values
			}
		}
		allowed = append(allowed, r.method)
	}
	switch {
	case found == nil:
		c.refuse(http.StatusNotFound, "no such path")
		return false
	case found.method == c.r.Method:
		c.operation = found
		return true
	}
	c.operation = &operation{place: found.place}
	if c.s.has("answers-" + strings.ToLower(c.r.Method) + "-on-" + found.place) {
		c.answer = answer{status: http.StatusOK, kind: "application/json", body: []byte("{}")}
		return false
	}
	c.refuse(http.StatusMethodNotAllowed, "the method is not allowed here")
	if !c.s.has("405-without-allow-on-" + found.place) {
		c.set("Allow", strings.Join(allowed, ", "))
	}
	if c.s.has("405-as-404-on-" + found.place) {
		c.answer.status = http.StatusNotFound
	}
	return false
}
