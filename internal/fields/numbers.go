package fields

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
)

// numbersOf finds the numbers that a name and a description suggest, nil for none.
func numbersOf(words []string, description string, of Thing) func(*formats.Faker, Place) Window {
	if parts := inParts(words, of); parts != nil {
		return parts
	}
	words = ordinal(words)
	counted, _ := ruleOf(words, of, (*rule).counts)
	if counted == nil && isSpan(words) {
		return spanNumbers(description)
	}
	if counted == nil || counted.units {
		if said := ruleSaid(description, (*rule).counts); said != nil {
			counted = said
		}
	}
	if counted == nil {
		counted = countedAs(words, description, of)
	}
	switch {
	case len(words) > 1 && share[words[0]]:
		return between(5, 95)
	case counted != nil && counted.unix > 0:
		return unix(eventOf(words), counted.unix)
	case counted != nil:
		return counted.numbers
	case isMoment(words):
		return seconds(eventOf(words))
	case of.isCount():
		return between(3, 480)
	case len(words) > 0 && naming.IsPlural(words[len(words)-1]):
		return between(1, 40)
	}
	return nil
}

// inParts gives the numbers of times in milliseconds, and of amounts in hundredths.
func inParts(words []string, of Thing) func(*formats.Faker, Place) Window {
	n := len(words) - 1
	if n < 1 {
		return nil
	}
	whole, _ := ruleOf(words[:n], of, (*rule).counts)
	switch {
	case milliseconds[words[n]] && (whole != nil && strings.Contains(whole.formats, "date-time") || words[n-1] == "at"):
		return unix(eventOf(words[:n]), 1000)
	case hundredths[words[n]] && whole != nil && slices.Contains(strings.Fields(whole.formats), "decimal"):
		return func(f *formats.Faker, at Place) Window {
			w := whole.numbers(f, at)
			return Window{100 * w.Lo / w.Scale, 100 * w.Hi / w.Scale, 1}
		}
	}
	return nil
}

// countedAs finds the rule for the numbers of a name that has none: that of counts, else of what the description calls
// it.
func countedAs(words []string, description string, of Thing) *rule {
	if len(words) > 1 && slices.Contains(counters, words[0]) {
		if counted, _ := ruleOf([]string{"count"}, of, (*rule).counts); counted != nil {
			return counted
		}
	}
	if isMoment(words) {
		return nil
	}
	counted, _ := ruleOf(calledIn(description), of, (*rule).counts)
	return counted
}

func spanNumbers(description string) func(*formats.Faker, Place) Window {
	if strings.Contains(description, "millisecond") {
		return between(20, 240_000)
	}
	return between(30, 3600)
}

// isCount reports whether the thing is nothing but numbers of what there is.
func (t Thing) isCount() bool { return t.is("count statistic stat total tally counter") }

// share begins the names of percentages: percent_of_sales.
var share = naming.Set("percent percentage pct")

// maxDescription is how much of a description is read, in bytes: what comes later is about cases.
const maxDescription = 200

// counters are words that begin the names of counts.
var counters = strings.Fields("num total number max min count n")

// tallies are those of counters that begin nothing else.
var tallies = naming.Set("num nb nbr")

// milliseconds end the names of durations, and of times in milliseconds since 1970.
var milliseconds = naming.Set("ms millis milliseconds msec")

// hundredths end the names of amounts in the smallest unit of a currency.
var hundredths = naming.Set("cents cent minor pence")

// IsHundredth reports whether a word ends the names of amounts in the smallest unit of a currency.
func IsHundredth(word string) bool { return hundredths[word] }
