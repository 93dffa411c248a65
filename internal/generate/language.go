package generate

import (
	"encoding/binary"
	"slices"
)

// language is a set of strings, as an expression that derivatives can be taken
// of (Brzozowski 1964): unlike a pattern it knows intersection and complement,
// so several patterns, their negations and look-ahead are one language. Equal
// expressions are one pointer.
type language struct {
	op       languageOp
	class    uint64 // of langClass: a set of the alphabet's letters
	sub      []*language
	min, max int // of langRepeat; max -1 is without end
	id       int
	nullable bool // whether the empty string is in it
}

type languageOp uint8

const (
	langNone languageOp = iota
	langEmpty
	langClass
	langConcat
	langAny
	langAll
	langNot
	langRepeat
)

// languages makes languages over one alphabet, whose letters are sets of
// characters that no pattern tells apart.
type languages struct {
	letters [][]rune
	known   map[string]*language
	derived map[[2]int]*language
	none    *language
	empty   *language
	all     *language // every string
	char    *language // every string of one character
}

// maxLetters is how many letters a class, which is one word, can tell apart.
const maxLetters = 64

// maxTree is how many parts the patterns may have.
const maxTree = 1000

// newLanguages finds the alphabet of patterns; nil where it is too large.
func newLanguages(patterns []*pattern) *languages {
	cuts := []rune{0, 0x110000, 0xd800, 0xe000}
	classes := map[*pattern]bool{}
	size := 0
	var collect func(p *pattern)
	collect = func(p *pattern) {
		size++
		if p.op == opClass && !classes[p] {
			classes[p] = true
			for i := 0; i < len(p.class); i += 2 {
				cuts = append(cuts, p.class[i], p.class[i+1]+1)
			}
		}
		for _, sub := range p.sub {
			collect(sub)
		}
	}
	for _, p := range patterns {
		collect(p)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if len(cuts) > 4096 || size > maxTree {
		return nil
	}
	// Stretches that the same classes have are one letter.
	ordered := make([]*pattern, 0, len(classes))
	for p := range classes {
		ordered = append(ordered, p)
	}
	bySignature := map[string]int{}
	l := &languages{known: map[string]*language{}, derived: map[[2]int]*language{}}
	for i := range len(cuts) - 1 {
		if cuts[i] == 0xd800 {
			continue
		}
		signature := make([]byte, len(ordered))
		for j, p := range ordered {
			if inClass(p.class, cuts[i]) {
				signature[j] = 1
			}
		}
		n, ok := bySignature[string(signature)]
		if !ok {
			n = len(l.letters)
			bySignature[string(signature)] = n
			l.letters = append(l.letters, nil)
		}
		l.letters[n] = append(l.letters[n], cuts[i], cuts[i+1]-1)
	}
	if len(l.letters) > maxLetters {
		return nil
	}
	l.none = l.intern(&language{op: langNone})
	l.empty = l.intern(&language{op: langEmpty, nullable: true})
	l.char = l.intern(&language{op: langClass, class: 1<<len(l.letters) - 1})
	l.all = l.repeat(l.char, 0, -1)
	return l
}

func inClass(class []rune, r rune) bool {
	for i := 0; i < len(class); i += 2 {
		if class[i] <= r && r <= class[i+1] {
			return true
		}
	}
	return false
}

func (l *languages) intern(e *language) *language {
	key := binary.AppendUvarint([]byte{byte(e.op)}, e.class)
	key = binary.AppendVarint(key, int64(e.min))
	key = binary.AppendVarint(key, int64(e.max))
	for _, sub := range e.sub {
		key = binary.AppendUvarint(key, uint64(sub.id))
	}
	if known := l.known[string(key)]; known != nil {
		return known
	}
	e.id = len(l.known)
	l.known[string(key)] = e
	return e
}

func (l *languages) concat(a, b *language) *language {
	switch {
	case a == l.none || b == l.none:
		return l.none
	case a == l.empty:
		return b
	case b == l.empty:
		return a
	case a.op == langConcat:
		return l.concat(a.sub[0], l.concat(a.sub[1], b))
	}
	return l.intern(&language{op: langConcat, sub: []*language{a, b}, nullable: a.nullable && b.nullable})
}

func (l *languages) repeat(e *language, lo, hi int) *language {
	switch {
	case hi == 0 || e == l.empty || e == l.none && lo == 0:
		return l.empty
	case e == l.none:
		return l.none
	case lo == 1 && hi == 1:
		return e
	}
	return l.intern(&language{op: langRepeat, sub: []*language{e}, min: lo, max: hi, nullable: lo == 0 || e.nullable})
}

// join makes unions (langAny) and intersections (langAll).
func (l *languages) join(op languageOp, list ...*language) *language {
	neutral, absorbing := l.none, l.all
	if op == langAll {
		neutral, absorbing = l.all, l.none
	}
	var subs []*language
	for _, e := range list {
		switch {
		case e == absorbing:
			return absorbing
		case e == neutral:
		case e.op == op:
			subs = append(subs, e.sub...)
		default:
			subs = append(subs, e)
		}
	}
	slices.SortFunc(subs, func(a, b *language) int { return a.id - b.id })
	subs = slices.Compact(subs)
	switch len(subs) {
	case 0:
		return neutral
	case 1:
		return subs[0]
	}
	nullable := op == langAll
	for _, e := range subs {
		if op == langAll {
			nullable = nullable && e.nullable
		} else {
			nullable = nullable || e.nullable
		}
	}
	return l.intern(&language{op: op, sub: subs, nullable: nullable})
}

func (l *languages) not(e *language) *language {
	switch {
	case e == l.none:
		return l.all
	case e == l.all:
		return l.none
	case e.op == langNot:
		return e.sub[0]
	}
	return l.intern(&language{op: langNot, sub: []*language{e}, nullable: !e.nullable})
}

// derive gives what may follow the letter at the start of e's strings.
func (l *languages) derive(e *language, letter int) *language {
	key := [2]int{e.id, letter}
	if known := l.derived[key]; known != nil {
		return known
	}
	var d *language
	switch e.op {
	case langClass:
		d = l.none
		if e.class>>letter&1 == 1 {
			d = l.empty
		}
	case langConcat:
		d = l.concat(l.derive(e.sub[0], letter), e.sub[1])
		if e.sub[0].nullable {
			d = l.join(langAny, d, l.derive(e.sub[1], letter))
		}
	case langRepeat:
		d = l.concat(l.derive(e.sub[0], letter), l.repeat(e.sub[0], max(0, e.min-1), max(-1, e.max-1)))
		if e.max == -1 {
			d = l.concat(l.derive(e.sub[0], letter), l.repeat(e.sub[0], max(0, e.min-1), -1))
		}
	case langAny, langAll:
		subs := make([]*language, len(e.sub))
		for i, sub := range e.sub {
			subs[i] = l.derive(sub, letter)
		}
		d = l.join(e.op, subs...)
	case langNot:
		d = l.not(l.derive(e.sub[0], letter))
	default:
		d = l.none
	}
	l.derived[key] = d
	return d
}

// matching gives all strings in which p matches somewhere.
func (l *languages) matching(p *pattern) *language {
	later := l.concat(l.char, l.all)
	return l.join(langAny, l.of(p, l.all, true), l.concat(later, l.of(p, l.all, false)))
}

// of gives p followed by rest. Word boundaries, look-behind and back references
// are taken to allow everything: who uses the strings matches them.
func (l *languages) of(p *pattern, rest *language, start bool) *language {
	switch p.op {
	case opClass:
		var class uint64
		for i, letter := range l.letters {
			if inClass(p.class, letter[0]) {
				class |= 1 << i
			}
		}
		if class == 0 {
			return l.none
		}
		return l.concat(l.intern(&language{op: langClass, class: class}), rest)
	case opConcat:
		for i := len(p.sub) - 1; i >= 0; i-- {
			rest = l.of(p.sub[i], rest, start)
		}
		return rest
	case opAlternate:
		subs := make([]*language, len(p.sub))
		for i, sub := range p.sub {
			subs[i] = l.of(sub, rest, start)
		}
		return l.join(langAny, subs...)
	case opGroup:
		return l.of(p.sub[0], rest, start)
	case opRepeat:
		if p.min == 0 && p.max == 1 {
			return l.join(langAny, l.of(p.sub[0], rest, start), rest)
		}
		return l.concat(l.repeat(l.of(p.sub[0], l.empty, start), p.min, p.max), rest)
	case opBegin:
		if !start {
			return l.none
		}
	case opEnd:
		return l.join(langAll, l.empty, rest)
	case opLook:
		if p.behind {
			return rest
		}
		ahead := l.of(p.sub[0], l.all, start)
		if p.negated {
			ahead = l.not(ahead)
		}
		return l.join(langAll, ahead, rest)
	case opBackref:
		return l.concat(l.all, rest)
	}
	return rest
}
