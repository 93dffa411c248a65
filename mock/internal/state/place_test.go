package state_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/coldframe/coldframe/mock/internal/state"
)

// TestPlace holds the place of each item to its index among all, with items
// replaced and removed between them.
func TestPlace(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	s := state.New(state.Limits{})
	for i := range 5000 {
		s.Insert("plants", strconv.Itoa(i), []byte(`{}`), 0)
	}
	for range 2000 {
		key := strconv.Itoa(random.IntN(5000))
		if random.IntN(3) == 0 {
			s.Put("plants", key, []byte(`{"again":true}`), 0, state.Any)
		} else {
			s.Delete("plants", key, state.Any)
		}
	}
	v, i := s.View(), 0
	for item := range v.Items("plants", 0) {
		if at := v.Place(item); at != i {
			t.Fatalf("item %s is at %d, not %d", item.Key, at, i)
		}
		i++
	}
}
