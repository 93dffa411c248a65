package generate

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/sums"
	"github.com/coldframe/coldframe/internal/words"
)

// timeRelations put the times in the life of a thing into order.
var timeRelations = []relation{{find: laterThanCreation, apply: func(m *members) { m.order(1, 0) }}}

// spanRelations make the end of a thing follow from its start and a duration whose name says its unit.
var spanRelations = []relation{{find: durationOf, apply: keepSpan}}

// durationOf finds the start and the end of an object whose duration the i-th property is: duration_minutes of
// starts_at and ends_at.
func durationOf(p *objectPlan, i int) [][]int {
	if unitOf(p.named[i].words) == 0 || len(p.named) > manyMembers {
		return nil
	}
	for first, second := range twinNames() {
		find := twinOf(first, second)
		for j := range p.named {
			if pairs := find(p, j); len(pairs) > 0 && p.named[j].isTime() && p.named[pairs[0][1]].isTime() {
				return [][]int{{i, j, pairs[0][1]}}
			}
		}
	}
	return nil
}

// unitOf returns the unit of a duration by the words of its name, 0 for none.
func unitOf(name []string) time.Duration {
	if !slices.ContainsFunc(name, func(w string) bool { return words.Parts.Has(w, "span") }) {
		return 0
	}
	for _, u := range units {
		if slices.ContainsFunc(name, func(w string) bool { return words.Parts.Has(w, u.part) }) {
			return u.unit
		}
	}
	return 0
}

// units are the units of durations by the part of parts.tsv that their words play.
var units = []struct {
	part string
	unit time.Duration
}{{"milliseconds", time.Millisecond}, {"seconds", time.Second}, {"minutes", time.Minute}, {"hours", time.Hour},
	{"days", 24 * time.Hour}}

// isTime reports whether values of a property are times by their format.
func (e *propertyPlan) isTime() bool {
	return slices.ContainsFunc(e.node.constraints, func(c constraint) bool {
		return c.op == conforms && IsTime(c.schema)
	})
}

// IsTime reports whether values of a schema are dates or times by its format.
func IsTime(k *schema.Keywords) bool {
	f := schema.Resolve(k).Format
	return f != nil && strings.HasPrefix(f.Name, "date")
}

func keepSpan(m *members) {
	n, ok := sums.Of(m.value(0))
	start, _, starts := ReadTime(m.value(1))
	end, write, ends := ReadTime(m.value(2))
	unit := unitOf(m.plan(0).words)
	switch {
	case !ok || !starts || !ends:
	case m.isSent(2) && end.After(start):
		m.setAmount(0, float64(end.Sub(start)/unit))
	default:
		m.set(2, write(start.Add(time.Duration(n*float64(unit)))))
	}
}

// Spans returns the ends of times of an object by their starts: ends_at by starts_at.
func Spans(properties map[string]*schema.Keywords) map[string]string {
	p := &objectPlan{places: map[string]int{}}
	for _, name := range sorted(properties) {
		if own := fields.Words(name); len(own) > 0 && IsTime(properties[name]) {
			p.places[relatedName(own)] = len(p.named)
			p.named = append(p.named, propertyPlan{name: name, words: own})
		}
	}
	spans := map[string]string{}
	for first, second := range twinNames() {
		find := twinOf(first, second)
		for i := range p.named {
			for _, pair := range find(p, i) {
				spans[p.named[pair[0]].name] = p.named[pair[1]].name
			}
		}
	}
	return spans
}

// laterThanCreation finds, for the time of a later event, the time at which the object was created, and for its end the
// time of its last change.
func laterThanCreation(p *objectPlan, i int) (pairs [][]int) {
	event := fields.EventOf(p.named[i].words)
	for j := 0; event > 1 && j < len(p.named) && len(p.named) <= manyMembers; j++ {
		other := p.named[j].words
		if i != j && (fields.IsCreation(other) || event > 2 && isUpdate(other)) {
			pairs = append(pairs, []int{i, j})
		}
	}
	return pairs
}

// manyMembers is for how many properties each is compared with all.
const manyMembers = 100

// isUpdate reports whether a name's words say when the object was last changed.
func isUpdate(name []string) bool {
	return fields.EventOf(name) == 2 &&
		slices.ContainsFunc(name, func(w string) bool { return words.Parts.Has(w, "update") })
}

