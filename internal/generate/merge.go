package generate

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/schema"
)

// merger works out what the constraints of a node mean together.
type merger struct {
	g       *Generator
	n       *node
	shape   *shape
	applied map[*schema.Keywords]bool
	failed  map[*schema.Keywords]bool
	pending []pendingChoice
}

type choiceID struct {
	schema *schema.Keywords
	name   string
}

// pendingChoice is a choice that the constraints leave open.
type pendingChoice struct {
	id      choiceID
	ordered bool
	spare   bool                  // as choice.spare
	by      *schema.Discriminator // that distinguishes the branches; nil if none
	branch  func(n int) []constraint
	order   []int // the branches worth trying, best first
	done    bool
}

// maxApplied bounds the schemas that are merged for one place: each may speak of the properties of all others.
const maxApplied = 1000

// maxPending bounds the choices that a place leaves open: whether a value conforms to the others, its validation shows.
const maxPending = 500

// mergeSteps is how many steps of validation merging one schema costs, about.
const mergeSteps = 16

func (g *Generator) merge(n *node) *merged {
	m := &merger{g: g, n: n, shape: newShape(), applied: map[*schema.Keywords]bool{}, failed: map[*schema.Keywords]bool{}}
	sh := m.shape
	sh.Relaxed = g.relaxed
	for _, c := range n.constraints {
		if c.op == chosen {
			put(&sh.chosen, choiceID{c.schema, c.name}, c.n)
		}
	}
	m.add(n.constraints...)
	next := m.propagate()
	sh.settle()
	result := &merged{steps: mergeSteps*(1+len(m.applied)+len(m.pending)) + 4*len(m.pending)*len(m.pending), shape: sh}
	result.null = sh.saysNull(g)
	switch {
	case sh.reason != "" || sh.Listed:
	case next != nil:
		result.choice = &choice{ordered: next.ordered, spare: next.spare, by: next.by, numbers: next.order}
		for _, i := range next.order {
			c := constraint{op: chosen, schema: next.id.schema, name: next.id.name, n: i}
			result.choice.branches = append(result.choice.branches, m.with(c))
		}
	case sh.Types.Count() > 1:
		result.choice = &choice{ordered: true}
		for _, kind := range sh.kindOrder() {
			result.choice.branches = append(result.choice.branches, m.with(constraint{op: ofKinds, n: int(kind)}))
		}
	default:
		sh.finish(g)
	}
	return result
}

func (m *merger) with(c constraint) *node {
	return m.g.node(append(slices.Clip(slices.Clone(m.n.constraints)), c))
}

func (m *merger) add(constraints ...constraint) {
	sh := m.shape
	for _, c := range constraints {
		switch c.op {
		case conforms:
			m.apply(c.schema)
		case fails:
			m.fail(c.schema)
		case ofKinds:
			sh.Types &= schema.Type(c.n)
		case has:
			sh.Limit(schema.Object)
			sh.Require(c.name)
		case lacks:
			put(&sh.forbidden, c.name, true)
		case prefers:
			m.prefer(c.schema, c.n)
		}
	}
}

func (m *merger) fail(k *schema.Keywords) {
	if m.failed[k] || m.g.relaxed {
		return
	}
	m.failed[k] = true
	m.shape.failed = append(m.shape.failed, k)
	switch {
	case m.applied[k]:
		m.shape.fail("it asks for a schema and its opposite")
	case k.Bool != nil && *k.Bool:
		m.shape.fail("nothing is allowed: not of a schema that takes everything")
	}
}

