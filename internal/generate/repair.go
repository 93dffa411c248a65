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

// repair changes one part of a generated value that does not conform, until it does: a part of the value itself, else
// one further inside; what was sent comes last. It serves keywords that say what a value must not be: oneOf, whose
// other branches must not match, and not.
func (r *run) repair(n *node, v any, at valueContext) (any, bool) {
	var schemas []*schema.Keywords
	for _, c := range n.constraints {
		if c.schema != nil {
			schemas = append(schemas, c.schema)
		}
	}
	sent, _ := at.have.(map[string]any)
	for _, kept := range []map[string]any{sent, nil} {
		for depth := range maxRepairDepth {
			for changed := range changesAt(depth, v, kept, schemas) {
				if r.repairs++; r.repairs > maxRepairs || r.steps <= 0 {
					return nil, false
				}
				if r.admits(n, changed) {
					return changed, true
				}
			}
		}
		if len(sent) == 0 {
			break
		}
	}
	return nil, false
}

// maxRepairDepth is how deep inside a value a part may be that repair changes: 1 for a part of the value itself.
const maxRepairDepth = 3

// changesAt returns copies of a value in which one of the objects and arrays that are depth levels inside, the first of
// each list, has one part removed, replaced or added. Properties named in kept stay.
func changesAt(depth int, v any, kept map[string]any, schemas []*schema.Keywords) iter.Seq[any] {
	if depth == 0 {
		return func(yield func(any) bool) { changes(v, kept, namesIn(schemas))(yield) }
	}
	return func(yield func(any) bool) {
		inside := func(part any, of func(*schema.Keywords) *schema.Keywords, put func(any) any) bool {
			if schema.TypeOf(part)&(schema.Array|schema.Object) == 0 {
				return true
			}
			for changed := range changesAt(depth-1, part, nil, schemasInside(schemas, of)) {
				if !yield(put(changed)) {
					return false
				}
			}
			return true
		}
		switch v := v.(type) {
		case map[string]any:
			for _, name := range sorted(v) {
				_, isKept := kept[name]
				put := func(changed any) any { return jsonvalue.WithMember(v, name, changed) }
				property := func(k *schema.Keywords) *schema.Keywords { return k.Properties[name] }
				if !isKept && !inside(v[name], property, put) {
					return
				}
			}
		case []any:
			first := func(k *schema.Keywords) *schema.Keywords { return schema.Item(k, 0) }
			put := func(changed any) any { return slices.Concat([]any{changed}, v[1:]) }
			if len(v) > 0 {
				inside(v[0], first, put)
			}
		}
	}
}

// schemasInside returns the schemas of a part of the values of some schemas.
func schemasInside(schemas []*schema.Keywords, of func(*schema.Keywords) *schema.Keywords) []*schema.Keywords {
	var parts []*schema.Keywords
	for _, k := range schemas {
		for one := range schema.Applicable(k) {
			if part := of(one); part != nil {
				parts = append(parts, part)
			}
		}
	}
	return parts
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

// namesIn returns names of properties that schemas speak of, and some that none does.
func namesIn(schemas []*schema.Keywords) []string {
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
	for _, k := range schemas {
		add(k)
	}
	return append(sorted(named), fields.Keys("")...)
}
