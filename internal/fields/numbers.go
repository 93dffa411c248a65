package fields

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/naming"
)

// numbersOf finds the numbers that a name and a description suggest, nil for none: those of the name as far as they are
// within the bounds that the description says. The whole of the description is read for bounds and lists.
func numbersOf(words []string, description, whole string, of Thing) func(*formats.Faker, Place) Window {
	named, said := numbersNamed(words, description, of), numbersSaid(whole)
	if named == nil || said == nil {
		if named == nil {
			return said
		}
		return named
	}
	return func(f *formats.Faker, at Place) Window {
		own, bounds := named(f, at), said(f, at)
		isWithin := own.Lo*bounds.Scale >= bounds.Lo*own.Scale && own.Hi*bounds.Scale <= bounds.Hi*own.Scale
		if isWithin || own.Lo >= earliest*own.Scale {
			return own
		}
		return bounds
	}
}

// earliest is the least number that is a time in seconds since 1970, in 1973: what descriptions bound then is something
// else.
const earliest = 100_000_000

func numbersNamed(words []string, description string, of Thing) func(*formats.Faker, Place) Window {
	if parts := inParts(words, of); parts != nil {
		return parts
	}
	words = ordinal(datedLast(words))
	counted, _ := ruleOf(words, of, (*rule).counts)
	if counted == nil && isSpan(words) {
		return spanNumbers(description)
	}
	switch said := ruleSaid(description, (*rule).counts); {
	case counted != nil && !counted.units:
	case said != nil && said.unix == 0 && isInstant(words, description, counted):
		return unix(eventOf(words), 1000)
	case said != nil:
		counted = said
	case counted == nil:
		counted = countedAs(words, description, of)
	}
	return windowOf(counted, words, of)
}

// windowOf returns the numbers of a rule, of which there may be none, for a name.
func windowOf(counted *rule, words []string, of Thing) func(*formats.Faker, Place) Window {
	switch {
	case len(words) > 1 && share.Has(words[0]),
		counted != nil && strings.Contains(counted.formats, "decimal") && slices.ContainsFunc(words, isShare):
		return between(5, 95).window
	case counted != nil && counted.unix > 0:
		return unix(eventOf(words), counted.unix)
	case counted != nil:
		return windowsOf(counted.numbers)
	case isMoment(words):
		return moment(eventOf(words)).window
	case of.isCount():
		return between(3, 480).window
	case len(words) > 0 && naming.IsPlural(words[len(words)-1]):
		return between(1, 40).window
	}
	return nil
}

// isInstant reports whether a number in milliseconds is the time of an event, rather than how long something takes.
func isInstant(words []string, description string, counted *rule) bool {
	isOther := counted == nil && !isMoment(words) || counted != nil && counted.formats != "date date-time"
	if isOther || !strings.Contains(description, "milliseconds") {
		return false
	}
	return words[len(words)-1] != "time" || strings.Contains(description, " when ") ||
		strings.Contains(description, " at which ")
}

// inParts returns the numbers of times in milliseconds, and of amounts in hundredths.
func inParts(words []string, of Thing) func(*formats.Faker, Place) Window {
	n := len(words) - 1
	if n < 1 {
		return nil
	}
	whole, _ := ruleOf(words[:n], of, (*rule).counts)
	switch {
	case milliseconds.Has(words[n]) &&
		(whole != nil && strings.Contains(whole.formats, "date-time") || words[n-1] == "at"):
		return unix(eventOf(words[:n]), 1000)
	case hundredths.Has(words[n]) && whole != nil && slices.Contains(strings.Fields(whole.formats), "decimal"):
		return func(f *formats.Faker, at Place) Window {
			w := whole.numbers.window(f, at)
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
	if len(words) > 2 && words[0] == "days" && words[1] == "since" {
		counted, _ := ruleOf(words[:1], of, (*rule).counts)
		return counted
	}
	if isMoment(words) {
		return nil
	}
	counted, _ := ruleOf(calledIn(description), of, (*rule).counts)
	return counted
}

// datedLast returns the words of the name of a time with "date" at their end: dateLastProcessed.
func datedLast(words []string) []string {
	if n := len(words) - 1; n > 0 && words[0] == "date" && strings.HasSuffix(words[n], "ed") {
		return append(slices.Clone(words[1:]), words[0])
	}
	return words
}

func spanNumbers(description string) func(*formats.Faker, Place) Window {
	if strings.Contains(description, "millisecond") {
		return between(20, 240_000).window
	}
	return between(30, 3600).window
}

// isCount reports whether the thing is nothing but numbers of what there is.
func (t Thing) isCount() bool { return t.is("count statistic stat total tally counter") }

func isShare(word string) bool { return share.Has(word) }

// share begins the names of percentages: percent_of_sales.
var share = naming.LazySet("percent percentage pct")

// maxDescription is how much of a description is read, in bytes: what comes later is about cases.
const maxDescription = 200

// counters are words that begin the names of counts.
var counters = strings.Fields("num total number max min count n")

// tallies are those of counters that begin nothing else.
var tallies = naming.LazySet("num nb nbr")

// milliseconds end the names of durations, and of times in milliseconds since 1970.
var milliseconds = naming.LazySet("ms millis milliseconds msec")

// hundredths end the names of amounts in the smallest unit of a currency.
var hundredths = naming.LazySet("cents cent minor pence")

// IsHundredth reports whether a word ends the names of amounts in the smallest unit of a currency.
func IsHundredth(word string) bool { return hundredths.Has(word) }

var (
	// ranges are how descriptions bound a number.
	ranges = lazyregexp.New(`(?:between|from|range(?: of| is| from|:)?|values?:?) \(?(-?\d{1,6}(?:\.\d+)?) ?(?:and|to|-|–|\.\.+) ?(-?\d{1,6}(?:\.\d+)?)\b` +
		`|[(\[](-?\d{1,6}(?:\.\d+)?) ?(?:to|-|–|\.\.+) ?(-?\d{1,6}(?:\.\d+)?)[)\]]`)
	// meanings are how they list what numbers stand for: "0 = open, 1 = closed".
	meanings = lazyregexp.New(`(?:^|[\s,;(:|])(\d{1,3}) ?(?:=|->|→|:|–|- |for ) ?["'\x60]?[a-z]`)
	// meant is the same the other way round: "open = 0, closed = 1".
	meant = lazyregexp.New(`[a-z]["'\x60]? ?= ?["'\x60]?(\d{1,3})\b`)
)

// numbersSaid returns the numbers that a description, in lower case, bounds or lists; nil if it does not.
func numbersSaid(description string) func(*formats.Faker, Place) Window {
	listed := meanings.Get().FindAllStringSubmatch(description, -1)
	if len(listed) < 2 {
		listed = meant.Get().FindAllStringSubmatch(description, -1)
	}
	if len(listed) > 1 {
		return func(f *formats.Faker, at Place) Window {
			n, _ := strconv.ParseInt(listed[f.Seed(at.Key).IntN(len(listed))][1], 10, 64)
			return Window{n, n, 1}
		}
	}
	found := ranges.Get().FindStringSubmatch(description)
	if found == nil {
		return nil
	}
	low, _ := strconv.ParseFloat(cmp.Or(found[1], found[3]), 64)
	high, _ := strconv.ParseFloat(cmp.Or(found[2], found[4]), 64)
	scale := 1.0
	if high-low <= 1 || strings.Contains(found[0], ".") {
		scale = 100
	}
	if high <= low {
		return nil
	}
	return scaled(int64(low*scale), int64(high*scale), int64(scale)).window
}