// apply merges k into the shape (JSON Schema 2020-12 core and validation).
func (m *merger) apply(k *schema.Keywords) {
	if m.applied[k] {
		return
	}
	m.applied[k] = true
	sh := m.shape
	switch {
	case m.failed[k]:
		sh.fail("it asks for a schema and its opposite")
		return
	case k.Bool != nil:
		if !*k.Bool {
			sh.fail("the schema is false")
		}
		return
	}
	if len(sh.Schemas) == maxApplied {
		sh.fail("more than " + strconv.Itoa(maxApplied) + " schemas apply to one value, too many to generate one")
		return
	}
	sh.merge(m.g, k)
	if k.Ref != nil {
		m.apply(k.Ref)
	}
	if k.DynamicRef != nil {
		m.apply(k.DynamicRef.Ref)
	}
	for _, part := range k.AllOf {
		m.apply(part)
	}
	if k.Not != nil {
		m.fail(k.Not)
	}
	m.applyBranches(k, "oneOf", k.OneOf)
	m.applyBranches(k, "anyOf", k.AnyOf)
	m.applyExtended(k)
	if k.If != nil && (k.Then != nil || k.Else != nil) {
		m.decide(pendingChoice{id: choiceID{k, "if"}, order: []int{0, 1}, branch: func(n int) []constraint {
			branch, next := []constraint{{op: conforms, schema: k.If}}, k.Then
			if n == 1 {
				branch[0].op, next = fails, k.Else
			}
			if next != nil {
				branch = append(branch, constraint{op: conforms, schema: next})
			}
			return branch
		}})
	}
	for _, name := range sorted(k.DependentSchemas) {
		m.applyDependent(k, name, constraint{op: conforms, schema: k.DependentSchemas[name]})
	}
	for _, name := range sorted(k.DependentRequired) {
		var needed []constraint
		for _, required := range k.DependentRequired[name] {
			needed = append(needed, constraint{op: has, name: required})
		}
		m.applyDependent(k, name, needed...)
	}
	if k.Contains != nil {
		m.applyContains(k)
	}
}

// applyBranches chooses a branch of oneOf or anyOf. Branches of a kind that the place cannot have are left out, those
// that only take null come last. The only branch that describes an error is spare, unless all of the value does.
func (m *merger) applyBranches(k *schema.Keywords, name string, branches []*schema.Keywords) {
	if len(branches) == 0 {
		return
	}
	id := choiceID{k, name}
	branch := func(n int) []constraint {
		return []constraint{{op: prefers, schema: k, n: n}, {op: conforms, schema: branches[n]}}
	}
	by := m.g.schema.Discriminator(k)
	if by != nil && (len(by.Branches) != len(branches) || by.Branches[0] != branches[0]) {
		by = nil // of the other keyword
	}
	if _, ok := m.shape.chosen[id]; ok {
		m.decide(pendingChoice{id: id, branch: branch})
		return
	}
	var order, last []int
	failed := -1
	if by == nil && !m.g.options.Errors {
		if failed = slices.IndexFunc(branches, describesError); slices.ContainsFunc(branches[failed+1:], describesError) {
			failed = -1
		}
	}
	for i, b := range branches {
		switch ks := schema.CertainTypes(b); {
		case i == failed, m.shape.Types&ks == 0:
		case ks == schema.Null:
			last = append(last, i)
		default:
			order = append(order, i)
		}
	}
	order = append(order, last...)
	spare := failed >= 0 && len(order) > 0
	if spare {
		order = append(order, failed)
	}
	if len(order) == 0 {
		order = []int{max(failed, 0)}
	}
	m.decide(pendingChoice{id: id, order: order, by: by, spare: spare, branch: branch})
}

// describesError reports whether an object has hardly more than what describes an error.
func describesError(k *schema.Keywords) bool {
	properties := schema.Properties(k)
	if len(properties) == 0 || len(properties) > maxErrorMembers {
		return false
	}
	for name := range properties {
		if !isOfError(name) {
			return false
		}
	}
	return true
}

// applyDependent chooses between a property with what depends on it, its absence, and no object.
func (m *merger) applyDependent(k *schema.Keywords, name string, needed ...constraint) {
	if m.shape.Types&schema.Object == 0 {
		return
	}
	order := []int{1, 0, 2}
	declared := func(k *schema.Keywords) bool {
		return k.Properties[name] != nil || slices.Contains(k.Required, name)
	}
	if m.g.options.Fill != "required" && slices.ContainsFunc(m.shape.Schemas, declared) {
		order = []int{0, 1, 2}
	}
	branches := [][]constraint{
		append([]constraint{{op: has, name: name}}, needed...),
		{{op: ofKinds, n: int(schema.Object)}, {op: lacks, name: name}},
		{{op: ofKinds, n: int(schema.AnyType &^ schema.Object)}},
	}
	m.decide(pendingChoice{
		id: choiceID{k, "depends " + name}, ordered: true, order: order,
		branch: func(n int) []constraint { return branches[n] },
	})
}

