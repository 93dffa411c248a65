package fields

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/naming"
)

// EventTime returns the time of the n-th event in the life of the surrounding
// object: creation is the first, updates come later.
func EventTime(f *formats.Faker, at Place, n int) time.Time {
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
	return func(f *formats.Faker, at Place, format string) string {
		return EventTime(f, at, event).Format(layout(format, usual[0]))
	}
}

// laidOut writes a date as a layout says, by another maker where a text is none.
func laidOut(write, otherwise Maker, as string) Maker {
	return func(f *formats.Faker, at Place, format string) string {
		text := write(f, at, "")
		for _, known := range []string{time.RFC3339, time.DateOnly} {
			if t, err := time.Parse(known, text); err == nil {
				return t.Format(layout(format, as))
			}
		}
		return otherwise(f, at, format)
	}
}

// eventTexts are the time of the event of which the property's words speak, in some layouts. Default: RFC 3339.
type eventTexts []string

func (layouts eventTexts) makers(words []string, _ Thing) (all []Maker) {
	if len(layouts) == 0 {
		return []Maker{eventText(eventOf(words))}
	}
	for _, layout := range layouts {
		all = append(all, eventText(eventOf(words), layout))
	}
	return all
}

// unixTexts are the same in so many units a second.
type unixTexts int64

func (perSecond unixTexts) makers(words []string, _ Thing) []Maker {
	return []Maker{unixText(eventOf(words), int64(perSecond))}
}

// evented is the time of the n-th event in a layout.
type evented struct {
	n      int
	layout string
}

func (e evented) makers([]string, Thing) []Maker { return []Maker{eventText(e.n, e.layout)} }

// moment is the time of the n-th event.
type moment int

func (n moment) makers([]string, Thing) []Maker {
	return []Maker{eventText(int(n)), eventText(int(n), time.DateOnly), unixText(int(n), 1)}
}

func (n moment) window(f *formats.Faker, at Place) Window { return unix(int(n), 1)(f, at) }

// unix suggests the time of an event in so many units a second.
func unix(event int, perSecond int64) func(*formats.Faker, Place) Window {
	return func(f *formats.Faker, at Place) Window {
		t := EventTime(f, at, event).Unix() * perSecond
		return Window{t, t, 1}
	}
}

func unixText(event int, perSecond int64) Maker {
	return func(f *formats.Faker, at Place, format string) string {
		if format == "date" || format == "date-time" {
			return eventText(event)(f, at, format)
		}
		return strconv.FormatInt(EventTime(f, at, event).Unix()*perSecond, 10)
	}
}

func event(n int, names, phrases string) rule {
	return rule{names: names, phrases: phrases, formats: "date date-time",
		texts: moment(n), numbers: moment(n), units: true}
}

// The words of the names of events, by when they happen.
var (
	laterEvents = naming.LazySet(`updated update modified modification changed change edited end ends ended ending completed completion finished
		closed close merged pushed last approved accepted paid delivered received activity seen used shipped processed resolved until to
		published release confirmed captured settled returned refunded solved expected answered collected harvested reviewed rejected declined withdrawn acknowledged inspected examined stopped abandoned synced sync reported repaired picked decided acked executed scanned sold departed closes ends`)
	lastEvents = naming.LazySet(`deleted delete expires expire expired expiry expiration archived due next cancelled canceled revoked
		banned terminated removed disabled suspended renewal deadline target`)
	timeEndings = naming.LazySet(`at date datetime timestamp time on utc since until dates dt expires expiry expiration`)
	// happenings are nouns of what happens again and again: last_run.
	happenings = naming.LazySet(`run login sync visit ping backup scan build check order payment contact report reading heartbeat service maintenance`)
	// over are participles that end the names of times: plan_started.
	over = naming.LazySet("started ended renewed installed")
	// periods are what has a start and an end.
	periods = naming.LazySet("period cycle term contract subscription trial season shift billing")
	// dated end the names of what is about dates and is none: date_format.
	dated = naming.LazySet(`format formats range ranges type types field fields picker style pattern filter key keys column columns name label timezone zone unit mode id ids
		mask separator order sort count precision value values by string str text`)
	// validity stands before "after" and "before" in the names of times.
	validity = naming.LazySet(`valid not created updated modified available active visible published hidden`)
	// notTimes end like the times of events and are none.
	notTimes = naming.LazySet(`based depends acts focus go sign log add opt carry format what look`)
)

