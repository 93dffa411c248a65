package impact

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/visible"
)

// Change is one difference of the server that a suite is run against.
type Change struct {
	ID         string         `json:"id"` // names it: "absent User.phone"
	Kind       string         `json:"kind"`
	Title      string         `json:"title"` // "User.phone is absent"
	Place      exchange.Place `json:"document"`
	Operations []string       `json:"operations"` // in which it shows, in the document's order
	// Document is what the mock serves for a change between two documents, and Files has its files. They are empty for a
	// variation.
	Document string     `json:"-"`
	Files    spec.Texts `json:"-"`

	of     map[string]bool // Operations
	key    string          // of a variation of a property: its place
	field  string          // the header field that is absent
	list   bool            // the collection that an operation shows is varied
	status int             // of errors
}

// isOf reports whether the change shows in an operation; false for no change.
func (c *Change) isOf(op *spec.Operation) bool { return c != nil && c.of[name(op)] }

// Skipped is what was not run, and why.
type Skipped struct {
	Title  string `json:"title"`
	Reason string `json:"reason"`
}

// variations returns what a server may do differently without leaving the document, in responses that a suite has seen.
func variations(c *contract, t *traffic) (all []*Change, skipped []Skipped) {
	index := map[*spec.Operation]int{}
	for i, op := range c.Operations {
		index[op] = i
	}
	for _, s := range t.places {
		slices.SortFunc(s.operations, func(a, b *spec.Operation) int { return index[a] - index[b] })
		title := s.title(s.operations[0])
		for _, k := range kinds {
			if k.possible == nil || !k.possible(&s.place) {
				continue
			}
			change := newChange(k.Name, title, fmt.Sprintf(k.title, title), c.PlaceOfName(s.place.place()), s.operations...)
			change.key = s.key()
			if s.varies[k.Name] {
				all = append(all, change)
			} else if s.echoed && k.Name != "enum" {
				skipped = append(skipped, Skipped{change.Title, "the suite itself sends each value, and a server keeps it"})
			}
		}
	}
	for op, u := range t.operations {
		for _, kind := range []string{emptyKind, lastPageKind} {
			if u.lists[kind] {
				text := map[string]string{emptyKind: "%s returns an empty list", lastPageKind: "%s returns its last page"}
				change := newChange(kind, name(op), fmt.Sprintf(text[kind], name(op)), op.Place, op)
				change.list = true
				all = append(all, change)
			}
		}
		for _, r := range op.Responses {
			for _, f := range r.Headers {
				if !f.Required && u.fields[f.Name] && r == success(op, u) {
					title := f.Name + " of " + name(op)
					change := newChange(absentKind, title, title+" is absent", f.Place, op)
					change.field = http.CanonicalHeaderKey(f.Name)
					all = append(all, change)
				}
			}
			if status := errorOf(op, r); status != 0 && u.statuses[status] == 0 {
				title := name(op) + " " + strconv.Itoa(status)
				change := newChange(errorKind, title, fmt.Sprintf("%s answers with %d", name(op), status), r.Place, op)
				change.status = status
				all = append(all, change)
			}
		}
	}
	order := func(kind string) int { return slices.IndexFunc(kinds, func(k *Kind) bool { return k.Name == kind }) }
	slices.SortFunc(all, func(a, b *Change) int {
		return cmp.Or(order(a.Kind)-order(b.Kind), strings.Compare(a.Place.File, b.Place.File), a.Place.Line-b.Place.Line,
			a.Place.Column-b.Place.Column, strings.Compare(a.ID, b.ID))
	})
	slices.SortFunc(skipped, func(a, b Skipped) int { return strings.Compare(a.Title, b.Title) })
	return all, skipped
}

// success returns the response of an operation that a suite has seen, nil if it saw errors only.
func success(op *spec.Operation, u *used) *spec.Response {
	for status := range u.statuses {
		if status < 400 {
			return op.Response(status)
		}
	}
	return nil
}

// errorOf returns the status with which an operation answers a documented error; 0 if the response is not an error.
func errorOf(op *spec.Operation, r *spec.Response) int {
	first, count := r.Code()
	switch {
	case r.Status == "default":
		first, count = 500, 100
	case first < 400:
		return 0
	}
	for status := first; status < first+count; status++ {
		if op.Response(status) == r {
			return status
		}
	}
	return 0
}

func newChange(kind, subject, title string, at exchange.Place, in ...*spec.Operation) *Change {
	c := &Change{
		ID: visible.Line(kind + " " + subject), Kind: kind, Title: visible.Line(title), Place: at, of: map[string]bool{},
	}
	for _, op := range in {
		c.Operations = append(c.Operations, name(op))
		c.of[name(op)] = true
	}
	return c
}
