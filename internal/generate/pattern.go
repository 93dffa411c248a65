package generate

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
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

var (
	digitClass = []rune{'0', '9'}
	wordClass  = []rune{'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}
	spaceClass = []rune{'\t', '\r', ' ', ' ', 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000, 0xfeff, 0xfeff}
)

// classEscape reads what follows a backslash and stands for characters.
func (p *patternParser) classEscape() []rune {
	r := p.next()
	switch r {
	case 'd':
		return digitClass
	case 'D':
		return complement(digitClass)
	case 'w':
		return wordClass
	case 'W':
		return complement(wordClass)
	case 's':
		return spaceClass
	case 'S':
		return complement(spaceClass)
	case 'p', 'P':
		class := p.property()
		if r == 'P' {
			return complement(class)
		}
		return class
	case 't':
		r = '\t'
	case 'n':
		r = '\n'
	case 'r':
		r = '\r'
	case 'f':
		r = '\f'
	case 'v':
		r = '\v'
	case '0':
		r = 0
	case 'c':
		r = p.next() % 32
	case 'x':
		r = p.hex(2)
	case 'u':
		r = p.hex(4)
		if r >= 0xd800 && r < 0xdc00 && p.accept("\\u") {
			r = (r-0xd800)<<10 + p.hex(4) - 0xdc00 + 0x10000
		}
	}
	return []rune{r, r}
}

// hex reads n digits, or as many as stand in braces.
func (p *patternParser) hex(n int) rune {
	if p.accept("{") {
		if n = slices.Index(p.rest, '}'); n < 0 {
			p.fail()
			return 0
		}
		defer p.accept("}")
	}
	if n > len(p.rest) {
		p.fail()
		return 0
	}
	v, err := strconv.ParseUint(string(p.rest[:n]), 16, 32)
	if err != nil || v > unicode.MaxRune {
		p.fail()
		return 0
	}
	p.rest = p.rest[n:]
	return rune(v)
}

// property reads the rest of \p{…}: a general category, a script, or a binary
// property.
func (p *patternParser) property() []rune {
	name := string(p.next())
	if name == "{" {
		end := slices.Index(p.rest, '}')
		if end < 0 {
			p.fail()
			return nil
		}
		name = string(p.rest[:end])
		p.rest = p.rest[end+1:]
	}
	if _, value, ok := strings.Cut(name, "="); ok {
		name = value
	}
	if short, ok := longCategories[name]; ok {
		name = short
	}
	switch name {
	case "Any":
		return complement(nil)
	case "ASCII":
		return []rune{0, 0x7f}
	case "Alphabetic":
		name = "L"
	case "Uppercase":
		name = "Lu"
	case "Lowercase":
		name = "Ll"
	}
	table := unicode.Categories[name]
	if table == nil {
		table = unicode.Scripts[name]
	}
	if table == nil {
		table = unicode.Properties[name]
	}
	if table == nil {
		p.fail()
		return nil
	}
	return ofTable(table)
}

// longCategories are the long names of general categories (Unicode's
// PropertyValueAliases) that patterns use.
var longCategories = map[string]string{
	"Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Titlecase_Letter": "Lt",
	"Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me",
	"Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No",
	"Punctuation": "P", "punct": "P", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
	"Separator": "Z", "Space_Separator": "Zs", "Other": "C", "Control": "Cc", "cntrl": "Cc",
}

func (p *patternParser) brackets() *pattern {
	negated := p.accept("^")
	var class []rune
	for {
		if len(p.rest) == 0 {
			return p.fail()
		}
		if p.accept("]") {
			break
		}
		if p.accept("[:") { // RE2's [[:alpha:]], which ECMA-262 has not
			return p.fail()
		}
		first := p.classMember()
		if len(p.rest) > 1 && p.peek() == '-' && p.rest[1] != ']' && len(first) == 2 && first[0] == first[1] {
			p.next()
			last := p.classMember()
			if len(last) != 2 || last[0] != last[1] {
				class = append(class, '-', '-')
				class = append(class, first...)
				class = append(class, last...)
				continue
			}
			if last[0] < first[0] {
				return p.fail()
			}
			first = []rune{first[0], last[0]}
		}
		class = append(class, first...)
	}
	class = normal(class)
	if negated {
		class = complement(class)
	}
	return &pattern{op: opClass, class: class}
}

func (p *patternParser) classMember() []rune {
	r := p.next()
	if r != '\\' {
		return []rune{r, r}
	}
	if p.accept("b") {
		return []rune{'\b', '\b'}
	}
	return p.classEscape()
}

// normal sorts and joins ranges.
func normal(class []rune) []rune {
	type span struct{ lo, hi rune }
	spans := make([]span, 0, len(class)/2)
	for i := 0; i+1 < len(class); i += 2 {
		spans = append(spans, span{class[i], class[i+1]})
	}
	slices.SortFunc(spans, func(a, b span) int { return int(a.lo - b.lo) })
	var joined []rune
	for _, s := range spans {
		if n := len(joined); n > 0 && s.lo <= joined[n-1]+1 {
			joined[n-1] = max(joined[n-1], s.hi)
			continue
		}
		joined = append(joined, s.lo, s.hi)
	}
	return joined
}

// complement gives all other characters, surrogates aside.
func complement(class []rune) []rune {
	class = normal(append(slices.Clone(class), 0xd800, 0xdfff))
	var others []rune
	next := rune(0)
	for i := 0; i < len(class); i += 2 {
		if class[i] > next {
			others = append(others, next, class[i]-1)
		}
		next = class[i+1] + 1
	}
	if next <= unicode.MaxRune {
		others = append(others, next, unicode.MaxRune)
	}
	return others
}

func ofTable(table *unicode.RangeTable) []rune {
	var class []rune
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			class = append(class, lo, hi)
			return
		}
		for r := lo; r <= hi; r += stride {
			class = append(class, r, r)
		}
	}
	for _, r := range table.R16 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	for _, r := range table.R32 {
		add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
	}
	return normal(class)
}
