package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Order is what the items of a list can be sorted by.
type Order struct {
	byName  map[string]OrderKey // by the folded name
	numbers []property          // that "highest" and "most" can be about
	age     *OrderKey           // the time that newest and oldest concern; nil if items have none
	// named maps values of sort parameters to their orders in an override.
	named map[string]Sorting
	// Default is the order that the operation's own text promises: "newest first", "sorted by name"; the zero value if it
	// promises none.
	Default Sorting
}

// OrderKey is a property that a list is sorted by.
type OrderKey struct {
	Property   []string
	Descending bool
	// Values are the values of an enum, which sort in their own order; nil for the natural order.
	Values []any
}

// Sorting is an order of a list: by keys, and what is equal in the order of creation or with the newest first.
type Sorting struct {
	Keys        []OrderKey
	NewestFirst bool
}

// orderWords are the meanings of the words for orders.
var orderWords = func() map[string]string {
	all := map[string]string{}
	for row := range words.Orders.Rows() {
		all[row[0]] = row[1]
	}
	return all
}()

// IsDescending reports whether a value of a parameter for the direction means descending: desc, -1, the true of a flag.
func IsDescending(text string) bool {
	return text == "-1" || text == "true" || orderWords[strings.ToLower(text)] == "descending"
}

// orderOf returns what a list of items can be sorted by: their properties in it, and all that they have.
func (c *schemaCache) orderOf(o *spec.Operation, item, all view) Order {
	order, known := c.orders[[2]*spec.Keywords{item.k, all.k}]
	if !known {
		order.byName = map[string]OrderKey{}
		inList := propertiesOf(item)
		for _, p := range []properties{inList, propertiesOf(all)} {
			for at := range p.all {
				name := naming.Fold(at.name)
				if _, known := order.byName[name]; !known {
					value := at.scalar()
					order.byName[name] = orderKey(value)
					if kind := value.view.kind(); kind == schema.Integer || kind == schema.Number {
						order.numbers = append(order.numbers, *value)
					}
				}
			}
		}
		if at := inList.time("date-time"); at != nil {
			key := orderKey(at)
			order.age = &key
		}
		c.orders[[2]*spec.Keywords{item.k, all.k}] = order
	}
	for _, p := range o.Parameters {
		order.describe(p)
	}
	if order.Default = order.promised(o.Summary); order.Default.isZero() {
		order.Default = order.titled(o)
	}
	if order.Default.isZero() {
		order.Default = order.promised(o.Description)
	}
	return order
}

func orderKey(at *property) OrderKey {
	key := OrderKey{Property: at.path}
	if k := at.view.plain().k; k != nil && k.Enum != nil {
		key.Values = k.Enum.Values
	}
	return key
}

func (s Sorting) isZero() bool { return len(s.Keys) == 0 && !s.NewestFirst }

// Read reads the value of a sort parameter: properties with their directions, separated by commas, as -name, name:desc,
// name,desc, name desc, name_desc; newest or a direction alone. It ignores what items do not have. descending is the
// direction of names without one.
func (o *Order) Read(text string, descending bool) (s Sorting) {
	if s, ok := o.named[text]; ok {
		return s
	}
	for part := range strings.SplitSeq(text, ",") {
		part, down := strings.TrimSpace(part), descending
		if rest, ok := strings.CutPrefix(part, "-"); ok {
			part, down = rest, true
		}
		part = strings.TrimPrefix(part, "+")
		direction := orderWords[strings.ToLower(part)]
		if direction == "ascending" || direction == "descending" || part == "1" {
			if down = down != (direction == "descending"); len(s.Keys) > 0 { // of the name before
				s.Keys[len(s.Keys)-1].Descending = down
			} else {
				s.NewestFirst = down
			}
			continue
		}
		o.add(&s, part, down)
	}
	return s
}

func (o *Order) add(s *Sorting, name string, down bool) {
	w := naming.Words(name)
	key, known := o.key(w)
	if len(w) > 1 && !known {
		switch orderWords[w[len(w)-1]] {
		case "descending":
			key, known = o.key(w[:len(w)-1])
			down = true
		case "ascending":
			key, known = o.key(w[:len(w)-1])
			down = false
		}
	}
	if known {
		if len(s.Keys) == 0 && o.age != nil && slices.Equal(key.Property, o.age.Property) {
			s.NewestFirst = down // of what was created at the same time
		}
		key.Descending = down
		s.Keys = append(s.Keys, key)
		return
	}
	for i, word := range w {
		switch direction := orderWords[word]; direction {
		case "newest", "oldest":
			o.addAge(s, (direction == "newest") != down)
			return
		case "most", "least":
			if key := o.ofNumber(slices.Concat(w[:i], w[i+1:])); key != nil {
				key.Descending = (direction == "most") != down
				s.Keys = append(s.Keys, *key)
				return
			}
		}
	}
	if len(s.Keys) == 0 && createdNames.Has(naming.Fold(name)) { // items have no such time
		s.NewestFirst = down
	}
}