// isMoment reports whether a name's words are those of the time of an event.
func isMoment(words []string) bool {
	if len(words) < 2 {
		return false
	}
	last, before := words[len(words)-1], words[len(words)-2]
	if over.Has(last) || (last == "start" || last == "end") && periods.Has(before) {
		return true
	}
	if words[0] == "date" && !dated.Has(last) || (last == "after" || last == "before") && validity.Has(before) {
		return true
	}
	if last == "at" || last == "on" {
		return !notTimes.Has(before)
	}
	if last == "date" && before == "to" {
		return false // amounts to date
	}
	return timeEndings.Has(last) || words[0] == "last" && (laterEvents.Has(last) || doings.Has(last) ||
		strings.HasSuffix(last, "ed") || happenings.Has(last))
}

// eventOf returns the event that a name's words speak of.
func eventOf(words []string) int {
	switch {
	case slices.ContainsFunc(words, func(w string) bool { return lastEvents.Has(w) }):
		return 3
	case slices.ContainsFunc(words, func(w string) bool { return laterEvents.Has(w) }):
		return 2
	}
	return 1
}

// spanWords stand before or behind "time" where that is how long something takes: estimated_time, time_left.
var spanWords = naming.LazySet(`estimated elapsed waiting wait travel travelling transit processing response execution exec running run cook cooking prep
	preparation lead delay load loading build total average avg mean idle cpu play playing watch watching reading drive driving walking walk flight
	remaining turnaround handling queue session compute computing up down hold ring talk render rendering generation query left taken spent saved
	charging charge drying setup changeover reaction recovery rest`)

// isSpan reports whether a name's words are those of how long something takes.
func isSpan(words []string) bool {
	n := len(words) - 1
	if n < 1 {
		return false
	}
	ends := words[n] == "time" && (spanWords.Has(words[n-1]) || words[0] == "estimated")
	return ends || words[n-1] == "time" && spanWords.Has(words[n])
}

// spanSaid is how descriptions of how long something takes begin.
var spanSaid = lazyregexp.New(`^(?:the )?(?:(?:average|total|mean|maximum|minimum|elapsed) time|amount of time|time (?:required|taken|spent|needed))\b`)

// spans write how long something takes.
func spans() []Maker {
	return []Maker{writing(func(f *formats.Faker) string { return strconv.Itoa(5+5*f.IntN(10)) + " min" })}
}

// layouts are the ways to write a time that descriptions name, the longest first.
var layouts = [][2]string{
	{"yyyy-mm-dd hh:mm:ss", time.DateTime}, {"yyyy/mm/dd hh:mm:ss", "2006/01/02 15:04:05"}, {"dd/mm/yyyy hh:mm:ss", "02/01/2006 15:04:05"},
	{"mm/dd/yyyy hh:mm:ss", "01/02/2006 15:04:05"}, {"dd-mm-yyyy hh:mm:ss", "02-01-2006 15:04:05"}, {"dd.mm.yyyy hh:mm:ss", "02.01.2006 15:04:05"},
	{"yyyy-mm-dd hh:mm", "2006-01-02 15:04"}, {"dd/mm/yyyy hh:mm", "02/01/2006 15:04"}, {"mm/dd/yyyy hh:mm", "01/02/2006 15:04"},
	{"yyyymmddhhmmss", "20060102150405"}, {"yyyy-mm-ddthh:mm:ss", time.RFC3339}, {"yyyy-mm-dd", time.DateOnly}, {"yyyymmdd", "20060102"}, {"yyyy/mm/dd", "2006/01/02"},
	{"dd/mm/yyyy", "02/01/2006"}, {"mm/dd/yyyy", "01/02/2006"}, {"dd-mm-yyyy", "02-01-2006"}, {"mm-dd-yyyy", "01-02-2006"}, {"dd.mm.yyyy", "02.01.2006"},
	{"ddmmyyyy", "02012006"}, {"yymmdd", "060102"}, {"mm/yyyy", "01/2006"}, {"mm/yy", "01/06"}, {"yyyy-mm", "2006-01"}, {"hh:mm:ss", time.TimeOnly}, {"hh:mm", "15:04"},
}

// layoutSaid returns the way to write a time that a description, in lower case, names; "" for none.
func layoutSaid(description string) string {
	for _, row := range layouts {
		if strings.Contains(description, row[0]) {
			return row[1]
		}
	}
	return ""
}

func clock(f *formats.Faker) string {
	return strings.TrimSuffix(pattern("1#:#0")(f)[:3]+pick(f, "00", "15", "30", "45"), " ")
}

func weekday([]string, Thing) []Maker {
	return inLocale((*locales.Locale).Weekdays, "Monday|Tuesday|Wednesday|Thursday|Friday")
}

