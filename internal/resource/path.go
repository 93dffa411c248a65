package resource

import (
	"slices"
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

type segment struct {
	text      string   // a literal; "" if variables is not empty
	variables []string // more than one of a segment such as {base}...{head}
	custom    bool     // what follows a colon: /plants/{id}:water
}

func (s segment) variable() bool { return len(s.variables) > 0 }

func parsePath(template string) []segment {
	if end := strings.IndexAny(template, "?#"); end >= 0 {
		template = template[:end]
	}
	template = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // invisible characters distinguish paths in some documents
			return -1
		}
		return r
	}, template)
	var segments []segment
	for text := range strings.SplitSeq(template, "/") {
		custom := ""
		if i := strings.LastIndexByte(text, ':'); i > 0 && !strings.ContainsAny(text[i:], "{}") && i+1 < len(text) {
			text, custom = text[:i], text[i+1:]
		}
		if text != "" {
			segments = append(segments, parseSegment(text)...)
		}
		if custom != "" {
			segments = append(segments, segment{text: custom, custom: true})
		}
	}
	return segments
}

// parseSegment drops suffixes that name a format (.json): they say nothing about resources.
func parseSegment(text string) []segment {
	var variables []string
	fixed := ""
	for rest := text; rest != ""; {
		before, after, ok := strings.Cut(rest, "{")
		fixed += before
		if !ok {
			break
		}
		var name string
		name, rest, _ = strings.Cut(after, "}")
		variables = append(variables, name)
	}
	for _, format := range []string{".json", ".xml", ".csv"} {
		fixed = strings.TrimSuffix(fixed, format)
	}
	// OData: /People('{id}')
	if open := strings.IndexByte(fixed, '('); open > 0 && strings.HasSuffix(fixed, ")") && len(variables) == 1 {
		return []segment{{text: fixed[:open]}, {variables: variables}}
	}
	if len(variables) > 0 {
		return []segment{{variables: variables}}
	}
	return []segment{{text: fixed}}
}

// node is a place in the tree of paths: templates that differ in the names of their variables share it.
type node struct {
	parent     *node
	last       segment
	children   []*node
	known      map[segmentKey]*node // children
	operations []*operation
}

// segmentKey is what segments have in common that stand for one place.
type segmentKey struct {
	text      string
	variables int
	custom    bool
}

func (n *node) child(s segment) *node {
	key := segmentKey{s.text, len(s.variables), s.custom}
	if c := n.known[key]; c != nil {
		return c
	}
	c := &node{parent: n, last: s}
	if n.known == nil {
		n.known = map[segmentKey]*node{}
	}
	n.known[key] = c
	n.children = append(n.children, c)
	return c
}

// item returns the node of the items below a collection, nil if none
// with operations. Their key may be made of several variables.
func (n *node) item() *node {
	for _, c := range n.children {
		if !c.last.variable() {
			continue
		}
		if len(c.operations) > 0 {
			return c
		}
		if deeper := c.item(); deeper != nil {
			return deeper
		}
	}
	return nil
}

// itemWithoutOperations returns the node of the items below a collection if only paths below it have operations:
// POST /schedules/{id}/disable. It is nil if there are several.
func (n *node) itemWithoutOperations() (found *node) {
	for _, c := range n.children {
		if !c.last.variable() || len(c.last.variables) > 1 {
			continue
		}
		below := slices.ContainsFunc(c.children, func(child *node) bool { return len(child.operations) > 0 })
		if len(c.operations) > 0 || !below || found != nil {
			return nil
		}
		found = c
	}
	return found
}

func (n *node) up(yield func(*node) bool) {
	for at := n.parent; at != nil && at.parent != nil && yield(at); at = at.parent {
	}
}

func (n *node) name() string {
	for ; n.parent != nil; n = n.parent {
		if !n.last.variable() {
			return n.last.text
		}
	}
	return ""
}

func (n *node) literals() []string {
	if n.parent == nil {
		return nil
	}
	before := n.parent.literals()
	if n.last.variable() || isVersion(n.last.text) {
		return before
	}
	return append(before, n.last.text)
}

func (n *node) variables() []string {
	if n.parent == nil {
		return nil
	}
	return append(n.parent.variables(), n.last.variables...)
}

func (n *node) method(method string) *operation {
	for _, o := range n.operations {
		if o.Method == method {
			return o
		}
	}
	return nil
}

func (n *node) methods(of ...string) string {
	var found []string
	for _, method := range of {
		if n.method(method) != nil {
			found = append(found, method)
		}
	}
	return strings.Join(found, " ")
}

func (n *node) only(method string) bool {
	return !slices.ContainsFunc(n.operations, func(o *operation) bool { return o.Method != method })
}

// isVersion knows v1, v2.1, 2024-01, 1.0.
func isVersion(text string) bool {
	digits := strings.TrimLeft(text, "vV")
	return digits != "" && len(text)-len(digits) <= 1 && digits[0] >= '0' && digits[0] <= '9' &&
		(len(digits) < len(text) || strings.ContainsAny(text, ".-")) && strings.Trim(digits, "0123456789.-_") == ""
}

// isProcedure knows the names of remote procedures: documents.create.
func isProcedure(text string) bool {
	return strings.Contains(strings.Trim(text, "."), ".") && !isVersion(text)
}

type operation struct {
	*spec.Operation
	Method   string // as documented; as in an API of paths if it is a procedure, see findProcedures
	at       *node
	segments []segment
	request  view // the request body's schema: JSON, else a form
	answer   view // the JSON schema of the successful response
	binding  *Binding
	override override
	creates  *candidate // of items of another path; nil if none
	keyIn    KeyIn      // of a procedure that names an item
}

func (o *operation) variables() []string {
	var all []string
	for _, s := range o.segments {
		all = append(all, s.variables...)
	}
	return all
}

// variableAt returns the last variable that the operation's path has at a node above it; "" if none.
func (o *operation) variableAt(n *node) string {
	depth := 0
	for at := n; at != nil && at.parent != nil; at = at.parent {
		depth++
	}
	if depth == 0 || depth > len(o.segments) || len(o.segments[depth-1].variables) == 0 {
		return ""
	}
	variables := o.segments[depth-1].variables
	return variables[len(variables)-1]
}

func (o *operation) keyVariable() string {
	variables := o.variables()
	if len(variables) == 0 {
		return ""
	}
	return variables[len(variables)-1]
}

func (o *operation) pathParameter(name string) *spec.Parameter {
	for _, p := range o.Parameters {
		if p.In == exchange.InPath && strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}

func (o *operation) documents(status string) bool {
	return slices.ContainsFunc(o.Responses, func(r *spec.Response) bool { return r.Status == status })
}
