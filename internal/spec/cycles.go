package spec

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
)

// maxPerValue bounds how many schemas apply to a single value: a few lines of allOf can ask for more than can be
// validated in any time.
const maxPerValue = 200_000

// cutCycles cuts references that lead back to a schema for the same value, whose validation would not end, and those
// beyond maxPerValue. Each cycle passes through a resource, so it is enough to begin at those.
func (s *schemas) cutCycles() {
	sizes := map[*Keywords]int{}
	for _, r := range s.resources {
		if r.used && r.compiled != nil {
			s.size(r.compiled, sizes)
		}
	}
}

// size counts the schemas that apply to a value of k, k among them; 0 while k is being measured.
func (s *schemas) size(k *Keywords, sizes map[*Keywords]int) int {
	if known, ok := sizes[k]; ok {
		return known
	}
	sizes[k] = 0
	total := 1
	if k.Ref != nil {
		switch size := s.size(k.Ref, sizes); {
		case size == 0:
			s.cut(k, "endless-reference", "the schema refers back to itself for the same value; the reference is ignored")
		case size >= maxPerValue:
			s.cut(k, "schema-too-large", "a value would have to be validated against more than "+
				strconv.Itoa(maxPerValue)+" schemas; the reference is ignored")
		default:
			total += size
		}
	}
	inner := slices.Concat([]*Keywords{k.Not, k.If, k.Then, k.Else}, k.AllOf, k.AnyOf, k.OneOf)
	for _, name := range slices.Sorted(maps.Keys(k.DependentSchemas)) {
		inner = append(inner, k.DependentSchemas[name])
	}
	for _, k := range inner {
		if k != nil {
			total += s.size(k, sizes)
		}
	}
	sizes[k] = min(total, maxPerValue+1)
	return sizes[k]
}

// cut takes the reference out of k.
func (s *schemas) cut(k *Keywords, code, message string) {
	k.Ref = nil
	finding := exchange.Finding{Code: code, Message: message}
	if at := s.locate(k.Location, nil); at != nil {
		finding.Document = at.Place()
	}
	s.find(finding)
}