var times = []rule{
	event(1, "createdat =created createdon createddate createtime datecreated creationdate creationtime "+
		"createddatetime startdate "+
		"starttime startedat startat orderdate registeredat publishedat timestamp =date datetime issuedat begin "+
		"begindate validfrom "+
		"fromdate datelocal dateutc createddateutc =start =since =from2 hireddate hiredate", ""),
	event(1, "=joined =registered =paired =installed =subscribed =enrolled", ""),
	event(2, "updatedat =updated updatedon updateddate updatetime dateupdated =modified modifiedat modifiedon "+
		"lastmodified lastupdated "+
		"lastmodifiedat lastupdate lastchange pushedat updateddatetime updateddateutc enddate endtime endedat endat completedat "+
		"finishedat closedat mergedat todate validto "+
		"validuntil lastseen lastlogin lastactivity lastused lastactive releasedate publishdate "+
		"publicationdate", ""),
	event(3, "deletedat deletedon expiresat =expires expirydate expirationdate expireson =archivedat duedate "+
		"duetime dueat shipdate "+
		"deliverydate =expiration =expiry expiresatutc deadline nextrun nextpaymentdate renewaldate", ""),
	{names: "unixmilliseconds unixms timestampms epochmillis epochms =timems", phrases: "unix timestamp in " +
		"milliseconds|unix time in milliseconds|" +
		"milliseconds since|epoch milliseconds|epoch millis|unix milliseconds|timestamp in milliseconds|epoch " +
		"in milliseconds|ms since",
		unix: 1000, texts: unixTexts(1000), formats: "int64 date date-time"},
	{names: "unixtime unixtimestamp unixseconds dateunix epochseconds =epoch unix", phrases: "unix time|unix " +
		"timestamp|unix epoch|epoch time|seconds since|epoch seconds|" +
		"in unix|posix time|since the epoch", unix: 1, texts: unixTexts(1), formats: "int64 date date-time"},
	{names: "iso8601", phrases: "iso 8601|iso8601|iso-8601|rfc 3339|rfc3339|utc time|date and time|yyyy-mm-ddt|" +
		"timestamp", formats: "date date-time", texts: eventTexts{time.RFC3339, time.DateOnly}},
	{names: "isodate", phrases: "yyyy-mm-dd", formats: "date date-time", texts: eventTexts{time.DateOnly}},
	{names: "firstflight", formats: "date date-time", texts: evented{1, time.DateOnly}},
	{names: "timeofday opentime closetime openingtime closingtime localtime startlocaltime endlocaltime " +
		"starthour endhour", phrases: "hh:mm",
		texts: several{writes(clock), writes(func(f *formats.Faker) string { return clock(f) + ":00" })}},
	{names: "=time", texts: several{evented{1, time.RFC3339}, writes(clock)}, formats: "date date-time",
		numbers: moment(1), units: true},
	{names: "year releaseyear yearofbirth modelyear founded foundedyear", numbers: between(1998, 2025),
		texts: patterns("20##")},
	{names: "month birthmonth", numbers: between(1, 12), texts: oneOf("2025-03|2025-06|2025-09|2025-11")},
	{names: "day dayofmonth", numbers: between(1, 28), texts: made(weekday)},
	{names: "offset", under: "timezone tz zone", texts: oneOf("+02:00|+01:00|+00:00|-05:00|+09:00")},
	{names: "utcoffset rawoffset dstoffset gmtoffset timezoneoffset tzoffset offsetfromutc", texts: oneOf("+02:00|+01:00|+00:00|-05:00|+09:00"),
		numbers: windows(func(f *formats.Faker, at Place) Window {
			n := int64([]int{0, 3600, 7200, -18000, 32400}[f.Seed(at.Key).IntN(5)])
			return Window{n, n, 1}
		})},
	{names: "weekday dayofweek days", texts: made(weekday),
		numbers: between(1, 7)},
	{names: "hour hours hourofday", numbers: between(1, 23), texts: oneOf("Mon-Fri 9:00-18:00|Daily 8:00-20:00|" +
		"Mon-Sat 10:00-19:00")},
	{names: "week weeks", numbers: between(1, 52), texts: oneOf("2025-W12|2025-W27|2025-W41")},
	{names: "quarter", numbers: between(1, 4), texts: oneOf("2025-Q1|2025-Q2|2025-Q3|2025-Q4")},
	{names: "days dayscount", numbers: between(1, 60)},
	{names: "schedule cron crontab cronexpression cronschedule", texts: oneOf("0 6 * * *|*/15 * * * *|0 0 * * 1|30 22 * " +
		"* 5")},
	{names: "period billingperiod billinginterval cadence recurrence frequency =interval granularity " +
		"billingcycle intervalunit", texts: oneOf("monthly|weekly|daily|yearly")},
	{names: "duration elapsed elapsedtime =runtime timeout ttl", phrases: "iso 8601 duration|iso8601 duration",
		formats: "duration",
		texts:   several{writes(func(f *formats.Faker) string { return "PT" + strconv.Itoa(5+5*f.IntN(10)) + "M" }), patterns("3#m")}},
}
