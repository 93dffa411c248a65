package generate

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// rangeRelations put the two ends of a range into order, whether they are times or numbers.
var rangeRelations = twinRows(keepRange,
	"start end", "starts ends", "started ended", "start finish", "started finished", "begin end", "begins ends", "from to",
	"from until", "from till", "since until", "min max", "minimum maximum", "low high", "lowest highest", "lower upper",
	"min median", "median max", "min mean", "mean max", "min avg", "avg max", "min average", "average max",
	"minimum mean", "mean maximum", "minimum average", "average maximum", "lowest average", "average highest",
	"least most", "smallest largest", "shortest longest", "earliest latest", "oldest newest", "gte lte",
	"departure arrival", "birth death", "born died", "low average", "notbefore notafter", "before after", "valid expiry", "issued due", "departs arrives", "checkin checkout", "opens closes")

func twinRows(apply func(m *members), pairs ...string) []relation {
	var rows []relation
	for _, pair := range pairs {
		first, second, _ := strings.Cut(pair, " ")
		rows = append(rows, relation{twins: [2]string{first, second}, apply: apply})
	}
	return rows
}

func keepRange(m *members) {
	low, ok := amountOf(m.value(0))
	high, both := amountOf(m.value(1))
	switch {
	case !ok || !both:
		m.order(0, 1)
	case low >= 0 && low < 1e6 && high > 1e8: // places in a text rather than times
		m.setNumber(1, low+float64(3+m.at.key.at(64).intN(20)))
	case low > high && m.set(1, m.value(0)):
		m.setNumber(0, high) // where that is not allowed, both ends are the same
	case low > high:
		m.setNumber(0, high)
	}
}

// unit is a pair of words for the same in two units: second = first·factor + offset.
type unit struct {
	words          string
	factor, offset float64
}

var units = []unit{
	{"kg lb", 2.2046226, 0}, {"kg lbs", 2.2046226, 0}, {"kilograms pounds", 2.2046226, 0},
	{"g oz", 0.035274, 0}, {"grams ounces", 0.035274, 0},
	{"km mi", 0.6213712, 0}, {"km miles", 0.6213712, 0}, {"kilometers miles", 0.6213712, 0}, {"kilometres miles", 0.6213712, 0},
	{"meters feet", 3.2808399, 0}, {"metres feet", 3.2808399, 0}, {"m ft", 3.2808399, 0}, {"m feet", 3.2808399, 0},
	{"cm in", 0.3937008, 0}, {"cm inches", 0.3937008, 0}, {"mm in", 0.03937008, 0}, {"centimeters inches", 0.3937008, 0},
	{"c f", 1.8, 32}, {"celsius fahrenheit", 1.8, 32},
	{"kph mph", 0.6213712, 0}, {"kmh mph", 0.6213712, 0}, {"kmph mph", 0.6213712, 0},
	{"kn lbf", 224.80894, 0}, {"mb in", 0.02953, 0}, {"liters gallons", 0.2641721, 0}, {"litres gallons", 0.2641721, 0},
	{"ms s", 0.001, 0}, {"milliseconds seconds", 0.001, 0},
}

// unitRelations make the same quantity of two units: {meters, feet}, temp_c and temp_f.
var unitRelations = func() []relation {
	var rows []relation
	for _, u := range units {
		rows = append(rows, twinRows(func(m *members) {
			factor := u.factor
			name := strings.ToLower(m.plan(0).name)
			for _, power := range []struct {
				word string
				n    float64
			}{{"square", 2}, {"cubic", 3}} {
				if strings.Contains(name, power.word) {
					factor = math.Pow(u.factor, power.n)
				}
			}
			a, ok := numberOf(m.value(0))
			b, both := numberOf(m.value(1))
			if !ok || !both || math.Abs(b-(a*factor+u.offset)) < 0.005 {
				return
			}
			if !m.setNumber(1, a*factor+u.offset) {
				m.setNumber(0, (b-u.offset)/factor)
			}
		}, u.words)...)
	}
	return rows
}()

func numberOf(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// setNumber returns a part a number to two decimals, or the nearest integer where the schema allows no other.
func (m *members) setNumber(part int, f float64) bool {
	return m.set(part, amounts(m.value(part), f)...)
}

func rounded(f float64) []any {
	return []any{json.Number(strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64)),
		json.Number(strconv.FormatFloat(math.Round(f), 'f', 0, 64))}
}
