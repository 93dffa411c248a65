package cases

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

func without(at any, names ...string) (any, bool) {
	object, ok := at.(map[string]any)
	if !ok {
		return nil, false
	}
	object = maps.Clone(object)
	for _, name := range names {
		if _, ok := object[name]; !ok {
			return nil, false
		}
		delete(object, name)
	}
	return object, true
}

func with(at any, name string, value any) (any, bool) {
	object, ok := at.(map[string]any)
	if !ok {
		return nil, false
	}
	if _, ok := object[name]; ok {
		return nil, false
	}
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	object[name] = value
	return object, true
}

// proposeMissing leaves out each required property, and what others depend on.
func proposeMissing(_ *coverage, s *site, p *proposals) {
	for _, name := range s.facts.required {
		p.add(proposal{
			rank: essential, what: "left out", want: Refused, code: "required", token: name, bare: true,
			change: once(func(at any) (any, bool) { return without(at, name) }),
		})
	}
	for _, name := range slices.Sorted(maps.Keys(s.facts.dependents)) {
		for _, needed := range s.facts.dependents[name] {
			p.add(proposal{
				rank: essential, what: "left out beside " + name, want: Refused, code: "dependent-required", token: needed, bare: true,
				change: once(func(at any) (any, bool) {
					if object, ok := at.(map[string]any); !ok || object[name] == nil {
						return nil, false
					}
					return without(at, needed)
				}),
			})
		}
	}
}

// unknownNames are names of properties that nobody gives a meaning.
var unknownNames = []string{"unexpectedProperty", "x-unexpected", "zz_unexpected"}

// proposeClosed adds a property that is not known.
func proposeClosed(_ *coverage, s *site, p *proposals) {
	if s.facts.kinds&isObject == 0 {
		return
	}
	if _, ok := s.value.(map[string]any); !ok {
		return
	}
	unknown := func(rank int, want Outcome, code, what, name string, value any) {
		p.add(proposal{
			rank: rank, what: what, want: want, code: code, token: name, bare: true,
			change: once(func(at any) (any, bool) { return with(at, name, value) }),
		})
	}
	if s.facts.closed() {
		unknown(essential, Refused, "", "not known", unknownNames[0], "unexpected")
		unknown(exotic, Refused, "", "not known, and null", unknownNames[1], nil)
		for _, name := range slices.Sorted(maps.Keys(s.facts.listed())) {
			if other := otherCase(name); other != name && !s.facts.listed()[other] {
				unknown(usual, Refused, "", "not known: "+name+" in another case", other, "unexpected")
				break
			}
		}
	} else {
		unknown(exotic, Anything, "", "not known", unknownNames[0], "unexpected")
	}
	if s.parameter == nil && s.facts.table() {
		p.add(proposal{rank: exotic, what: "with a name of both cases", want: Accepted, bare: true, change: once(func(at any) (any, bool) {
			object, _ := at.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(object)) {
				changed := maps.Clone(object)
				delete(changed, name)
				changed[mixedName] = object[name]
				return changed, true
			}
			return nil, false
		})})
	}
}

// mixedName is a name that is another one in lower case.
const mixedName = "mixedCase"

// badNames are names that propertyNames may not allow.
var badNames = []string{"not a name!", "A", "0", "é", "_", "a", "", strings.Repeat("n", 300)}

// proposeProperties takes the number and the names of properties beyond their
// bounds.
func proposeProperties(_ *coverage, s *site, p *proposals) {
	f := s.facts
	if _, ok := s.value.(map[string]any); !ok {
		return
	}
	if n := f.minProperties; n > 0 {
		p.add(proposal{rank: essential, what: "with fewer than " + counted(n, "property", "properties"), want: Refused, code: "min-properties", bare: true,
			change: once(func(at any) (any, bool) { return s.reduced(at, n-1) })})
		p.add(proposal{rank: usual, what: "with " + counted(n, "property", "properties") + ", no fewer being allowed", want: Accepted, bare: true,
			change: once(func(at any) (any, bool) { return s.reduced(at, n) })})
	}
	if n := f.maxProperties; n >= 0 && n < maxMade {
		exactly := func(count int) func(*spec.Keywords) {
			return func(k *spec.Keywords) { k.MinProperties, k.MaxProperties = &count, &count }
		}
		p.add(proposal{rank: essential, what: "with more than " + counted(n, "property", "properties"), want: Refused, code: "max-properties", bare: true,
			change: s.made(siteKey(s), func(k *spec.Keywords) { k.MaxProperties = nil }, exactly(n+1))})
		p.add(proposal{rank: usual, what: "with " + counted(n, "property", "properties") + ", no more being allowed", want: Accepted, bare: true,
			change: s.made(siteKey(s), func(k *spec.Keywords) { k.MaxProperties = nil }, exactly(n))})
	}
	if len(f.names) > 0 {
		p.add(proposal{rank: essential, what: "with a property name that is not allowed", want: Refused, code: "property-names", bare: true,
			change: func(at any, i int) (any, bool) {
				object, ok := at.(map[string]any)
				if !ok || i >= len(badNames) {
					return nil, false
				}
				changed := maps.Clone(object)
				var value any = "text"
				for _, name := range slices.Sorted(maps.Keys(object)) {
					value = object[name]
				}
				changed[badNames[i]] = value
				return changed, true
			}})
	}
}

// reduced takes optional properties out of an object until n are left.
func (s *site) reduced(at any, n int) (any, bool) {
	object, ok := at.(map[string]any)
	if !ok || len(object) < n {
		return nil, false
	}
	changed := maps.Clone(object)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if len(changed) > n && !slices.Contains(s.facts.required, name) {
			delete(changed, name)
		}
	}
	return changed, len(changed) == n
}

const givenAlone = "given alone"

// proposeGiven gives what is optional alone, and every value that stands for
// itself.
func proposeGiven(_ *coverage, s *site, p *proposals) {
	if s.optional && (s.parameter == nil || len(s.tokens) > 0) && !s.lean || s.parameter != nil && s.optional && len(s.tokens) == 0 {
		p.add(proposal{rank: usual, what: givenAlone, want: Accepted, change: once(func(at any) (any, bool) { return at, true })})
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// otherCase gives a word in another case.
func otherCase(word string) string {
	if upper := strings.ToUpper(word); upper != word {
		return upper
	}
	return strings.ToLower(word)
}
