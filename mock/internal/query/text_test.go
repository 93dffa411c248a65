package query

import (
	"reflect"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// FuzzText compares what is read from an item's text with what is read from the item.
func FuzzText(f *testing.F) {
	f.Add(`{"id":7,"name":"Fern","tag":{"a":"b"}}`, "name", "Fern")
	f.Add(`{"id":7.0,"na\"me":"Fe\nrn","tags":["a","b"]}`, "id", "7")
	f.Add(`{"a":{"b":null},"c":true,"d":-1e3}`, "a/b", "-1000")
	f.Add(`{"a":"{\"b\":1}","b":"\\"}`, "b", `\`)
	f.Add(`{"name":"ÄPFEL K"}`, "name", "k")
	f.Add(`{}`, "", "")
	f.Fuzz(func(t *testing.T, text, way, wanted string) {
		item, err := jsontext.Decode(text)
		object, ok := item.(map[string]any)
		if err != nil || !ok || wanted == "" {
			return
		}
		kept := Text{JSON: jsontext.Append(nil, object)}
		object["padding"] = strings.Repeat(".", 2000)
		large := Text{JSON: jsontext.Append(nil, object), Members: &jsontext.Members{}}
		delete(object, "padding")
		path := strings.Split(way, "/")
		value, err := jsontext.Decode(wanted)
		if err != nil {
			value = wanted
		}
		for _, v := range []any{wanted, value} {
			for compare := resource.Equal; compare <= resource.Contains; compare++ {
				f := Filter{Property: path, Compare: compare, Values: []any{v}}
				for _, text := range []Text{kept, large, large} {
					if got, want := f.MatchesText(text), f.matches(object); got != want && way != "padding" {
						t.Errorf("%s %v %v in %s: %v by its text, else %v", path, compare, v, text.JSON, got, want)
					}
				}
			}
		}
		q := Query{Search: strings.ToLower(wanted), Sort: []resource.OrderKey{{Property: path}}}
		if got, want := q.MatchesText(kept), q.matches(object); got != want {
			t.Errorf("%q in %s: %v by its text, else %v", wanted, kept.JSON, got, want)
		}
		sorts, _ := jsonvalue.Property(object, path)
		if got := q.AppendKeys(nil, kept)[0]; !reflect.DeepEqual(got, sorts) {
			t.Errorf("%s is sorted by %v, not %v", kept.JSON, got, sorts)
		}
	})
}

// matches reports whether an item passes the filters and the search.
func (q *Query) matches(item any) bool {
	for i := range q.Filters {
		if !q.Filters[i].matches(item) {
			return false
		}
	}
	return q.Search == "" || containsText(item, q.Search, 0)
}

func (f *Filter) matches(item any) bool {
	value, ok := jsonvalue.Property(item, f.Property)
	if !ok {
		return f.Compare == resource.NotEqual
	}
	return f.matchesValue(value)
}