// ofNumber returns the key of the only number that has a word in its name, or a form of it: rating of rated, view_count
// of viewed; nil if none.
func (o *Order) ofNumber(w []string) *OrderKey {
	isForm := func(a, b string) bool {
		const stem, ending = 3, 3 // letters that two forms of a word share at least, and that each has of its own at most
		shared := 0
		for shared < min(len(a), len(b)) && a[shared] == b[shared] {
			shared++
		}
		return a == b || shared >= stem && max(len(a), len(b))-shared <= ending
	}
	var found *property
	for i := range o.numbers {
		own := naming.Words(o.numbers[i].name)
		if !slices.ContainsFunc(own, func(a string) bool {
			return slices.ContainsFunc(w, func(b string) bool { return isForm(a, b) })
		}) {
			continue
		}
		if found != nil {
			return nil
		}
		found = &o.numbers[i]
	}
	if found == nil {
		return nil
	}
	key := orderKey(found)
	return &key
}

// describe notes the orders that a description lists for the values of a parameter: "best: highest rating first".
func (o *Order) describe(p *spec.Parameter) {
	s := p.ValueSchema()
	if s == nil {
		return
	}
	separates := func(r rune) bool { return strings.ContainsRune(";\n|", r) }
	for clause := range strings.FieldsFuncSeq(p.Description, separates) {
		head, phrase, isListed := strings.Cut(clause, ": ")
		value := strings.Trim(head, " \t-*`\"'")
		words, isOrder := strings.CutSuffix(strings.Trim(strings.ToLower(phrase), " \t.`"), " first")
		isValue := slices.ContainsFunc(schema.Values(s.Keywords), func(v any) bool { return v == value })
		if !isListed || !isOrder || !isValue {
			continue
		}
		if sorting := o.Read(strings.ReplaceAll(words, " ", "_"), false); !sorting.isZero() {
			if o.named == nil {
				o.named = map[string]Sorting{}
			}
			o.named[value] = sorting
		}
	}
}

func (o *Order) addAge(s *Sorting, newest bool) {
	if len(s.Keys) == 0 {
		s.NewestFirst = newest
	}
	if o.age != nil {
		key := *o.age
		key.Descending = newest
		s.Keys = append(s.Keys, key)
	}
}

// key returns the key of a property by the words of its name, which may lack the last word of a time: created of
// created_at.
func (o *Order) key(w []string) (OrderKey, bool) {
	name := strings.Join(w, "")
	if name == "" {
		return OrderKey{}, false
	}
	key, known := o.byName[name]
	if known {
		return key, true
	}
	key, known = o.byName[naming.Singular(name)]
	return key, known
}

// titled returns the order that the summary of a list ends in: "All plants by name", unless the request chooses by that
// property.
func (o *Order) titled(of *spec.Operation) (s Sorting) {
	w := naming.Words(of.Summary)
	n := len(w)
	if n < 3 || w[n-2] != "by" || slices.ContainsFunc(of.Parameters, func(p *spec.Parameter) bool {
		return naming.SingularName(p.Name) == naming.Singular(w[n-1])
	}) {
		return s
	}
	o.add(&s, w[n-1], false)
	return s
}

var withoutMarks = strings.NewReplacer(",", " ", "(", " ", ")", " ", "`", "")

// promised returns the order that a text promises: "newest first", "the latest request first", "highest score first",
// "sorted by name", "ordered by created_at descending".
func (o *Order) promised(text string) (s Sorting) {
	for sentence := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(".;\n", r) }) {
		w := strings.Fields(strings.ToLower(withoutMarks.Replace(sentence)))
		for i, word := range w {
			const far = 3 // words from newest to first
			if first := slices.Index(w[i+1:min(len(w), i+1+far)], "first"); first >= 0 {
				switch direction := orderWords[word]; direction {
				case "newest", "oldest":
					o.addAge(&s, direction == "newest")
					return s
				case "most", "least":
					if o.add(&s, strings.Join(w[i:i+1+first], "_"), false); !s.isZero() {
						return s
					}
				}
			}
			if i+2 < len(w) && orderWords[word] == "sorted" && w[i+1] == "by" {
				down := i+3 < len(w) && orderWords[w[i+3]] == "descending"
				if o.add(&s, w[i+2], down); !s.isZero() {
					return s
				}
			}
		}
	}
	return s
}
