package generate

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/jsonvalue"
)

const (
	createdNames = "created@ create@ creation@ " +
		"created creationdate creationtime createtime createdate createdtime inserted@ registered@ " +
		"joined@ opened@ placed@ ordered@ requested@ submitted@ queued@ reported@ checkedout@ borrowed@ " +
		"loaned@ issued@ planted@ sown@ documentdate " +
		"invoicedate orderdate"
	updatedNames = "updated@ updated updatedate updatetime modified@ modified modifieddate modifiedtime lastmodified " +
		"lastmodifiedat lastmodifieddate lastupdated lastupdatedat lastupdate changed@ edited@ pushed@ " +
		"lastactivityat"
	endedNames = "closed@ merged@ completed@ finished@ ended@ resolved@ cancelled@ canceled@ deleted@ archived@ " +
		"revoked@ delivered@ shipped@ fulfilled@ paid@ approved@ rejected@ failed@ refunded@ repaired@ " +
		"returned@ solved@ collected@ answered@ received@ harvested@ confirmed@ settled@ expected@ inspected@ processed@ " +
		"retired@ withdrawn@ verified@ signed@ reviewed@ removed@ resolutiondate"
	expiresNames = "expires expires@ expiry expirydate expirationdate expirationtime expiration expireson expiresat " +
		"expire@ due@ due validuntil validtill deadline"
)

// timeRelations put the times in the life of a thing into order.
var timeRelations = []relation{
	{parts: []string{updatedNames, createdNames}, apply: keepOrder},
	{parts: []string{"eta estimatedcompletion@", "completed completed@ finished@ delivered@"}, apply: follow},
	{parts: []string{"updated modified changed", "created"}, apply: orderEvents},
	{parts: []string{"started@ processed@ published@ sent@ accepted@", createdNames}, apply: keepOrder},
	{parts: []string{endedNames, createdNames}, apply: keepOrder},
	{parts: []string{endedNames, "started@ start@ begin@"}, apply: keepOrder},
	{parts: []string{"deleted@ archived@ closed@", updatedNames}, apply: keepOrder},
	{parts: []string{expiresNames, createdNames}, apply: keepOrder},
	{parts: []string{expiresNames, updatedNames}, apply: keepOrder},
	{parts: []string{expiresNames, "issued@ issued iat validfrom"}, apply: keepOrder},
	{parts: []string{"lastlogin@ lastlogin lastseen@ lastseen lastsignin@ lastactive@ lastused@ lastused", createdNames}, apply: keepOrder},
}

// timeLayouts are those of the times in texts, as far as no other may be meant.
var timeLayouts = []string{time.RFC3339Nano, time.DateOnly, time.RFC1123Z, time.RFC1123, time.DateTime, "2006-01-02T15:04:05", "2006-01-02 15:04", "2006/01/02",
	"02.01.2006", "20060102"}

// ReadTime reads a time as answers write it; write writes another in the same way.
func ReadTime(v any) (at time.Time, write func(time.Time) any, ok bool) {
	switch v := v.(type) {
	case string:
		for _, layout := range timeLayouts {
			if at, err := time.Parse(layout, v); err == nil {
				zone := at.Location()
				return at, func(t time.Time) any { return t.In(zone).Format(layout) }, true
			}
		}
	case json.Number:
		const earliest = 100_000_000 // 1973: smaller numbers are no times
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

// orderEvents is keepOrder for objects that say when it happened and who did it.
func orderEvents(m *members) {
	updated, _ := m.value(0).(map[string]any)
	created, _ := m.value(1).(map[string]any)
	for _, name := range []string{"at", "on", "date", "time", "timestamp"} {
		then, write, ok := ReadTime(updated[name])
		first, _, both := ReadTime(created[name])
		if ok && both && then.Before(first) {
			later := first.Truncate(time.Second).Add(time.Duration(1+m.at.key.at(63).intN(48)) * time.Hour)
			m.set(0, jsonvalue.WithMember(updated, name, write(later)))
		}
	}
}

// keepOrder moves the first part behind the second, or where it was sent, the second before the first.
func keepOrder(m *members) { m.order(1, 0) }

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
