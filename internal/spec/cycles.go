package spec

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
)

// maxPerValue bounds how many schemas apply to a single value: a few lines of
// allOf can ask for more than can be validated in any time.
const maxPerValue = 200_000

// cutCycles cuts references that lead back to a schema for the same value,
// whose validation would not end, and those beyond maxPerValue. Each cycle passes
// through a resource, so it is enough to begin at those.
func (s *schemas) cutCycles() {
	b := cycleGuard{schemas: s, sizes: map[*Keywords]int{}}
	for _, r := range s.resources {
		if r.used && r.compiled != nil {
			b.size(r.compiled)
		}
	}
}

// cycleGuard measures how many schemas apply to one value.
type cycleGuard struct {
	*schemas
	sizes map[*Keywords]int // 0 while a schema is being measured
}

// size counts the schemas that apply to a value of k, k among them.
func (b *cycleGuard) size(k *Keywords) int {
	if known, ok := b.sizes[k]; ok {
		return known
	}
	b.sizes[k] = 0
	total := 1
	add := func(inner *Keywords) bool {
		if inner == nil {
			return true
		}
		size := b.size(inner)
		total += size
		return size > 0
	}
	if !add(k.Ref) {
		b.cut(k, "endless-reference", "the schema refers back to itself for the same value; the reference is ignored")
	} else if total > maxPerValue {
		b.cut(k, "schema-too-large",
			"a value would have to be validated against more "+
				"than "+strconv.Itoa(maxPerValue)+" schemas; the reference is ignored")
		total = 1
	}
	for _, inner := range []*Keywords{k.Not, k.If, k.Then, k.Else} {
		add(inner)
	}
	for _, list := range [][]*Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, inner := range list {
			add(inner)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(k.DependentSchemas)) {
		add(k.DependentSchemas[name])
	}
	total = min(total, maxPerValue+1)
	b.sizes[k] = total
	return total
}

// cut takes the reference out of k.
func (b *cycleGuard) cut(k *Keywords, code, message string) {
	k.Ref = nil
	finding := exchange.Finding{Code: code, Message: message}
	if at := b.locate(k.Location, nil); at != nil {
		finding.Document = at.Place()
	}
	b.find(finding)
}
