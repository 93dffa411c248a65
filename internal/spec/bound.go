package spec

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
)

// maxInPlace bounds how many schemas a single value may have to be held to:
// a few lines of allOf can ask for more than any time is enough for.
const maxInPlace = 200_000

// bound cuts references that lead back to a schema for the same value, which
// would be held to it without end, and schemas that are beyond maxInPlace.
// Each round of references passes through a resource, so it is enough to begin
// at those.
func (s *schemas) bound() {
	b := bounder{schemas: s, sizes: map[*Keywords]int{}}
	for _, r := range s.resources {
		if r.used && r.compiled != nil {
			b.size(r.compiled)
		}
	}
}

type bounder struct {
	*schemas
	sizes map[*Keywords]int // of schemas that were met; 0 while they are being measured
}

// size counts the schemas that a value of k is held to, k among them.
func (b *bounder) size(k *Keywords) int {
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
	} else if total > maxInPlace {
		b.cut(k, "schema-too-large", "a value would have to be held to more than "+strconv.Itoa(maxInPlace)+" schemas; the reference is ignored")
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
	total = min(total, maxInPlace+1)
	b.sizes[k] = total
	return total
}

// cut takes the reference out of k.
func (b *bounder) cut(k *Keywords, code, message string) {
	k.Ref = nil
	finding := exchange.Finding{Code: code, Message: message}
	if at := b.locate(k.Location, nil); at != nil {
		finding.Document = at.Place()
	}
	b.find(finding)
}
