package scenario

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// withExample finds the documented example of the name.
func (h *holder) withExample(a *Response) {
	if h.want.contentType != "" && !h.matching(a) {
		return
	}
	var names []string
	for _, m := range a.content() {
		if a.MediaType != nil && h.want.contentType != "" && m != a.MediaType {
			continue
		}
		for _, e := range m.Examples {
			if e.Name != h.want.example || e.Name == "" {
				if e.Name != "" && !slices.Contains(names, e.Name) {
					names = append(names, e.Name)
				}
				continue
			}
			h.serve(a, m, e)
			return
		}
	}
	hint := "; the document has no named examples there, give a body"
	if names != nil {
		hint = meant(h.want.example, names, "there are")
	}
	h.fail(h.want.exampleNode, CodeExample, "status %d has no example %q%s", a.Status, shorten(h.want.example), hint)
}

func (h *holder) serve(a *Response, m *spec.MediaType, e *spec.Example) {
	_, isText := e.Value.(string)
	contentType := h.want.contentType
	if contentType == "" {
		kind := kindMap
		if isText {
			kind = kindText
		}
		contentType = concrete(m, &node{kind: kind})
	}
	a.HasBody, a.MediaType, a.Example = true, m, e
	if !a.writeAs(contentType, isText) {
		h.fail(h.want.exampleNode, CodeExample, "example %q cannot be sent as %s, since it is not written as a string; give a body", h.want.example, contentType)
		return
	}
	if err := a.constant(e.Value); err != nil {
		h.fail(h.want.exampleNode, CodeExample, "example %q cannot be sent as %s: %v; give a body", h.want.example, contentType, err)
		return
	}
	if len(e.Broken) > 0 && !h.violates {
		h.fail(h.want.exampleNode, CodeExample, "example %s breaks its own schema: %s; mend the document at %s, or say violates: true",
			strconv.Quote(h.want.example), exchange.Join(e.Broken), fmt.Sprint(e.Place))
	}
}
