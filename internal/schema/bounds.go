package schema

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// Unlimited is the largest length or number if no schema sets one.
const Unlimited = math.MaxInt32

// Bounds combines the keywords of schemas that all apply to the same value. NewBounds returns empty bounds; Add adds
// a schema.
type Bounds struct {
	Schemas []*Keywords // in the order of Add

	Types    Type // allowed by every "type"
	Asserted Type // the types that keywords speak of, see AssertedTypes
	Untyped  bool // no schema has "type"

	Listed bool  // enum or const restrict the values to Values
	Values []any // the values in every enum and const, in the order of the first

	Min, Max         *big.Rat // nil if none
	MinOpen, MaxOpen bool     // the limit itself is excluded
	Steps            []*big.Rat

	MinLength, MaxLength int // in characters
	Patterns             []Regexp
	Format               string // the first; "" if none

	MinItems, MaxItems int
	Unique             bool

	MinProperties, MaxProperties int
	Required                     []string    // sorted
	Names                        []*Keywords // of propertyNames

	// Relaxed ignores keywords that contradict earlier schemas: types that leave none, enums that leave no value, and
	// required properties that are not allowed.
	Relaxed bool

	index propertyIndex
}

// NewBounds returns the bounds without any schema: any value is allowed.
func NewBounds() Bounds {
	return Bounds{Types: AnyType, Untyped: true, MaxLength: Unlimited, MaxItems: Unlimited, MaxProperties: Unlimited}
}

// BoundsFor returns the bounds of the schemas that roots apply to a value, see Matching.
func BoundsFor(roots []*Keywords, value any) *Bounds {
	b := NewBounds()
	for _, root := range roots {
		for k := range Matching(root, value) {
			if k.Bool == nil && !slices.Contains(b.Schemas, k) {
				b.Add(k)
			}
		}
	}
	return &b
}

// Add adds the own keywords of k, without the schemas that k applies to the same value.
func (b *Bounds) Add(k *Keywords) {
	b.Schemas = append(b.Schemas, k)
	b.Limit(OwnTypes(k))
	b.Asserted |= AssertedTypes(k)
	b.Untyped = b.Untyped && (k.Types == nil || k.Types.IsEmpty())
	if k.Const != nil {
		b.list([]any{*k.Const})
	}
	if k.Enum != nil {
		b.list(k.Enum.Values)
	}
	b.Least(k.Minimum, false)
	b.Least(k.ExclusiveMinimum, true)
	b.Most(k.Maximum, false)
	b.Most(k.ExclusiveMaximum, true)
	if k.MultipleOf != nil && k.MultipleOf.Sign() > 0 {
		b.Steps = append(b.Steps, k.MultipleOf)
	}
	raise(&b.MinLength, k.MinLength)
	lower(&b.MaxLength, k.MaxLength)
	if k.Pattern != nil {
		b.Patterns = append(b.Patterns, k.Pattern)
	}
	if k.Format != nil {
		b.Format = cmp.Or(b.Format, k.Format.Name)
	}
	raise(&b.MinItems, k.MinItems)
	lower(&b.MaxItems, k.MaxItems)
	b.Unique = b.Unique || k.UniqueItems
	raise(&b.MinProperties, k.MinProperties)
	lower(&b.MaxProperties, k.MaxProperties)
	b.Require(k.Required...)
	if k.PropertyNames != nil {
		b.Names = append(b.Names, k.PropertyNames)
	}
}

func raise(least, bound *int) {
	if bound != nil {
		*least = max(*least, *bound)
	}
}

func lower(most, bound *int) {
	if bound != nil {
		*most = min(*most, *bound)
	}
}

// WritesNumbers reports whether the texts that are allowed beside numbers only write numbers in another way, as
// documents of .NET describe each number: by a format of numbers or a pattern.
func (b *Bounds) WritesNumbers() bool {
	if b.Untyped || !b.Types.Has(Number) || !b.Types.Has(String) {
		return false
	}
	matches := func(text string) bool {
		return !slices.ContainsFunc(b.Patterns, func(p Regexp) bool { return !p.MatchString(text) })
	}
	return formats.Lookup(b.Format).IsNumeric() || len(b.Patterns) > 0 && matches("1") && !matches("a")
}

// Limit restricts the types to a set.
func (b *Bounds) Limit(types Type) {
	if types &= b.Types; types != 0 || !b.Relaxed {
		b.Types = types
	}
}

func (b *Bounds) list(values []any) {
	if b.Listed {
		known := jsonvalue.NewSet(values)
		values = slices.DeleteFunc(slices.Clone(b.Values), func(v any) bool { return !known.Has(v) })
	}
	if len(values) > 0 || !b.Relaxed {
		b.Listed, b.Values = true, values
	}
}

// Least adds a lower limit for numbers; nil is ignored.
func (b *Bounds) Least(bound *big.Rat, open bool) {
	if isTighter(bound, b.Min, 1, open) {
		b.Min, b.MinOpen = bound, open
	}
}

// Most adds an upper limit for numbers; nil is ignored.
func (b *Bounds) Most(bound *big.Rat, open bool) {
	if isTighter(bound, b.Max, -1, open) {
		b.Max, b.MaxOpen = bound, open
	}
}

// isTighter reports whether a limit is tighter than the known one; sign is 1 for lower limits and -1 for upper ones.
func isTighter(bound, known *big.Rat, sign int, open bool) bool {
	if bound == nil || known == nil {
		return bound != nil
	}
	c := bound.Cmp(known) * sign
	return c > 0 || c == 0 && open
}

