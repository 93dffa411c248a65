package generate

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/sums"
	"github.com/coldframe/coldframe/internal/words"
)

// ofPage returns what a member says of a page that has all n elements of a list which is not made of kept items: old if
// its name says nothing, nil if there is no such thing.
func ofPage(name string, n int, old any) any {
	switch words.Pages.Second(name) {
	case "total":
		return numberLike(old, n)
	case "one":
		return numberLike(old, 1)
	case "limit":
		if have, ok := numberOf(old); !ok || have < float64(n) {
			return numberLike(old, n)
		}
	case "zero":
		return numberLike(old, 0)
	case "true", "false":
		return flagLike(old, words.Pages.Second(name) == "true")
	case "none":
		return nil
	}
	return old
}

func numberLike(old any, n int) any {
	switch text := old.(type) {
	case json.Number:
		return json.Number(strconv.Itoa(n))
	case string:
		if _, err := strconv.Atoi(text); err == nil {
			return strconv.Itoa(n)
		}
	}
	return old
}

func flagLike(old any, on bool) any {
	if _, isFlag := old.(bool); isFlag {
		return on
	}
	return old
}

// IsListName reports whether a list of that name is the one that an object describes: items, results.
func IsListName(name string) bool {
	return words.Pages.Second(strings.Join(naming.Words(name), "")) == "list"
}

// countRelations make the numbers around a list say how long it is.
func countRelations() []relation {
	pages := strings.Join(words.Pages.With("total", "one", "limit", "zero", "true", "false", "none"), " ")
	const ofItem = "!id currency subtotal orderid customer tax taxamount" // a total beside these is an amount
	return []relation{
		{find: func(p *objectPlan, i int) [][]int {
			if list, ok := countedList(p.named[i].words, p.places); ok && list != i {
				return [][]int{{i, list}}
			}
			return nil
		}, apply: func(m *members) {
			if list, ok := m.value(1).([]any); ok && m.isWhole(0) {
				m.set(0, numberLike(m.value(0), len(list)))
			}
		}},
		{parts: []string{pages, ofItem}, answer: true, apply: func(m *members) {
			n, ok := m.listLength()
			if !ok || !m.isWhole(0) && m.hasLines() {
				return
			}
			if v := ofPage(strings.Join(m.plan(0).words, ""), n, m.value(0)); v == nil {
				m.clear(0)
			} else if !jsonvalue.Equals(v, m.value(0)) {
				m.set(0, v)
			}
		}},
		{find: objectProperty, answer: true, apply: func(m *members) {
			if n, ok := m.listLength(); ok && isPage(m.plan(0).name, m.value(0)) {
				describePage(m.value(0), n, func(around map[string]any) bool { return m.set(0, around) })
			}
		}},
	}
}

// objectProperty returns the i-th property if it is an object.
func objectProperty(p *objectPlan, i int) [][]int {
	isObject := func(c constraint) bool {
		return c.op == conforms && schema.CertainTypes(c.schema) == schema.Object
	}
	if slices.ContainsFunc(p.named[i].node.constraints, isObject) {
		return [][]int{{i}}
	}
	return nil
}

// isPage reports whether an object beside a list says what is on the page: by its name, or by two of its members. An
// object with a list is a page of its own.
func isPage(name string, value any) bool {
	if words.Pages.Second(strings.Join(naming.Words(name), "")) == "around" {
		return true
	}
	const enough = 2
	found := 0
	object, _ := value.(map[string]any)
	for member, value := range object {
		if _, isList := value.([]any); isList {
			return false
		}
		what := words.Pages.Second(strings.Join(naming.Words(member), ""))
		if what != "" && what != "around" && what != "list" {
			found++
		}
	}
	return found >= enough
}

// describePage sets the properties beside a list of n elements that describe the page, if set allows the change.
func describePage(value any, n int, set func(map[string]any) bool) {
	around, _ := value.(map[string]any)
	for _, name := range sorted(around) {
		joined := strings.Join(naming.Words(name), "")
		if _, isObject := around[name].(map[string]any); isObject && words.Pages.Second(joined) == "around" {
			describePage(around[name], n, func(inner map[string]any) bool {
				changed := jsonvalue.WithMember(around, name, inner)
				ok := set(changed)
				if ok {
					around = changed
				}
				return ok
			})
			continue
		}
		v := ofPage(joined, n, around[name])
		changed := jsonvalue.WithMember(around, name, v)
		if jsonvalue.Equals(v, around[name]) {
			continue
		}
		if set(changed) {
			around = changed
		} else if v == nil {
			rest := maps.Clone(around)
			if delete(rest, name); set(rest) {
				around = rest
			}
		}
	}
}

// hasLines reports whether a list beside the members has lines with a quantity and a price: a total is an amount then.
func (m *members) hasLines() bool {
	for _, value := range m.object {
		list, _ := value.([]any)
		if len(list) == 0 {
			continue
		}
		if line, isObject := list[0].(map[string]any); isObject && sums.IsLine(line) {
			return true
		}
	}
	return false
}

// isWhole reports whether a part is not a number with decimals: totals of amounts are.
func (m *members) isWhole(part int) bool {
	hasDecimals := func(c constraint) bool {
		return c.op == conforms && schema.CertainTypes(c.schema).Has(schema.Fraction)
	}
	e := m.plan(part)
	return !strings.HasPrefix(strings.ToLower(e.name), "total") || !slices.ContainsFunc(e.node.constraints, hasDecimals)
}

// countWords end the names of numbers that count something, and numberWords begin them.
var countWords, numberWords = words.RoleOf("count-word"), words.RoleOf("number-word")

// troubleNames and linkObjects are names of lists beside the one that a page counts.
var troubleNames, linkObjects = words.RoleOf("trouble-name"), words.RoleOf("link-object")

// countedList finds the list that a property counts by its name: comments_count, numComments, total_comments.
func countedList(own []string, places map[string]int) (list int, ok bool) {
	rest := own
	if last := len(own) - 1; last > 0 && countWords.Has(own[last]) {
		rest = own[:last]
	} else {
		for len(rest) > 1 && numberWords.Has(rest[0]) {
			rest = rest[1:]
		}
	}
	if len(rest) == len(own) {
		return 0, false
	}
	name := strings.Join(rest, "")
	for _, plural := range []string{name, name + "s"} {
		if list, ok = places[plural]; ok {
			return list, true
		}
	}
	return 0, false
}

// listLength returns the length of the only list of objects beside the members, or the only one that is called a list.
func (m *members) listLength() (n int, ok bool) {
	lists, wrapped, inWrapper := 0, 0, 0
	for i := range m.sh.object.named {
		name := m.sh.object.named[i].name
		list, isList := m.object[name].([]any)
		if !isList {
			continue
		}
		joined := strings.Join(naming.Words(name), "")
		if troubleNames.Has(joined) || linkObjects.Has(joined) {
			continue
		}
		if len(list) > 0 {
			if schema.TypeOf(list[0])&(schema.Array|schema.Object) == 0 && words.Pages.Second(joined) != "list" {
				continue
			}
		}
		if words.Pages.Second(joined) == "list" {
			wrapped, inWrapper = wrapped+1, len(list)
		}
		n = len(list)
		lists++
	}
	if lists > 1 && wrapped == 1 {
		return inWrapper, true
	}
	return n, lists == 1
}
