package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestSaved writes and reads States after random changes: what is read is equal, and goes on in the same way.
func TestSaved(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"plants", Below("owners", "a/b", "plants"), "b\xffd"}
	for range 200 {
		s := New(Limits{Items: 20})
		for range random.IntN(60) {
			name, key := names[random.IntN(3)], fmt.Sprint(random.IntN(9), []string{"", "\xfe", "é"}[random.IntN(3)])
			switch random.IntN(6) {
			case 0, 1:
				s.Put(name, key, fmt.Appendf(nil, `{"a":%d,"<":"\u2028"}`, random.IntN(99)), Flags(random.IntN(4)), Any)
			case 2:
				s.Append(name, []byte("{}"), 0)
			case 3:
				s.Delete(name, key, Any)
			case 4:
				s.NextInteger(name, 3)
				s.Tick()
			case 5:
				s.Adopt(name, key, s.Peek(name, key), []byte(`{"b":1}`), []byte(`{"b":2}`))
			}
		}
		text := written(t, s.View())
		var saved Saved
		if err := json.Unmarshal(text, &saved); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		v, err := saved.Load()
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if again := written(t, v); string(again) != string(text) {
			t.Fatalf("it is read as\n%s, not\n%s", again, text)
		}
		for item := range s.View().All() {
			if same, _ := v.Get(item.Collection, item.Key); string(same.JSON) != string(item.JSON) {
				t.Fatalf("%s is read as %s", item.JSON, same.JSON)
			}
		}
		loaded := NewFrom(v, Limits{Items: 20})
		for _, name := range names {
			if a, b := s.NextInteger(name, 0), loaded.NextInteger(name, 0); a != b {
				t.Fatalf("the next key of %q is %d, not %d", name, b, a)
			}
			a, _ := s.Append(name, []byte("{}"), 0)
			b, _ := loaded.Append(name, []byte("{}"), 0)
			if a.Key != b.Key || a.Version != b.Version {
				t.Fatalf("it goes on with %q %d, not %q %d", b.Key, b.Version, a.Key, a.Version)
			}
		}
		if a, b := written(t, s.View()), written(t, loaded.View()); string(a) != string(b) {
			t.Fatalf("it goes on as\n%s, not\n%s", b, a)
		}
	}
}

func written(t *testing.T, v *View) []byte {
	t.Helper()
	saved := v.Saved()
	saved.Items = slices.Collect(v.SavedItems())
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(saved); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func TestLoadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"version":1,"items":[{"collection":"a","key":"1","value":{},"version":2}]}`:                                          "/items/0/version",
		`{"version":1,"items":[{"collection":"a","key":"1","value":{}}]}`:                                                      "/items/0/version",
		`{"version":1,"items":[{"collection":"a","key":"1","value":5,"version":1}]}`:                                           "object",
		`{"version":1,"items":[{"collection":"a","key":"1","value":{"a":1,"a":{}},"upstream":[],"version":1}]}`:                "object",
		`{"version":2,"items":[{"collection":"a","key":"1","version":1},{"collection":"a","key":"1","value":{},"version":2}]}`: "two items",
		`{"version":1,"collections":[{"name":"a","next":0}]}`:                                                                  "/collections/0/next",
		`{"version":18446744073709551615}`:                                                                                     "too large",
	} {
		var saved Saved
		if err := json.Unmarshal([]byte(text), &saved); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if _, err := saved.Load(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v does not contain %q", text, err, want)
		}
	}
}
