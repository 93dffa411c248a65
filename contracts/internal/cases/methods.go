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
// of the same form are one path: a backend cannot tell them apart.
func Methods(c *spec.Contract, seed uint64) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		paths := pathsOf(c)
		for _, path := range paths {
			builder := New(path.operations[0], seed)
			for _, method := range usualMethods {
				if path.documents(method) || shadowed(paths, path, method) {
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

// path is the operations whose templates have one form.
type path struct {
	form       string
	operations []*spec.Operation
}

// PathForm gives a path template without the names of its variables.
func PathForm(template string) string { return variable.ReplaceAllString(template, "{}") }

func pathsOf(c *spec.Contract) []*path {
	var all []*path
	for _, o := range c.Operations {
		form := PathForm(o.Path)
		at := slices.IndexFunc(all, func(p *path) bool { return p.form == form })
		if at < 0 {
			all = append(all, &path{form: form})
			at = len(all) - 1
		}
		all[at].operations = append(all[at].operations, o)
	}
	return all
}

// shadowed reports whether another template matches the path as well and
// documents the method: DELETE /users/me may be DELETE /users/{id}.
func shadowed(paths []*path, p *path, method string) bool {
	segments := strings.Split(p.form, "/")
	return slices.ContainsFunc(paths, func(other *path) bool {
		if other == p || !other.documents(method) {
			return false
		}
		theirs := strings.Split(other.form, "/")
		if len(theirs) != len(segments) {
			return false
		}
		for i, segment := range segments {
			if segment != theirs[i] && !strings.Contains(segment+theirs[i], "{") {
				return false
			}
		}
		return true
	})
}

func (p *path) documents(method string) bool {
	return slices.ContainsFunc(p.operations, func(o *spec.Operation) bool { return o.Method == method })
}
