package generate

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/sums"
	"github.com/coldframe/coldframe/internal/words"
)

// relation is what properties of one object have to do with each other. Most are rows of relations.tsv; the rest is
// what no formula says: states and times (relation_states.go, relation_times.go), ranges, links, and counts of lists.
// Which apply is worked out when a shape is finished; they are applied, in this order, to an object whose members are
// made.
type relation struct {
	// parts are the names of each property that takes part, in lower case without separators, the most telling first;
	// "?" is before all for a property that may be missing, and "!" for one that must be. The row applies to each
	// property that the first part names.
	parts []string
	// find, instead of parts, returns the places of the properties to which the row applies, for the i-th property.
	find   func(p *objectPlan, i int) [][]int
	apply  func(m *members)
	answer bool // for responses only: requests try everything that can be sent
	sums   bool // it works out an amount from others
}

// relations are all rows: the rows about states first, since what is missing takes part in nothing.
var relations = sync.OnceValue(func() []relation {
	return slices.Concat(stateRelations(), timeRelations, twinRelations(), spanRelations, formulaRelations(),
		[]relation{sumRelation()}, linkRelations(), countRelations())
})

// related is a row of relations with the places of its properties in a plan, -1 for those that are missing.
type related struct {
	row   int
	parts []int
}

// members are the properties of an object to which a relation is applied.
type members struct {
	r      *run
	sh     *shape
	at     valueContext
	object map[string]any
	sent   map[string]any
	row    *relation
	parts  []int
}

// relationPart is a part of a relation that a name may be.
type relationPart struct{ row, part, rank int }

// relationNames leads from names to the parts that they may be.
var relationNames = sync.OnceValue(func() *naming.Index[relationPart] {
	x := naming.NewIndex[relationPart](1000, 1600)
	for row, r := range relations() {
		for part, text := range r.parts {
			for rank, name := range strings.Fields(strings.TrimLeft(text, "?!")) {
				x.Add(name, relationPart{row, part, rank})
			}
		}
	}
	return x
})

// relate finds the relations of the plan's properties.
func (p *objectPlan) relate(direction spec.Direction) {
	rows := relations()
	p.pages = ownPages + p.about.Folder() + "/"
	p.places = make(map[string]int, len(p.named))
	p.sums = p.compileSums()
	for i := range p.named {
		p.named[i].words = fields.Words(p.named[i].name)
		p.places[relatedName(p.named[i].words)] = i
		p.named[i].setCurrency(len(p.named))
	}
	type found struct{ place, rank int }
	others := map[[2]int]found{} // by row and part
	for i := range p.named {
		for part := range partsOf(p.named[i].words) {
			if part.part == 0 {
				p.related = append(p.related, related{part.row, []int{i}})
				continue
			}
			key := [2]int{part.row, part.part}
			if other, ok := others[key]; !ok || part.rank < other.rank {
				others[key] = found{i, part.rank}
			}
		}
		for row := range rows {
			if rows[row].find == nil || len(p.named[i].words) == 0 {
				continue
			}
			for _, parts := range rows[row].find(p, i) {
				p.related = append(p.related, related{row, parts})
			}
		}
	}
	p.related = slices.DeleteFunc(p.related, func(r related) bool {
		return rows[r.row].answer && direction == spec.InRequest
	})
	for i := range p.related {
		r := &p.related[i]
		row := &rows[r.row]
		for part := len(r.parts); part < len(row.parts) && row.find == nil; part++ {
			other, ok := others[[2]int{r.row, part}]
			ok = ok && other.place != r.parts[0]
			place := -1
			if ok {
				place = other.place
			}
			r.parts = append(r.parts, place)
			if mark := row.parts[part][0]; mark == '!' && ok || mark != '!' && mark != '?' && !ok {
				r.row = -1
				break
			}
		}
	}
	p.related = slices.DeleteFunc(p.related, func(r related) bool { return r.row < 0 })
	slices.SortStableFunc(p.related, func(a, b related) int { return a.row - b.row })
	p.places = nil
}

// compileSums finds the amounts of the plan's properties that follow from others; nil if none.
func (p *objectPlan) compileSums() *sums.Plan {
	properties := make(map[string]*schema.Keywords, len(p.named))
	for i := range p.named {
		for _, c := range p.named[i].node.constraints {
			if c.op == conforms {
				properties[p.named[i].name] = c.schema
				break
			}
		}
	}
	return sums.Compile(properties, func(...string) bool { return true })
}

// partsOf returns the parts that a name may be; one that ends like the name of an error may be what this is:
// last_import_error, last_error_code. A custom_error_message is what to say of errors.
func partsOf(own []string) iter.Seq[relationPart] {
	x, name := relationNames(), relatedName(own)
	for i := 1; i < len(own) && !x.Has(name); i++ {
		end := strings.Join(own[i:], "")
		isError := troubleNames.Has(own[i]) && !words.Parts.Has(own[i-1], "own-error")
		if isError && x.Has(end) {
			name = end
		}
	}
	return x.All(name)
}

// relatedName is a name as relations have it: amounts in cents are amounts.
func relatedName(words []string) string {
	if n := len(words) - 1; n > 0 && fields.IsHundredth(words[n]) {
		words = words[:n]
	}
	return strings.Join(words, "")
}

// relate applies the relations of a shape to an object whose members are made, or only sums. Later attempts, which
// follow if the whole was refused, skip them.
func (r *run) relate(sh *shape, object map[string]any, at valueContext, sent map[string]any, onlySums bool) {
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
		row := &relations()[related.row]
		if m.parts, m.row = related.parts, row; (row.sums || m.has(0)) && (row.sums || !onlySums) {
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

// set assigns to a part that is there the first of some values that its schema allows. What was sent stays.
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

// clear sets a part to null or an empty value, or leaves it out.
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
