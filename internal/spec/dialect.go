package spec

import (
	"strings"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// ecmaPattern translates what regular expressions of other languages have and ECMA-262 does not, as its authors meant
// it: the anchors \A, \z and \Z, possessive quantifiers and atomic groups, named groups of Python, classes of POSIX,
// flags at the beginning, and literals of JavaScript with their slashes. It returns the pattern unchanged if it has
// none of these.
func ecmaPattern(pattern string) string {
	body, flags := withoutFlags(pattern)
	var b strings.Builder
	inClass, quantified := false, false
	for i := 0; i < len(body); i++ {
		c, rest := body[i], body[i:]
		wasQuantified := quantified
		quantified = false
		switch {
		case c == '\\' && i+1 < len(body):
			length := escapeLength(rest)
			i += length - 1
			switch next := rest[1]; {
			case !inClass && next == 'A':
				b.WriteByte('^')
			case !inClass && (next == 'z' || next == 'Z'):
				b.WriteByte('$')
			default:
				b.WriteString(rest[:length])
			}
			continue
		case inClass && posixClass.Get().MatchString(rest):
			name := posixClass.Get().FindStringSubmatch(rest)
			b.WriteString(posixClasses[name[1]])
			i += len(name[0]) - 1
			continue
		case inClass:
			inClass = c != ']'
		case c == '[':
			inClass = true
		case c == '+' && wasQuantified:
			continue // possessive: it only backtracks less
		case c == '*' || c == '+' || c == '?' && i > 0 && body[i-1] != '(' || c == '}':
			quantified = !wasQuantified
		case strings.HasPrefix(rest, "(?>"):
			b.WriteString("(?:")
			i += len("(?>") - 1
			continue
		case strings.HasPrefix(rest, "(?P<"):
			b.WriteString("(?<")
			i += len("(?P<") - 1
			continue
		}
		b.WriteByte(c)
	}
	if strings.Contains(flags, "i") {
		return anyCase(b.String())
	}
	return b.String()
}

// posixClasses are the character classes of POSIX (XBD section 9.3.5) in the ranges of ECMA-262, for ASCII.
var posixClasses = map[string]string{
	"alnum": "0-9A-Za-z", "alpha": "A-Za-z", "blank": ` \t`, "cntrl": `\x00-\x1F\x7F`, "digit": "0-9",
	"graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-\\/:-@\\[-`{-~", "space": `\t-\r `,
	"upper": "A-Z", "xdigit": "0-9A-Fa-f",
}

var (
	posixClass   = lazyregexp.New(`^\[:(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]`)
	leadingFlags = lazyregexp.New(`^\(\?([a-zA-Z]+)\)`)
	jsLiteral    = lazyregexp.New(`^/(\^.*)/([a-z]*)$|^/(.*\$)/([a-z]*)$`)
)

// withoutFlags returns a pattern without the flags around it, and the flags. Nothing matches a slash before ^ or after
// $, so such a pattern is a literal of JavaScript.
func withoutFlags(pattern string) (body, flags string) {
	if found := leadingFlags.Get().FindStringSubmatch(pattern); found != nil {
		return pattern[len(found[0]):], found[1]
	}
	if found := jsLiteral.Get().FindStringSubmatch(pattern); found != nil {
		return found[1] + found[3], found[2] + found[4]
	}
	return pattern, ""
}

// escapeLength returns the length of the escape at the beginning of a text: of \p{L} as of \d.
func escapeLength(text string) int {
	end := strings.IndexByte(text, '}')
	if end > 0 && len(text) > 2 && text[2] == '{' && strings.IndexByte("pPuxk", text[1]) >= 0 {
		return end + 1
	}
	return 2
}

// anyCase returns a pattern that accepts the letters of ASCII in both cases.
func anyCase(pattern string) string {
	var b strings.Builder
	inClass := false
	other := func(c byte) (byte, bool) {
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		return c ^ 0x20, isLetter
	}
	for i := 0; i < len(pattern); i++ {
		c, rest := pattern[i], pattern[i:]
		swapped, isLetter := other(c)
		switch {
		case c == '\\' && i+1 < len(pattern):
			length := escapeLength(rest)
			b.WriteString(rest[:length])
			i += length - 1
		case strings.HasPrefix(rest, "(?<") && strings.Contains(rest, ">"):
			end := strings.IndexByte(rest, '>') + 1
			b.WriteString(rest[:end])
			i += end - 1
		case !inClass && isLetter:
			b.WriteString("[" + string(c) + string(swapped) + "]")
		case inClass && isLetter && len(rest) > 2 && rest[1] == '-' && rest[2] != ']':
			b.WriteString(rest[:3])
			if last, ok := other(rest[2]); ok {
				b.WriteString(string(swapped) + "-" + string(last))
			}
			i += 2
		case inClass && isLetter:
			b.WriteString(string(c) + string(swapped))
		default:
			if c == '[' {
				inClass = true
			} else if c == ']' {
				inClass = false
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}
