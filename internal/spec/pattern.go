package spec

import (
	"errors"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

const (
	matchTimeout = 100 * time.Millisecond // ends a match with endless backtracking
	matchClock   = 5 * time.Millisecond   // resolution of matchTimeout
	slowMatch    = time.Millisecond       // slower matches of generated texts count as slow
	maxSlow      = time.Second            // total time of slow matches, minus fast ones
)

func init() { regexp2.SetTimeoutCheckPeriod(matchClock) }

// maxPattern limits the length of a pattern, in bytes.
const maxPattern = 64 << 10

// compilePattern compiles a regular expression of ECMA-262, unanchored as in JSON Schema: with Go's linear engine if
// possible, else, for look-around and back references, with a backtracking engine under a time limit.
func compilePattern(pattern string) (Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, errors.New("it is too long")
	}
	countable := counts.Get().ReplaceAllStringFunc(pattern, countable)
	if translated, ok := ToRE2(countable); ok {
		if re, err := regexp.Compile(translated); err == nil {
			return linear{re, pattern}, nil
		}
	}
	re, err := regexp2.Compile(countable, regexp2.ECMAScript|regexp2.Unicode)
	if err != nil {
		return nil, err
	}
	re.MatchTimeout = matchTimeout
	return backtracking{re, pattern, new(atomic.Int64)}, nil
}

// counts finds the quantifiers of a pattern with numbers, and escapes and classes that only look like quantifiers.
var counts = lazyregexp.New(`(?s)\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}`)

// countable rewrites a quantifier so that both engines can count it. ECMA-262 has no limit. No text has 2³¹ parts, so
// an upper bound from there on is dropped, and a lower bound remains one that no text reaches.
func countable(token string) string {
	least, most, isRange := strings.Cut(strings.Trim(token, "{}"), ",")
	if token[0] != '{' || len(token) < len("{1000000000}") {
		return token
	}
	const tooMany = "2147483647"
	isMore := func(n string) bool { n = strings.TrimLeft(n, "0"); return len(n) > 10 || len(n) == 10 && n > tooMany }
	if isMore(least) {
		least = tooMany
	}
	switch {
	case !isRange:
		return "{" + least + "}"
	case isMore(most):
		most = ""
	}
	return "{" + least + "," + most + "}"
}

func (s *schemas) compiledPattern(source string) (Regexp, error) {
	known, ok := s.patterns.Load(source)
	if !ok {
		re, err := compilePattern(source)
		if known = re; err != nil {
			known = err
		}
		s.patterns.Store(source, known)
	}
	err, _ := known.(error)
	re, _ := known.(Regexp)
	return re, err
}

type linear struct {
	*regexp.Regexp
	source string
}

func (l linear) String() string { return l.source }

type backtracking struct {
	*regexp2.Regexp
	source string
	slow   *atomic.Int64 // total time of slow matches of generated texts
}

func (b backtracking) String() string { return b.source }

// Match implements schema.Backtracking.
func (b backtracking) Match(text string) (matches, gaveUp bool) {
	matches, err := b.Regexp.MatchString(text)
	return matches && err == nil, err != nil
}

// Try implements schema.Backtracking.
func (b backtracking) Try(text string) (matches, gaveUp bool) {
	slow := time.Duration(b.slow.Load())
	if slow > maxSlow {
		return false, true
	}
	began := time.Now()
	matches, gaveUp = b.Match(text)
	if took := time.Since(began); took > slowMatch {
		b.slow.Add(int64(took))
	} else if slow > 0 {
		b.slow.Add(-int64(slowMatch))
	}
	return matches, gaveUp
}

// MatchString treats a match beyond its allowance as no match.
func (b backtracking) MatchString(text string) bool {
	matches, _ := b.Match(text)
	return matches
}

// The classes that ECMA-262 and RE2 write alike but define differently.
const (
	ecmaSpace    = `\t\n\v\f\r\x{a0}\x{feff}\p{Z}`
	ecmaNewlines = `\n\r\x{2028}\x{2029}`
)

