package state

import "testing"

// What an upstream has is known apart from what clients change, and both are bounded and counted.
func TestAdopt(t *testing.T) {
	s := New(Limits{Items: 3})
	see := func(key, json string) {
		t.Helper()
		if !s.Adopt("plants", key, s.Peek("plants", key), []byte(json), []byte(json)) {
			t.Fatalf("%s was not adopted", key)
		}
	}
	see("1", `{"id":1}`)
	if s.HasLocal("plants") || s.HasLocal("") || !s.HasAdopted("plants") {
		t.Error("an item of the upstream counts as one of the session")
	}
	s.Put("plants", "1", []byte(`{"id":1,"tall":true}`), 0, Any)
	if item := s.Peek("plants", "1"); string(item.Upstream) != `{"id":1}` || !s.HasLocal("plants") || !s.HasLocal("") {
		t.Errorf("after a change: %+v", item)
	}
	s.Delete("plants", "1", Any)
	item := s.Peek("plants", "1")
	if string(item.Upstream) != `{"id":1}` || !item.Deleted() || !item.IsLocal() || !s.HasLocal("plants") {
		t.Errorf("after a deletion: %+v", item)
	}
	s.Adopt("plants", "1", item, nil, nil)
	if item := s.Peek("plants", "1"); !item.Deleted() || item.IsLocal() || item.Upstream != nil || s.HasLocal("") {
		t.Errorf("after the upstream's deletion: %+v", item)
	}
	if s.Adopt("plants", "1", item, []byte(`{}`), []byte(`{}`)) {
		t.Error("an outdated item was replaced")
	}
	s.Insert("plants", "9", []byte(`{"id":9}`), ByClient)
	for _, key := range []string{"2", "3", "4", "5"} {
		see(key, `{}`)
	}
	if n := s.View().Len("plants"); n > 3 {
		t.Errorf("%d items are kept", n)
	}
	if s.HasLocal("plants") {
		t.Error("the session's oldest item was not dropped")
	}
	s.Put("plants", "5", []byte(`{"x":1}`), 0, Any)
	s.Forget("plants")
	if v := s.View(); v.Len("plants") != 1 || !s.HasAdopted("plants") || !s.HasLocal("plants") {
		t.Errorf("%d items are left", v.Len("plants"))
	}
	s.Clear("plants")
	if s.HasLocal("") || s.HasAdopted("plants") {
		t.Error("a removed collection counts")
	}
	if used := s.usage(); used.bytes != 0 || s.contents.bytes != 0 || s.contents.deadBytes != 0 {
		t.Errorf("%d bytes are still counted", used.bytes)
	}
}
