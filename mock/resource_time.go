package mock

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/spec"
)

// calendarBegins is when the clock of every session begins: after all times
// that are generated (internal/generate), so that what is made is the newest.
var calendarBegins = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// changeTime is the time of the change that the request makes. A session has a
// clock of its own, which goes on by a second with each change: the same
// requests get the same times from every copy of the mock. Dynamic values have
// the time of day.
func (x *visit) changeTime() time.Time {
	if x.dynamic() {
		return x.options.Clock().UTC().Truncate(time.Millisecond)
	}
	if x.changedAt.IsZero() {
		x.changedAt = calendarBegins.Add(time.Duration(x.session.State.Tick()) * time.Second)
	}
	return x.changedAt
}

// touchTimes sets the times of an item that changes. old is what it was, or
// nil. An item is never older than what was made before it, nor changed before
// it was made, also where a client or an example says when that was.
func (x *visit) touchTimes(k *keeping, item, old map[string]any, isNew bool) {
	if k.Created == "" && k.Updated == "" {
		return
	}
	now := x.changeTime()
	if k.Created != "" {
		if made, ok := old[k.Created]; ok && !isNew {
			item[k.Created] = made
		} else if _, sent := item[k.Created]; !sent || isNew && k.servers(k.Created) {
			k.setTime(item, k.Created, now)
		}
	}
	if k.Updated == "" {
		return
	}
	if before, ok := asTime(old[k.Updated]); ok && !isNew && !before.Before(now) {
		now = before.Add(time.Second)
	}
	if made, ok := asTime(item[k.Created]); ok && k.Created != "" && made.After(now) {
		now = made
	}
	if value := item[k.Updated]; value == nil || k.servers(k.Updated) || old != nil && jsonvalue.Equals(value, old[k.Updated]) {
		k.setTime(item, k.Updated, now)
	}
}

// setTime sets a property to a time, as the document writes times. Where it
// takes none, it is left alone.
func (k *keeping) setTime(item map[string]any, name string, at time.Time) {
	schema := k.listed[name]
	for _, candidate := range []any{
		at.Format(time.RFC3339Nano), at.Format(time.DateOnly), json.Number(strconv.FormatInt(at.Unix(), 10)),
	} {
		if schema == nil || spec.Conforms(schema, candidate) {
			item[name] = candidate
			return
		}
	}
}

// milliseconds is the least number that is taken for milliseconds since 1970
// and not for seconds: the year 5138.
const milliseconds = 100_000_000_000

// asTime reads a time as setTime writes it, or in milliseconds.
func asTime(value any) (time.Time, bool) {
	switch v := value.(type) {
	case string:
		for _, form := range []string{time.RFC3339Nano, time.DateOnly} {
			if at, err := time.Parse(form, v); err == nil {
				return at, true
			}
		}
	case json.Number:
		if n, err := v.Int64(); err == nil {
			if n >= milliseconds {
				return time.UnixMilli(n), true
			}
			return time.Unix(n, 0), true
		}
	}
	return time.Time{}, false
}

// lastModified is the time of an item's last change: what it says itself, or
// else by its version.
func (k *keeping) lastModified(item stored) (time.Time, bool) {
	for _, name := range []string{k.Updated, k.Created} {
		if at, ok := asTime(item.value[name]); ok && name != "" {
			return at, true
		}
	}
	return calendarBegins.Add(time.Duration(item.version) * time.Second), item.version > 0
}

// touch sets the times and the version of an item that changes. old is what it
// was, or nil.
func (x *visit) touch(k *keeping, item, old map[string]any, isNew bool) {
	x.touchTimes(k, item, old, isNew)
	if k.Version == "" {
		return
	}
	next := json.Number("1")
	switch v := old[k.Version].(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			next = json.Number(strconv.FormatInt(n+1, 10))
		}
	case string:
		if n, err := strconv.ParseInt(v, 10, 64); err == nil {
			next = json.Number(strconv.FormatInt(n+1, 10))
		}
	}
	if typed, ok := asTyped(next, k.listed[k.Version]); ok && k.listed[k.Version] != nil {
		item[k.Version] = typed
	}
}
