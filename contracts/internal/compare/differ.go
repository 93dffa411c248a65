package compare

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
)

// difference is one between a response of A and the response of B to the same request.
type difference struct {
	kind     string
	message  string
	about    string // body.items.*.name
	property string // the last name of about, "" if it is not about a property
	place    exchange.Place
}

// differ compares two responses.
type differ struct {
	varies variation
	same   map[[2]string]bool
	place  exchange.Place // of what describes the body
	found  []difference
}

// maxDifferences limits the differences of two responses.
const maxDifferences = 100

func (d *differ) add(kind, about, format string, args ...any) {
	if len(d.found) >= maxDifferences {
		return
	}
	property := about[strings.LastIndexByte(about, '.')+1:]
	if !strings.Contains(about, ".") || property == "*" {
		property = ""
	}
	found := difference{kind, fmt.Sprintf(format, args...), about, property, d.place}
	if !slices.Contains(d.found, found) {
		d.found = append(d.found, found)
	}
}

func (d *differ) responses(o *spec.Operation, first, other *checks.Exchange) {
	d.place = o.Place
	a, b := first.Response, other.Response
	if a == nil || b == nil || first.Fault != nil || other.Fault != nil {
		if describe(first) != describe(other) || (first.Fault == nil) != (other.Fault == nil) {
			d.add("response-differs", "", "A: %s; B: %s", faultOf(first), faultOf(other))
		}
		return
	}
	if a.Status != b.Status {
		d.add("status-differs", "status", "A answers %d, B answers %d", a.Status, b.Status)
		return
	}
	documented := o.Response(a.Status)
	if documented != nil {
		d.place = documented.Place
		for _, h := range documented.Headers {
			_, inA := a.Header.Get(h.Name)
			if _, inB := b.Header.Get(h.Name); inA && !inB && !d.varies.fields[strings.ToLower(h.Name)] {
				d.add("field-missing", "header."+h.Name, "A has the field %s, B does not", h.Name)
			}
		}
	}
	kind := mediaType(a)
	if kind != mediaType(b) && len(a.Body)+len(b.Body) > 0 {
		d.add("media-type-differs", "header.Content-Type", "A answers %s, B answers %s", exchange.Quote(kind),
			exchange.Quote(mediaType(b)))
		return
	}
	valueA, errA := jsontext.Decode(string(a.Body))
	valueB, errB := jsontext.Decode(string(b.Body))
	switch {
	case errA == nil && errB == nil:
		d.values(valueA, valueB, nil)
	case (errA == nil) != (errB == nil) && jsontext.IsMediaType(kind):
		d.add("type-differs", "body", "one of the bodies is not JSON")
	case !bytes.Equal(a.Body, b.Body) && !d.varies.whole:
		d.add("body-differs", "body", "the bodies differ: %d and %d bytes", len(a.Body), len(b.Body))
	}
}

func faultOf(x *checks.Exchange) string {
	if x.Fault != nil {
		return x.Fault.Message
	}
	return describe(x)
}

// about names a place of the body; indexes are "*".
func about(way []string) string { return strings.Join(append([]string{"body"}, way...), ".") }

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return "a number"
}

// values compares two values at the same place.
func (d *differ) values(a, b any, way []string) {
	if jsonvalue.Equals(a, b) || len(d.found) >= maxDifferences {
		return
	}
	if typeOf(a) != typeOf(b) {
		d.add("type-differs", about(way), "A has %s, B has %s", typeOf(a), typeOf(b))
		return
	}
	switch a := a.(type) {
	case map[string]any:
		d.objects(a, b.(map[string]any), way)
	case []any:
		d.arrays(a, b.([]any), way)
	default:
		if !d.varies.at[about(way)] && !d.same[[2]string{text(a), text(b)}] && !isGenerated(a, b) {
			d.add("value-differs", about(way), "A has %s, B has %s", shown(a), shown(b))
		}
	}
}

func shown(value any) string { return exchange.Shorten(string(jsontext.Marshal(value)), 60) }

func (d *differ) objects(a, b map[string]any, way []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		inner := append(slices.Clip(way), name)
		if value, ok := b[name]; ok {
			d.values(a[name], value, inner)
		} else if !d.varies.at[about(inner)] {
			d.add("property-missing", about(inner), "A has the property, B does not")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[name]; !ok && !d.varies.at[about(append(slices.Clip(way), name))] {
			d.add("property-added", about(append(slices.Clip(way), name)), "B has the property, A does not")
		}
	}
}

