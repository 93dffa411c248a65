package runner

import "testing"

// TestSlots: requests that were sent together and got 429 halve the slots once, later ones halve them again.
func TestSlots(t *testing.T) {
	var s slots
	var together []int
	for range 8 {
		together = append(together, s.take(8))
	}
	for _, generation := range together {
		s.release(generation, true)
	}
	for want := 4; want > 0; want /= 2 {
		if s.most != want || s.used != 0 {
			t.Fatalf("%d slots, %d in use, want %d", s.most, s.used, want)
		}
		s.release(s.take(8), true)
	}
	first, waited := s.take(8), make(chan int)
	go func() { waited <- s.take(8) }()
	s.release(first, false)
	s.release(<-waited, true)
	if s.most != 1 {
		t.Errorf("%d slots are left", s.most)
	}
}