// ToRE2 rewrites a pattern of ECMA-262 (section 22.2.1) for package regexp, if possible.
func ToRE2(pattern string) (string, bool) {
	var b strings.Builder
	inClass := false
	for i := 0; i < len(pattern); {
		c := pattern[i]
		switch {
		case c == '\\':
			n, ok := escapeToRE2(&b, pattern[i:], inClass)
			if !ok {
				return "", false
			}
			i += n
			continue
		case inClass && c == '[':
			b.WriteString(`\[`) // RE2 would read it as the start of [:alpha:]
		case inClass && c == ']':
			inClass = false
			b.WriteByte(c)
		case inClass:
			b.WriteByte(c)
		case c == '[':
			rest := pattern[i:]
			if strings.HasPrefix(rest, "[]") || strings.HasPrefix(rest, "[^]") {
				return "", false // matches nothing, or everything
			}
			inClass = true
			b.WriteByte(c)
			if strings.HasPrefix(rest, "[^") {
				b.WriteByte('^')
				i++
			}
		case c == '.':
			b.WriteString("[^" + ecmaNewlines + "]")
		case otherGroup.Get().MatchString(pattern[i:]):
			return "", false // look-around, or flags that ECMA-262 does not have
		default:
			b.WriteByte(c)
		}
		i++
	}
	return b.String(), !inClass
}

// otherGroup matches a "(?" that begins neither a non-capturing nor a named group.
var otherGroup = lazyregexp.New(`^\(\?([^:<]|<[=!]|$)`)

// escapeToRE2 writes the escape at the beginning of s and returns its length.
func escapeToRE2(b *strings.Builder, s string, inClass bool) (int, bool) {
	if len(s) < 2 {
		return 0, false
	}
	switch c := s[1]; c {
	case 's':
		if inClass {
			b.WriteString(ecmaSpace)
		} else {
			b.WriteString("[" + ecmaSpace + "]")
		}
		return 2, true
	case 'S':
		b.WriteString("[^" + ecmaSpace + "]")
		return 2, !inClass
	case 'u':
		return unicodeToRE2(b, s)
	case 'c':
		if len(s) < 3 {
			return 0, false
		}
		b.WriteString(`\x0` + string("0123456789abcdef"[s[2]%16]))
		return 3, s[2]%32 < 16
	case 'x', 'd', 'D', 'w', 'W', 't', 'n', 'v', 'f', 'r', 'p', 'P':
		b.WriteString(s[:2])
		return 2, true
	case 'b', 'B':
		if inClass {
			b.WriteString(`\x08`)
			return 2, c == 'b'
		}
		b.WriteString(s[:2])
		return 2, true
	case '0':
		b.WriteString(`\x00`)
		return 2, len(s) == 2 || s[2] < '0' || s[2] > '9'
	default:
		if '1' <= c && c <= '9' || c == 'k' {
			return 0, false // a back reference
		}
		_, size := utf8.DecodeRuneInString(s[1:])
		if c == '-' { // QuoteMeta leaves it, but in a class it would form a range
			b.WriteString(`\-`)
		} else {
			b.WriteString(regexp.QuoteMeta(s[1 : 1+size]))
		}
		return 1 + size, true
	}
}

// unicodeToRE2 writes \uXXXX and \u{X}; surrogates are left to the other engine.
func unicodeToRE2(b *strings.Builder, s string) (int, bool) {
	digits, length := "", 0
	if strings.HasPrefix(s, `\u{`) {
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, false
		}
		digits, length = s[3:end], end+1
	} else if len(s) >= 6 {
		digits, length = s[2:6], 6
	}
	if digits == "" || len(digits) > 6 || strings.Trim(digits, "0123456789abcdefABCDEF") != "" {
		return 0, false
	}
	if len(digits) == 4 && (digits[0] == 'd' || digits[0] == 'D') && digits[1] >= '8' {
		return 0, false
	}
	b.WriteString(`\x{` + digits + `}`)
	return length, true
}
