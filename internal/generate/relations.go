package generate

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// relation is a row of what properties of one object have to do with each other. Which rows apply is worked out when a
// shape is finished; they are applied, in the order of the table, to an object whose members are made.
type relation struct {
	// parts are the names of each property that takes part, in lower case without separators, the most telling first;
	// "verb@" stands for the names of the time of an event (deleted_at, dateDeleted), "?" before all for a property that
	// may be missing. The row applies to each property that the first part names.
	parts []string
	// twins are two words instead, in one of which the names of two properties differ: start_date, end_date.
	twins    [2]string
	apply    func(m *members)
	counts   bool // instead: the first property says how many the second, a list, has
	reached  bool // instead: the first property tells of what is so in a state that the second, the state, may have
	totals   bool // instead: the first property adds up what the members of the second, a list, have
	parted   bool // instead: the first property is how many the others, at least two, are together
	sublinks bool // instead: the first property leads to what the thing of an id, the second, has many of
	chosen   bool // instead: the first property is one of what the second, a list, has: default_language of languages
	answer   bool // it says nothing of requests: all that can be sent is to be tried there
	sums     bool // it works out an amount from others
	paged    bool // instead of one, the first property may be the total of a page
}

// relations are all rows: those about states first, since what is missing takes part in nothing.
var relations = slices.Concat(stateRelations, timeRelations, rangeRelations, spanRelations, unitRelations, personRelations,
	nameRelations, fileRelations, entryRelations, kindRelations, replyRelations, memberRelations, amountRelations, countRelations, partRelations)

// related is a row of relations with the places of its properties in a plan, -1 for those that are missing.
type related struct {
	row   int
	parts []int
}

// members are the properties of an object to which a relation is applied.
type members struct {
	r      *run
	sh     *shape
	at     place
	object map[string]any
	sent   map[string]any
	parts  []int
}

// eventNames are the ways to name the time of an event by its verb.
var eventNames = []string{"at", "on", "date", "time", "datetime", "timestamp", "atutc", "utc", "dateutc", "ms", "dt"}

func expandNames(part string) []string {
	var names []string
	for name := range strings.FieldsSeq(strings.TrimPrefix(part, "?")) {
		verb, isEvent := strings.CutSuffix(name, "@")
		if !isEvent {
			names = append(names, name)
			continue
		}
		for _, ending := range eventNames {
			names = append(names, verb+ending)
		}
		names = append(names, "date"+verb, "time"+verb, "date"+verb+"utc")
	}
	return names
}

// relationPart is a part of a relation that a name may be.
type relationPart struct{ row, part, rank int }

// relationIndex leads from names to the parts that they may be, and from words to the rows whose first twin they are.
type relationIndex struct {
	parts    *naming.Index[relationPart]
	twins    map[string][]int
	counts   int // the row of counts
	parted   int // that of parted
	sublinks int // that of sublinks
	reached  int
	totals   int
	chosen   int
}

var relationNames = sync.OnceValue(func() *relationIndex {
	x := &relationIndex{parts: naming.NewIndex[relationPart](2700, 5700), twins: map[string][]int{}}
	for row := range relations {
		if first := relations[row].twins[0]; first != "" {
			x.twins[first] = append(x.twins[first], row)
		}
		if relations[row].counts {
			x.counts = row
		}
		if relations[row].parted {
			x.parted = row
		}
		if relations[row].sublinks {
			x.sublinks = row
		}
		if relations[row].reached {
			x.reached = row
		}
		if relations[row].totals {
			x.totals = row
		}
		if relations[row].chosen {
			x.chosen = row
		}
		for part, text := range relations[row].parts {
			for rank, name := range expandNames(text) {
				x.parts.Add(name, relationPart{row, part, rank})
			}
		}
	}
	return x
})

