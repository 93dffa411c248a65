package generate

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

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
