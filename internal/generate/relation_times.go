package generate

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/sums"
	"github.com/coldframe/coldframe/internal/words"
)

// timeRelations put the times in the life of a thing into order.
var timeRelations = []relation{{find: laterThanCreation, apply: func(m *members) { m.order(1, 0) }}}

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
