package fields

import (
	"time"

	"github.com/coldframe/coldframe/internal/formats"
)

// slotTime returns when something that was arranged takes place: within two weeks after it was, on a quarter of an hour
// of the day.
func slotTime(f *formats.Faker, at Place) time.Time {
	arranged := EventTime(f, at, 1)
	f.Seed(at.decision(6))
	day := arranged.Truncate(24*time.Hour).AddDate(0, 0, 1+f.IntN(13))
	return day.Add(time.Duration(8*4+f.IntN(10*4)) * 15 * time.Minute)
}

func slotText(f *formats.Faker, at Place, format string) string {
	return slotTime(f, at).Format(layout(format, time.RFC3339))
}

func slotNumbers(f *formats.Faker, at Place) Window {
	t := slotTime(f, at).Unix()
	return Window{t, t, 1}
}

// doors is an hour before.
func doors(f *formats.Faker, at Place, format string) string {
	return slotTime(f, at).Add(-time.Hour).Format(layout(format, time.RFC3339))
}

// bedtime is late on the day before.
func bedtime(f *formats.Faker, at Place, format string) string {
	day := slotTime(f, at).Truncate(24 * time.Hour)
	return day.Add(time.Duration(21*4+f.IntN(12)) * 15 * time.Minute).Format(layout(format, time.RFC3339))
}

func slot(under, names string) rule {
	return rule{names: names, under: under, formats: "date date-time", texts: Maker(slotText),
		numbers: windows(slotNumbers), units: true}
}

// arranged are things that take place at a time of their own, for some hours.
const arranged = "event flight trip journey leg segment stop shift lesson class exam appointment showing session " +
	"workout activity sleep visit ride game match course screening openhouse timeslot hearing interview " +
	"consultation fixture inspection"

// brief is work of machines and talks.
const brief = "stream broadcast playback run build pipeline execution deployment call chat conversation " +
	"scan import export sync " +
	"backup crawl query check maintenance"

// past is a date some years ago.
type past struct{ from, to int }

func (p past) makers([]string, Thing) []Maker {
	return []Maker{func(f *formats.Faker, at Place, format string) string {
		f.Seed(at.decision(7))
		return f.Epoch().AddDate(-p.from-f.IntN(p.to-p.from), 0, f.IntN(365)).Format(layout(format, time.DateOnly))
	}}
}

// coming is a date in some years.
func coming(from, to int) past { return past{-to, -from} }

// schedule are rules for times that are arranged and for dates that are years away.
var schedule = []rule{
	slot("", "startsat scheduledfor scheduledat scheduledstart scheduledtime scheduleddate scheduleddeparture departuretime departureat departsat "+
		"departure departuredate appointmenttime appointmentdate appointmentat plannedstart plannedarrival "+
		"meetingtime eventdate eventtime eventstart pickuptime pickupat pickupdate bookedfor reservedfor kickoff showtime eta estimatedarrival "+
		"estimatedreadyat scheduledarrival arrivaltime clockin timewindowstart slotstart windowstart reservationtime reservationdate checkin checkindate"),
	{names: "start from starttime begin", under: "lesson timetable timetableentry period", texts: together("08:00|08:50|09:55|10:45|11:40")},
	{names: "end to endtime", under: "lesson timetable timetableentry period", texts: together("08:45|09:35|10:40|11:30|12:25")},
	slot(arranged, "start startat starttime startdatetime begin begindate =date =datetime =time"),
	{names: "doorsopenat doorsopen doors doorstime", formats: "date-time", texts: Maker(doors)},
	{names: "bedtime sleepstart", formats: "date-time", texts: Maker(bedtime)},
	{names: "clockout waketime wakeuptime", formats: "date date-time", texts: Maker(slotText), numbers: windows(slotNumbers)},
	{names: "checkintime checkouttime doortime", texts: oneOf("15:00|14:00|11:00|10:30")},
	{names: "arrivaltime departuretime", under: "stoptime stop time departure arrival", texts: Maker(func(f *formats.Faker, at Place, _ string) string {
		return slotTime(f, at).Format("15:04:05")
	})},
	{names: "hiredate hiredon joindate joinedon dateofhire datehired membersince customersince tenantsince employedsince",
		formats: "date date-time", texts: past{1, 9}},
	{names: "startdate joinedat", under: "employee employment contract", formats: "date date-time", texts: past{1, 9}},
	{names: "passportexpiry passportexpirydate passportexpirationdate licenseexpiry licenceexpiry licenseexpirationdate licenseexpirydate " +
		"visaexpiry certificateexpiry certificationexpiry documentexpiry idexpiry registrationexpiry warrantyexpiry warrantyuntil",
		formats: "date date-time", texts: coming(1, 7)},
	{names: "graduationdate", formats: "date date-time", texts: past{2, 20}},
	{names: "birthyear", numbers: between(1958, 2004), texts: oneOf("1968|1975|1983|1990|1999")},
}
