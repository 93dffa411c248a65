package generate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// spareNames is how many names of additional properties are worked out ahead; a value takes a few of them.
const spareNames = 8

func (sh *shape) finishExtra(g *Generator) {
	p := &sh.object
	if len(p.named) == 0 && sh.isMap() {
		p.usual = mapEntries
	}
	missing := sh.MinProperties - len(p.named)
	if p.usual == 0 && sh.MinProperties <= len(sh.Required) {
		return
	}
	want := max(spareNames, missing+2)
	ofMap := mapName(g, sh)
	keys := fields.Keys(ofMap)
	if len(sh.Names) == 0 && missing+2 <= len(keys) { // no others
		want = min(want, len(keys))
	}
	taken := map[string]bool{}
	for _, e := range p.named {
		taken[e.name] = true
	}
	sources := sh.nameSources(g, keys)
	for i := 0; len(sources) > 0 && i < want*8+64 && len(p.extra) < want; i++ {
		name := sources[i%len(sources)](i)
		if taken[name] {
			continue
		}
		taken[name] = true
		if e, ok := sh.plan(g, name); ok {
			e.hint = propertyHint(g, sh, &e)
			if e.value == nil && (e.hint.Open || pictureHint(ofMap) != nil) {
				e.hint = entryHint(g, sh, ofMap, e)
			}
			p.extra = append(p.extra, e)
		}
	}
	if len(p.extra) < missing {
		sh.fail("minProperties asks for more properties than are allowed")
	}
}

// mapName returns the name of a map: the name of its property, else of what the object around it describes.
func mapName(g *Generator, sh *shape) string {
	for _, k := range sh.Schemas {
		if _, tokens := g.wayTo(k); len(tokens) > 1 && tokens[len(tokens)-2] == "properties" {
			return tokens[len(tokens)-1]
		}
	}
	return sh.object.about.Name()
}

// entryHint returns the hint of a map's entry whose key says nothing of the value: the map is named for its values.
func entryHint(g *Generator, sh *shape, ofMap string, e propertyPlan) *hint {
	words := naming.Words(ofMap)
	if by := slices.Index(words, "by"); by > 0 {
		words = words[:by]
	}
	if len(words) == 0 {
		return e.hint
	}
	name := naming.Singular(strings.Join(words, "_"))
	if h := g.hint(name, *sh.object.about, e.node.constraints); !h.Open || h.Numbers != nil {
		return h
	}
	return e.hint
}

// isMap reports whether the object's purpose is to have properties of any name.
func (sh *shape) isMap() bool {
	return slices.ContainsFunc(sh.Schemas, func(k *schema.Keywords) bool {
		_, hasSchema := k.AdditionalProperties.(*schema.Keywords)
		return hasSchema || len(k.PatternProperties) > 0
	})
}

// nameSources return names by number: names that propertyNames allows, names that match patternProperties, plain ones.
func (sh *shape) nameSources(g *Generator, keys []string) []func(i int) string {
	var sources []func(i int) string
	f := formats.NewFaker()
	if len(sh.Names) > 0 {
		constraints := []constraint{{op: ofKinds, n: int(schema.String)}}
		for _, k := range sh.Names {
			constraints = append(constraints, constraint{op: conforms, schema: k})
		}
		if names := g.textShape(g.child(constraints)); names != nil {
			r := run{g: g, fake: f}
			sources = append(sources, func(i int) string {
				var v any
				if names.Listed {
					v = names.Values[i%len(names.Values)]
				} else {
					v, _ = r.text(names, valueContext{key: Key(11).at(i)})
				}
				name, _ := v.(string)
				return name
			})
			if names.Listed {
				return sources
			}
		}
	}
	for _, k := range sh.Schemas {
		for _, re := range schema.SortedPatterns(k) {
			if forbids := k.PatternProperties[re].Bool; forbids != nil && !*forbids {
				continue
			}
			write := patternWriter(re.String(), 0, never, func(v string) bool { return schema.Try(re, v) })
			sources = append(sources, func(i int) string { return write(f.Seed(uint64(Key(11).at(i)))) })
		}
	}
	if len(sh.Names) == 0 {
		plain := -1
		sources = append(sources, func(int) string {
			if plain++; plain < len(keys) {
				return keys[plain]
			}
			return "property" + strconv.Itoa(plain+1)
		})
	}
	return sources
}

// textShape returns the shape of a node that is a string, or of its first branches, nil if none. The caller
// holds the lock.
func (g *Generator) textShape(n *node) *shape {
	for n != nil {
		m := g.seeLocked(n)
		switch {
		case m.choice != nil:
			n = m.choice.branches[0]
		case m.shape.reason == "" && (m.shape.Types == schema.String || m.shape.Listed):
			return m.shape
		default:
			return nil
		}
	}
	return nil
}

// property returns what the schemas require of a property, false if objects may not have it.
func (sh *shape) property(name string) ([]constraint, bool) {
	schemas, allowed := sh.Property(name)
	return conforming(schemas), allowed
}

func conforming(schemas []*schema.Keywords) []constraint {
	all := make([]constraint, len(schemas))
	for i, k := range schemas {
		all[i] = constraint{op: conforms, schema: k}
	}
	return all
}
