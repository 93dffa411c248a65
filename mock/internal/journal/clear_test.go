package journal

import (
	"testing"
	"time"
)

// One session's entries are forgotten, the others stay and more come.
func TestClearSession(t *testing.T) {
	j := New(3, DefaultBytes, time.Now)
	for _, session := range []string{"a", "", "a", "b"} {
		j.Record(&Entry{Session: session})
	}
	for _, c := range []struct {
		clear   string
		numbers []uint64
	}{{"a", []uint64{2, 4}}, {"", []uint64{4}}, {"none", []uint64{4}}, {"b", nil}} {
		j.ClearSession(c.clear)
		entries, lost := j.Entries()
		if len(entries) != len(c.numbers) || lost != 1 {
			t.Fatalf("without %q: %d entries, %d lost", c.clear, len(entries), lost)
		}
		for i, e := range entries {
			if e.Number != c.numbers[i] {
				t.Errorf("without %q: entry %d, want %d", c.clear, e.Number, c.numbers[i])
			}
		}
	}
	for range 5 {
		j.Record(&Entry{})
	}
	if entries, _ := j.Entries(); len(entries) != 3 || entries[2].Number != 9 {
		t.Errorf("%d entries", len(entries))
	}
	(*Journal)(nil).ClearSession("a")
}
