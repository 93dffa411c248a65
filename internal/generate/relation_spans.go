package generate

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	durationNames = "duration durationminutes durationmins durationseconds durationhours durationms durationdays " +
		"estimatedduration estimateddurationminutes totalminutes lengthminutes minutes nights numberofnights nightcount " +
		"numberofdays totaldays rentaldays daysrequested leavedays hoursworked totalhours hours flighttime"
	beginNames = "start@ starts@ started@ begin@ begins@ checkin@ checkin departure@ departure departs@ " +
		"scheduleddeparture clockin@ clockin punchin@ bedtime pickup@ from@ fromdate plannedstart plannedstart@ start begin"
	finishNames = "end@ ends@ ended@ finish@ finishes@ finished@ checkout@ checkout arrival@ arrival arrives@ " +
		"scheduledarrival clockout@ clockout punchout@ waketime " +
		"wakeuptime@ dropoff@ return@ returned@ to@ todate plannedend plannedend@ end"
)

// spanRelations give what lasts a time an end that follows from it.
var spanRelations = append([]relation{
	{parts: []string{durationNames, beginNames, finishNames}, apply: setSpan},
	{parts: []string{"clockout@ clockout punchout@", "clockin@ clockin punchin@", "?" + durationNames}, apply: shorten},
	{parts: []string{"waketime wakeuptime@", "bedtime", "?" + durationNames}, apply: shorten},
	{parts: []string{"time starttime endtime", "date@ date bookingdate reservationdate eventdate"}, apply: onlyClock},
	{parts: []string{"checkout@ checkout", "checkin@ checkin", "?" + durationNames}, apply: shorten},
}, slices.Concat(
	twinRows(shortenTwin, "start end", "starts ends", "started ended", "started finished", "started completed", "start finish", "begin end", "begins ends", "departure arrival", "departs arrives", "arrived departed",
		"pickup dropoff", "from until", "from to", "open close", "opens closes"),
	twinRows(follow, "scheduled actual", "planned actual", "scheduled estimated"),
	twinRows(nextYear, "effective expiry", "effective expiration", "effective expires", "effective renewal"),
)...)

// spanUnit is what a duration counts, by its name: 0 if it does not say.
func spanUnit(words []string) time.Duration {
	for _, w := range slices.Backward(words) {
		switch w {
		case "seconds", "secs", "sec":
			return time.Second
		case "minutes", "mins", "min":
			return time.Minute
		case "hours":
			return time.Hour
		case "nights", "night", "days":
			return 24 * time.Hour
		case "ms", "millis", "milliseconds":
			return time.Millisecond
		}
	}
	return 0
}

// setSpan has a thing end when its duration is over; where the end was sent, the duration is what lies between.
func setSpan(m *members) {
	unit := spanUnit(m.plan(0).words)
	begin, _, ok := ReadTime(m.value(1))
	end, write, both := ReadTime(m.value(2))
	length, counted := numberOf(m.value(0))
	if unit == 0 || !ok || !both || !counted {
		return
	}
	isDate := !strings.Contains(m.text(2), ":") && m.text(2) != ""
	if isDate && unit < 24*time.Hour {
		return
	}
	over := begin.Add(time.Duration(length * float64(unit)))
	if length > 0 && length < 1e6 && m.set(2, write(over)) {
		return
	}
	if span := float64(end.Sub(begin)) / float64(unit); span > 0 {
		m.set(0, json.Number(strconv.FormatFloat(math.Round(span), 'f', 0, 64)))
	}
}

// shortenTwin ends what takes place for some hours within these.
func shortenTwin(m *members) {
	name := m.plan(1).words
	if slices.Contains(name, "period") {
		setPeriod(m)
		return
	}
	short := []string{"arrival", "arrives", "departed", "dropoff", "window", "slot"}
	isShort := slices.ContainsFunc(short, func(w string) bool {
		return slices.Contains(name, w)
	})
	if isShort || m.sh.object.about.IsBrief() {
		m.parts = []int{m.parts[1], m.parts[0], -1}
		shorten(m)
	}
}

// setPeriod has a period of dates be a month.
func setPeriod(m *members) {
	begin, _, ok := ReadTime(m.value(0))
	end, write, both := ReadTime(m.value(1))
	if ok && both && (end.Sub(begin) > 92*24*time.Hour || end.Sub(begin) < 6*24*time.Hour) {
		m.set(1, write(begin.AddDate(0, 1, -1)))
	}
}

// shorten ends what begins at part 1 within some hours, or days where there are dates, unless part 2 says how long it
// takes.
func shorten(m *members) {
	begin, _, ok := ReadTime(m.value(1))
	end, write, both := ReadTime(m.value(0))
	if !ok || !both || m.isSent(0) || m.has(2) && spanUnit(m.plan(2).words) > 0 {
		return
	}
	key, span := m.at.key.at(41), end.Sub(begin)
	if text := m.text(0); text != "" && !strings.Contains(text, ":") {
		if span <= 0 || span > 14*24*time.Hour {
			m.set(0, write(begin.AddDate(0, 0, 1+key.intN(6))))
		}
		return
	}
	if span <= 0 || span > 9*time.Hour {
		least := 2 // in quarters of an hour
		if name := strings.ToLower(m.plan(0).name); strings.Contains(name, "wake") || strings.HasPrefix(name, "clock") {
			least = 26
		}
		m.set(0, write(begin.Add(time.Duration(least+key.intN(9))*15*time.Minute)))
	}
}

// onlyClock leaves the hours of a text whose date stands beside it.
func onlyClock(m *members) {
	isDate := m.text(1) != "" && !strings.Contains(m.text(1), ":")
	if at, _, ok := ReadTime(m.value(0)); ok && strings.Contains(m.text(0), "T") && isDate {
		m.set(0, at.Format("15:04"))
	}
}

// follow has what happened follow what was planned by some minutes.
func follow(m *members) {
	planned, _, ok := ReadTime(m.value(0))
	_, write, both := ReadTime(m.value(1))
	if ok && both {
		m.set(1, write(planned.Add(time.Duration(m.at.key.at(43).intN(24))*time.Minute)))
	}
}

// nextYear has a contract end a year after it takes effect.
func nextYear(m *members) {
	begin, _, ok := ReadTime(m.value(0))
	_, write, both := ReadTime(m.value(1))
	if ok && both {
		m.set(1, write(begin.AddDate(1, 0, 0)))
	}
}
