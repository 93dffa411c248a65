// Package generate generates values that conform to a schema.
//
// What is required of one place of a value is a list of constraints (node.go): first that it conforms to its
// schemas. Merging follows references and allOf and collects choices: branches of oneOf and anyOf, if, kinds
// of values (merge.go). Once the choices are made, a shape is left (shape.go) that one kind of value fills:
// number.go, text.go, array.go, object.go. Nodes are merged once, when they are first needed, and are shared
// by all requests.
//
// Strings come from a property's name (fields.go), its format (package formats) or its patterns (pattern.go).
//
// The first candidate is generated without looking back and validated where it may not conform. If it does
// not, candidates of other keys follow whose places are validated one by one and repaired (repair.go).
//
// A value depends on its key and its place only.
package generate

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options says how values are generated.
type Options struct {
	// Fill says which optional properties are there: "all" (the default; as far
	// as the value does not nest too deep) or "required".
	Fill string
	// Examples takes a schema's own example, examples and default where they conform.
	Examples bool
}

// Generator generates values of one schema. It is safe for concurrent use.
type Generator struct {
	schema  *spec.Schema
	options Options
	root    *node

	mu      sync.Mutex // guards what follows, and the merging of nodes
	nodes   map[string]*node
	ids     map[*schema.Keywords]int
	refs    map[*schema.Keywords]string // by what reference the document reaches a schema
	scratch []byte
	steps   int
}

// Error says that no value conforms, or that none was found.
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

// New gives the generator of a schema.
func New(s *spec.Schema, o Options) *Generator {
	g := &Generator{
		schema: s, options: o,
		nodes: map[string]*node{}, ids: map[*schema.Keywords]int{}, refs: map[*schema.Keywords]string{},
	}
	g.root = g.node([]constraint{{op: conforms, schema: g.resolve(s.Keywords)}})
	return g
}

// maxAttempts is how many keys are tried before a schema is given up.
const maxAttempts = 24

// Value generates the value of a key. The error is an *Error.
func (g *Generator) Value(key Key) (any, error) {
	return g.value(key, nil, nil)
}

func (g *Generator) value(key Key, have map[string]any, fill *filling) (any, error) {
	if g.depthOf(g.root) >= impossible {
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
		value, ok := r.generate(g.root, at)
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

// impossible says why the whole schema has no value: it follows the first requirement that cannot be met.
func (g *Generator) impossible() *Error {
	n := g.root
	for range maxDepth {
		m := g.see(n)
		if m.shape.reason != "" || m.choice != nil {
			break
		}
		parts := m.shape.parts(g)
		i := slices.IndexFunc(parts, func(part *node) bool { return g.depthOf(part) >= impossible })
		if i < 0 || parts[i] == nil || parts[i] == n {
			break
		}
		n = parts[i]
	}
	return &Error{Place: g.placeOf(n), Reason: g.reasonOf(n)}
}

func (g *Generator) reasonOf(n *node) string {
	m := g.see(n)
	switch {
	case m.shape.reason != "":
		return m.shape.reason
	case m.choice != nil:
		for _, b := range m.choice.branches {
			if reason := g.see(b).shape.reason; reason != "" {
				return "no alternative can be met: " + reason
			}
		}
		return "no alternative can be met"
	case g.depthOf(n) < impossible:
		return "no conforming value was found"
	}
	return "it requires itself without end"
}

// placeOf gives the place in the document of what a node is about.
func (g *Generator) placeOf(n *node) exchange.Place {
	if n == g.root || len(n.constraints) == 0 || n.constraints[0].schema == nil {
		return g.schema.Place
	}
	k := n.constraints[0].schema
	place := g.schema.Node(k).Place()
	if place == (exchange.Place{}) {
		return exchange.Place{Pointer: k.Location}
	}
	return place
}
