package naming

import (
	"sync/atomic"
)

// WordSet is a set of words that is parsed from a text at first use.
type WordSet struct {
	text string
	read atomic.Pointer[map[string]bool]
}

// LazySet returns a set of the words in a text. As a package variable it costs nothing at start, because the linker
// lays it out, and most of the program's 130 sets are not used before the first response.
func LazySet(text string) *WordSet { return &WordSet{text: text} }

// Has reports whether a word is in the set.
func (s *WordSet) Has(word string) bool {
	words := s.read.Load()
	if words == nil {
		made := Set(s.text)
		words = &made
		s.read.Store(words)
	}
	return (*words)[word]
}
