package resources

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// clockStart is when a session's own clock starts: after all generated times (internal/generate), so that created items
// are the newest.
var clockStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// now is the time of the change that the request makes.
func (q *Request) now() time.Time {
	if q.changedAt.IsZero() {
		q.changedAt = q.set.now(q.Session, q.Dynamic)
	}
	return q.changedAt
}

// now returns the time of a change: the time of Options.Clock with Options.ByClock and for dynamic values. Otherwise a
// session has a clock of its own, which advances by a second with each change, so the same requests get the same times
// from every copy of the mock. Clients may move both clocks.
func (s *Set) now(in *state.State, dynamic bool) time.Time {
	return s.timeAt(in, dynamic, (*state.State).Tick)
}

// Now returns the time of the last change.
func (s *Set) Now(in *state.State, dynamic bool) time.Time {
	return s.timeAt(in, dynamic, (*state.State).Ticks)
}

func (s *Set) timeAt(in *state.State, dynamic bool, ticks func(*state.State) uint64) time.Time {
	moved := in.Clock().Ahead()
	if dynamic || s.options.ByClock {
		at := s.options.Clock().Add(moved).UTC()
		if short := at.Truncate(time.Millisecond); short.Nanosecond() != 0 || short.Equal(at) {
			return short
		}
		return at.Truncate(time.Millisecond).Add(time.Millisecond) // times of a running clock are equally long as texts
	}
	return clockStart.Add(time.Duration(ticks(in))*time.Second + moved)
}

// setTimes sets the times and the version of an item that changes. old is what it was, or nil.
func setTimes(q *Request, item, old map[string]any, isNew bool) {
	k := q.op.runtime
	if k.Created != "" {
		if created, ok := old[k.Created]; ok && !isNew {
			item[k.Created] = created
		} else if _, sent := item[k.Created]; !sent || isNew && k.readOnly(k.Created) {
			k.setTime(item, k.Created, q.now())
		}
	}
	switch _, has := item[k.Updated]; {
	case k.Updated == "":
	case isNew && !has && k.IsOnlyChanged():
		item[k.Updated] = nil
	default:
		setUpdated(q, item, old, isNew)
	}
	if isNew {
		setOtherTimes(q, item)
	}
	if k.Version != "" {
		next := int64(1)
		if text, ok := jsonvalue.Text(old[k.Version]); ok {
			if n, err := strconv.ParseInt(text, 10, 64); err == nil {
				next = n + 1
			}
		}
		k.setVersion(item, next)
	}
}

// setStateTimes sets the times of states that an item comes to, and clears the times of states that it goes back from.
// old is the item before, nil for a new one. It returns the properties that it changed.
func (k *Runtime) setStateTimes(q *Request, item, old map[string]any) (changed []string) {
	for _, t := range k.stateTimes() {
		is, has := item[t.State]
		isGiven := !jsonvalue.Same(item[t.Property], old[t.Property])
		isSame := old != nil && jsonvalue.Same(is, old[t.State])
		if !has || isGiven || isSame || !k.isSetByServer(t.Property) {
			continue
		}
		switch {
		case jsonvalue.Same(is, t.Value):
			k.setTime(item, t.Property, q.now())
		case old == nil || !slices.ContainsFunc(t.Before, func(v any) bool { return jsonvalue.Same(is, v) }):
			continue
		case spec.Conforms(k.properties[t.Property], nil):
			item[t.Property] = nil
		case !k.Item.Requires()[t.Property]:
			delete(item, t.Property)
		}
		changed = append(changed, t.Property)
	}
	return changed
}

// moveEnds moves the end of what is given another start, if the request cannot say when it ends: it takes as long as
// before.
func (k *Runtime) moveEnds(q *Request, item, old map[string]any) {
	for start, end := range k.spans() {
		from, _, isFrom := generate.ReadTime(old[start])
		to, _, isTo := generate.ReadTime(item[start])
		until, write, isUntil := generate.ReadTime(item[end])
		isMoved := isFrom && isTo && isUntil && !from.Equal(to) && jsonvalue.Same(item[end], old[end])
		if isMoved && !q.op.request.sends(end) {
			item[end] = write(until.Add(to.Sub(from)))
		}
	}
}

