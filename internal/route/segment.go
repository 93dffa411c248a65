package route

import "strings"

// match matches a segment of a path against alternating literals and variables. It fills in the values, one non-empty
// value for each variable. If there are several ways to match, the earlier variable takes as much as possible, as in
// a greedy regular expression: of "archive.tar.gz", {name}.{format} has the format "gz".
//
// Literals are searched unescaped first, then percent-encoded as well: an encoded delimiter is data if there is an
// unencoded one (RFC 3986 section 2.2). An escape is never split.
func (s segment) match(sent string, escaped bool, values []string) bool {
	return s.matchFrom(sent, false, values) || escaped && s.matchFrom(sent, true, values)
}

// matchFrom puts each literal as far to the right as possible, from the last to the first, so that the earlier
// variables get the most. A literal never has to be moved again, so each literal is searched only once.
func (s segment) matchFrom(sent string, encoded bool, values []string) bool {
	start, ok := matchAt(sent, 0, s.literals[0], encoded)
	if !ok {
		return false
	}
	end, limit := len(sent), len(sent)
	for i := len(s.literals) - 1; i > 0; i-- {
		from, to, found := findLast(sent, limit, s.literals[i], encoded)
		switch {
		case !found || from < start:
			return false
		case limit == len(sent):
			if to < limit {
				return false // the last literal must end the segment
			}
		default:
			values[i] = sent[to:end]
		}
		// The value of the preceding variable ends where this literal begins, and has at least one character.
		end, limit = from, before(sent, from)
	}
	if end <= start {
		return false
	}
	values[0] = sent[start:end]
	return true
}

// findLast returns the last place of a literal that ends at or before limit.
func findLast(s string, limit int, literal string, encoded bool) (from, to int, ok bool) {
	for from = limit; from >= 0; from = before(s, from) {
		if to, ok = matchAt(s, from, literal, encoded); ok && to <= limit {
			return from, to, true
		}
	}
	return 0, 0, false
}

// matchAt compares a literal with s at i, and returns the offset after it.
func matchAt(s string, i int, literal string, encoded bool) (end int, ok bool) {
	for j := 0; j < len(literal); j++ {
		if i >= len(s) {
			return 0, false
		}
		switch {
		case isEscape(s, i):
			if !encoded || hex(s[i+1])<<4|hex(s[i+2]) != literal[j] {
				return 0, false
			}
			i += 3
		case s[i] == literal[j]:
			i++
		default:
			return 0, false
		}
	}
	return i, true
}

// before returns the offset of the character, escaped or not, that ends at i; -1 if none.
func before(s string, i int) int {
	if i >= 3 && isEscape(s, i-3) {
		return i - 3
	}
	return i - 1
}

func isEscape(s string, i int) bool {
	return s[i] == '%' && i+2 < len(s) && hex(s[i+1]) < 16 && hex(s[i+2]) < 16
}

// hex returns the value of a hexadecimal digit, 16 or more for anything else.
func hex(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}

// appendUnescaped decodes percent-encoding; invalid escapes are kept.
func appendUnescaped(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if isEscape(s, i) {
			b = append(b, hex(s[i+1])<<4|hex(s[i+2]))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return b
}

func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	return string(appendUnescaped(nil, s))
}

func equalUnescaped(sent, literal string) bool {
	end, ok := matchAt(sent, 0, literal, true)
	return ok && end == len(sent)
}