// arrays compares two lists: item by item if the items have a property that identifies them in both, else as sets.
func (d *differ) arrays(a, b []any, way []string) {
	inner := append(slices.Clip(way), "*")
	if key := identifying(a, b); key != "" {
		byKey := map[string]any{}
		for _, item := range b {
			byKey[text(item.(map[string]any)[key])] = item
		}
		var order []string
		common, missing := map[string]bool{}, 0
		for _, item := range a {
			value := text(item.(map[string]any)[key])
			if other, ok := byKey[value]; ok {
				order, common[value] = append(order, value), true
				d.values(item, other, inner)
			} else {
				missing++
			}
		}
		if added := len(b) - len(order); (missing > 0 || added > 0) && !d.varies.at[about(way)] {
			d.add("items-differ", about(way), "by %s, B lacks %s of A and has %s that A lacks", key,
				exchange.Count(missing, "item"), exchange.Count(added, "item"))
		}
		inB := slices.DeleteFunc(slices.Clone(b), func(item any) bool { return !common[text(item.(map[string]any)[key])] })
		isSame := func(value string, item any) bool { return value == text(item.(map[string]any)[key]) }
		if !slices.EqualFunc(order, inB, isSame) && !d.varies.at[about(way)] {
			d.add("order-differs", about(way), "the items are in another order")
		}
		return
	}
	sorted := func(items []any) []string {
		all := make([]string, len(items))
		for i, item := range items {
			all[i] = string(jsontext.Marshal(item))
		}
		slices.Sort(all)
		return all
	}
	if slices.Equal(sorted(a), sorted(b)) {
		if !d.varies.at[about(way)] {
			d.add("order-differs", about(way), "the items are in another order")
		}
		return
	}
	if len(a) > 0 && len(b) > 0 { // other data, so that only the form can be compared
		form := differ{varies: d.varies, same: d.same, place: d.place}
		form.values(a[0], b[0], inner)
		for _, found := range form.found {
			if kindOf(found.kind).Severity != exchange.Warning {
				d.found = append(d.found, found)
			}
		}
	}
	if !d.varies.at[about(way)] {
		d.add("items-differ", about(way), "A has %s, B has %s, and they differ", exchange.Count(len(a), "item"),
			exchange.Count(len(b), "item"))
	}
}

// identifying returns the property that has a different scalar in each item of either list, and most values that both
// lists have; "" if there is none.
func identifying(a, b []any) (best string) {
	common := 0
	first, _ := append(slices.Clip(a), b...)[0].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(first)) {
		inA, okA := distinct(a, name)
		inB, okB := distinct(b, name)
		if !okA || !okB {
			continue
		}
		n := 0
		for value := range inA {
			if inB[value] {
				n++
			}
		}
		if n > common {
			best, common = name, n
		}
	}
	return best
}

func distinct(items []any, name string) (map[string]bool, bool) {
	seen := map[string]bool{}
	for _, item := range items {
		object, _ := item.(map[string]any)
		switch object[name].(type) {
		case nil, bool, map[string]any, []any:
			return nil, false
		}
		if value := text(object[name]); !seen[value] {
			seen[value] = true
		} else {
			return nil, false
		}
	}
	return seen, true
}

// isGenerated reports whether two texts are values that servers make: times, or UUIDs.
func isGenerated(a, b any) bool {
	one, okA := a.(string)
	other, okB := b.(string)
	return okA && okB && (isTime(one) && isTime(other) || isUUID(one) && isUUID(other))
}

func isTime(text string) bool {
	_, _, ok := generate.ReadTime(text)
	return ok && len(text) > len(time.DateOnly)
}

// isUUID reports whether a text is a UUID (RFC 9562 section 4).
func isUUID(text string) bool {
	groups := strings.Split(text, "-")
	if len(groups) != 5 || len(text) != 36 || len(groups[0]) != 8 || len(groups[4]) != 12 {
		return false
	}
	_, err := hex.DecodeString(strings.Join(groups, ""))
	return err == nil
}

// variation is what differs between two responses of one server to one request.
type variation struct {
	at     map[string]bool // places of the body, with "*" for indexes
	fields map[string]bool // header fields, in lower case
	whole  bool            // the body, if it is not JSON
}

func variationOf(first, again *checks.Exchange) variation {
	v := variation{at: map[string]bool{}, fields: map[string]bool{}}
	if again.Response == nil || first.Response.Status != again.Response.Status {
		v.whole = true
		return v
	}
	for _, f := range first.Response.Header {
		if value, _ := again.Response.Header.Get(f.Name); value != f.Value {
			v.fields[strings.ToLower(f.Name)] = true
		}
	}
	a, errA := jsontext.Decode(string(first.Response.Body))
	b, errB := jsontext.Decode(string(again.Response.Body))
	if errA != nil || errB != nil {
		v.whole = !bytes.Equal(first.Response.Body, again.Response.Body)
		return v
	}
	d := differ{}
	d.values(a, b, nil)
	for _, found := range d.found {
		v.at[found.about] = true
	}
	return v
}