// applyContains reserves positions for the elements that contains asks for: the
// first after prefixItems that are not reserved yet.
func (m *merger) applyContains(k *schema.Keywords) {
	sh, least := m.shape, 1
	if k.MinContains != nil {
		least = *k.MinContains
	}
	if k.MaxContains != nil {
		sh.containsMax = append(sh.containsMax, containsMax{k.Contains, *k.MaxContains})
	}
	if sh.Types&schema.Array == 0 || least > maxLength {
		return
	}
	first := sh.firstFree()
	for _, other := range sh.Schemas { // a closed tuple has it among its items
		if items := other.Items2020; items != nil && items.Bool != nil && !*items.Bool {
			first = max(0, slices.IndexFunc(other.PrefixItems, func(item *schema.Keywords) bool {
				return schema.CertainTypes(item)&schema.CertainTypes(k.Contains) != 0
			}))
		}
	}
	if first+least > sh.MaxItems {
		first = max(0, sh.MaxItems-least)
	}
	for i := first; i < first+least; i++ {
		put(&sh.reserved, i, append(sh.reserved[i], k.Contains))
		sh.MinItems = max(sh.MinItems, i+1)
	}
}

// decide adds a choice, or applies the branch that is taken.
func (m *merger) decide(p pendingChoice) {
	if n, ok := m.shape.chosen[p.id]; ok {
		m.add(p.branch(n)...)
	} else if len(p.order) == 1 {
		m.take(&p)
	} else if len(m.pending) < maxPending {
		m.pending = append(m.pending, p)
	} else {
		m.shape.unsure = true
	}
}

// take applies the only branch that is left. It may append to pending.
func (m *merger) take(p *pendingChoice) {
	p.done = true
	put(&m.shape.chosen, p.id, p.order[0])
	m.add(p.branch(p.order[0])...)
}

// propagate takes the branches that are the only ones left, and returns the choice
// to make next: that with the fewest branches.
func (m *merger) propagate() *pendingChoice {
	for again := true; again && m.shape.reason == "" && !m.shape.Listed; {
		again = false
		for i := 0; i < len(m.pending); i++ {
			p := &m.pending[i]
			if p.done {
				continue
			}
			left := slices.DeleteFunc(slices.Clone(p.order), func(n int) bool {
				return slices.ContainsFunc(p.branch(n), m.contradicts)
			})
			if len(left) == 0 && m.g.relaxed {
				left = p.order[:1]
			}
			p.order = left
			switch len(left) {
			case 0:
				m.shape.fail("its demands exclude each other")
				return nil
			case 1:
				again = true
				m.take(p)
			}
		}
	}
	var next *pendingChoice
	for i := range m.pending {
		if p := &m.pending[i]; !p.done && (next == nil || len(p.order) < len(next.order)) {
			next = p
		}
	}
	return next
}

// contradicts reports whether it is plain that no value of the shape meets c.
func (m *merger) contradicts(c constraint) bool {
	sh := m.shape
	switch c.op {
	case conforms:
		return m.failed[c.schema] || m.failed[schema.Resolve(c.schema)] || schema.CertainTypes(c.schema)&sh.Types == 0
	case fails:
		return m.applied[c.schema] || m.applied[schema.Resolve(c.schema)]
	case ofKinds:
		return sh.Types&schema.Type(c.n) == 0
	case lacks:
		return sh.Requires(c.name)
	case has:
		_, ok := sh.property(c.name)
		return sh.forbidden[c.name] || !ok
	}
	return false
}

func sorted[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(m))
}
