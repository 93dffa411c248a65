package itempool

import (
	"encoding/json"
	"maps"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
)

// Created gives the item that a creation is about; nil where its key is unknown. The
// key is in the request's path, the response's body, its Location, or the request's
// body.
func Created(b *resource.Binding, x *checks.Exchange) *Item {
	item := &Item{Resource: b.Resource}
	if body := Body(x); body != nil && b.Response != nil {
		item.Value, _ = b.Response.Item(body)
	}
	var property []string
	if b.Resource.Key != nil {
		property = b.Resource.Key.Property
	}
	if b.KeyIn == resource.InPath {
		if item.Key, _ = url.PathUnescape(x.Case.Path[b.Variable]); item.Key == "" {
			item.Key = lastSegment(x.Request.Path)
		}
	}
	if item.Key == "" && property != nil {
		item.Key = keyAt(item.Value, property)
	}
	if location, ok := x.Response.Header.Get("Location"); ok && item.Key == "" {
		if u, err := url.Parse(location); err == nil {
			item.Key = lastSegment(u.EscapedPath())
		}
	}
	if item.Key == "" && property != nil && b.Request != nil {
		sent, _ := b.Request.Item(decoded(x.Request.Header, x.Request.Body))
		item.Key = keyAt(sent, property)
	}
	if item.Key == "" {
		return nil
	}
	return item
}

// keyAt gives the key in an item, "" where a text or a number is not there.
func keyAt(item any, property []string) string {
	value, _ := resource.Get(item, property)
	switch value.(type) {
	case string, json.Number:
		return Text(value)
	}
	return ""
}

// lastSegment gives the key at the end of a path.
func lastSegment(path string) string {
	path = strings.TrimSuffix(path, "/")
	key, _ := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	return key
}

// Sent gives the value of a request's JSON body as it was sent, else as the case
// has it; nil where there was none or it is unknown.
func Sent(x *checks.Exchange) any {
	if len(x.Request.Body) == 0 {
		return nil
	}
	if value := decoded(x.Request.Header, x.Request.Body); value != nil {
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

// Body gives the JSON body of a response, nil where it has none.
func Body(x *checks.Exchange) any {
	if x.Response == nil {
		return nil
	}
	return decoded(x.Response.Header, x.Response.Body)
}

func decoded(h exchange.Header, body []byte) any {
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

// Text gives a key as the value of a path's variable.
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
