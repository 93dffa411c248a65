package decode

import "sync"

// eventFields are the members of an item that is a server-sent event (OpenAPI
// 3.2 section 4.14.4.3), in the order in which they are written.
var eventFields = [...]string{"event", "id", "retry", "data"}

func isEventField(name string) bool {
	for _, field := range eventFields {
		if field == name {
			return true
		}
	}
	return false
}

// eventForm says how the items of a stream of events are written.
type eventForm struct {
	item *shape
	data *shape
	// payload: the itemSchema describes the data of the events rather than the
	// events, as it lists other properties than theirs or is about no object.
	payload bool
}

func (e *entry) newEventForm() *eventForm {
	if e.media.Item == nil {
		item := e.shape().item(0)
		return &eventForm{item: item, data: item.property("data")}
	}
	f := &eventForm{item: shapeOf(e.media.Item)}
	f.data = f.item.property("data")
	f.payload = !f.item.kinds.has(kindObject)
	properties := e.media.Item.Properties()
	if _, ok := properties["data"]; !ok {
		for name := range properties {
			f.payload = f.payload || !isEventField(name)
		}
	}
	return f
}

// eventForm is only made for streams of events.
func eventFormOf(e *entry) func() *eventForm { return sync.OnceValue(e.newEventForm) }

// event gives the event that an item is written as.
func (f *eventForm) event(item any) map[string]any {
	event, ok := item.(map[string]any)
	ok = ok && len(event) > 0 && !f.payload
	for name := range event {
		ok = ok && isEventField(name)
	}
	if ok {
		return event
	}
	return map[string]any{"data": item}
}

// value gives the item that an event was written from.
func (f *eventForm) value(event map[string]any) any {
	data, ok := event["data"].(string)
	switch {
	case ok && f.payload && f.item.kinds == kindAny:
		if value, wrong := decodeJSON(data); wrong == nil {
			return value
		}
		return data
	case ok && f.payload:
		return f.item.nested(data)
	case ok:
		event["data"] = f.data.nested(data)
	}
	return event
}
