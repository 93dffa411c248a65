package naming

import (
	"sync/atomic"
)

// WordSet is a set of words that a text is read into when it is first asked.
type WordSet struct {
	text string
	read atomic.Pointer[map[string]bool]
}

// LazySet makes a set of the words of a text. A variable of a package that has one is laid out by the linker: nobody
// asks for most of the program's 130 sets before the first answer: see the rows of internal/fields for what it buys.
func LazySet(text string) *WordSet { return &WordSet{text: text} }

// Has reports whether a word is one of the set's.
func (s *WordSet) Has(word string) bool {
	words := s.read.Load()
	if words == nil {
		made := Set(s.text)
		words = &made
		s.read.Store(words)
	}
	return (*words)[word]
}
