package fields

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
)

// EventTime returns the time of the n-th event in the life of the surrounding
// object: creation is the first, updates come later.
func EventTime(f *formats.Faker, at Context, n int) time.Time {
	f.Seed(at.decision(2))
	t := f.Epoch().Add(time.Duration(f.IntN(300*24*3600)) * time.Second)
	for range n - 1 {
		t = t.Add(time.Duration(1+f.IntN(20*24*3600)) * time.Second)
	}
	return t
}

var timeFormats = []string{"date", "date-time"}

func layout(format, usual string) string {
	switch format {
	case "date":
		return time.DateOnly
	case "date-time":
		return time.RFC3339
	}
	return usual
}

func eventText(event int, usual ...string) Maker {
	usual = append(usual, time.RFC3339)
	return func(f *formats.Faker, at Context, format string) string {
		return EventTime(f, at, event).Format(layout(format, usual[0]))
	}
}

// moment is the time of the n-th event.
type moment int

func (n moment) makers([]string, Thing) []Maker {
	return []Maker{eventText(int(n)), eventText(int(n), time.DateOnly), unixText(int(n), 1)}
}

func (n moment) window(f *formats.Faker, at Context) Window { return unix(int(n), 1)(f, at) }

// unix suggests the time of an event in so many units a second.
func unix(event int, perSecond int64) func(*formats.Faker, Context) Window {
	return func(f *formats.Faker, at Context) Window {
		t := EventTime(f, at, event).Unix() * perSecond
		return Window{t, t, 1}
	}
}

func unixText(event int, perSecond int64) Maker {
	return func(f *formats.Faker, at Context, format string) string {
		if format == "date" || format == "date-time" {
			return eventText(event)(f, at, format)
		}
		return strconv.FormatInt(EventTime(f, at, event).Unix()*perSecond, 10)
	}
}

// isMoment reports whether a name's words say the time of an event: created_at, date_created, last_updated.
func isMoment(words []string) bool {
	n := len(words) - 1
	if n < 1 {
		return false
	}
	last, before := words[n], words[n-1]
	switch {
	case last == "at" || last == "on":
		return !is(before, "not-time")
	case last == "date" && before == "to":
		return false // amounts to date
	case last == "time":
		return isEvent(before) // response_time is none
	case is(words[0], "event-start"):
		return is(last, "time") || isEvent(last) || strings.HasSuffix(last, "ed")
	}
	return is(last, "time")
}

// isEvent reports whether a word is of something that happens to a thing.
func isEvent(word string) bool {
	return is(word, "created") || is(word, "changed") || is(word, "ended")
}

// eventOf returns the event that a name's words speak of, as EventTime counts them.
func eventOf(words []string) int {
	switch {
	case anyIs(words, "ended"):
		return 3
	case anyIs(words, "changed"):
		return 2
	}
	return 1
}

// IsCreation reports whether a name's words say when the object began.
func IsCreation(words []string) bool {
	return anyIs(words, "created") && eventOf(words) == 1 && (len(words) == 1 || isMoment(words))
}

// EventOf returns the event whose time a name's words describe, as a number of EventTime; 0 if none.
func EventOf(words []string) int {
	if isMoment(words) || len(words) == 1 && isEvent(words[0]) {
		return eventOf(words)
	}
	return 0
}

// layOut writes times in the unit or layout that the description states, and otherwise leaves the hours out of what is
// called a date.
func (h *Hint) layOut(words []string, unit *unit) {
	if !slices.Contains(h.Formats, "date") {
		return
	}
	switch {
	case unit != nil && unit.kind == "unix":
		h.Texts = []Maker{unixText(eventOf(words), parseScaled(unit.value))}
		h.Formats = []string{"int64", "date", "date-time"}
	case unit != nil && unit.kind == "layout":
		write, as := h.Texts[0], unit.value
		h.Texts = slices.Insert(slices.Clip(h.Texts), 0, func(f *formats.Faker, at Context, format string) string {
			if t, err := time.Parse(time.RFC3339, write(f, at, "date-time")); err == nil {
				return t.Format(layout(format, as))
			}
			return write(f, at, format)
		})
	default:
		h.preferDate(words)
	}
}

// preferDate leaves the hours out of what is called a date if no format asks for them.
func (h *Hint) preferDate(words []string) {
	if last := len(words) - 1; last > 0 && (words[last] == "date" || words[last] == "on") {
		write := h.Texts[0]
		h.Texts = slices.Insert(slices.Clip(h.Texts), 0, func(f *formats.Faker, at Context, format string) string {
			return write(f, at, cmp.Or(format, "date"))
		})
	}
}

func clock(f *formats.Faker) string {
	return pattern("1#:")(f) + pickFrom(f, "quarter-hour")
}

func isoSpan(f *formats.Faker) string { return "PT" + strconv.Itoa(5+5*f.IntN(10)) + "M" }

func weekday([]string, Thing) []Maker {
	return inLocale((*locales.Locale).Weekdays, written("weekdays"))
}
