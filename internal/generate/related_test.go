package generate_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/generate"
)

const person = `{"type":"object","properties":{"firstName":{"type":"string"},"last_name":{"type":"string"},"email":{"type":"string"},
	"name":{"type":"string"},"createdAt":{"type":"string","format":"date-time"},"updated-at":{"type":"string","format":"date-time"},
	"orders":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"price":{"type":"number"}}}}}}`

// TestRelated: neighbours that belong together agree.
func TestRelated(t *testing.T) {
	g := generate.New(compile(t, person), generate.Options{})
	for i := range uint64(keys) {
		v, err := g.Value(generate.NewKey(i))
		if err != nil {
			t.Fatal(err)
		}
		o := v.(map[string]any)
		first, last := o["firstName"].(string), o["last_name"].(string)
		if o["name"] != first+" "+last || !strings.HasPrefix(o["email"].(string), strings.ToLower(first[:1])) {
			t.Errorf("not one person: %s", bytes(v))
		}
		if o["createdAt"].(string) > o["updated-at"].(string) {
			t.Errorf("updated before it was created: %s", bytes(v))
		}
		ids := map[any]bool{}
		for _, order := range o["orders"].([]any) {
			ids[order.(map[string]any)["id"]] = true
		}
		if len(ids) != 3 {
			t.Errorf("ids repeat: %s", bytes(v))
		}
	}
}

// TestKeys: values of different keys differ, and places of a value do not
// depend on their neighbours.
func TestKeys(t *testing.T) {
	g := generate.New(compile(t, person), generate.Options{})
	seen := map[string]bool{}
	for i := range uint64(keys) {
		v, err := g.Value(generate.NewKey(7, "GET /people/{id}").Child(string(rune('a' + i))))
		if err != nil {
			t.Fatal(err)
		}
		seen[bytes(v)] = true
	}
	if len(seen) != keys {
		t.Errorf("%d keys made %d values", keys, len(seen))
	}
	fewer := generate.New(compile(t, strings.Replace(person, `"last_name":{"type":"string"},`, "", 1)), generate.Options{})
	whole, _ := g.Value(generate.NewKey(1))
	part, _ := fewer.Value(generate.NewKey(1))
	delete(whole.(map[string]any), "last_name")
	if bytes(whole) != bytes(part) {
		t.Errorf("%s and %s", bytes(whole), bytes(part))
	}
}

// TestConcurrent: a generator that many use at once, from the first value on,
// makes what it makes for one.
func TestConcurrent(t *testing.T) {
	for _, f := range schemas(t, "testdata/conforming.txtar") {
		s := compile(t, string(f.Data))
		alone, shared := generate.New(s, generate.Options{}), generate.New(s, generate.Options{})
		var wg sync.WaitGroup
		made := make([]string, 8)
		for i := range made {
			wg.Go(func() {
				v, err := shared.Value(generate.NewKey(uint64(i)))
				if err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
				made[i] = bytes(v)
			})
		}
		wg.Wait()
		for i := range made {
			if v, _ := alone.Value(generate.NewKey(uint64(i))); bytes(v) != made[i] {
				t.Errorf("%s: %s and %s", f.Name, bytes(v), made[i])
			}
		}
	}
}

// TestHasSums: names alone decide that an object has no sums, and Sums leaves it unchanged.
func TestHasSums(t *testing.T) {
	for names, want := range map[string]bool{
		"items total":           false, // a page
		"Items TOTAL":           false,
		"items total limit":     false,
		"items total_price":     true,
		"items total subtotal":  true,
		"items count":           false,
		"quantity price amount": true,
	} {
		var properties []string
		object := map[string]any{}
		for name := range strings.FieldsSeq(names) {
			object[name] = json.Number("7")
			text := `"` + name + `":{"type":"number"}`
			if strings.EqualFold(name, "items") {
				text = `"` + name + `":{"type":"array","items":{"type":"object","properties":{"amount":{"type":"number"}}}}`
				object[name] = []any{map[string]any{"amount": json.Number("3")}}
			}
			properties = append(properties, text)
		}
		g := generate.New(compile(t, `{"type":"object","properties":{`+strings.Join(properties, ",")+`}}`), generate.Options{})
		if got := g.HasSums(); got != want {
			t.Errorf("%s: HasSums = %t", names, got)
		}
		if sums := g.Sums(generate.NewKey(1), object, nil); !want && bytes(sums) != bytes(object) {
			t.Errorf("%s: %s became %s", names, bytes(object), bytes(sums))
		}
	}
}
