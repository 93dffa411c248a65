package fields

import (
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
)

// numbersOf finds the numbers that a name, and a unit that the description states, suggest; nil if none. isKnown says
// that they are more than the name's being a plural.
func numbersOf(words []string, stated *unit, of Thing) (numbers func(*formats.Faker, Context) Window, isKnown bool) {
	if numbers = numbersNamed(words, stated, of); numbers != nil {
		return numbers, true
	}
	if len(words) > 0 && naming.IsPlural(words[len(words)-1]) {
		return between(1, 40).window, false
	}
	return nil, false
}

func numbersNamed(words []string, stated *unit, of Thing) func(*formats.Faker, Context) Window {
	if parts := inParts(words, of); parts != nil {
		return parts
	}
	counted, _ := rowOf(words, of, row.counts)
	isTime := isMoment(words) || counted != nil && isMomentNumber(counted.number)
	switch {
	case stated != nil && stated.kind == "unix":
		return unix(eventOf(words), parseScaled(stated.value))
	case stated != nil && stated.kind == "number" && !isTime:
		return numbersMade(stated.value)
	case isTime && stated != nil && stated.value == millisecondNumbers:
		return unix(eventOf(words), 1000)
	case len(words) > 1 && anyIs(words, "share"):
		return between(5, 95).window
	case len(words) > 1 && is(words[len(words)-1], "counter") && naming.IsPlural(words[len(words)-2]):
		return between(1, 40).window // seats_total
	case counted != nil:
		return numbersMade(counted.number)
	case isTime:
		return moment(eventOf(words)).window
	case len(words) > 1 && is(words[0], "counter"):
		return numbersMade(rows()["count"][0].number)
	}
	return nil
}

// millisecondNumbers are the numbers of units.tsv in milliseconds.
const millisecondNumbers = "20..240000"

func isMomentNumber(number string) bool {
	return number != "" && !strings.Contains(number, "..") && !strings.HasSuffix(number, "itude")
}

// inParts returns the numbers of times in milliseconds and of amounts in hundredths; nil for other names.
func inParts(words []string, of Thing) func(*formats.Faker, Context) Window {
	n := len(words) - 1
	if n < 1 {
		return nil
	}
	whole, _ := rowOf(words[:n], of, row.counts)
	switch {
	case is(words[n], "milliseconds") && (whole != nil && isMomentNumber(whole.number) || words[n-1] == "at"):
		return unix(eventOf(words[:n]), 1000)
	case is(words[n], "hundredths") && whole != nil && made(whole.text).formats == "decimal":
		return func(f *formats.Faker, at Context) Window {
			w := numbersMade(whole.number)(f, at)
			return Window{100 * w.Lo / w.Scale, 100 * w.Hi / w.Scale, 1}
		}
	}
	return nil
}
