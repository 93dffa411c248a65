// Package generate makes values that conform to a schema.
//
// What a schema says about one place of a value is a set of literals (plan.go):
// references and allOf are merged (expand.go), and a negation is turned into
// what it asks for (negate.go). oneOf, anyOf, if and the like are choices
// between such sets; those that leave no choice are made at once (choice.go).
// Once the choices are made, a shape is left (shape.go) that one kind of value
// fills: number.go, text.go, array.go, object.go. Sets are worked out once, when
// they are first needed, and are shared by all requests.
//
// Strings come from a property's name (names.go), its format (format.go) or its
// pattern: the tree of one pattern (pattern.go, sample.go), the language of
// several, of negations and of look-ahead (language.go, automaton.go).
//
// A value depends on its key and its place only.
package generate

import (
	"fmt"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options says how values are made.
type Options struct {
	// Fill says which optional properties are there: "all" (the default; as far
	// as the value does not nest too deep) or "required".
	Fill string
	// Examples takes a schema's own example, examples and default where they
	// conform.
	Examples bool
}

// Generator makes values of one schema. It is safe for concurrent use.
type Generator struct {
	schema  *spec.Schema
	options Options
	root    *node
	*shared
}

// shared is what generators of one document have worked out together.
type shared struct {
	mu    sync.Mutex // guards what follows, and the expansion of nodes
	nodes map[string]*node
	ids   map[*spec.Keywords]int
	apart map[[2]*spec.Keywords]bool // whether two schemas exclude each other
	// separators are what tells one branch of a oneOf from another.
	separators map[[2]*spec.Keywords][][]lit
	refs       map[*spec.Keywords]string // by what reference the document reaches a schema
	scratch    []byte
	steps      int
}

// Error says that nothing conforming can be made, or that it was not found.
type Error struct {
	Place  exchange.Place // the schema
	Reason string
}

func (e *Error) Error() string {
	where := e.Place.Pointer
	if file := e.Place.String(); file != "" {
		where = strings.TrimSpace(file + " " + where)
	}
	return fmt.Sprintf("no value conforms to the schema at %s: %s", where, e.Reason)
}

// New makes the generator of a schema.
func New(s *spec.Schema, o Options) *Generator {
	return newGenerator(s, o, &shared{
		nodes: map[string]*node{}, ids: map[*spec.Keywords]int{}, apart: map[[2]*spec.Keywords]bool{},
		separators: map[[2]*spec.Keywords][][]lit{}, refs: map[*spec.Keywords]string{},
	})
}

// Of makes the generator of another schema of the same document, with the same
// options. The two share what they work out, so that schemas which many
// operations use cost their memory once.
func (g *Generator) Of(s *spec.Schema) *Generator {
	return newGenerator(s, g.options, g.shared)
}

func newGenerator(s *spec.Schema, o Options, with *shared) *Generator {
	g := &Generator{schema: s, options: o, shared: with}
	with.mu.Lock()
	defer with.mu.Unlock()
	g.root = g.node([]lit{{op: holds, k: g.bare(s.Keywords)}})
	return g
}

// maxAttempts is how many keys are tried before a schema is given up.
const maxAttempts = 24

// Value makes the value of a key. The error is an *Error.
func (g *Generator) Value(key Key) (any, error) {
	return g.value(key, nil, nil)
}

func (g *Generator) value(key Key, have map[string]any, fill *filling) (any, error) {
	if g.costOf(g.root) >= never-1 {
		return nil, g.impossible()
	}
	attempts := maxAttempts
	if fill != nil {
		attempts /= 4
	}
	r := runs.Get().(*run)
	defer r.release()
	var refusal error
	for attempt := range attempts {
		r.begin(g, attempt, fill)
		at := place{key: key, object: key}
		if attempt > 0 {
			at.key = key.at(attempt)
			at.object = at.key
		}
		if fill != nil {
			at.have, at.given = have, true
		}
		value, ok := r.make(g.root, at)
		if !ok {
			continue
		}
		if !r.unsure {
			return value, nil
		}
		if refusal = g.schema.Keywords.Validate(value); refusal == nil {
			return value, nil
		}
	}
	e := &Error{Place: g.schema.Place, Reason: "no candidate was valid"}
	if r.stuck != nil {
		e.Place, e.Reason = g.placeOf(r.stuck), g.reasonOf(r.stuck)
	} else if refusal != nil {
		e.Reason = "the last candidate was refused: " + firstLine(refusal)
	}
	return nil, e
}

func firstLine(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "- ")
}

// impossible says why the whole schema has no value: it follows the first
// requirement that cannot be met.
func (g *Generator) impossible() *Error {
	n := g.root
	for range maxCost {
		next := g.culprit(n)
		if next == nil || next == n {
			break
		}
		n = next
	}
	return &Error{Place: g.placeOf(n), Reason: g.reasonOf(n)}
}

// culprit gives the place inside n without which n has no value.
func (g *Generator) culprit(n *node) *node {
	s := g.see(n)
	if s.shape.reason != "" || s.choice != nil {
		return nil
	}
	for _, c := range s.shape.parts(g, s.shape) {
		if g.costOf(c) >= never-1 {
			return c
		}
	}
	return nil
}

func (g *Generator) reasonOf(n *node) string {
	s := g.see(n)
	switch {
	case s.shape.reason != "":
		return s.shape.reason
	case s.choice != nil:
		for _, b := range s.choice.branches {
			if reason := g.see(b).shape.reason; reason != "" {
				return "no alternative can be met: " + reason
			}
		}
		return "no alternative can be met"
	case g.costOf(n) < never-1:
		return "no conforming value was found"
	}
	return "it requires itself without end"
}

// placeOf gives the place in the document of what a node is about.
func (g *Generator) placeOf(n *node) exchange.Place {
	if n == g.root || len(n.lits) == 0 || n.lits[0].k == nil {
		return g.schema.Place
	}
	k := n.lits[0].k
	place := g.schema.Node(k).Place()
	if place == (exchange.Place{}) {
		return exchange.Place{Pointer: k.Location}
	}
	return place
}
