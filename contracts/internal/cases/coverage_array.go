package cases

import (
	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// maxItemsMade is the longest list that is made to meet a bound.
const maxItemsMade = 2000

// proposeItems takes lists to their bounds, and doubles items that must differ.
func proposeItems(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	if f.jsonTypes&isArray == 0 || f.values != nil {
		return
	}
	ofItemCount := func(rank int, want Outcome, code, what string, n int) {
		p.add(rank, want, code, what, s.ofItemCount(n)).bare()
	}
	if n := f.minItems; n > 0 && n < maxItemsMade {
		if n > 1 || !s.text() { // in a text, an empty list may be none
			ofItemCount(essential, Refused, "min-items", "with fewer than "+counted(n, "item", "items"), n-1)
		}
		ofItemCount(usual, Accepted, "", "with the "+counted(n, "item", "items")+" that it must have", n)
	} else if !s.text() {
		p.accepted(usual, "empty", []any{})
	}
	if n := f.maxItems; n >= 0 && n < maxItemsMade {
		ofItemCount(essential, Refused, "max-items", "with more than "+counted(n, "item", "items"), n+1)
		ofItemCount(usual, Accepted, "", "with the "+counted(n, "item", "items")+" that it may have", n)
	}
	proposeDuplicateItems(s, p)
	if f.maxItems < 0 || f.maxItems > 1 {
		p.accept(exotic, "with one item", s.ofItemCount(1))
	}
	for _, k := range f.schemas {
		if k.Contains != nil {
			p.refuse(essential, "", "without an item of those that it must contain", once(func(at any) (any, bool) {
				list, ok := at.([]any)
				return slices.DeleteFunc(slices.Clone(list), func(item any) bool { return spec.Conforms(k.Contains, item) }), ok
			})).bare()
		}
	}
}

// proposeDuplicateItems doubles an item where all must differ.
func proposeDuplicateItems(s *site, p *proposals) {
	f := s.constraints
	if !f.unique {
		return
	}
	p.refuse(essential, "unique-items", "with an item twice", once(func(at any) (any, bool) {
		list, ok := at.([]any)
		if !ok || len(list) == 0 {
			return nil, false
		}
		if len(list) == f.maxItems && len(list) > 1 {
			list = slices.Clone(list)
			list[len(list)-1] = list[0]
			return list, true
		}
		return append(slices.Clone(list), list[0]), true
	}))
	if f.maxItems < 0 || f.maxItems >= max(f.minItems, 3) {
		p.refuse(usual, "unique-items", "with an item twice, apart", func(at any, i int) (any, bool) {
			v, ok := s.ofItemCount(max(f.minItems, 3))(at, i)
			list, isList := v.([]any)
			if !ok || !isList || len(list) < 3 {
				return nil, false
			}
			list = slices.Clone(list)
			list[2] = list[0]
			return list, true
		}).bare()
	}
}

// ofItemCount gives a change to a list of n items that keeps to all else.
func (s *site) ofItemCount(n int) change {
	values := s.generated(siteKey(s), func(k *spec.Keywords) { k.MinItems, k.MaxItems = nil, nil },
		func(k *spec.Keywords) { k.MinItems, k.MaxItems = &n, &n })
	return func(at any, i int) (any, bool) {
		list, ok := at.([]any)
		if !ok {
			return nil, false
		}
		switch {
		case i == 0 && len(list) >= n:
			return list[:n:n], true
		case i == 0 && len(list) > 0 && !s.constraints.unique:
			grown := slices.Clone(list)
			for len(grown) < n {
				grown = append(grown, list[len(grown)%len(list)])
			}
			return grown, true
		case i == 0:
			i++
		}
		return values(at, i-1)
	}
}
