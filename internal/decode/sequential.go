package decode

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// isLines reports whether bodies are JSON values, one a line: JSON Lines under
// its several names, and JSON text sequences (RFC 7464).
func (m *mediaType) isLines() bool {
	switch m.subtype {
	case "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "ndjson", "x-ndjson", "json-seq":
		return true
	}
	return strings.HasSuffix(m.subtype, "+json-seq")
}

// sequence reports whether the schema is about the list of all items (OpenAPI
// 3.2 section 4.14.4) rather than about one.
func (e *entry) sequence() bool {
	return e.media.Item != nil || e.media.Schema == nil || e.shape().kinds.has(kindArray)
}

// lines reads JSON values, one a line, into a list.
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
	if !e.sequence() && len(list) == 1 {
		return list[0], nil
	}
	return list, nil
}

// events reads server-sent events (WHATWG HTML section 9.2.6): items are objects
// with the members data, event, id and retry, or else what stands in data.
func (f *eventForm) events(text string) []any {
	list := []any{}
	var event map[string]any
	var data []string
	flush := func() {
		if data != nil {
			event["data"] = strings.Join(data, "\n")
		}
		if event != nil {
			list = append(list, f.value(event))
		}
		event, data = nil, nil
	}
	text = strings.TrimPrefix(text, "\ufeff")
	for line := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n") {
		if line == "" {
			flush()
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data", "event", "id", "retry":
			if event == nil {
				event = map[string]any{}
			}
		}
		switch name {
		case "data":
			data = append(data, value)
		case "event", "id":
			event[name] = value
		case "retry":
			if isNumber(value) {
				event[name] = json.Number(value)
			} else {
				event[name] = value
			}
		}
	}
	flush()
	return list
}

// encodeLines writes each item of a list as a line.
func encodeLines(value any, sequence bool) []byte {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var dst []byte
	for _, item := range list {
		if sequence {
			dst = append(dst, 0x1e)
		}
		dst = append(jsontext.Append(dst, item), '\n')
	}
	return dst
}

// encode writes each item of a list as an event: one that is an event as its
// members, anything else as its data in JSON.
func (f *eventForm) encode(value any) []byte {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var b strings.Builder
	for _, item := range list {
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
	return []byte(b.String())
}
