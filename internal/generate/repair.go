package generate

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
)

// maxRepairs bounds how many changed values one run validates.
const maxRepairs = 1500

// probes are values that break what schemas usually ask for. Repair puts them in
// the place of parts of a value.
var probes = []any{
	json.Number("0"), "x", true, nil, []any{}, map[string]any{},
	"", json.Number("1.5"), json.Number("1000000"), json.Number("-1"), "aaaaaaaaaa",
}

// repair changes one part of a generated value that does not conform, until it does; what was sent comes last. It
// serves keywords that say what a value must not be: oneOf, whose other branches must not match, and not.
func (r *run) repair(n *node, v any, at valueContext) (any, bool) {
	sent, _ := at.have.(map[string]any)
	for _, kept := range []map[string]any{sent, nil} {
		for changed := range changes(v, kept, r.g.namesIn(n)) {
			if r.repairs++; r.repairs > maxRepairs || r.steps <= 0 {
				return nil, false
			}
			if r.admits(n, changed) {
				return changed, true
			}
		}
		if len(sent) == 0 {
			break
		}
	}
	return nil, false
}

// changes returns copies of a value with one part removed, replaced or added. Properties named in kept stay.
func changes(v any, kept map[string]any, names []string) iter.Seq[any] {
	return func(yield func(any) bool) {
		switch v := v.(type) {
		case map[string]any:
			changeObject(v, kept, names, yield)
		case []any:
			changeArray(v, yield)
		default:
			slices.Values(probes)(yield)
		}
	}
}

// maxDistance is how far in the order of names the second of two properties may be that are removed.
const maxDistance = 16

func changeObject(v, kept map[string]any, names []string, yield func(any) bool) {
	isKept := func(name string) bool { _, ok := kept[name]; return ok }
	removable := slices.DeleteFunc(sorted(v), isKept)
	for distance := range min(len(removable), maxDistance) { // first single properties, then pairs
		for i, first := range removable[:len(removable)-distance] {
			changed := maps.Clone(v)
			delete(changed, first)
			delete(changed, removable[i+distance])
			if !yield(changed) {
				return
			}
		}
	}
	names = slices.DeleteFunc(slices.Clone(names), isKept)
	for _, name := range names {
		for _, probe := range probes {
			if !yield(jsonvalue.WithMember(v, name, probe)) {
				return
			}
		}
	}
	more := maps.Clone(v)
	for _, name := range names {
		if _, ok := more[name]; !ok {
			more[name] = probes[0]
			if !yield(maps.Clone(more)) {
				return
			}
		}
	}
}

func changeArray(v []any, yield func(any) bool) {
	for i := range v {
		if !yield(slices.Delete(slices.Clone(v), i, i+1)) {
			return
		}
	}
	for i := range len(v) + 1 {
		for _, probe := range slices.Concat(v, probes) {
			if !yield(slices.Concat(v[:i], []any{probe}, v[min(i+1, len(v)):])) {
				return
			}
		}
	}
}

// namesIn returns names of properties that the schemas of a node speak of, and some that none does.
func (g *Generator) namesIn(n *node) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n.names != nil {
		return n.names
	}
	named := map[string]bool{}
	seen := map[*schema.Keywords]bool{}
	var add func(k *schema.Keywords)
	add = func(k *schema.Keywords) {
		for part := range schema.Applicable(k) {
			if seen[part] || len(seen) > 200 {
				continue
			}
			seen[part] = true
			for _, name := range slices.Concat(part.Required, sorted(part.Properties), sorted(part.DependentRequired),
				sorted(part.DependentSchemas)) {
				named[name] = true
			}
			for re := range part.PatternProperties {
				write := patternWriter(re.String(), 0, never, func(v string) bool { return schema.Try(re, v) })
				named[write(formats.NewFaker())] = true
			}
			add(part.Not)
			add(part.If)
		}
	}
	for _, c := range n.constraints {
		add(c.schema)
	}
	n.names = append(sorted(named), fields.Keys("")...)
	return n.names
}