// setUpdated sets the time of an item's last change. An item is never older than it was before it, nor
// changed before it was created, also if a client or an example says when that was.
func setUpdated(q *Request, item, old map[string]any, isNew bool) {
	k, now := q.op.runtime, q.now()
	if before, write, ok := generate.ReadTime(old[k.Updated]); ok && !isNew {
		now = after(before, now, write)
	}
	if created, _, ok := generate.ReadTime(item[k.Created]); ok && k.Created != "" && created.After(now) {
		now = created
	}
	value := item[k.Updated]
	if value == nil || k.readOnly(k.Updated) || old != nil && jsonvalue.Equals(value, old[k.Updated]) {
		k.setTime(item, k.Updated, now)
	}
}

// after returns now, or a later time if write does not show that it is after before: a millisecond later if write shows
// milliseconds, else a second.
func after(before, now time.Time, write func(time.Time) any) time.Time {
	if now.After(before) && write(now) != write(before) {
		return now
	}
	if next := before.Add(time.Millisecond); now.Nanosecond() != 0 && write(next) != write(before) {
		return next
	}
	return before.Add(time.Second)
}

// setOtherTimes sets the times of a new item's creation and last change under further names.
func setOtherTimes(q *Request, item map[string]any) {
	k := q.op.runtime
	for _, name := range k.begun {
		write := k.times()[name]
		if name == k.Created || name == k.Updated || write == nil {
			continue
		}
		if _, has := item[name]; !has && (!q.op.request.sends(name) || k.Item.Requires()[name]) {
			item[name] = write(q.now())
		}
	}
}

// timesOf returns how the document's values write the times of an item's creation and changes.
func timesOf(k *Runtime) map[string]func(time.Time) any {
	times := map[string]func(time.Time) any{}
	if k.Item == nil || len(k.begun) == 0 && k.Created == "" && k.Updated == "" {
		return times
	}
	sample, _ := k.Generate(generate.NewKey(0, "times", k.Name), nil)
	for _, name := range append([]string{k.Created, k.Updated}, k.begun...) {
		_, write, ok := generate.ReadTime(sample[name])
		if ok && spec.Conforms(k.properties[name], write(clockStart)) {
			times[name] = write
		}
	}
	return times
}

// setTime sets a property to a time, as the document writes times, if its schema allows a time.
func (k *Runtime) setTime(item map[string]any, name string, at time.Time) {
	if write := k.times()[name]; write != nil {
		item[name] = write(at)
		return
	}
	property := k.properties[name]
	for _, candidate := range []any{
		at.Format(time.RFC3339Nano), at.Format(time.DateOnly), json.Number(strconv.FormatInt(at.Unix(), 10)),
	} {
		if property == nil || spec.Conforms(property, candidate) {
			item[name] = candidate
			return
		}
	}
}

func (k *Runtime) setVersion(item map[string]any, version int64) {
	property := k.properties[k.Version]
	if property == nil {
		return
	}
	if typed, ok := respond.Typed(json.Number(strconv.FormatInt(version, 10)), property); ok {
		item[k.Version] = typed
	}
}

// lastModified returns the time of an item's last change: by its properties, or else by the clock, or by the item's
// version if a session has a clock of its own.
func (k *Runtime) lastModified(item Item, byClock bool) (time.Time, bool) {
	for _, name := range []string{k.Updated, k.Created} {
		if at, _, ok := generate.ReadTime(item.Value[name]); ok && name != "" {
			return at, true
		}
	}
	if item.encoded != nil && byClock {
		return item.encoded.Changed(), item.Version > 0
	}
	return clockStart.Add(time.Duration(item.Version) * time.Second), item.Version > 0
}
