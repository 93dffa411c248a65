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

// leavingOut takes a property out of an object.
func leavingOut(name string) change {
	return once(func(at any) (any, bool) { return without(at, name) })
}

// proposeMissing leaves out each required property, and what others depend on.
func proposeMissing(_ *coverage, s *site, p *proposals) {
	for _, name := range s.constraints.required {
		p.refuse(essential, "required", "left out", leavingOut(name)).at(name).bare()
	}
	for _, name := range slices.Sorted(maps.Keys(s.constraints.dependents)) {
		for _, needed := range s.constraints.dependents[name] {
			p.refuse(essential, "dependent-required", "left out beside "+name, once(func(at any) (any, bool) {
				if object, ok := at.(map[string]any); !ok || object[name] == nil {
					return nil, false
				}
				return without(at, needed)
			})).at(needed).bare()
		}
	}
}

// unknownNames are names of properties that nobody gives a meaning.
var unknownNames = []string{"unexpectedProperty", "x-unexpected", "zz_unexpected"}

// proposeClosed adds a property that is not known.
func proposeClosed(_ *coverage, s *site, p *proposals) {
	if s.constraints.jsonTypes&isObject == 0 {
		return
	}
	if _, ok := s.value.(map[string]any); !ok {
		return
	}
	unknown := func(rank int, want Outcome, code, what, name string, value any) {
		p.add(rank, want, code, what, once(func(at any) (any, bool) { return with(at, name, value) })).at(name).bare()
	}
	if s.constraints.closed() {
		unknown(essential, Refused, "", "not known", unknownNames[0], "unexpected")
		unknown(exotic, Refused, "", "not known, and null", unknownNames[1], nil)
		for _, name := range slices.Sorted(maps.Keys(s.constraints.declaredNames())) {
			if other := otherCase(name); other != name && !s.constraints.declaredNames()[other] {
				unknown(usual, Refused, "", "not known: "+name+" in another case", other, "unexpected")
				break
			}
		}
	} else {
		unknown(exotic, Anything, "", "not known", unknownNames[0], "unexpected")
	}
	if s.parameter == nil && s.constraints.isMap() {
		p.accept(exotic, "with a name of both cases", once(func(at any) (any, bool) {
			object, _ := at.(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(object)) {
				changed := maps.Clone(object)
				delete(changed, name)
				changed[mixedName] = object[name]
				return changed, true
			}
			return nil, false
		})).bare()
	}
}

// mixedName is a name that is another one in lower case.
const mixedName = "mixedCase"

// badNames are names that propertyNames may not allow.
var badNames = []string{"not a name!", "A", "0", "é", "_", "a", "", strings.Repeat("n", 300)}

// proposeProperties takes the number and the names of properties beyond their
// bounds.
func proposeProperties(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	if _, ok := s.value.(map[string]any); !ok {
		return
	}
	if n := f.minProperties; n > 0 {
		count := counted(n, "property", "properties")
		p.refuse(essential, "min-properties", "with fewer than "+count, s.reduced(n-1)).bare()
		p.accept(usual, "with "+count+", no fewer being allowed", s.reduced(n)).bare()
	}
	if n := f.maxProperties; n >= 0 && n < maxGenerated {
		count := counted(n, "property", "properties")
		exactly := func(count int) change {
			return s.generated(siteKey(s), func(k *spec.Keywords) { k.MaxProperties = nil },
				func(k *spec.Keywords) { k.MinProperties, k.MaxProperties = &count, &count })
		}
		p.refuse(essential, "max-properties", "with more than "+count, exactly(n+1)).bare()
		p.accept(usual, "with "+count+", no more being allowed", exactly(n)).bare()
	}
	if len(f.names) > 0 {
		p.refuse(essential, "property-names", "with a property name that is not allowed", func(at any, i int) (any, bool) {
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
		}).bare()
	}
}

// reduced takes optional properties out of an object until n are left.
func (s *site) reduced(n int) change {
	return once(func(at any) (any, bool) {
		object, ok := at.(map[string]any)
		if !ok || len(object) < n {
			return nil, false
		}
		changed := maps.Clone(object)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if len(changed) > n && !slices.Contains(s.constraints.required, name) {
				delete(changed, name)
			}
		}
		return changed, len(changed) == n
	})
}

const givenAlone = "given alone"

// proposeGiven gives what is optional alone, and every value that stands for
// itself.
func proposeGiven(_ *coverage, s *site, p *proposals) {
	parameter := s.parameter != nil && len(s.tokens) == 0
	if s.optional && (parameter || !s.minimal) {
		p.accept(usual, givenAlone, once(func(at any) (any, bool) { return at, true }))
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
