package generate

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/internal/formats"
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

// repair changes one part of a generated value that does not conform, until it does. It serves keywords that
// say what a value must not be: oneOf, whose other branches must not match, and not.
func (r *run) repair(n *node, v any, at place) (any, bool) {
	try := func(changed any) bool {
		r.repairs++
		return r.repairs <= maxRepairs && n.admits(changed)
	}
	switch v := v.(type) {
	case map[string]any:
		sent, _ := at.have.(map[string]any)
		if changed, ok := r.repairObject(n, v, sent, try); ok || len(sent) == 0 {
			return changed, ok
		}
		return r.repairObject(n, v, nil, try)
	case []any:
		return repairArray(v, try)
	}
	if i := slices.IndexFunc(probes, try); i >= 0 {
		return probes[i], true
	}
	return nil, false
}

// repairObject changes properties other than those that were sent.
func (r *run) repairObject(n *node, v, sent map[string]any, try func(any) bool) (any, bool) {
	wasSent := func(name string) bool { _, ok := sent[name]; return ok }
	removable := slices.DeleteFunc(sorted(v), wasSent)
	for _, name := range removable {
		changed := maps.Clone(v)
		delete(changed, name)
		if try(changed) {
			return changed, true
		}
	}
	for i, first := range removable {
		for _, second := range removable[i+1:] {
			changed := maps.Clone(v)
			delete(changed, first)
			delete(changed, second)
			if try(changed) {
				return changed, true
			}
		}
		if r.repairs > maxRepairs/4 {
			break
		}
	}
	names := slices.DeleteFunc(slices.Clone(r.g.namesIn(n)), wasSent)
	for _, name := range names {
		if r.repairs > maxRepairs {
			return nil, false
		}
		for _, probe := range probes {
			changed := maps.Clone(v)
			changed[name] = probe
			if try(changed) {
				return changed, true
			}
		}
	}
	changed := maps.Clone(v)
	for _, name := range names {
		if _, ok := changed[name]; ok {
			continue
		}
		changed[name] = probes[0]
		if try(changed) {
			return changed, true
		}
	}
	return nil, false
}

func repairArray(v []any, try func(any) bool) (any, bool) {
	for i := range v {
		changed := slices.Delete(slices.Clone(v), i, i+1)
		if try(changed) {
			return changed, true
		}
	}
	for i := range len(v) + 1 {
		for _, probe := range append(slices.Clip(slices.Clone(v)), probes...) {
			changed := slices.Clone(v)
			if i < len(v) {
				changed[i] = probe
			} else {
				changed = append(changed, probe)
			}
			if try(changed) {
				return changed, true
			}
		}
	}
	return nil, false
}

// namesIn gives names of properties that the schemas of a node speak of, and some that none does.
func (g *Generator) namesIn(n *node) []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n.names != nil {
		return n.names
	}
	named := map[string]bool{}
	var add func(k *schema.Keywords)
	seen := map[*schema.Keywords]bool{}
	add = func(k *schema.Keywords) {
		for part := range schema.Applicable(k) {
			if seen[part] || len(seen) > 200 {
				continue
			}
			seen[part] = true
			for name := range part.Properties {
				named[name] = true
			}
			for _, name := range part.Required {
				named[name] = true
			}
			for name := range part.DependentRequired {
				named[name] = true
			}
			for name := range part.DependentSchemas {
				named[name] = true
			}
			for re := range part.PatternProperties {
				named[patternWriter(re.String(), 0, never, re.MatchString)(formats.NewFaker())] = true
			}
			for _, other := range []*schema.Keywords{part.Not, part.If} {
				if other != nil {
					add(other)
				}
			}
		}
	}
	for _, c := range n.constraints {
		if c.schema != nil {
			add(c.schema)
		}
	}
	n.names = append(sorted(named), plainNames...)
	return n.names
}
