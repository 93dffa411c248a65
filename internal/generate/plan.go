package generate

import (
	"encoding/binary"
	"math"
	"slices"
	"sync/atomic"

	"github.com/coldframe/coldframe/internal/spec"
)

// lit is one thing that a value must do. A set of them says all about a place:
// expand works out what they mean together.
type lit struct {
	op   op
	k    *spec.Keywords
	name string // of a property
	n    int    // a position, a count, a branch, a set of kinds
}

type op uint8

const (
	holds        op = iota // the value is valid by k
	fails                  // the value is not valid by k
	excludes               // the value is valid by branch n>>16 of k.OneOf and not by branch n&0xffff
	chose                  // at k, branch n of the choice called name is taken
	isKind                 // the value is of the kinds n
	notListed              // the value differs from k's const and enum
	breaksMin              // the value is a number under k's minimum, and so on
	breaksMax              //
	breaksXMin             //
	breaksXMax             //
	breaksMul              //
	breaksFmt              //
	breaksPat              //
	minText                // the text has n characters or more
	maxText                //
	minItems               // the array has n elements or more
	maxItems               //
	repeats                // two elements of the array are equal
	itemHolds              // the element n is valid by k
	itemFails              // the element n is not valid by k
	allItemsFail           // no element is valid by k
	minProps               // the object has n properties or more
	maxProps               //
	needs                  // the object has the property name
	lacks                  // the object has no property name
	propHolds              // the property name is valid by k
	propFails              // the property name is not valid by k
	extraFails             // some property that falls to k's additionalProperties is not valid by it
	matchFails             // some property that falls to k's patternProperties is not valid by it
	nameFails              // some property's name is not valid by k's propertyNames
	strayFails             // some property that k does not evaluate is not valid by its unevaluatedProperties
	prefers                // where it conforms, the property name has the value that discriminates k's branch n
)

// node is a place of a value that must satisfy all of lits. Equal sets of lits
// are one node, so a cycle of the document is a cycle of nodes. Nodes are
// expanded when they are first needed.
type node struct {
	lits  []lit
	state atomic.Pointer[state]
	cost  atomic.Int32 // how deep its smallest value nests, plus 1; 0 is unknown
	// What is known of cost so far, under Generator.mu.
	reached, missed int32
}

// state is what lits mean together: a choice to make first, or a shape.
type state struct {
	choice *choice
	shape  *shape
}

// choice is a place where one of several branches is to be taken.
type choice struct {
	branches []*node
	ordered  bool // the first that can be made is the best
}

const (
	maxCost = 48 // a value that must nest deeper is taken for an endless one
	never   = math.MaxInt32
	// maxNodes bounds what generators of one document remember: beyond it nodes
	// are expanded each time.
	maxNodes = 200_000
	// maxSteps bounds the search for one place's smallest value.
	maxSteps = 5000
)

func (g *Generator) node(lits []lit) *node {
	key := g.nodeKey(lits)
	if n := g.nodes[string(key)]; n != nil {
		return n
	}
	n := &node{lits: lits, reached: never, missed: -1}
	if len(g.nodes) < maxNodes {
		g.nodes[string(key)] = n
	}
	return n
}

func (g *Generator) nodeKey(lits []lit) []byte {
	key := g.scratch[:0]
	for _, l := range lits {
		id, ok := g.ids[l.k]
		if !ok {
			id = len(g.ids)
			g.ids[l.k] = id
		}
		key = append(key, byte(l.op))
		key = binary.AppendUvarint(key, uint64(id))
		key = binary.AppendVarint(key, int64(l.n))
		key = binary.AppendUvarint(key, uint64(len(l.name)))
		key = append(key, l.name...)
	}
	g.scratch = key
	return key
}

// child makes the node of a place inside another, nil where no value is
// allowed.
func (g *Generator) child(lits []lit) *node {
	kept := make([]lit, 0, len(lits))
next:
	for _, l := range lits {
		if l.op == holds || l.op == fails {
			l.k = g.bare(l.k)
			if l.k.Bool != nil {
				if *l.k.Bool != (l.op == holds) {
					return nil
				}
				continue
			}
		}
		for _, other := range kept {
			if l == other {
				continue next
			}
		}
		if (l.op == holds || l.op == fails) && slices.Contains(kept, lit{op: holds + fails - l.op, k: l.k}) {
			return nil
		}
		kept = append(kept, l)
	}
	return g.node(kept)
}

