package resource_test

import (
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
)

func TestShape(t *testing.T) {
	for _, test := range []struct {
		shape           resource.Shape
		body            string
		item, wrapped   string // "" if the body has no item
		put, everything string
	}{
		{resource.Shape{}, `{"id":1}`, `{"id":1}`, `{"id":1}`, `"new"`, `["new"]`},
		{resource.Shape{Path: []string{"data"}}, `{"data":{"id":1},"ok":true}`, `{"id":1}`, `{"data":{"id":1}}`, `{"data":"new","ok":true}`, `["new"]`},
		{resource.Shape{Path: []string{"a", "b"}, Many: true}, `{"a":{"b":[1,2],"n":2}}`, `1`, `{"a":{"b":[1]}}`, `{"a":{"b":["new"],"n":2}}`, `["new"]`},
		{resource.Shape{Many: true}, `[]`, ``, ``, `["new"]`, `["new"]`},
		{resource.Shape{Path: []string{"a"}}, `[]`, ``, ``, `{"a":"new"}`, `["new"]`},
		{resource.Shape{Path: []string{"a", "b"}}, `{"a":3}`, ``, ``, `{"a":{"b":"new"}}`, `["new"]`},
	} {
		body := decode(t, test.body)
		item, ok := test.shape.Item(body)
		if ok != (test.item != "") || ok && text(item) != test.item {
			t.Errorf("%s in %s: got %s, %t", &test.shape, test.body, text(item), ok)
		}
		if ok && text(test.shape.Wrap(item)) != test.wrapped {
			t.Errorf("%s: wrapped %s", &test.shape, text(test.shape.Wrap(item)))
		}
		put := test.shape.Put(body, "new")
		if text(put) != test.put || text(body) != text(decode(t, test.body)) {
			t.Errorf("%s: put %s, the body is %s", &test.shape, text(put), text(body))
		}
		if items, ok := test.shape.Items(put); !ok || text(items) != test.everything {
			t.Errorf("%s: items %s, %t", &test.shape, text(items), ok)
		}
	}
}

func decode(t *testing.T, text string) any {
	t.Helper()
	value, err := jsontext.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func text(value any) string { return string(jsontext.Append(nil, value)) }
