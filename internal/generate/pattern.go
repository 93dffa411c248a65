package generate

import (
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/spec"
)

// sampler writes strings of a pattern, of a length that is chosen. It is approximate: look-around and word boundaries
// are ignored, and of alternatives that differ in length some cannot have every length. Check strings by the pattern.
type sampler struct {
	tree       *syntax.Regexp
	sizes      map[*syntax.Regexp]size
	references []string // the groups, by number or name, that back references repeat
}

// size is how many characters a part of a pattern writes.
type size struct{ least, most int }

// newSampler returns nil for a pattern that package syntax cannot express.
func newSampler(pattern string, minLength int) *sampler {
	// Counts far above the least lead to no better strings, and package syntax refuses many of them within each other.
	for _, limit := range []int{max(64, minLength), 8} {
		s := &sampler{sizes: map[*syntax.Regexp]size{}}
		translated, ok := spec.ToRE2(s.simplify(pattern, limit))
		if !ok {
			return nil
		}
		if tree, err := syntax.Parse(translated, syntax.Perl); err == nil {
			s.tree = padded(tree)
			s.measure(s.tree)
			return s
		}
	}
	return nil
}

var patternToken = lazyregexp.New(
	`(?s)\\k<\w+>|\\[1-9]\d*|\\.|\[(?:\\.|[^\]\\])*\]|\{\d+,\d+\}|\(\?<?[=!]|.`)

// firstReference stands for the first back reference in a pattern, the next character for the second.
const firstReference = '\ue000'

// simplify leaves out look-around, puts characters for back references, and lowers the upper bounds of {n,m} to n plus
// a limit.
func (s *sampler) simplify(pattern string, limit int) string {
	var b strings.Builder
	depth, look := 0, 0 // look is the depth of the look-around that is left out
	for _, token := range patternToken.Get().FindAllString(pattern, -1) {
		isLook := len(token) > 1 && token[0] == '('
		if token[0] == '(' {
			depth++
		}
		switch {
		case isLook && look == 0:
			look = depth
		case look > 0:
		case len(token) > 1 && token[0] == '\\' && strings.Contains("123456789k", token[1:2]):
			s.references = append(s.references, strings.Trim(token, `\k<>`))
			b.WriteRune(firstReference + rune(len(s.references)-1))
		case token == "[^]":
			b.WriteString(`[\d\D]`)
		case token[0] == '[':
			b.WriteString(strings.ReplaceAll(token, `\S`, "!-~"))
		case token[0] == '{' && len(token) > 1:
			least, most, _ := strings.Cut(strings.Trim(token, "{}"), ",")
			lo, _ := strconv.Atoi(least)
			hi, _ := strconv.Atoi(most)
			b.WriteString("{" + least + "," + strconv.Itoa(min(hi, lo+limit)) + "}")
		default:
			b.WriteString(token)
		}
		if token == ")" {
			if depth == look {
				look = 0
			}
			depth--
		}
	}
	return b.String()
}

// padded adds characters before and behind a pattern if it is not anchored.
func padded(re *syntax.Regexp) *syntax.Regexp {
	if re.Op == syntax.OpAlternate || re.Op == syntax.OpCapture {
		for i := range re.Sub {
			re.Sub[i] = padded(re.Sub[i])
		}
		return re
	}
	letters := &syntax.Regexp{Op: syntax.OpCharClass, Rune: []rune{'0', '9', 'A', 'Z', 'a', 'z'}}
	padding := &syntax.Regexp{Op: syntax.OpStar, Sub: []*syntax.Regexp{letters}}
	parts := []*syntax.Regexp{re}
	if !mentions(re, syntax.OpBeginText) {
		parts = append([]*syntax.Regexp{padding}, parts...)
	}
	if !mentions(re, syntax.OpEndText) {
		parts = append(parts, padding)
	}
	return &syntax.Regexp{Op: syntax.OpConcat, Sub: parts}
}

func mentions(re *syntax.Regexp, op syntax.Op) bool {
	return re.Op == op || slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return mentions(sub, op) })
}

