package generate

import (
	"encoding/binary"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/formats"
)

// automaton writes the strings of some patterns whose length lies within bounds.
// Its letters are sets of characters that no pattern tells apart.
type automaton struct {
	letters [][]rune // pairs of first and last
	plain   []bool   // by letter: whether ASCII writes it
	states  []automatonState
	lengths []int // the lengths worth choosing from
}

type automatonState struct {
	threads []threads // by pattern
	next    []int32   // by letter; -1 where no string is
	ends    []bool    // whether n more characters can end a string
}

// Bounds of the search; strings beyond are not found.
const (
	maxStates   = 6000
	maxLetters  = 512
	maxSample   = 4096      // characters
	sampleRange = 48        // characters beyond the least length
	maxWork     = 4_000_000 // instructions visited
)

// usualSample are the lengths that strings get where patterns leave them open.
var usualSample = [2]int{3, 12}

// newAutomaton gives nil where no string is found that matches all of some
// patterns, none of others, and has lo to hi characters. Word boundaries,
// look-around and back references are approximate: check strings by the patterns.
func newAutomaton(all, none []string, lo, hi int) *automaton {
	if lo > maxSample {
		return nil
	}
	d := determinizer{automaton: &automaton{}, index: map[string]int32{}, seen: map[uint32]bool{}}
	for _, source := range all {
		must, mustNot := splitPattern(source)
		for _, s := range must {
			d.add(patternProgram(s, lo), false)
		}
		for _, s := range mustNot {
			d.add(patternProgram(s, lo), true)
		}
	}
	for _, source := range none {
		if must, mustNot := splitPattern(source); len(must)+len(mustNot) == 1 {
			d.add(patternProgram(must[0], lo), true) // a pattern with look-around is left to the check
		}
	}
	if d.failed || !d.findLetters() {
		return nil
	}
	d.explore()
	a := d.automaton
	for limit := lo + sampleRange; ; limit *= 4 { // a fixed count may be longer than the usual
		limit = min(limit, hi, maxSample)
		a.measure(d.accepting, limit)
		for n := lo; n <= limit; n++ {
			if a.states[0].ends[n] {
				a.lengths = append(a.lengths, n)
			}
		}
		if len(a.lengths) > 0 {
			a.lengths = readableLengths(a.lengths)
			return a
		}
		if limit == min(hi, maxSample) {
			return nil
		}
	}
}

// readableLengths keeps the lengths that look usual, or the nearest to them.
func readableLengths(lengths []int) []int {
	usual := slices.DeleteFunc(slices.Clone(lengths), func(n int) bool { return n < usualSample[0] || n > usualSample[1] })
	switch {
	case len(usual) > 0:
		return usual
	case lengths[0] > usualSample[1]:
		return lengths[:min(len(lengths), 4)]
	}
	return lengths[max(0, len(lengths)-3):]
}

// determinizer builds an automaton by following all patterns at once.
type determinizer struct {
	*automaton
	programs  []*syntax.Prog
	negated   []bool
	accepting []bool // by state
	index     map[string]int32
	work      int             // instructions visited
	failed    bool            // a pattern that must match could not be compiled
	seen      map[uint32]bool // scratch of follow
}

func (d *determinizer) add(p *syntax.Prog, negated bool) {
	if p == nil {
		d.failed = d.failed || !negated
		return
	}
	d.programs = append(d.programs, p)
	d.negated = append(d.negated, negated)
}

