package generate

import (
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
)

// constraint is one thing that is required of a value. A list of them says all about a place.
type constraint struct {
	op     op
	schema *schema.Keywords
	name   string // of a property or of a choice
	n      int    // a branch, a set of kinds
}

type op uint8

const (
	conforms op = iota // the value conforms to schema
	fails              // the value does not conform to schema; nothing is derived from it
	chosen             // branch n of the choice called name of schema is taken
	ofKinds            // the value is of the kinds n
	has                // the object has the property name
	lacks              // the object does not have the property name
	prefers            // the object has the discriminator's value for branch n of schema, if it conforms
)

// node is a place of a value with all its constraints. Equal lists are one node, so a cycle of the
// document is a cycle of nodes. Nodes are merged when they are first needed.
type node struct {
	constraints []constraint
	merged      atomic.Pointer[merged]
	depth       atomic.Int32 // the depth of the most shallow value, plus 1; 0 is unknown
	assumed     bool         // depth is the parent's, whose search ended early
	// Bounds of depth, under Generator.mu: there is a value of depth reached, and none of depth missed.
	reached, missed int32
}

// merged is what constraints mean together: a choice to make first, or a shape.
type merged struct {
	steps  int // what merging costs, whenever it is done
	choice *choice
	null   bool // the document's own example or default is null
	shape  *shape
}

type choice struct {
	branches []*node
	numbers  []int                 // of the branches, as by counts them
	by       *schema.Discriminator // nil if nothing distinguishes them
	ordered  bool                  // the first possible branch is the best
	spare    bool                  // the last branch is taken if no other is possible
}

const (
	maxDepth   = jsontext.MaxDepth // a value that must nest deeper counts as endless
	never      = math.MaxInt32
	impossible = never - 1 // the depth of places without a value
	// maxNodes bounds what a generator remembers: beyond it nodes are merged each time.
	maxNodes = 200_000
	// maxSearch bounds the search for a place's most shallow value, in steps as maxSteps counts them. Beyond it there is
	// assumed to be one, in all alternatives.
	maxSearch = 100_000
)

func (g *Generator) node(constraints []constraint) *node {
	key := g.scratch[:0]
	for _, c := range constraints {
		id, ok := g.ids[c.schema]
		if !ok {
			id = len(g.ids)
			g.ids[c.schema] = id
		}
		key = append(key, byte(c.op))
		key = binary.AppendUvarint(key, uint64(id))
		key = binary.AppendVarint(key, int64(c.n))
		key = binary.AppendUvarint(key, uint64(len(c.name)))
		key = append(key, c.name...)
	}
	g.scratch = key
	if n := g.nodes[string(key)]; n != nil {
		return n
	}
	n := &node{constraints: constraints, reached: never, missed: -1}
	if len(g.nodes) < maxNodes {
		g.nodes[string(key)] = n
	}
	return n
}

// child returns the node of a place inside another, nil if no value is allowed.
func (g *Generator) child(constraints []constraint) *node {
	kept := make([]constraint, 0, len(constraints))
	var known map[constraint]bool // kept, if they may be many
	if len(constraints) > manyNames {
		known = make(map[constraint]bool, len(constraints))
	}
	has := func(c constraint) bool { return known[c] || known == nil && slices.Contains(kept, c) }
	for _, c := range constraints {
		if c.op == conforms || c.op == fails {
			c.schema = schema.Resolve(c.schema)
			if is := c.schema.Bool; is != nil {
				if *is != (c.op == conforms) && !g.relaxed {
					return nil
				}
				continue
			}
			if has(constraint{op: conforms + fails - c.op, schema: c.schema}) && !g.relaxed {
				return nil
			}
		}
		if !has(c) {
			if kept = append(kept, c); known != nil {
				known[c] = true
			}
		}
	}
	return g.node(kept)
}

// see returns what a node means. After the first time it is one atomic load.
func (g *Generator) see(n *node) *merged {
	if m := n.merged.Load(); m != nil {
		return m
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seeLocked(n)
}

func (g *Generator) seeLocked(n *node) *merged {
	if n.merged.Load() == nil {
		n.merged.Store(g.merge(n))
		if n.assumed {
			n.assume(n.depth.Load())
		}
	}
	return n.merged.Load()
}

// assume returns a node and its alternatives a depth without search.
func (n *node) assume(depth int32) {
	n.depth.Store(depth)
	n.assumed = true
	if m := n.merged.Load(); m != nil && m.choice != nil {
		for _, b := range m.choice.branches {
			if b.depth.Load() == 0 {
				b.assume(depth)
			}
		}
	}
}

// depthOf returns how deep the node's most shallow value nests: 0 for a scalar,
// impossible or more if there is no value.
func (g *Generator) depthOf(n *node) int {
	if n == nil {
		return never
	}
	if d := n.depth.Load(); d != 0 {
		return int(d - 1)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.steps = 0
	defer func() { g.searched += g.steps }()
	for d := int(n.missed) + 1; d <= maxDepth; d++ {
		if !g.fits(n, d) {
			continue
		}
		if g.steps > maxSearch {
			n.assume(int32(d) + 1)
		} else {
			n.depth.Store(int32(d) + 1)
		}
		return d
	}
	n.depth.Store(never)
	return impossible
}

func (g *Generator) fits(n *node, d int) bool {
	switch {
	case n == nil || d < 0 || int32(d) <= n.missed:
		return false
	case int32(d) >= n.reached:
		return true
	}
	if g.steps > maxSearch {
		return true
	}
	m := g.seeLocked(n)
	g.steps += m.steps
	ok := m.shape.fits(g, d)
	if ok && m.choice != nil {
		ok = slices.ContainsFunc(m.choice.branches, func(b *node) bool { return g.fits(b, d) })
	}
	if ok {
		n.reached = int32(d)
	} else {
		n.missed = int32(d)
	}
	return ok
}
