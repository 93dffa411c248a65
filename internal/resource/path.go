package resource

import (
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/internal/spec"
)

// segment is one segment of a path template.
type segment struct {
	text      string   // a literal; "" where variables is not empty
	variables []string // more than one of a segment such as {base}...{head}
	custom    bool     // what follows a colon: /plants/{id}:water
}

func (s segment) variable() bool { return len(s.variables) > 0 }

// parse splits a template. Suffixes that name a format (.json) say nothing
// about resources and are dropped.
func parse(template string) []segment {
	template, _, _ = strings.Cut(template, "#")
	template, _, _ = strings.Cut(template, "?")
	template = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) { // marks that cannot be seen tell paths apart in some documents
			return -1
		}
		return r
	}, template)
	var segments []segment
	for text := range strings.SplitSeq(template, "/") {
		if text == "" {
			continue
		}
		custom := ""
		if i := strings.LastIndexByte(text, ':'); i > 0 && !strings.ContainsAny(text[i:], "{}") && i+1 < len(text) {
			text, custom = text[:i], text[i+1:]
		}
		segments = append(segments, parseSegment(text)...)
		if custom != "" {
			segments = append(segments, segment{text: custom, custom: true})
		}
	}
	return segments
}

func parseSegment(text string) []segment {
	var variables []string
	literal := strings.Builder{}
	for rest := text; rest != ""; {
		before, after, ok := strings.Cut(rest, "{")
		literal.WriteString(before)
		if !ok {
			break
		}
		name, after, _ := strings.Cut(after, "}")
		variables = append(variables, name)
		rest = after
	}
	fixed := literal.String()
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

// node is a place in the tree of paths: templates that differ in the names of
// their variables share it.
type node struct {
	parent   *node
	last     segment
	children []*node
	ops      []*operation
}

func (n *node) child(s segment) *node {
	for _, c := range n.children {
		if c.last.variable() == s.variable() && len(c.last.variables) == len(s.variables) && c.last.text == s.text && c.last.custom == s.custom {
			return c
		}
	}
	c := &node{parent: n, last: s}
	n.children = append(n.children, c)
	return c
}

// item gives the node of the items below a collection, nil where there is none
// with operations of its own. Their key may be made of several variables.
func (n *node) item() *node {
	for _, c := range n.children {
		if !c.last.variable() {
			continue
		}
		if len(c.ops) > 0 {
			return c
		}
		if below := c.item(); below != nil {
			return below
		}
	}
	return nil
}

// name is the last literal on the way to the node, "" for the root.
func (n *node) name() string {
	for ; n.parent != nil; n = n.parent {
		if !n.last.variable() {
			return n.last.text
		}
	}
	return ""
}

// literals are all literals on the way to the node, without versions.
func (n *node) literals() []string {
	if n.parent == nil {
		return nil
	}
	above := n.parent.literals()
	if n.last.variable() || isVersion(n.last.text) {
		return above
	}
	return append(above, n.last.text)
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

// has gives the operation of a method, nil where there is none.
func (n *node) has(method string) *operation {
	for _, o := range n.ops {
		if o.Method == method {
			return o
		}
	}
	return nil
}

// operation is an operation on its way to a Binding.
type operation struct {
	*spec.Operation
	at        *node
	segments  []segment
	request   view // the request body's JSON schema
	answer    view // the answer's
	bodyMedia *spec.MediaType
	binding   *Binding
	override  *override
}

// variables are those of the template in order.
func (o *operation) variables() []string {
	var all []string
	for _, s := range o.segments {
		all = append(all, s.variables...)
	}
	return all
}

// parameter gives a parameter, nil where there is none.
func (o *operation) parameter(in, name string) *spec.Parameter {
	for _, p := range o.Parameters {
		if p.In == in && strings.EqualFold(p.Name, name) {
			return p
		}
	}
	return nil
}