func (s *sampler) measure(re *syntax.Regexp) size {
	var n size
	for i, sub := range re.Sub {
		part := s.measure(sub)
		switch {
		case re.Op != syntax.OpAlternate:
			n = size{n.least + part.least, min(n.most+part.most, never)}
		case i == 0:
			n = part
		default:
			n = size{min(n.least, part.least), max(n.most, part.most)}
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		n = size{len(re.Rune), len(re.Rune)}
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		n = size{1, 1}
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := repeats(re)
		n = size{n.least * least, min(n.most*most, never)}
	}
	s.sizes[re] = n
	return n
}

func repeats(re *syntax.Regexp) (least, most int) {
	switch re.Op {
	case syntax.OpStar:
		return 0, never
	case syntax.OpPlus:
		return 1, never
	case syntax.OpQuest:
		return 0, 1
	}
	if re.Max < 0 {
		return re.Min, never
	}
	return re.Min, re.Max
}

type sample struct {
	*sampler
	strings.Builder
	f      *formats.Faker
	groups map[string]string // what was written for them
}

// usual are the lengths that strings get if patterns leave them open.
var usual = size{3, 12}

// write writes a string of lo to hi characters if the pattern allows it. Later tries may be longer than is usual.
func (s *sampler) write(f *formats.Faker, lo, hi, try int) string {
	lo, hi = max(lo, s.sizes[s.tree].least), min(hi, s.sizes[s.tree].most)
	if longest := usual.most << (try / 32); lo <= longest {
		hi = min(hi, longest)
		lo = min(max(lo, usual.least), hi)
	} else {
		hi = min(hi, lo+usual.least)
	}
	w := sample{sampler: s, f: f, groups: map[string]string{}}
	w.part(s.tree, lo+f.IntN(max(hi-lo, 0)+1))
	return w.String()
}

func (w *sample) part(re *syntax.Regexp, n int) {
	n = min(max(n, w.sizes[re].least), w.sizes[re].most)
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if i := int(r - firstReference); i >= 0 && i < len(w.references) {
				w.WriteString(w.groups[w.references[i]])
			} else {
				w.WriteRune(pickRune([]rune{r, r}, w.f))
			}
		}
	case syntax.OpCharClass:
		w.WriteRune(pickRune(re.Rune, w.f))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.WriteRune(pickRune([]rune{' ', '~'}, w.f))
	case syntax.OpCapture:
		start := w.Len()
		w.part(re.Sub[0], n)
		w.groups[strconv.Itoa(re.Cap)] = w.String()[start:]
		w.groups[re.Name] = w.String()[start:]
	case syntax.OpAlternate:
		branches := slices.DeleteFunc(slices.Clone(re.Sub), func(sub *syntax.Regexp) bool {
			return n < w.sizes[sub].least || n > w.sizes[sub].most
		})
		if len(branches) == 0 {
			branches = re.Sub
		}
		w.part(branches[w.f.IntN(len(branches))], n)
	case syntax.OpConcat:
		w.parts(re.Sub, n)
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		once := w.sizes[re.Sub[0]]
		least, most := repeats(re)
		least = max(least, (n+once.most-1)/max(once.most, 1))
		most = min(most, n/max(once.least, 1))
		w.parts(slices.Repeat(re.Sub, w.between(least, most)), n)
	}
}

func (w *sample) parts(parts []*syntax.Regexp, n int) {
	var rest size
	for _, part := range parts {
		rest.least += w.sizes[part].least
		rest.most += w.sizes[part].most
	}
	for _, part := range parts {
		size := w.sizes[part]
		rest.least -= size.least
		rest.most -= size.most
		length := w.between(max(size.least, n-rest.most), min(size.most, n-rest.least))
		w.part(part, length)
		n -= length
	}
}

func (w *sample) between(lo, hi int) int {
	if hi <= lo {
		return lo
	}
	return lo + w.f.IntN(hi-lo+1)
}

// favourites are the characters that a class prefers, if it has any.
var favourites = [][]rune{
	{'0', '9', 'a', 'z'}, {'A', 'Z'}, {'-', '-', '_', '_'}, {' ', ' '}, {'!', '~'},
	{0xa1, 0x2ff}, {0x300, 0xd7ff}, {0xe000, 0xfffd},
}

// pickRune takes a character of a class, which is pairs of first and last.
func pickRune(class []rune, f *formats.Faker) rune {
	if len(class) <= 2 || len(class) > 16 || class[len(class)-1] >= utf8.RuneSelf {
		for _, favourite := range favourites {
			if both := intersect(class, favourite); len(both) > 0 {
				class = both
				break
			}
		}
	}
	if len(class) == 0 {
		return utf8.RuneError
	}
	first := 2 * f.IntN(len(class)/2)
	return class[first] + rune(f.IntN(int(class[first+1]-class[first])+1))
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

// patternTries is how many strings of a pattern are looked at for one that is accepted.
const patternTries = 200

// patternWriter writes strings of a pattern that are accepted, "" if none is found.
func patternWriter(pattern string, lo, hi int, accepts func(string) bool) writer {
	s := newSampler(pattern, lo)
	return func(f *formats.Faker) string {
		for try := range patternTries {
			if s == nil {
				break
			}
			if v := s.write(f, lo, hi, try); accepts(v) {
				return v
			}
		}
		return ""
	}
}
