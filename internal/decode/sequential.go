package decode

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
)

// lines reads JSON values, one a line, into a list. If the schema does not describe the list of all items (OpenAPI
// 3.2 section 4.14.4), it describes one item.
func (e *entry) lines(text string) (any, *fault) {
	list := []any{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.Trim(line, "\x1e\r\n\t ")
		if line == "" {
			continue
		}
		value, wrong := decodeJSON(line)
		if wrong != nil {
			wrong.pointer = "/" + strconv.Itoa(len(list)) + wrong.pointer
			wrong.message = strings.Replace(wrong.message, "at line 1,", "at line "+strconv.Itoa(number)+",", 1)
			return nil, wrong
		}
		list = append(list, value)
	}
	return e.alone(list), nil
}

// alone returns the only item of a list if the schema describes one item.
func (e *entry) alone(list []any) any {
	if len(list) == 1 && e.media.DescribesOne() {
		return list[0]
	}
	return list
}

func encodeLines(value any, sequence bool) []byte {
	var dst []byte
	for _, item := range listed(value) {
		if sequence {
			dst = append(dst, 0x1e)
		}
		dst = append(jsontext.Append(dst, item), '\n')
	}
	return dst
}

// eventFields are the members of a server-sent event (OpenAPI 3.2 section 4.14.4.3), in the order of writing.
var eventFields = []string{"event", "id", "retry", "data"}

// eventForm describes how the items of a stream are represented as events.
type eventForm struct {
	item shape
	data shape
	// payload is set if the itemSchema describes the data of the events rather than the events: it lists other
	// properties, or is not an object.
	payload bool
}

func newEventForm(e *entry) *eventForm {
	f := &eventForm{item: e.shape().item(0)}
	item := e.media.Item
	if e.media.DescribesOne() {
		item = e.media.Schema
	}
	if item != nil {
		f.item = shapeOf(item)
		properties := item.Properties()
		isOther := func(name string) bool { return !slices.Contains(eventFields, name) }
		f.payload = !f.item.has(schema.Object) ||
			properties["data"] == nil && slices.ContainsFunc(slices.Collect(maps.Keys(properties)), isOther)
	}
	f.data = f.item.property("data")
	return f
}

// decode reads server-sent events (WHATWG HTML section 9.2.6). Items are objects with the members data, event, id and
// retry, or, with payload, the values of data.
func (f *eventForm) decode(text string) []any {
	list := []any{}
	var event map[string]any
	var data []string
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\ufeff"))
	for line := range strings.SplitSeq(text+"\n", "\n") {
		if line == "" && event != nil {
			if data != nil {
				event["data"] = strings.Join(data, "\n")
			}
			list = append(list, f.value(event))
			event, data = nil, nil
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		if !slices.Contains(eventFields, name) {
			continue
		}
		if event == nil {
			event = map[string]any{}
		}
		switch {
		case name == "data":
			data = append(data, value)
		case name == "retry" && isNumber(value):
			event[name] = json.Number(value)
		default:
			event[name] = value
		}
	}
	return list
}

// value returns the item for an event.
func (f *eventForm) value(event map[string]any) any {
	data, ok := event["data"].(string)
	switch {
	case ok && f.payload && f.item.kinds() == schema.AnyType:
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

// encode writes each item of a list as an event. An item that is an event is written with its members, any other item
// as data in JSON.
func (f *eventForm) encode(value any) string {
	var b strings.Builder
	for _, item := range listed(value) {
		event := f.event(item)
		for _, name := range eventFields {
			value, ok := event[name]
			if !ok {
				continue
			}
			text, isText := value.(string)
			if !isText {
				text = string(jsontext.Append(nil, value))
			}
			for line := range strings.SplitSeq(text, "\n") {
				b.WriteString(name + ": " + strings.ReplaceAll(line, "\r", "") + "\n")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// event returns the event for an item.
func (f *eventForm) event(item any) map[string]any {
	event, ok := item.(map[string]any)
	ok = ok && len(event) > 0 && !f.payload
	for name := range event {
		ok = ok && slices.Contains(eventFields, name)
	}
	if ok {
		return event
	}
	return map[string]any{"data": item}
}
