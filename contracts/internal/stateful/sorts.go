package stateful

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// directions are the words for ascending and descending, short ones first.
var directions = sync.OnceValue(func() (all [][2]string) {
	down := words.Orders.With("descending")
	for i, up := range words.Orders.With("ascending") {
		all = append(all, [2]string{up, down[i]}, [2]string{strings.ToUpper(up), strings.ToUpper(down[i])})
	}
	return all
})

// separators stand between a property and the direction.
var separators = map[resource.SortStyle]string{
	resource.Colon: ":", resource.Comma: ",", resource.Space: " ", resource.Under: "_",
}

func sorts(t *tester) {
	b := must(t, t.operation(resource.List))
	by := paramOf(b, resource.Sort)
	t.require(by != nil && by.Sort != resource.Direction)
	scope := t.mustScope(b)
	t.createSome(request{scope: scope, all: true, title: "create an item to be sorted"}, 3)
	t.require(isEnumerated(by))
	t.step(func() { pagesOfTies(t, b, by, scope) })
	said := cmp.Or(doubtOfParameter(doubt.Page, by.Parameter), t.doubtOf(doubt.Page, b.Operation, "order"))
	for _, p := range t.resource.Properties {
		if schema.Values(p.Schema) != nil {
			continue // an enum sorts in its own order or by its texts
		}
		for direction := range 2 {
			values, key := sortValues(t, b, by, p.Name, direction)
			if values == nil {
				continue
			}
			if list := t.list(scope, values, "the list sorted by "+key); list != nil {
				order := listOrder{property: p.Name, descending: direction == 1, doubt: said}
				checkOrder(t, list, order, "query."+by.Parameter.Name, "sorted by "+key)
			}
		}
	}
}

// maxTies is how many items are created at most to have the same value.
const maxTies = 8

// pagesOfTies walks over the pages of a sorted list that begins with more items of the same value than fit on a page:
// an order that differs from page to page shows some items twice, and others never.
func pagesOfTies(t *tester, b *resource.Binding, by *resource.Param, scope map[string]string) {
	limit := must(t, paramOf(b, resource.Limit))
	for _, p := range t.resource.Properties {
		asked, key := sortValues(t, b, by, p.Name, 0)
		if asked == nil {
			continue
		}
		title := "the list sorted by " + key
		list := must(t, t.list(scope, asked, title))
		value, n := firstTie(list, p.Name)
		size := max(shortPage, len(list.items)/linkedPages/2+1)
		missing := size + 1 - n
		same := request{scope: scope, have: map[string]any{p.Name: value}, title: "create an item with the same " + p.Name}
		if value == nil || missing > maxTies || !t.takes(b, limit, integer(size)) || !t.createSome(same, missing) {
			continue
		}
		sorted := must(t, t.list(scope, asked, title))
		t.require(size < len(sorted.items) && sorted.advances())
		asked = jsonvalue.WithMember(asked, limit.Parameter.Name, integer(size))
		l := t.mustWalk(scope, asked, title+", "+strconv.Itoa(size)+" items a page")
		t.require(l.complete)
		l.compareWalk(sorted)
		return
	}
}

// firstTie returns the first value of a property in a list, and how many items have it.
func firstTie(list *listing, property string) (first any, n int) {
	for _, item := range list.items {
		value := valueAt(item, []string{property})
		if first == nil {
			first = value
		}
		if value != nil && !differs(first, value, nil) {
			n++
		}
	}
	return first, n
}

// sortValues returns the parameters that sort a list by a property, and the sort key
// among them; nil if the document does not offer that.
func sortValues(t *tester, b *resource.Binding, by *resource.Param, property string, direction int,
) (values map[string]any, key string) {
	values, key = map[string]any{}, property
	parameter := paramOf(b, resource.SortDirection)
	switch separator, ok := separators[by.Sort]; {
	case ok:
		key += separator + directions()[0][direction]
	case by.Sort == resource.Minus && direction == 1:
		key = "-" + key
	case by.Sort == resource.Separate && parameter != nil:
		isTaken := func(words [2]string) bool { return t.takes(b, parameter, words[direction]) }
		at := slices.IndexFunc(directions(), isTaken)
		if at < 0 {
			return nil, ""
		}
		values[parameter.Parameter.Name] = directions()[at][direction]
	}
	for _, value := range []any{key, []any{key}} {
		if t.takes(b, by, value) {
			values[by.Parameter.Name] = value
			return values, key
		}
	}
	return nil, ""
}

// isEnumerated reports whether the document says by an enum or a pattern which sort keys there are.
func isEnumerated(by *resource.Param) bool {
	if by.Parameter.Schema == nil {
		return false
	}
	k := by.Parameter.Schema.Keywords
	if items := schema.Items(k); items != nil {
		k = items
	}
	k = schema.Resolve(k)
	return k.Enum != nil || k.Pattern != nil
}

// listOrder is the order of a list.
type listOrder struct {
	property   string // "" for the order of creation
	descending bool
	certainty  exchange.Severity // of a violation
	doubt      string            // a sentence that lowers it
}

// checkOrder checks that a list is in the order of a property. The order of two texts is wrong only if all usual ways
// to sort them agree. Items without a value may be anywhere. Messages begin with reason.
func checkOrder(t *tester, list *listing, order listOrder, about, reason string) {
	var before any
	for _, item := range list.items {
		value := valueAt(item, []string{order.property})
		if value == nil {
			continue
		}
		if before != nil {
			compared, comparable := compareScalars(before, value)
			if !comparable {
				return
			}
			a, isText := before.(string)
			isKnown := !isText || areOrdered(a, value.(string), compared)
			if order.descending {
				compared = -compared
			}
			if t.report(compared > 0 && isKnown,
				violation{severity: order.certainty, doubt: order.doubt, check: "sort", about: about, sent: list.pages},
				"%s, %s comes before %s", reason, text(before), text(value)) {
				return
			}
		}
		before = value
	}
}

// areOrdered reports whether programs agree on the order of two texts: byte by byte, whatever the letters'
// case, and without spaces and punctuation. They differ on foreign letters, and on numbers of several digits.
func areOrdered(a, b string, order int) bool {
	plainA, plainB := lettersAndDigits(a), lettersAndDigits(b)
	return strings.Compare(strings.ToLower(a), strings.ToLower(b)) == order && strings.Compare(plainA, plainB) == order &&
		!strings.ContainsFunc(a+b, func(r rune) bool { return r < ' ' || r > '~' }) && !differInNumbers(plainA, plainB)
}

// lettersAndDigits returns what of a text decides first in most languages.
func lettersAndDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

// differInNumbers reports whether two texts first differ in numbers of different
// length: some programs order them by value.
func differInNumbers(a, b string) bool {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	at = len(strings.TrimRight(a[:at], "0123456789"))
	digits := func(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }
	return digits(a[at:]) != digits(b[at:])
}
