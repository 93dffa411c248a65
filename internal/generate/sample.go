package generate

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/formats"
)

// maxSample bounds the strings made from patterns, in characters.
const maxSample = 4096

// usualSample is the length that a string made from a pattern gets where the
// pattern leaves it open.
var usualSample = [2]int{3, 12}

// sampler makes the strings of one pattern whose length lies within bounds. It
// takes look-around and word boundaries for satisfied: who uses the strings
// matches them.
type sampler struct {
	tree    *pattern
	choices []int // the lengths worth choosing from
}

// sample makes a string once; newSampler is for many.
func (p *pattern) sample(key Key, lo, hi int) (string, bool) {
	s := newSampler(p, lo, hi)
	if s == nil {
		return "", false
	}
	return s.make(key), true
}

// newSampler gives nil where no match has such a length.
func newSampler(p *pattern, lo, hi int) *sampler {
	if lo > maxSample {
		return nil
	}
	core := samplerOf(p, lo, hi)
	if core != nil && !core.few() {
		return core
	}
	// What may stand around a match makes for longer strings, and for more.
	if wide := samplerOf(padded(p), lo, hi); wide != nil {
		return wide
	}
	return core
}

func samplerOf(tree *pattern, lo, hi int) *sampler {
	s := &sampler{tree: tree}
	for limit := max(lo+64, 256); ; limit = maxSample {
		limit = min(limit, hi, maxSample)
		m := measurer{limit: limit, groups: map[int]*pattern{}}
		m.collect(tree)
		lengths := m.measure(tree)
		for n := lo; n <= limit; n++ {
			if lengths.Bit(n) == 1 {
				s.choices = append(s.choices, n)
			}
		}
		if len(s.choices) > 0 {
			s.choices = readable(s.choices)
			return s
		}
		if limit == min(hi, maxSample) {
			return nil
		}
	}
}

// few reports whether the sampler hardly ever makes different strings.
func (s *sampler) few() bool {
	made := map[string]bool{}
	for i := range 8 {
		made[s.make(Key(23).at(i))] = true
	}
	return len(made) <= 2
}

// readable keeps the lengths that look usual, or the shortest.
func readable(lengths []int) []int {
	var usual []int
	for _, n := range lengths {
		if n >= usualSample[0] && n <= usualSample[1] {
			usual = append(usual, n)
		}
	}
	if len(usual) > 0 {
		return usual
	}
	if lengths[0] > usualSample[1] {
		return lengths[:min(len(lengths), 4)]
	}
	return lengths[max(0, len(lengths)-3):]
}

func (s *sampler) make(key Key) string {
	w := sampleWriter{stream: formats.Source(key)}
	w.write(s.tree, s.choices[w.stream.IntN(len(s.choices))])
	return w.out.String()
}

// padded puts anything before and after what is not anchored.
func padded(p *pattern) *pattern {
	if p.op == opAlternate {
		alt := &pattern{op: opAlternate}
		for _, sub := range p.sub {
			alt.sub = append(alt.sub, padded(sub))
		}
		return alt
	}
	anything := func() *pattern {
		return &pattern{op: opRepeat, min: 0, max: -1, sub: []*pattern{{op: opClass, class: []rune{'a', 'z'}}}}
	}
	whole := &pattern{op: opConcat}
	if !anchored(p, opBegin) {
		whole.sub = append(whole.sub, anything())
	}
	whole.sub = append(whole.sub, p)
	if !anchored(p, opEnd) {
		whole.sub = append(whole.sub, anything())
	}
	return whole
}

// anchored reports whether every match begins, or ends, with the anchor.
func anchored(p *pattern, anchor patternOp) bool {
	switch p.op {
	case anchor:
		return true
	case opGroup:
		return anchored(p.sub[0], anchor)
	case opConcat:
		if len(p.sub) == 0 {
			return false
		}
		if anchor == opBegin {
			return anchored(p.sub[0], anchor)
		}
		return anchored(p.sub[len(p.sub)-1], anchor)
	case opAlternate:
		for _, sub := range p.sub {
			if !anchored(sub, anchor) {
				return false
			}
		}
		return true
	}
	return false
}

type sampleWriter struct {
	stream formats.Source
	out    strings.Builder
	groups map[int]string
}

// write appends a match of n characters, which must be one of p's lengths.
func (w *sampleWriter) write(p *pattern, n int) {
	switch p.op {
	case opClass:
		w.out.WriteRune(pick(p.class, &w.stream))
	case opGroup:
		start := w.out.Len()
		w.write(p.sub[0], n)
		if w.groups == nil {
			w.groups = map[int]string{}
		}
		w.groups[p.group] = w.out.String()[start:]
	case opBackref:
		w.out.WriteString(w.groups[p.group])
	case opConcat:
		for i, sub := range p.sub {
			length := w.split(sub.lengths, p.rests[i+1], n)
			w.write(sub, length)
			n -= length
		}
	case opAlternate:
		start := w.stream.IntN(len(p.sub))
		for i := range p.sub {
			if sub := p.sub[(start+i)%len(p.sub)]; sub.lengths.Bit(n) == 1 {
				w.write(sub, n)
				return
			}
		}
	case opRepeat:
		w.repeat(p, n)
	}
}

// split chooses the length of a first part so that the rest can have what is
// left of n.
func (w *sampleWriter) split(first, rest *big.Int, n int) int {
	var fits []int
	for length := range min(n+1, first.BitLen()) {
		if first.Bit(length) == 1 && rest.Bit(n-length) == 1 {
			fits = append(fits, length)
		}
	}
	if len(fits) == 0 {
		return n
	}
	return fits[w.stream.IntN(len(fits))]
}

func (w *sampleWriter) repeat(p *pattern, n int) {
	sub := p.sub[0]
	if p.counts == nil {
		for range n {
			w.write(sub, 1)
		}
		return
	}
	var counts []int
	for count := p.min; count < len(p.counts); count++ {
		if p.counts[count].Bit(n) == 1 {
			counts = append(counts, count)
		}
	}
	if len(counts) == 0 {
		return
	}
	count := counts[w.stream.IntN(min(len(counts), 4))]
	for ; count > 0; count-- {
		length := w.split(sub.lengths, p.counts[count-1], n)
		w.write(sub, length)
		n -= length
	}
}

// favourites are the characters that a class gives first, if it has any.
var favourites = [][]rune{
	{'0', '9', 'a', 'z'}, {'A', 'Z'}, {'-', '-', '_', '_'}, {' ', ' '}, {'!', '~'}, {0xa1, 0x2ff}, {0x300, 0xd7ff}, {0xe000, 0xfffd},
}

// pick takes a character of a class.
func pick(class []rune, s *formats.Source) rune {
	if len(class) == 2 && class[0] == class[1] {
		return class[0]
	}
	if len(class) > 2 && len(class) <= 16 && class[len(class)-1] < utf8.RuneSelf {
		return pickOf(class, s)
	}
	for _, favourite := range favourites {
		if both := intersect(class, favourite); len(both) > 0 {
			return pickOf(both, s)
		}
	}
	return pickOf(class, s)
}

func pickOf(class []rune, s *formats.Source) rune {
	total := 0
	for i := 0; i < len(class); i += 2 {
		total += int(class[i+1]-class[i]) + 1
	}
	n := s.IntN(total)
	for i := 0; i < len(class); i += 2 {
		size := int(class[i+1]-class[i]) + 1
		if n < size {
			return class[i] + rune(n)
		}
		n -= size
	}
	return class[0]
}

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
