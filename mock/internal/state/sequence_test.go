package state

import "testing"

// TestSequence creates, deletes and creates again items whose keys are their positions, and others.
func TestSequence(t *testing.T) {
	s := New(limits)
	put := func(key, text string) {
		if _, _, err := s.Put("plants", key, []byte(text), 0, Any); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(key string) {
		if _, _, err := s.Delete("plants", key, Any); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want map[string]string) {
		t.Helper()
		for key, text := range want {
			item, deleted := s.Get("plants", key)
			switch {
			case item != nil && string(item.JSON) != text, item == nil && text != "" && text != "deleted", deleted != (text == "deleted"):
				t.Errorf("%s: %v %v, want %q", key, item, deleted, text)
			}
		}
	}
	remove("1") // before it is at its position
	put("1", "a")
	put("fern", "b")
	put("2", "c") // stands third
	put("4", "d") // in sequence
	check(map[string]string{"1": "a", "fern": "b", "2": "c", "4": "d", "3": "", "01": "", "0": ""})
	saved := s.View()
	put("1", "A")
	remove("4")
	check(map[string]string{"1": "A", "4": "deleted"})
	put("4", "D") // stands elsewhere
	remove("1")
	check(map[string]string{"1": "deleted", "fern": "b", "2": "c", "4": "D"})
	if item, _ := saved.Get("plants", "4"); item == nil || string(item.JSON) != "d" {
		t.Errorf("before: %v", item)
	}
	s.Clear("plants")
	check(map[string]string{"1": "", "4": "", "fern": ""})
	if n := s.View().Total(); n != 0 {
		t.Errorf("%d items are left", n)
	}
}
