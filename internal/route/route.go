// Package route finds the operation of a request.
//
// The templates of a contract are compiled into one tree of segments for each base path (tree.go); a segment is a
// literal, a variable, or a pattern of both (segment.go). A search visits each node of the tree at most once, so even
// with backtracking its time is bounded by the tree and the path.
//
// The following rules decide which operation wins, in this order:
//
//   - the longest base path of the servers that leads to a match, "" last;
//   - segment by segment from the left, a literal before a pattern before a variable (OpenAPI 3.1 section 4.8.8.2:
//     concrete paths come before templated ones); of two patterns the one with more literal text;
//   - of templates that differ only in the names of their variables, or after a "?" or "#", the first in the
//     document; validate.Fitting chooses by the rest of the request.
//
// Only operations with the request's method take part: GET /users/me matches /users/{id} if /users/me documents no
// GET.
//
// A variable whose pattern needs a slash, as gRPC gateways describe the names of resources, stands for several segments
// (span.go). Other templates come first.
//
// A trailing slash is significant, but if nothing else matches, the path is tried with its trailing slash removed or
// added.
package route

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/routers"

	"github.com/coldframe/coldframe/internal/spec"
)

// Result is the outcome of Find.
type Result uint8

const (
	NotFound         Result = iota // no template matches the path
	MethodNotAllowed               // a template matches, but with other methods
	Found
)

func (r Result) String() string {
	return [...]string{"not found", "method not allowed", "found"}[r]
}

// Match receives the result of Find. Reusing it avoids Find's only allocation; its strings are substrings of the
// searched path.
type Match struct {
	Operation *spec.Operation
	// Names and Values are the variables of Operation's template, in order. Values are as sent, still
	// percent-encoded, and never empty.
	Names  []string
	Values []string
	// Alternatives are all operations that match the path with this method equally well, including Operation as the
	// first: their templates differ only in the names of their variables or after a "?" or "#". Values apply to each
	// of them by position. Nil if there is only one; shared, so do not change it.
	Alternatives []*spec.Operation
}

// Router finds operations. It is immutable and safe for concurrent use.
type Router struct {
	bases     []base
	paths     []string // of bases
	variables int      // the largest number in one template
	adjacent  map[*spec.Operation][]adjacent
	nearest   suggester
}

type base struct {
	segments []string // percent-decoded
	root     *node
}

// New compiles the operations of a contract.
func New(c *spec.Contract) *Router {
	templates := make([]template, len(c.Operations))
	r := &Router{adjacent: map[*spec.Operation][]adjacent{}}
	for i, op := range c.Operations {
		templates[i] = parseTemplate(op)
		r.variables = max(r.variables, len(templates[i].names))
		if strings.Contains(op.Path, "}{") {
			r.adjacent[op] = adjacentOf(op)
		}
	}
	// Operations with the same base paths, which is all of them in most documents, share one tree.
	shared := map[string]*node{}
	for _, path := range basePaths(c) {
		var members []int
		for i, op := range c.Operations {
			if path == "" || slices.Contains(op.BasePaths, path) {
				members = append(members, i)
			}
		}
		key := fmt.Sprint(members)
		root, ok := shared[key]
		if !ok {
			root = &node{}
			for _, i := range members {
				root.add(c.Operations[i], templates[i])
			}
			for _, i := range members {
				for _, s := range spanningOf(c.Operations[i], templates[i]) {
					root.addSpanning(c.Operations[i], s)
				}
			}
			root.seal()
			shared[key] = root
		}
		r.bases = append(r.bases, base{baseSegments(path), root})
		r.paths = append(r.paths, path)
	}
	r.nearest = newSuggester(c.Operations, templates)
	return r
}

// BasePaths returns the prefixes of the operations' paths, longest first; "" last.
func (r *Router) BasePaths() []string { return slices.Clone(r.paths) }

// Base returns the longest base path that a path begins with, as the path has it; "" if none.
func (r *Router) Base(path string) string {
	for i := range r.bases {
		if rest, ok := r.bases[i].cut(path); ok {
			return path[:len(path)-len(rest)]
		}
	}
	return ""
}

// basePaths returns the base paths of all operations, longest first, "" last.
func basePaths(c *spec.Contract) []string {
	paths := []string{""}
	for _, op := range c.Operations {
		for _, path := range op.BasePaths {
			if !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Or(strings.Count(b, "/")-strings.Count(a, "/"), len(b)-len(a))
	})
	return paths
}

func baseSegments(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = unescape(s)
	}
	return segments
}

// Find finds the operation for a method (case-sensitive) and a path as sent: percent-encoded, with its leading slash.
func (r *Router) Find(method, path string, m *Match) Result {
	if m.Values == nil && r.variables > 0 {
		m.Values = make([]string, 0, r.variables)
	}
	s := search{method: method}
	m.Operation, m.Names, m.Alternatives, m.Values = nil, nil, nil, m.Values[:0]
	if r.walk(&s, path, m) {
		if len(r.adjacent) > 0 {
			for _, pair := range r.adjacent[m.Operation] {
				pair.divide(m.Values)
			}
		}
		return Found
	}
	m.Values = m.Values[:0]
	if s.reached {
		return MethodNotAllowed
	}
	return NotFound
}

// Allowed returns the methods for which Find would find an operation, sorted, as
// the Allow field lists them; none if no template matches.
func (r *Router) Allowed(path string) []string {
	s := search{collect: true}
	r.walk(&s, path, &Match{})
	slices.Sort(s.methods)
	return slices.Compact(s.methods)
}

// walk tries every base path with the unchanged path, then with the trailing slash removed or added.
func (r *Router) walk(s *search, path string, m *Match) bool {
	if path != "" && path[0] != '/' {
		return false
	}
	s.escaped = strings.IndexByte(path, '%') >= 0
	for range 2 {
		for i := range r.bases {
			rest, ok := r.bases[i].cut(path)
			if !ok || !s.walk(r.bases[i].root, rest, m) {
				continue
			}
			if s.spanning != nil {
				m.Values = s.spanning.values(m.Values[:0], rest, s.escaped)
			}
			return true
		}
		if strings.HasSuffix(path, "/") {
			path = path[:len(path)-1]
		} else {
			s.addSlash = true
		}
	}
	return false
}

func (b *base) cut(path string) (rest string, ok bool) {
	for _, want := range b.segments {
		if path == "" {
			return "", false
		}
		var segment string
		segment, path = next(path)
		if segment != want && !equalUnescaped(segment, want) {
			return "", false
		}
	}
	return path, true
}

// next splits the first segment off a path that starts with a slash; the rest is empty or starts with one.
func next(path string) (segment, rest string) {
	path = path[1:]
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

var _ routers.Router = (*Router)(nil)

var matches = sync.Pool{New: func() any { return new(Match) }}

// FindRoute implements kin-openapi's routers.Router. The route is shared and must not be changed; the values of the
// path's variables are percent-decoded.
func (r *Router) FindRoute(req *http.Request) (*routers.Route, map[string]string, error) {
	m := matches.Get().(*Match)
	defer matches.Put(m)
	switch r.Find(req.Method, req.URL.EscapedPath(), m) {
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