// manyNames is the number of names from which they are sorted together rather than inserted one by one.
const manyNames = 32

// Require adds required properties.
func (b *Bounds) Require(names ...string) {
	if len(names) > manyNames {
		b.Required = append(slices.Clip(b.Required), names...)
		slices.Sort(b.Required)
		b.Required = slices.Compact(b.Required)
		return
	}
	for _, name := range names {
		if i, ok := slices.BinarySearch(b.Required, name); !ok {
			b.Required = slices.Insert(b.Required, i, name)
		}
	}
}

// Requires reports whether every object must have the property.
func (b *Bounds) Requires(name string) bool {
	_, ok := slices.BinarySearch(b.Required, name)
	return ok
}

// Prefix returns the number of elements at the start of an array with schemas of their own.
func (b *Bounds) Prefix() int {
	n := 0
	for _, k := range b.Schemas {
		n = max(n, len(k.PrefixItems))
	}
	return n
}

// Item returns the schemas of the array's element at an index. unevaluatedItems counts if no other schema applies to
// it.
func (b *Bounds) Item(index int) []*Keywords {
	var schemas, unevaluated []*Keywords
	for _, k := range b.Schemas {
		if item := Item(k, index); item != nil {
			schemas = append(schemas, item)
		}
		if k.UnevaluatedItems != nil {
			unevaluated = append(unevaluated, k.UnevaluatedItems)
		}
	}
	if schemas == nil {
		return unevaluated
	}
	return schemas
}

// PropertyNames returns the names that the schemas list, in no particular order.
func (b *Bounds) PropertyNames() map[string]bool {
	names := map[string]bool{}
	for _, k := range b.Schemas {
		for name := range k.Properties {
			names[name] = true
		}
	}
	return names
}

// Closed reports whether a schema forbids unlisted properties.
func (b *Bounds) Closed() bool {
	return slices.ContainsFunc(b.Schemas, func(k *Keywords) bool {
		additional, _ := k.AdditionalProperties.(*Keywords)
		return k.AdditionalProperties == false || forbidsAll(additional) || forbidsAll(k.UnevaluatedProperties)
	})
}

func forbidsAll(k *Keywords) bool { return k != nil && k.Bool != nil && !*k.Bool }

// propertyIndex finds, among many schemas, the ones with keywords for a property.
type propertyIndex struct {
	seen  int              // number of indexed schemas
	bools bool             // some allow the properties that they do not list
	named map[string][]int // indexes of the schemas that list a property
	open  []int            // indexes of the schemas with keywords for unlisted properties
}

// about returns the schemas that may have keywords for a property, in order.
func (b *Bounds) about(name string) iter.Seq[*Keywords] {
	if len(b.Schemas) < manyNames {
		return slices.Values(b.Schemas)
	}
	x := &b.index
	for ; x.seen < len(b.Schemas); x.seen++ {
		k := b.Schemas[x.seen]
		allowed, isBool := k.AdditionalProperties.(bool)
		isBool = isBool && (allowed || b.Relaxed)
		if k.PatternProperties != nil || k.AdditionalProperties != nil && !isBool || k.UnevaluatedProperties != nil {
			x.open = append(x.open, x.seen)
			continue
		}
		x.bools = x.bools || isBool
		for name := range k.Properties {
			if x.named == nil {
				x.named = map[string][]int{}
			}
			x.named[name] = append(x.named[name], x.seen)
		}
	}
	open, named := x.open, x.named[name]
	return func(yield func(*Keywords) bool) {
		for len(open)+len(named) > 0 {
			next := &open
			if len(open) == 0 || len(named) > 0 && named[0] < open[0] {
				next = &named
			}
			i := (*next)[0]
			if *next = (*next)[1:]; !yield(b.Schemas[i]) {
				return
			}
		}
	}
}

// Property returns the schemas of a property, from properties, patternProperties, additionalProperties and, if these
// do not apply, unevaluatedProperties. It returns false if objects may not have the property.
func (b *Bounds) Property(name string) (schemas []*Keywords, allowed bool) {
	var unevaluated []*Keywords
	evaluated := false
	for k := range b.about(name) {
		named := false
		if property, ok := k.Properties[name]; ok {
			named = true
			schemas = append(schemas, property)
		}
		for _, re := range SortedPatterns(k) {
			if Try(re, name) {
				named = true
				schemas = append(schemas, k.PatternProperties[re])
			}
		}
		evaluated = evaluated || named || k.AdditionalProperties != nil
		if k.UnevaluatedProperties != nil {
			unevaluated = append(unevaluated, k.UnevaluatedProperties)
		}
		if named {
			continue
		}
		switch additional := k.AdditionalProperties.(type) {
		case bool:
			if !additional && !b.Relaxed {
				return nil, false
			}
		case *Keywords:
			schemas = append(schemas, additional)
		}
	}
	if !evaluated && !b.index.bools {
		schemas = append(schemas, unevaluated...)
	}
	return schemas, true
}

// SortedPatterns returns the patterns of a schema's patternProperties, sorted.
func SortedPatterns(k *Keywords) []Regexp {
	if len(k.PatternProperties) == 0 {
		return nil
	}
	return slices.SortedFunc(maps.Keys(k.PatternProperties), func(a, b Regexp) int {
		return strings.Compare(a.String(), b.String())
	})
}