// relate finds the relations of the plan's properties.
func (p *objectPlan) relate(direction spec.Direction) {
	index := relationNames()
	p.pages = ownPages + p.about.Folder() + "/"
	places := make(map[string]int, len(p.named))
	words := make([][]string, len(p.named))
	for i := range p.named {
		words[i] = fields.Words(p.named[i].name)
		p.named[i].words = words[i]
		if subLink(words[i]) {
			own := naming.Words(p.named[i].name)
			p.named[i].below = strings.Join(own[:len(own)-1], "-")
		}
		places[relatedName(words[i])] = i
	}
	type found struct{ place, rank int }
	others := map[[2]int]found{} // by row and part
	for i := range p.named {
		for part := range index.partsOf(words[i]) {
			if part.part == 0 {
				p.related = append(p.related, related{part.row, []int{i}})
				continue
			}
			key := [2]int{part.row, part.part}
			if other, ok := others[key]; !ok || part.rank < other.rank {
				others[key] = found{i, part.rank}
			}
		}
		p.relateByWords(i, words, places)
		p.relateGlued(i, words[i], places)
		for at, word := range words[i] {
			for _, row := range index.twins[word] {
				other := slices.Clone(words[i])
				other[at] = relations[row].twins[1]
				if j, ok := places[strings.Join(other, "")]; ok {
					p.related = append(p.related, related{row, []int{i, j}})
				}
			}
		}
	}
	p.related = slices.DeleteFunc(p.related, func(r related) bool {
		return relations[r.row].answer && direction == spec.InRequest
	})
	for i := range p.related {
		r := &p.related[i]
		row := &relations[r.row]
		for part := len(r.parts); part < len(row.parts); part++ {
			if other, ok := others[[2]int{r.row, part}]; ok && other.place != r.parts[0] {
				r.parts = append(r.parts, other.place)
				continue
			}
			if r.parts = append(r.parts, -1); row.parts[part][0] != '?' {
				r.row = -1
				break
			}
		}
	}
	p.related = slices.DeleteFunc(p.related, func(r related) bool { return r.row < 0 })
	slices.SortStableFunc(p.related, func(a, b related) int { return a.row - b.row })
}

// expiring end the names of times at which something of a thing expires: invite_code_expires_at.
var expiring = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range expandNames(expiresNames) {
		names[name] = strings.HasPrefix(name, "expir")
	}
	return names
}()

// ownErrors stand before what is to be said of errors: custom_error_message.
var ownErrors = naming.LazySet("custom default on show")

// partsOf returns the parts that a name may be; one that ends as the name of an error is that: last_import_error,
// last_error_code.
func (x *relationIndex) partsOf(words []string) iter.Seq[relationPart] {
	name := relatedName(words)
	for i := 1; i < len(words) && !x.parts.Has(name); i++ {
		end := strings.Join(words[i:], "")
		if expiring[end] || (words[i] == "error" || words[i] == "errors") && !ownErrors.Has(words[i-1]) && x.parts.Has(end) {
			name = end
		}
	}
	return x.parts.All(name)
}

// gluedTwins are first twins that names begin with without a separator: minprice and maxprice.
var gluedTwins = []string{"min", "start", "low"}

func (p *objectPlan) relateGlued(i int, words []string, places map[string]int) {
	index, joined := relationNames(), strings.Join(words, "")
	for _, first := range gluedTwins {
		rest, ok := strings.CutPrefix(joined, first)
		if !ok || rest == "" || words[0] == first {
			continue
		}
		for _, row := range index.twins[first] {
			if j, found := places[relations[row].twins[1]+rest]; found {
				p.related = append(p.related, related{row, []int{i, j}})
			}
		}
	}
}

// relatedName is a name as tables of relations have it: amounts in cents are amounts.
func relatedName(words []string) string {
	if n := len(words) - 1; n > 0 && fields.IsHundredth(words[n]) {
		words = words[:n]
	}
	return strings.Join(words, "")
}

