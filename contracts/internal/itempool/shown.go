package itempool

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
)

// Shown gives the item that the answer of a creating operation is about; nil
// where its key cannot be told. The key is in the answer's body, in its
// Location, or in the request's body.
func Shown(b *resource.Binding, x *checks.Exchange) *Item {
	item := &Item{Resource: b.Resource}
	if body := Body(x); body != nil && b.Response != nil {
		item.Value, _ = b.Response.Item(body)
	}
	property := []string(nil)
	if b.Resource.Key != nil {
		property = b.Resource.Key.Property
	}
	if property != nil {
		if key, ok := resource.Get(item.Value, property); ok && scalar(key) {
			item.Key = Text(key)
			return item
		}
	}
	if key := locationKey(x.Response.Header); key != "" {
		item.Key = key
		return item
	}
	if property == nil || b.Request == nil {
		return nil
	}
	sent, ok := b.Request.Item(decodedText(x.Request.Header, x.Request.Body))
	if !ok {
		return nil
	}
	if key, ok := resource.Get(sent, property); ok && scalar(key) {
		item.Key = Text(key)
		return item
	}
	return nil
}

// Sent gives the value of a request's JSON body as it was sent, else as the case
// has it; nil where there was none, or where that cannot be told.
func Sent(x *checks.Exchange) any {
	if len(x.Request.Body) == 0 {
		return nil
	}
	if value := decodedText(x.Request.Header, x.Request.Body); value != nil {
		return value
	}
	if x.Case.Random {
		return nil // forms do not tell all values apart
	}
	object, ok := x.Case.Value.(map[string]any)
	if !ok {
		return x.Case.Value
	}
	object = maps.Clone(object)
	maps.DeleteFunc(object, func(_ string, value any) bool { return value == nil }) // forms have no null
	return object
}

func scalar(value any) bool {
	switch v := value.(type) {
	case string:
		return v != ""
	case json.Number:
		return true
	}
	return false
}

// Text gives a key as the text of a path's variable.
func Text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case nil:
		return ""
	}
	return string(jsontext.Append(nil, value))
}

func decoded(r *exchange.Response) any {
	if r == nil {
		return nil
	}
	return decodedText(r.Header, r.Body)
}

func decodedText(h exchange.Header, body []byte) any {
	media, _ := h.Get("Content-Type")
	if !strings.Contains(media, "json") || len(body) == 0 {
		return nil
	}
	value, err := jsontext.Decode(string(body))
	if err != nil {
		return nil
	}
	return value
}
