package generate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// pageFields are what answers say of a page, by the names of properties. A list that is not made of kept items is one
// page of all: n is how many there are.
var pageFields = []struct {
	names string
	value func(n int, old any) any // nil: there is no such page
}{
	{"total totalcount totalitems totalresults totalelements totalhits totalrecords totalrows count numresults resultcount itemcount " +
		"filtercount filteredcount filteredtotal numberofitems numberofelements elements returned resultscount itemscount totalsize found",
		func(n int, old any) any { return numberLike(old, n) }},
	{"page currentpage pagenumber pagenum pageno pages totalpages pagestotal pagecount numpages lastpage firstpage",
		func(_ int, old any) any { return numberLike(old, 1) }},
	{"limit perpage pagesize pagelen itemsperpage pagelimit maxresults", func(n int, old any) any {
		if have, ok := numberOf(old); ok && have >= float64(n) {
			return old
		}
		return numberLike(old, n)
	}},
	{"offset skip startindex pageoffset", func(_ int, old any) any { return numberLike(old, 0) }},
	{"hasmore hasnext hasnextpage hasmoreitems morepages more hasprevious haspreviouspage hasprev truncated istruncated",
		func(_ int, old any) any { return flagLike(old, false) }},
	{"islast lastpageflag islastpage isfirst isfirstpage end", func(_ int, old any) any { return flagLike(old, true) }},
	{"next nextpage nextcursor nexttoken nextpagetoken nextmarker nexturl nextlink nextoffset nextpagecursor continuationtoken " +
		"nextpageurl nextpagelink prevpageurl previouspageurl prev previous previouspage prevpage prevcursor previouscursor prevmarker prevurl previousurl previouslink prevlink " +
		"nextlinkurl", func(int, any) any { return nil }},
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

// pageField finds what a name says of a page.
var pageField = func() map[string]func(int, any) any {
	fields := map[string]func(int, any) any{}
	for _, f := range pageFields {
		for name := range strings.FieldsSeq(f.names) {
			fields[name] = f.value
		}
	}
	return fields
}()

// pageNames are all names of pageFields.
var pageNames = func() string {
	var names []string
	for _, f := range pageFields {
		names = append(names, f.names)
	}
	return strings.Join(names, " ")
}()

const listNames = "items data results entries records values rows elements content hits docs objects list nodes " +
	"edges collection"

var isListName = naming.LazySet(listNames)

// IsListName reports whether a list of that name is the one that an object is about: items, results.
func IsListName(name string) bool { return isListName.Has(strings.Join(naming.Words(name), "")) }

// countRelations make the numbers around a list say how long it is.
var countRelations = []relation{
	{counts: true, apply: func(m *members) {
		if list, ok := m.value(1).([]any); ok && m.isWhole(0) {
			m.set(0, numberLike(m.value(0), len(list)))
		}
	}},
	{parted: true, apply: func(m *members) {
		sum := 0
		for part := 1; part < len(m.parts); part++ {
			n, err := strconv.Atoi(fmt.Sprint(m.value(part)))
			if err != nil || n < 0 {
				return
			}
			sum += n
		}
		m.set(0, numberLike(m.value(0), sum))
	}},
	{parts: []string{pageNames, "?id currency subtotal orderid customer " + partNames}, answer: true, apply: func(m *members) {
		n, ok := m.listLength()
		if !ok || m.has(1) {
			return
		}
		field := pageField[strings.Join(m.plan(0).words, "")]
		if field == nil {
			return // an amount in cents
		}
		if v := field(n, m.value(0)); v == nil {
			m.clear(0)
		} else if !jsonvalue.Equals(v, m.value(0)) {
			m.set(0, v)
		}
	}},
	{parts: []string{pagesAround}, answer: true, apply: func(m *members) {
		if n, ok := m.listLength(); ok {
			describePage(m.value(0), n, func(around map[string]any) bool { return m.set(0, around) })
		}
	}},
}

const pagesAround = "meta metadata pagination paging pageinfo pager paginginfo resultinfo cursor links"

var isAround = naming.LazySet(pagesAround)

// describePage makes what is around a list of n elements say so, as far as set allows each change.
func describePage(value any, n int, set func(map[string]any) bool) {
	around, _ := value.(map[string]any)
	for _, name := range sorted(around) {
		joined := strings.Join(naming.Words(name), "")
		if _, isObject := around[name].(map[string]any); isObject && isAround.Has(joined) {
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
		field := pageField[joined]
		if field == nil {
			continue
		}
		v := field(n, around[name])
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

// isWhole reports whether a part is no number with decimals: totals of amounts are.
func (m *members) isWhole(part int) bool {
	hasDecimals := func(c constraint) bool {
		return c.op == conforms && schema.CertainTypes(c.schema).Has(schema.Fraction)
	}
	e := m.plan(part)
	return !strings.HasPrefix(strings.ToLower(e.name), "total") || !slices.ContainsFunc(e.node.constraints, hasDecimals)
}

// partial words begin the names of counts that are no part of a total.
var partial = naming.LazySet(`total average avg mean median max maximum min minimum unique distinct first last previous
	remaining limit per page num`)

// countedParts returns the place of a total and those of its parts, all of which have one word before the same plural:
// total_orders, open_orders, closed_orders.
func countedParts(words [][]string, total int) []int {
	name := words[total]
	if len(name) < 2 || name[0] != "total" || !naming.IsPlural(name[len(name)-1]) {
		return nil
	}
	places := []int{total}
	for i, other := range words {
		if len(other) == len(name) && !partial.Has(other[0]) && slices.Equal(other[1:], name[1:]) {
			places = append(places, i)
		}
	}
	return places
}

// countedList finds the list that a property counts by its name: comments_count, numComments, total_comments.
func countedList(words []string, places map[string]int) (list int, ok bool) {
	last := len(words) - 1
	if last < 1 {
		return 0, false
	}
	name := ""
	switch {
	case words[last] == "count" || words[last] == "total":
		name = strings.Join(words[:last], "")
	case words[0] == "num" || words[0] == "total" || words[0] == "number" && words[1] != "of":
		name = strings.Join(words[1:], "")
	case words[0] == "number" && last > 1:
		name = strings.Join(words[2:], "")
	default:
		return 0, false
	}
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
		if joined == "errors" || joined == "warnings" || joined == "links" || joined == "facets" || joined == "included" {
			continue
		}
		if len(list) > 0 {
			if schema.TypeOf(list[0])&(schema.Array|schema.Object) == 0 && !isListName.Has(joined) {
				continue
			}
		}
		if isListName.Has(joined) {
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
