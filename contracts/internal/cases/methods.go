package cases

import (
	"iter"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// usualMethods are those that a path is asked for beside its own. HEAD follows
// GET, OPTIONS is asked by browsers, CONNECT is for proxies: a server may answer
// them undocumented.
var usualMethods = []string{"GET", "PUT", "POST", "DELETE", "PATCH", "TRACE"}

// Methods makes a request for each usual method that a path of the contract
// does not document. A case is about one of the path's operations. Two templates
// of the same form are one path: a backend cannot tell them apart. A method of
// another template that matches the path as well is left out: DELETE /users/me may
// be DELETE /users/{id}.
func Methods(c *spec.Contract, seed uint64) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		forms := make([][]string, len(c.Operations))
		for i, o := range c.Operations {
			forms[i] = strings.Split(PathForm(o.Path), "/")
		}
		for i, o := range c.Operations {
			if slices.ContainsFunc(forms[:i], func(other []string) bool { return slices.Equal(other, forms[i]) }) {
				continue
			}
			documented := map[string]bool{}
			for j, other := range c.Operations {
				if !documented[other.Method] && overlap(forms[i], forms[j]) {
					documented[other.Method] = true
				}
			}
			builder := New(o, seed)
			for _, method := range usualMethods {
				if documented[method] {
					continue
				}
				plain, err := builder.Plain(firstMethodRequest, nil)
				if err != nil {
					continue
				}
				plain.Request.Method = method
				plain.Request.Query = ""
				if method == "GET" || method == "DELETE" || method == "TRACE" {
					plain.Request.Body = nil
					plain.Request.Header.Del("Content-Type")
				}
				plain.Expected, plain.Title = NotAllowed, method+", which the document does not have"
				if !yield(plain) {
					return
				}
			}
		}
	}
}

// PathForm gives a path template without the names of its variables.
func PathForm(template string) string { return variable.ReplaceAllString(template, "{}") }

// overlap reports whether a path can match two templates, segment by segment.
func overlap(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return x == y || strings.Contains(x+y, "{") })
}
