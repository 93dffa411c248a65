package generate

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// pattern is a regular expression of ECMA-262 (section 22.2) as a tree that
// strings can be made from.
type pattern struct {
	op       patternOp
	class    []rune // pairs of first and last, sorted
	sub      []*pattern
	min, max int // of a repeat; max -1 is without end
	group    int // of a group or a back reference
	// Of a look-around: whether it looks back, and whether it must not match.
	behind, negated bool
	// lengths are the numbers of characters that matches can have, as bits, up
	// to the number they were worked out for.
	lengths *big.Int
	rests   []*big.Int // of a concatenation: the lengths of its end from each part on
	counts  []*big.Int // of a repeat: the lengths of n repetitions
}

type patternOp uint8

const (
	opEmpty patternOp = iota
	opClass
	opConcat
	opAlternate
	opRepeat
	opGroup
	opBackref
	opBegin
	opEnd
	opBoundary
	opLook // look-around: sub[0] is what it asks for
)

// maxPattern bounds the nesting of a pattern and the pattern's length.
const (
	maxNesting = 100
	maxPattern = 10_000
)

// parsePattern reads a pattern, nil where it is none that strings can be made
// from.
func parsePattern(source string) *pattern {
	if len(source) > maxPattern || !utf8.ValidString(source) {
		return nil
	}
	p := &patternParser{rest: []rune(source)}
	tree := p.alternatives()
	if p.failed || len(p.rest) > 0 {
		return nil
	}
	return tree
}

type patternParser struct {
	rest   []rune
	groups int
	names  map[string]int
	depth  int
	failed bool
}

func (p *patternParser) fail() *pattern {
	p.failed = true
	p.rest = nil
	return &pattern{}
}

func (p *patternParser) peek() rune {
	if len(p.rest) == 0 {
		return -1
	}
	return p.rest[0]
}

func (p *patternParser) next() rune {
	if len(p.rest) == 0 {
		p.failed = true
		return -1
	}
	r := p.rest[0]
	p.rest = p.rest[1:]
	return r
}

func (p *patternParser) accept(s string) bool {
	runes := []rune(s)
	if len(p.rest) < len(runes) || !slices.Equal(p.rest[:len(runes)], runes) {
		return false
	}
	p.rest = p.rest[len(runes):]
	return true
}

func (p *patternParser) alternatives() *pattern {
	if p.depth++; p.depth > maxNesting {
		return p.fail()
	}
	defer func() { p.depth-- }()
	list := []*pattern{p.sequence()}
	for p.accept("|") {
		list = append(list, p.sequence())
	}
	if len(list) == 1 {
		return list[0]
	}
	return &pattern{op: opAlternate, sub: list}
}

func (p *patternParser) sequence() *pattern {
	seq := &pattern{op: opConcat}
	for len(p.rest) > 0 && p.peek() != '|' && p.peek() != ')' {
		seq.sub = append(seq.sub, p.quantified(p.atom()))
	}
	if len(seq.sub) == 1 {
		return seq.sub[0]
	}
	return seq
}

func (p *patternParser) quantified(atom *pattern) *pattern {
	lo, hi := 1, 1
	switch {
	case p.accept("*"):
		lo, hi = 0, -1
	case p.accept("+"):
		hi = -1
	case p.accept("?"):
		lo = 0
	case p.peek() == '{':
		var ok bool
		if lo, hi, ok = p.braces(); !ok {
			return atom
		}
	default:
		return atom
	}
	p.accept("?") // reluctance changes no match
	if hi >= 0 && lo > hi {
		return p.fail()
	}
	return &pattern{op: opRepeat, sub: []*pattern{atom}, min: lo, max: hi}
}

// braces reads {n}, {n,} or {n,m}; anything else is a plain brace.
func (p *patternParser) braces() (lo, hi int, ok bool) {
	end := slices.Index(p.rest, '}')
	if end < 0 {
		return 0, 0, false
	}
	inside := string(p.rest[1:end])
	if strings.Trim(inside, "0123456789,") != "" {
		return 0, 0, false
	}
	first, second, two := strings.Cut(inside, ",")
	lo, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, false
	}
	switch {
	case !two:
		hi = lo
	case second == "":
		hi = -1
	default:
		if hi, err = strconv.Atoi(second); err != nil {
			return 0, 0, false
		}
	}
	p.rest = p.rest[end+1:]
	return lo, hi, true
}

func (p *patternParser) atom() *pattern {
	switch r := p.next(); r {
	case '^':
		return &pattern{op: opBegin}
	case '$':
		return &pattern{op: opEnd}
	case '.':
		return &pattern{op: opClass, class: complement([]rune{'\n', '\n', '\r', '\r', 0x2028, 0x2029})}
	case '(':
		return p.parentheses()
	case '[':
		return p.brackets()
	case '\\':
		return p.escape()
	case '*', '+', '?':
		return p.fail()
	default:
		return char(r)
	}
}

func char(r rune) *pattern { return &pattern{op: opClass, class: []rune{r, r}} }

func (p *patternParser) parentheses() *pattern {
	var look *pattern
	group := 0
	switch {
	case p.accept("?:"):
	case p.accept("?="):
		look = &pattern{op: opLook}
	case p.accept("?!"):
		look = &pattern{op: opLook, negated: true}
	case p.accept("?<="), p.accept("?<!"):
		look = &pattern{op: opLook, behind: true}
	case p.accept("?<"), p.accept("?P<"):
		end := slices.Index(p.rest, '>')
		if end < 0 {
			return p.fail()
		}
		p.groups++
		group = p.groups
		if p.names == nil {
			p.names = map[string]int{}
		}
		p.names[string(p.rest[:end])] = group
		p.rest = p.rest[end+1:]
	case p.peek() == '?':
		return p.fail()
	default:
		p.groups++
		group = p.groups
	}
	inner := p.alternatives()
	if !p.accept(")") {
		return p.fail()
	}
	switch {
	case look != nil:
		look.sub = []*pattern{inner}
		return look
	case group > 0:
		return &pattern{op: opGroup, sub: []*pattern{inner}, group: group}
	}
	return inner
}

func (p *patternParser) escape() *pattern {
	r := p.peek()
	switch {
	case r == 'b' || r == 'B':
		p.next()
		return &pattern{op: opBoundary}
	case r == 'k':
		if end := slices.Index(p.rest, '>'); end > 2 && p.rest[1] == '<' {
			group := p.names[string(p.rest[2:end])]
			p.rest = p.rest[end+1:]
			return &pattern{op: opBackref, group: group}
		}
	case r >= '1' && r <= '9':
		n := 0
		for p.peek() >= '0' && p.peek() <= '9' && n < 1000 {
			n = n*10 + int(p.next()-'0')
		}
		return &pattern{op: opBackref, group: n}
	case r == 'A' && p.accept("A"):
		return &pattern{op: opBegin}
	case (r == 'z' || r == 'Z') && (p.accept("z") || p.accept("Z")):
		return &pattern{op: opEnd}
	}
	return &pattern{op: opClass, class: p.classEscape()}
}
