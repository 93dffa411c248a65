package sample

import "testing"

func TestEvery(t *testing.T) {
	usual := 20
	if Race {
		usual = 40
	}
	for wanted, want := range map[string]int{"": usual, "all": 1, "8": 8, "1": 1, "100": usual, "0": usual, "some": usual} {
		t.Setenv("COLDFRAME_CASES", wanted)
		if got := Every(20, 40); got != want {
			t.Errorf("COLDFRAME_CASES=%s: one of %d, want one of %d", wanted, got, want)
		}
	}
}