// twinRelations put the two ends of ranges into order: min ≤ avg before avg ≤ max.
func twinRelations() []relation {
	var all, seconds []string
	for c := range words.Twins.Rows() {
		all, seconds = append(all, c[0]+" "+c[1]), append(seconds, c[1])
	}
	isLater := func(pair string) bool {
		return slices.ContainsFunc(seconds, func(w string) bool { return strings.HasPrefix(pair, w+" ") })
	}
	later := func(a, b string) int {
		return cmp.Compare(strconv.FormatBool(isLater(a)), strconv.FormatBool(isLater(b)))
	}
	slices.SortStableFunc(all, later)
	relations := make([]relation, len(all))
	for i, pair := range all {
		first, second, _ := strings.Cut(pair, " ")
		relations[i] = relation{find: twinOf(first, second), apply: keepRange}
	}
	return relations
}

// twinNames returns the words by which the names of the two ends of a range differ: start, end.
func twinNames() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for c := range words.Twins.Rows() {
			if !yield(c[0], c[1]) {
				return
			}
		}
	}
}

// twinOf finds the property whose name has second where the name of the i-th has first, and is otherwise the same:
// start_date, end_date. Words may be glued: minprice, maxprice.
func twinOf(first, second string) func(p *objectPlan, i int) [][]int {
	return func(p *objectPlan, i int) (pairs [][]int) {
		own := p.named[i].words
		find := func(name string) {
			if j, ok := p.places[name]; ok && j != i {
				pairs = append(pairs, []int{i, j})
			}
		}
		for at, word := range own {
			if word == first {
				find(strings.Join(own[:at], "") + second + strings.Join(own[at+1:], ""))
			}
		}
		if rest, isGlued := strings.CutPrefix(own[0], first); len(pairs) == 0 && isGlued && rest != "" {
			find(second + rest + strings.Join(own[1:], ""))
		}
		return pairs
	}
}

func keepRange(m *members) {
	low, ok := sums.Of(m.value(0))
	high, both := sums.Of(m.value(1))
	switch {
	case !ok || !both:
		m.order(0, 1)
	case low >= 0 && low < 1e6 && high > 1e8: // places in a text rather than times
		m.setAmount(1, low+float64(3+m.at.key.at(64).intN(20)))
	case low > high && m.set(1, m.value(0)):
		m.setAmount(0, high) // if that is not allowed, both ends are the same
	case low > high:
		m.setAmount(0, high)
	}
}

// timeLayouts are the unambiguous layouts of times in texts.
var timeLayouts = []string{
	time.RFC3339Nano, time.DateOnly, time.RFC1123Z, time.RFC1123, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04",
	"2006/01/02", "02.01.2006", "20060102",
}

// ReadTime reads a time as responses write it; write writes another in the same way. A text without a fraction of a
// second gets milliseconds if the other time has them.
func ReadTime(v any) (at time.Time, write func(time.Time) any, ok bool) {
	switch v := v.(type) {
	case string:
		for _, layout := range timeLayouts {
			if at, err := time.Parse(layout, v); err == nil {
				return at, writerOf(layout, v, at.Location()), true
			}
		}
	case json.Number:
		const earliest = 100_000_000 // 1973: smaller numbers are not times
		n, err := strconv.ParseInt(v.String(), 10, 64)
		if err != nil || n < earliest {
			break
		}
		if n > earliest*1000 {
			return time.UnixMilli(n), func(t time.Time) any { return json.Number(strconv.FormatInt(t.UnixMilli(), 10)) }, true
		}
		return time.Unix(n, 0), func(t time.Time) any { return json.Number(strconv.FormatInt(t.Unix(), 10)) }, true
	}
	return time.Time{}, nil, false
}

// writerOf writes times as text has one. All of a property are equally long, so that texts sort as times do.
func writerOf(layout, text string, zone *time.Location) func(time.Time) any {
	if layout != time.RFC3339Nano {
		return func(t time.Time) any { return t.In(zone).Format(layout) }
	}
	fraction := ""
	if _, after, ok := strings.Cut(text, "."); ok {
		fraction = "." + strings.Repeat("0", len(after)-len(strings.TrimLeft(after, "0123456789")))
	}
	return func(t time.Time) any {
		own := fraction
		if own == "" && t.Nanosecond() != 0 {
			own = ".000"
		}
		return t.In(zone).Format("2006-01-02T15:04:05" + own + "Z07:00")
	}
}

func (m *members) order(before, after int) {
	first, writeFirst, ok := ReadTime(m.value(before))
	then, writeThen, both := ReadTime(m.value(after))
	if !ok || !both || !then.Before(first) {
		return
	}
	key := m.at.key.at(31 + m.parts[after])
	span := time.Duration(1+key.intN(48)) * time.Hour
	if text := m.text(after); text != "" && !strings.Contains(text, ":") {
		span += 24 * time.Hour // dates have no hours
	}
	if !m.set(after, writeThen(first.Truncate(time.Second).Add(span))) {
		m.set(before, writeFirst(then.Truncate(time.Second).Add(-span)))
	}
}
