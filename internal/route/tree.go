package route

import (
	"cmp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// node is the state of a search after some segments of a path.
type node struct {
	literals map[string]*node
	longest  int       // the longest literal, in bytes
	patterns []pattern // sorted by literal text, longest first
	variable *node
	methods  []endpoint // of templates that end here
}

type pattern struct {
	segment segment
	to      *node
}

// endpoint has all operations of one method at one node.
type endpoint struct {
	method     string
	operations []*spec.Operation // in the document's order; usually one
	names      []string          // of the first one's variables
	spanning   *spanning         // how their values stand in the path; nil if each is a part of one segment
}

func (n *node) add(op *spec.Operation, t template) {
	n.at(t.segments).end(op, t.names)
	if t.whole != nil {
		n.at(t.whole).end(op, t.names)
	}
}

// addSpanning adds a template unless another operation has the same paths.
func (n *node) addSpanning(op *spec.Operation, s *spanning) {
	n = n.at(s.segments)
	if !slices.ContainsFunc(n.methods, func(e endpoint) bool { return e.method == op.Method }) {
		n.end(op, s.names)
		n.methods[len(n.methods)-1].spanning = s
	}
}

// at follows the segments and creates missing nodes.
func (n *node) at(segments []segment) *node {
	for _, s := range segments {
		n = n.child(s)
	}
	return n
}

func (n *node) child(s segment) *node {
	if literal, ok := s.literal(); ok {
		if n.literals == nil {
			n.literals = map[string]*node{}
		}
		to := n.literals[literal]
		if to == nil {
			to = &node{}
			n.literals[literal] = to
			n.longest = max(n.longest, len(literal))
		}
		return to
	}
	if s.variable() {
		if n.variable == nil {
			n.variable = &node{}
		}
		return n.variable
	}
	for _, p := range n.patterns {
		if slices.Equal(p.segment.literals, s.literals) {
			return p.to
		}
	}
	to := &node{}
	n.patterns = append(n.patterns, pattern{s, to})
	return to
}

func (n *node) end(op *spec.Operation, names []string) {
	i := slices.IndexFunc(n.methods, func(e endpoint) bool { return e.method == op.Method })
	if i < 0 {
		i = len(n.methods)
		n.methods = append(n.methods, endpoint{method: op.Method, names: names})
	}
	n.methods[i].operations = append(n.methods[i].operations, op)
}

// seal orders the tree for searching.
func (n *node) seal() {
	for _, to := range n.literals {
		to.seal()
	}
	slices.SortStableFunc(n.patterns, func(a, b pattern) int {
		return cmp.Or(
			-cmp.Compare(len(strings.Join(a.segment.literals, "")), len(strings.Join(b.segment.literals, ""))),
			cmp.Compare(len(a.segment.literals), len(b.segment.literals)),
		)
	})
	for _, p := range n.patterns {
		p.to.seal()
	}
	if n.variable != nil {
		n.variable.seal()
	}
}

type search struct {
	method   string
	escaped  bool      // the path has a "%"
	addSlash bool      // the search acts as if the path had a slash at its end
	spanning *spanning // of the match
	reached  bool      // a template matched, whatever its methods
	collect  bool      // continue the search and collect the methods of all matching templates
	methods  []string
}

// walk searches below n for the rest of a path, which starts with a slash or is empty. The match is a parameter and
// no field of the search, so that it need not escape to the heap.
func (s *search) walk(n *node, rest string, m *Match) bool {
	if rest == "" {
		if s.addSlash {
			if n = n.literal("", false); n == nil {
				return false
			}
		}
		return s.arrive(n, m)
	}
	sent, rest := next(rest)
	if to := n.literal(sent, s.escaped); to != nil && s.walk(to, rest, m) {
		return true
	}
	if sent == "" {
		return false
	}
	values := len(m.Values)
	for i := range n.patterns {
		p := &n.patterns[i]
		variables := len(p.segment.literals) - 1
		m.Values = slices.Grow(m.Values, variables)[:values+variables]
		if p.segment.match(sent, s.escaped, m.Values[values:]) && s.walk(p.to, rest, m) {
			return true
		}
		m.Values = m.Values[:values]
	}
	if n.variable != nil {
		m.Values = append(m.Values, sent)
		if s.walk(n.variable, rest, m) {
			return true
		}
		m.Values = m.Values[:values]
	}
	return false
}

// literal returns the node after a literal segment, nil if none.
func (n *node) literal(sent string, escaped bool) *node {
	if !escaped || strings.IndexByte(sent, '%') < 0 {
		return n.literals[sent]
	}
	if len(sent) > 3*n.longest {
		return nil
	}
	var buffer [64]byte // longer literals need an allocation
	return n.literals[string(appendUnescaped(buffer[:0], sent))]
}

// arrive ends a search at a node if the node has the method.
func (s *search) arrive(n *node, m *Match) bool {
	if len(n.methods) == 0 {
		return false
	}
	s.reached = true
	for i := range n.methods {
		e := &n.methods[i]
		if s.collect {
			s.methods = append(s.methods, e.method)
		} else if e.method == s.method {
			if len(e.operations) > 1 {
				m.Alternatives = e.operations
			}
			m.Operation, m.Names, s.spanning = e.operations[0], e.names, e.spanning
			return true
		}
	}
	return false
}