// relateByWords finds the relations of the i-th property that no list of names leads to.
func (p *objectPlan) relateByWords(i int, words [][]string, places map[string]int) {
	index, own := relationNames(), words[i]
	add := func(row, other int) {
		if other != i {
			p.related = append(p.related, related{row, []int{i, other}})
		}
	}
	if list, ok := countedList(own, places); ok {
		add(index.counts, list)
	}
	if tellsOfState(own) {
		if state, ok := p.stateOf(places); ok {
			add(index.reached, state)
		}
	}
	const few = 100 // properties: each total is compared with all
	for j := 0; j < len(p.named) && len(p.named) <= few && totalled(own) != ""; j++ {
		if last := len(words[j]) - 1; last >= 0 && naming.IsPlural(words[j][last]) {
			add(index.totals, j)
		}
	}
	if len(p.named) <= few {
		if parts := countedParts(words, i); len(parts) > 2 {
			p.related = append(p.related, related{index.parted, parts})
		}
	}
	if id, ok := places["id"]; ok && subLink(own) {
		add(index.sublinks, id)
	}
	for j := 0; len(own) > 1 && own[0] == "default" && j < len(p.named) && len(p.named) <= few; j++ {
		if naming.Singular(strings.Join(words[j], "")) == strings.Join(own[1:], "") {
			add(index.chosen, j)
		}
	}
}

// relate applies the relations of a shape to an object whose members are made, or only sums. Later attempts, which
// follow where the whole was refused, go without.
func (r *run) relate(sh *shape, object map[string]any, at place, sent map[string]any, onlySums bool) {
	const attempts = 4
	if len(sh.object.related) == 0 || r.attempt >= attempts {
		return
	}
	m := &r.members
	*m = members{r: r, sh: sh, at: at, object: object}
	if at.given {
		m.sent = sent
	}
	for _, related := range sh.object.related {
		row := &relations[related.row]
		if m.parts = related.parts; m.has(0) && (row.sums || !onlySums) {
			row.apply(m)
		}
	}
	*m = members{}
}

func (m *members) plan(part int) *propertyPlan { return &m.sh.object.named[m.parts[part]] }

// value returns the value of a part, nil if it is missing.
func (m *members) value(part int) any {
	if m.parts[part] < 0 {
		return nil
	}
	return m.object[m.plan(part).name]
}

func (m *members) text(part int) string {
	text, _ := m.value(part).(string)
	return text
}

func (m *members) has(part int) bool {
	if m.parts[part] < 0 {
		return false
	}
	_, ok := m.object[m.plan(part).name]
	return ok
}

// isSent reports whether the request, the document or a setting said what a part is.
func (m *members) isSent(part int) bool {
	if m.parts[part] < 0 {
		return false
	}
	if m.plan(part).value != nil {
		return true
	}
	_, ok := m.sent[m.plan(part).name]
	return ok
}

// set returns a part that is there the first of some values that its schema allows. What was sent stays.
func (m *members) set(part int, values ...any) bool {
	if !m.has(part) || m.isSent(part) {
		return false
	}
	e := m.plan(part)
	for _, v := range values {
		if m.r.admits(e.node, v) {
			m.object[e.name] = v
			return true
		}
	}
	return false
}

// clear says that there is no such thing: with null, by leaving a part out, or with what is empty.
func (m *members) clear(part int) {
	if !m.has(part) || m.isSent(part) || m.value(part) == nil || m.set(part, nil) {
		return
	}
	if e := m.plan(part); !e.required && len(m.object) > max(m.sh.MinProperties, 1) {
		delete(m.object, e.name)
		return
	}
	switch m.value(part).(type) {
	case string:
		m.set(part, "")
	case bool:
		m.set(part, false)
	case []any:
		m.set(part, []any{})
	case map[string]any:
		m.set(part, map[string]any{})
	case json.Number:
		if _, _, isTime := ReadTime(m.value(part)); !isTime {
			m.set(part, json.Number("0"))
		}
	}
}