// bare follows schemas that only refer to another, and remembers by what name.
func (g *Generator) bare(k *spec.Keywords) *spec.Keywords {
	target := bare(k)
	for k != target {
		g.refer(k)
		if k.Ref != nil {
			k = k.Ref
		} else {
			k = k.AllOf[0]
		}
	}
	return target
}

// bare follows schemas that only refer to another.
func bare(k *spec.Keywords) *spec.Keywords {
	for range 64 {
		switch {
		case k.Ref != nil && only(k, 0):
			k = k.Ref
		case k.Ref == nil && len(k.AllOf) == 1 && only(k, 1):
			k = k.AllOf[0]
		default:
			return k
		}
	}
	return k
}

// only reports whether k says nothing besides $ref and n schemas of allOf.
func only(k *spec.Keywords, n int) bool {
	return len(k.AllOf) == n && k.Bool == nil && k.DynamicRef == nil && k.RecursiveRef == nil &&
		k.Types == nil && k.Enum == nil && k.Const == nil && k.Not == nil && len(k.AnyOf) == 0 && len(k.OneOf) == 0 &&
		k.If == nil && k.Format == nil &&
		k.MaxProperties == nil && k.MinProperties == nil && len(k.Required) == 0 && k.PropertyNames == nil &&
		len(k.Properties) == 0 && len(k.PatternProperties) == 0 && k.AdditionalProperties == nil &&
		len(k.Dependencies) == 0 && len(k.DependentRequired) == 0 && len(k.DependentSchemas) == 0 &&
		k.UnevaluatedProperties == nil &&
		k.MinItems == nil && k.MaxItems == nil && !k.UniqueItems && k.Contains == nil && k.Items == nil &&
		len(k.PrefixItems) == 0 && k.Items2020 == nil && k.UnevaluatedItems == nil &&
		k.MinLength == nil && k.MaxLength == nil && k.Pattern == nil &&
		k.Maximum == nil && k.Minimum == nil && k.ExclusiveMaximum == nil && k.ExclusiveMinimum == nil && k.MultipleOf == nil &&
		k.ContentEncoding == nil && k.ContentMediaType == nil && len(k.Extensions) == 0 && len(k.Examples) == 0 && k.Default == nil
}

// see gives the node's state. The path of every request after the first is one
// atomic load.
func (g *Generator) see(n *node) *state {
	if s := n.state.Load(); s != nil {
		return s
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.expanded(n)
}

// expanded is see for holders of the lock.
func (g *Generator) expanded(n *node) *state {
	if s := n.state.Load(); s != nil {
		return s
	}
	s := g.expand(n)
	n.state.Store(s)
	return s
}

// costOf gives how deep the node's smallest value nests: 0 for a scalar, never
// for a place where nothing conforming can be.
func (g *Generator) costOf(n *node) int {
	if n == nil {
		return never
	}
	if c := n.cost.Load(); c != 0 {
		return int(c - 1)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.steps = 0
	for d := int(n.missed) + 1; d <= maxCost; d++ {
		if g.within(n, d) {
			n.cost.Store(int32(d) + 1)
			return d
		}
	}
	n.cost.Store(never)
	return never - 1
}

// within reports whether the node has a value that nests d deep at most.
func (g *Generator) within(n *node, d int) bool {
	switch {
	case n == nil || d < 0 || int32(d) <= n.missed:
		return false
	case int32(d) >= n.reached:
		return true
	}
	if g.steps++; g.steps > maxSteps {
		return true
	}
	ok := false
	if s := g.expanded(n); s.shape.fits(g, d) {
		ok = s.choice == nil
		if !ok {
			for _, b := range s.choice.branches {
				if g.within(b, d) {
					ok = true
					break
				}
			}
		}
	}
	if ok {
		n.reached = int32(d)
	} else {
		n.missed = int32(d)
	}
	return ok
}
