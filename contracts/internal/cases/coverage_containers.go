package cases

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// inObject is a change of the members of an object. edit gets a copy of them, and
// reports whether it came to anything.
func inObject(edit func(object map[string]any) bool) change {
	return onceOf(func(object map[string]any) (any, bool) {
		changed := map[string]any{}
		maps.Copy(changed, object)
		return changed, edit(changed)
	})
}

func without(name string) change {
	return inObject(func(object map[string]any) bool {
		_, has := object[name]
		delete(object, name)
		return has
	})
}

// proposeMissing leaves out each required property, and what others depend on.
func proposeMissing(s *site, p *proposals) {
	for _, name := range s.constraints.requiredInOrder() {
		p.refuse(essential, "required", "left out", without(name)).at(name).bare()
	}
	for _, k := range s.constraints.Schemas {
		for _, name := range slices.Sorted(maps.Keys(k.DependentRequired)) {
			for _, needed := range k.DependentRequired[name] {
				p.refuse(essential, "dependent-required", "left out beside "+name, inObject(func(object map[string]any) bool {
					_, has := object[needed]
					delete(object, needed)
					return has && object[name] != nil
				})).at(needed).bare()
			}
		}
	}
}

// mixedName is a name that is another one in lower case.
const mixedName = "mixedCase"

// proposeClosed adds a property that is not known.
func proposeClosed(s *site, p *proposals) {
	f := s.constraints
	if _, ok := s.value.(map[string]any); !ok || f.Types&schema.Object == 0 {
		return
	}
	unknown := func(rank int, want Outcome, what, name string, value any) {
		p.add(rank, want, "", what, inObject(func(object map[string]any) bool {
			_, has := object[name]
			object[name] = value
			return !has
		})).at(name).bare()
	}
	if f.Closed() {
		unknown(essential, Refused, "not known", "unexpectedProperty", "unexpected")
		unknown(exotic, Refused, "not known, and null", "x-unexpected", nil)
		names := f.PropertyNames()
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if other := otherCase(name); other != name && !names[other] {
				unknown(usual, Refused, "not known: "+name+" in another case", other, "unexpected")
				break
			}
		}
	} else {
		unknown(exotic, Anything, "not known", "unexpectedProperty", "unexpected")
	}
	if s.parameter == nil && f.isMap() {
		p.accept(exotic, "with a name of both cases", inObject(func(object map[string]any) bool {
			for _, name := range slices.Sorted(maps.Keys(object)) {
				value := object[name]
				delete(object, name)
				object[mixedName] = value
				return true
			}
			return false
		})).bare()
	}
}

// badNames are names that propertyNames may not allow.
var badNames = []string{"not a name!", "A", "0", "é", "_", "a", "", strings.Repeat("n", 300)}

// proposeProperties takes the number and the names of properties beyond their bounds.
func proposeProperties(s *site, p *proposals) {
	f := s.constraints
	if _, ok := s.value.(map[string]any); !ok {
		return
	}
	if n := f.MinProperties; n > 0 {
		count := counted(n, "property", "properties")
		p.refuse(essential, "min-properties", "with fewer than "+count, s.reduced(n-1)).bare()
		p.accept(usual, "with "+count+", no fewer being allowed", s.reduced(n)).bare()
	}
	if n := f.MaxProperties; n < maxGenerated {
		count := counted(n, "property", "properties")
		p.refuse(essential, "max-properties", "with more than "+count, s.generated(properties, n+1)).bare()
		p.accept(usual, "with "+count+", no more being allowed", s.generated(properties, n)).bare()
	}
	if !slices.ContainsFunc(f.Schemas, func(k *spec.Keywords) bool { return k.PropertyNames != nil }) {
		return
	}
	p.refuse(essential, "property-names", "with a property name that is not allowed", func(at any, try func(any) bool) {
		object, _ := at.(map[string]any)
		var value any = "text"
		if names := slices.Sorted(maps.Keys(object)); len(names) > 0 {
			value = object[names[len(names)-1]]
		}
		for _, name := range badNames {
			if object == nil || !try(mergeObjects(object, map[string]any{name: value})) {
				return
			}
		}
	}).bare()
}

