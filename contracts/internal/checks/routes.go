package checks

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// routes is what an operation's path says beside those of the others.
type routes struct {
	// vanishing says that what the path names can be missing: it has variables, or
	// can be removed.
	vanishing bool
	// shared says that a text which does not fit a variable may lead to another
	// operation, so that its answer says nothing of this one.
	shared bool
	// succeeds says that the document has an answer other than refusals.
	succeeds bool
}

func routesOf(c *spec.Contract) map[*spec.Operation]routes {
	all := make(map[*spec.Operation]routes, len(c.Operations))
	removable := map[string]bool{}
	byShape := map[string][]*spec.Operation{}
	for _, o := range c.Operations {
		removable[o.Path] = removable[o.Path] || o.Method == "DELETE"
		shape := o.Method + " " + shapeOf(o.Path)
		byShape[shape] = append(byShape[shape], o)
	}
	for _, o := range c.Operations {
		all[o] = routes{
			vanishing: removable[o.Path] || strings.Contains(o.Path, "{"),
			shared:    len(byShape[o.Method+" "+shapeOf(o.Path)]) > 1,
			succeeds:  len(o.Responses) == 0 || slices.ContainsFunc(o.Responses, succeeds),
		}
	}
	return all
}

// shapeOf gives a path without the names of its variables.
func shapeOf(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

func succeeds(r *spec.Response) bool {
	return r.Status == "default" || r.Status[0] == '1' || r.Status[0] == '2' || r.Status[0] == '3'
}