// findLetters splits the characters into letters; false where there are too many.
func (d *determinizer) findLetters() bool {
	cuts := []rune{0, surrogates[0], surrogates[1] + 1, unicode.MaxRune + 1}
	classes := map[string][]rune{}
	for _, p := range d.programs {
		for i := range p.Inst {
			if class := runesOf(&p.Inst[i]); class != nil {
				classes[string(class)] = class
			}
		}
	}
	for _, class := range classes {
		for i := 0; i < len(class); i += 2 {
			cuts = append(cuts, class[i], class[i+1]+1)
		}
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if len(cuts)*len(classes) > 1<<20 {
		return false
	}
	letterOf := map[string]int{}
	names := sorted(classes)
	signature := make([]byte, 0, len(names))
	for i, first := range cuts[:len(cuts)-1] {
		if first == surrogates[0] {
			continue
		}
		signature = signature[:0]
		for _, name := range names {
			signature = append(signature, 0)
			if len(intersect(classes[name], []rune{first, first})) > 0 {
				signature[len(signature)-1] = 1
			}
		}
		letter, ok := letterOf[string(signature)]
		if !ok {
			letter = len(d.letters)
			letterOf[string(signature)] = letter
			d.letters = append(d.letters, nil)
		}
		d.letters[letter] = append(d.letters[letter], first, cuts[i+1]-1)
	}
	for _, letter := range d.letters {
		d.plain = append(d.plain, len(intersect(letter, []rune{' ', '~'})) > 0)
	}
	return len(d.letters) <= maxLetters
}

var surrogates = [2]rune{0xd800, 0xdfff}

// runesOf gives the characters that an instruction takes, nil for instructions
// that take none.
func runesOf(in *syntax.Inst) []rune {
	if len(in.Rune) == 1 {
		return []rune{in.Rune[0], in.Rune[0]}
	}
	return in.Rune
}

// threads are where a pattern may stand in its program.
type threads struct {
	waiting []uint32 // for a character or for the end, sorted
	matched bool     // whatever follows
}

// explore finds the states from the start on.
func (d *determinizer) explore() {
	start := make([]threads, len(d.programs))
	for i, p := range d.programs {
		start[i] = d.follow(p, []uint32{uint32(p.Start)}, syntax.EmptyBeginText)
	}
	d.state(start)
	for i := 0; i < len(d.states); i++ {
		next := make([]int32, len(d.letters))
		for letter := range d.letters {
			next[letter] = d.state(d.step(d.states[i].threads, d.letters[letter][0]))
		}
		d.states[i].next = next
	}
}

// state gives the number of a state, -1 where no string is or too many states
// are known.
func (d *determinizer) state(all []threads) int32 {
	var key []byte
	accepting := true
	for i, t := range all {
		if t.matched && d.negated[i] || !t.matched && len(t.waiting) == 0 && !d.negated[i] {
			return -1
		}
		ends := t.matched || d.follow(d.programs[i], t.waiting, syntax.EmptyEndText).matched
		accepting = accepting && ends != d.negated[i]
		key = binary.AppendVarint(key, int64(len(t.waiting)))
		if t.matched {
			key = append(key, 0xff)
		}
		for _, pc := range t.waiting {
			key = binary.AppendUvarint(key, uint64(pc))
		}
	}
	if n, ok := d.index[string(key)]; ok {
		return n
	}
	if len(d.states) >= maxStates || d.work > maxWork {
		return -1
	}
	n := int32(len(d.states))
	d.index[string(key)] = n
	d.states = append(d.states, automatonState{threads: all})
	d.accepting = append(d.accepting, accepting)
	return n
}

// step gives the threads of each pattern after a character. A match may begin
// at any place.
func (d *determinizer) step(all []threads, r rune) []threads {
	after := make([]threads, len(all))
	for i, t := range all {
		p := d.programs[i]
		if t.matched {
			after[i] = t
			continue
		}
		list := []uint32{uint32(p.Start)}
		for _, pc := range t.waiting {
			if in := &p.Inst[pc]; runesOf(in) != nil && in.MatchRune(r) {
				list = append(list, in.Out)
			}
		}
		after[i] = d.follow(p, list, 0)
	}
	return after
}

// follow goes on from instructions to those that wait. at says whether that is
// at the start or at the end of the text. Word boundaries always hold.
func (d *determinizer) follow(p *syntax.Prog, from []uint32, at syntax.EmptyOp) threads {
	var t threads
	clear(d.seen)
	for len(from) > 0 && !t.matched {
		pc := from[len(from)-1]
		from = from[:len(from)-1]
		if d.seen[pc] {
			continue
		}
		d.seen[pc] = true
		d.work++
		switch in := &p.Inst[pc]; in.Op {
		case syntax.InstFail:
		case syntax.InstMatch:
			t.matched = true
		case syntax.InstAlt, syntax.InstAltMatch:
			from = append(slices.Clip(from), in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			from = append(slices.Clip(from), in.Out)
		case syntax.InstEmptyWidth:
			const anchors = syntax.EmptyBeginText | syntax.EmptyEndText
			switch anchor := syntax.EmptyOp(in.Arg) & anchors; {
			case anchor&^at == 0:
				from = append(slices.Clip(from), in.Out)
			case anchor == syntax.EmptyEndText:
				t.waiting = append(t.waiting, pc)
			}
		default:
			t.waiting = append(t.waiting, pc)
		}
	}
	if t.matched {
		t.waiting = nil
	}
	slices.Sort(t.waiting)
	return t
}

// measure works out which numbers of characters end each state.
func (a *automaton) measure(accepting []bool, limit int) {
	for i := range a.states {
		a.states[i].ends = make([]bool, limit+1)
		a.states[i].ends[0] = accepting[i]
	}
	for n := 1; n <= limit; n++ {
		for i := range a.states {
			s := &a.states[i]
			s.ends[n] = slices.ContainsFunc(s.next, func(next int32) bool { return next >= 0 && a.states[next].ends[n-1] })
		}
	}
}

// write writes a string: it walks from the first state over letters that lead to
// an end.
func (a *automaton) write(f *formats.Faker) string {
	var b strings.Builder
	state := &a.states[0]
	for n := a.lengths[f.IntN(len(a.lengths))]; n > 0; n-- {
		var plain, others []int
		for letter, next := range state.next {
			switch {
			case next < 0 || !a.states[next].ends[n-1]:
			case a.plain[letter]:
				plain = append(plain, letter)
			default:
				others = append(others, letter)
			}
		}
		if len(plain) == 0 {
			plain = others
		}
		letter := plain[f.IntN(len(plain))]
		b.WriteRune(pickRune(a.letters[letter], f))
		state = &a.states[state.next[letter]]
	}
	return b.String()
}

// favourites are the characters that a class gives first, if it has any.
var favourites = [][]rune{
	{'0', '9', 'a', 'z'}, {'A', 'Z'}, {'-', '-', '_', '_'}, {' ', ' '}, {'!', '~'},
	{0xa1, 0x2ff}, {0x300, 0xd7ff}, {0xe000, 0xfffd},
}

// pickRune takes a character of a class.
func pickRune(class []rune, f *formats.Faker) rune {
	if len(class) <= 2 || len(class) > 16 || class[len(class)-1] >= utf8.RuneSelf {
		for _, favourite := range favourites {
			if both := intersect(class, favourite); len(both) > 0 {
				class = both
				break
			}
		}
	}
	total := 0
	for i := 0; i < len(class); i += 2 {
		total += int(class[i+1]-class[i]) + 1
	}
	n := f.IntN(total)
	for i := 0; ; i += 2 {
		size := int(class[i+1]-class[i]) + 1
		if n < size {
			return class[i] + rune(n)
		}
		n -= size
	}
}

// intersect gives the characters of both classes, which are pairs of first and
// last.
func intersect(a, b []rune) []rune {
	var both []rune
	for i := 0; i < len(a); i += 2 {
		for j := 0; j < len(b); j += 2 {
			if lo, hi := max(a[i], b[j]), min(a[i+1], b[j+1]); lo <= hi {
				both = append(both, lo, hi)
			}
		}
	}
	return both
}
