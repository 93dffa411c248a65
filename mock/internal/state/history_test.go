package state

import (
	"strconv"
	"strings"
	"testing"
)

// TestHistory records more changes than a history has, in number and in bytes, and replaces all items.
func TestHistory(t *testing.T) {
	s := New(Limits{})
	h, version := s.Watch()
	for i := range maxChanges + 1 {
		if _, err := s.Insert("/a", strconv.Itoa(i), []byte(`{}`), ByClient); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, ok := h.After(version); ok {
		t.Error("the history has changes from its beginning")
	}
	changes, next, ok := h.After(version + 1)
	if !ok || len(changes) != maxChanges || changes[0].Item.Key != "1" || changes[0].Kind != Created {
		t.Errorf("got %d changes, %v", len(changes), ok)
	}
	large := []byte(`"` + strings.Repeat("a", maxChangesBytes/2) + `"`)
	for range 3 {
		if _, _, err := s.Put("/a", "1", large, 0, Any); err != nil {
			t.Fatal(err)
		}
	}
	<-next
	if h.bytes > maxChangesBytes+int64(len(large)) || s.usage().bytes < h.bytes {
		t.Errorf("the history has %d bytes, the state %d", h.bytes, s.usage().bytes)
	}
	last := s.View().contents.version
	_, next, ok = h.After(last)
	if !ok {
		t.Fatal("the last change is unknown")
	}
	if _, _, err := s.Delete("/a", "2", Any); err != nil {
		t.Fatal(err)
	}
	<-next
	if changes, next, ok = h.After(last); !ok || len(changes) != 1 || changes[0].Kind != Deleted || changes[0].Item.Key != "2" {
		t.Errorf("got %v, %v", changes, ok)
	}
	s.Restore(New(Limits{}).View())
	<-next
	if _, _, ok = h.After(last); ok {
		t.Error("the history goes on after all items were replaced")
	}
	if again, _ := s.Watch(); again == h {
		t.Error("a new watcher has the ended history")
	}
}
