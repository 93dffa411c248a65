package generate

import (
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
)

// automaton makes the strings of a language whose length lies within bounds.
type automaton struct {
	letters [][]rune
	plain   uint64 // the letters that ASCII writes
	states  []automatonState
	choices []int // the lengths worth choosing from
}

type automatonState struct {
	next    []int32 // by letter; -1 where nothing conforming follows
	lengths []bool  // whether n more characters can end it
}

// Bounds of the search; what lies beyond is not found.
const (
	maxStates   = 6000
	maxDerived  = 120_000
	automatonOf = 48 // characters beyond the least length
)

// newAutomaton gives nil where no string is found that matches all of some
// patterns, none of others, and has lo to hi characters.
func newAutomaton(all, none []*pattern, lo, hi int) *automaton {
	l := newLanguages(append(append([]*pattern{}, all...), none...))
	if l == nil || lo > 1000 {
		return nil
	}
	target := l.all
	for _, p := range all {
		target = l.join(langAll, target, l.matching(p))
	}
	for _, p := range none {
		target = l.join(langAll, target, l.not(l.matching(p)))
	}
	a := &automaton{letters: l.letters}
	for i, class := range l.letters {
		if len(intersect(class, []rune{' ', '~'})) > 0 {
			a.plain |= 1 << i
		}
	}
	nullable := a.explore(l, target)
	for limit := lo + automatonOf; ; limit *= 4 { // a fixed count may be longer than the usual
		limit = min(limit, hi, 1100)
		a.measure(nullable, limit)
		for n := lo; n <= limit; n++ {
			if a.states[0].lengths[n] {
				a.choices = append(a.choices, n)
			}
		}
		if len(a.choices) > 0 {
			a.choices = readable(a.choices)
			return a
		}
		if limit >= min(hi, 1100) {
			return nil
		}
	}
}

// explore finds the states that a language's derivatives are.
func (a *automaton) explore(l *languages, target *language) []bool {
	index := map[*language]int32{target: 0}
	queue := []*language{target}
	var nullable []bool
	for i := 0; i < len(queue); i++ {
		e := queue[i]
		nullable = append(nullable, e.nullable)
		next := make([]int32, len(l.letters))
		for letter := range l.letters {
			next[letter] = -1
			if len(l.derived) > maxDerived || len(l.known) > 2*maxDerived {
				continue
			}
			d := l.derive(e, letter)
			if d == l.none {
				continue
			}
			n, ok := index[d]
			if !ok {
				if len(queue) >= maxStates {
					continue
				}
				n = int32(len(queue))
				index[d] = n
				queue = append(queue, d)
			}
			next[letter] = n
		}
		a.states = append(a.states, automatonState{next: next})
	}
	return nullable
}

// measure works out which numbers of characters end each state.
func (a *automaton) measure(nullable []bool, limit int) {
	for i := range a.states {
		a.states[i].lengths = make([]bool, limit+1)
		a.states[i].lengths[0] = nullable[i]
	}
	for n := 1; n <= limit; n++ {
		for i := range a.states {
			s := &a.states[i]
			for _, next := range s.next {
				if next >= 0 && a.states[next].lengths[n-1] {
					s.lengths[n] = true
					break
				}
			}
		}
	}
}

// make walks from the first state, over the letters that lead to an end.
func (a *automaton) make(key Key) string {
	s := formats.Source(key)
	var b strings.Builder
	state := &a.states[0]
	for n := a.choices[s.IntN(len(a.choices))]; n > 0; n-- {
		var plain, other []int
		for letter, next := range state.next {
			if next < 0 || !a.states[next].lengths[n-1] {
				continue
			}
			if a.plain>>letter&1 == 1 {
				plain = append(plain, letter)
			} else {
				other = append(other, letter)
			}
		}
		if len(plain) == 0 {
			plain = other
		}
		letter := plain[s.IntN(len(plain))]
		b.WriteRune(pick(a.letters[letter], &s))
		state = &a.states[state.next[letter]]
	}
	return b.String()
}