// reduced takes optional properties out of an object until n are left.
func (s *site) reduced(n int) change {
	return inObject(func(object map[string]any) bool {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if len(object) > n && !slices.Contains(s.constraints.Required, name) {
				delete(object, name)
			}
		}
		return len(object) == n
	})
}

const givenAlone = "given alone"

// proposeGiven returns what is optional alone, and every value that stands for itself.
func proposeGiven(s *site, p *proposals) {
	parameter := s.parameter != nil && len(s.tokens) == 0
	if s.optional && (parameter || !s.minimal) {
		p.accept(usual, givenAlone, once(func(at any) (any, bool) { return at, true }))
	}
}

// proposeItems takes lists to their bounds, and doubles items that must differ.
func proposeItems(s *site, p *proposals) {
	f := s.constraints
	if n := f.MinItems; n > 0 && n < maxItemsMade {
		count := counted(n, "item", "items")
		if n > 1 || !s.text() { // in a text, an empty list may be none
			p.refuse(essential, "min-items", "with fewer than "+count, s.ofItemCount(n-1)).bare()
		}
		p.accept(usual, "with the "+count+" that it must have", s.ofItemCount(n)).bare().on(Bound)
	} else if !s.text() {
		p.accepted(usual, "empty", []any{})
	}
	if n := f.MaxItems; n < maxItemsMade {
		count := counted(n, "item", "items")
		p.refuse(essential, "max-items", "with more than "+count, s.ofItemCount(n+1)).bare()
		p.accept(usual, "with the "+count+" that it may have", s.ofItemCount(n)).bare().on(Bound)
	}
	proposeDuplicateItems(s, p)
	if f.MaxItems > 1 {
		p.accept(exotic, "with one item", s.ofItemCount(1))
	}
	for _, k := range f.Schemas {
		if k.Contains != nil {
			p.refuse(essential, "", "without an item of those that it must contain", onceOf(func(list []any) (any, bool) {
				return slices.DeleteFunc(slices.Clone(list), func(item any) bool { return spec.Conforms(k.Contains, item) }), true
			})).bare()
		}
	}
}

func proposeDuplicateItems(s *site, p *proposals) {
	f := s.constraints
	if !f.Unique {
		return
	}
	p.refuse(essential, "unique-items", "with an item twice", onceOf(func(list []any) (any, bool) {
		if len(list) == 0 {
			return nil, false
		}
		if len(list) == f.MaxItems && len(list) > 1 {
			list = list[:len(list)-1]
		}
		return append(slices.Clone(list), list[0]), true
	}))
	if n := max(f.MinItems, 3); f.MaxItems >= n {
		p.refuse(usual, "unique-items", "with an item twice, apart", func(at any, try func(any) bool) {
			s.ofItemCount(n)(at, func(value any) bool {
				list, _ := value.([]any)
				if len(list) < 3 {
					return false
				}
				list = slices.Clone(list)
				list[2] = list[0]
				return try(list)
			})
		}).bare()
	}
}

// ofItemCount returns a change to a list of n items that keeps to all else.
func (s *site) ofItemCount(n int) change {
	values, different := s.generated(items, n), s.generated(differentItems, n)
	return func(at any, try func(any) bool) {
		list, ok := at.([]any)
		if !ok {
			return
		}
		if len(list) > 0 && (len(list) >= n || !s.constraints.Unique) {
			repeated := slices.Repeat(list, n/len(list)+1)
			if !try(repeated[:n:n]) {
				return
			}
		}
		more := true
		different(at, func(value any) bool { more = try(value); return more })
		if more {
			values(at, try)
		}
	}
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

func otherCase(word string) string {
	if upper := strings.ToUpper(word); upper != word {
		return upper
	}
	return strings.ToLower(word)
}
