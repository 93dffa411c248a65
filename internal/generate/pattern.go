package generate

import (
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// patternProgram compiles a pattern without look-around to instructions that an
// automaton can follow, nil where that is not possible. Repetitions are capped:
// counts far above the least add states and no better strings.
func patternProgram(source string, most int) *syntax.Prog {
	for _, limit := range []int{max(64, most), 8} {
		translated, ok := spec.ToRE2(capRepeats(source, limit))
		if !ok {
			return nil
		}
		tree, err := syntax.Parse(translated, syntax.Perl)
		if err != nil {
			continue // too many repetitions within each other, maybe
		}
		program, err := syntax.Compile(tree.Simplify())
		if err != nil || len(program.Inst) > maxStates {
			continue
		}
		return program
	}
	return nil
}

// splitPattern gives patterns without look-around that together describe the
// strings of a pattern: those of all match, those of none do not. The result is
// approximate, so strings are checked by the pattern itself: look-around inside
// groups and beside alternatives is left out, a back reference becomes a copy of
// its group.
func splitPattern(source string) (all, none []string) {
	tokens := tokenize(source)
	ends := matchingEnds(tokens)
	all = []string{withoutLooks(tokens, ends, 0, len(tokens))}
	alternatives := false
	for i := 0; i < len(tokens); i++ {
		alternatives = alternatives || tokens[i] == "|"
		i = max(i, ends[i])
	}
	for i := 0; i < len(tokens) && !alternatives; i++ {
		behind, negated, look := lookAround(tokens[i])
		end := ends[i]
		if look && end > 0 {
			condition := "(?:" + withoutLooks(tokens, ends, i+1, end) + ")"
			if behind {
				condition += withoutLooks(tokens, ends, end+1, len(tokens))
			} else {
				condition = withoutLooks(tokens, ends, 0, i) + condition
			}
			if negated {
				none = append(none, condition)
			} else {
				all = append(all, condition)
			}
		}
		i = max(i, end)
	}
	return all, none
}

// tokenize splits a pattern into escapes, classes, the openings of groups, braces
// with what is in them, and single characters.
func tokenize(source string) []string {
	var tokens []string
	for len(source) > 0 {
		n := 1
		switch {
		case source[0] == '\\':
			n = escapeLength(source)
		case source[0] == '[':
			n = classLength(source)
		case source[0] == '{':
			n = strings.IndexByte(source, '}') + 1
		case source[0] == '(':
			for _, open := range []string{"(?:", "(?=", "(?!", "(?<=", "(?<!"} {
				if strings.HasPrefix(source, open) {
					n = len(open)
				}
			}
			if n == 1 && strings.HasPrefix(source, "(?<") {
				n = strings.IndexByte(source, '>') + 1
			}
		}
		n = min(max(n, 1), len(source))
		tokens = append(tokens, source[:n])
		source = source[n:]
	}
	return tokens
}

func escapeLength(source string) int {
	n := 2
	isDigit := func(i int) bool { return i < len(source) && source[i] >= '0' && source[i] <= '9' }
	for isDigit(1) && source[1] != '0' && isDigit(n) {
		n++
	}
	if strings.HasPrefix(source, `\k<`) {
		n = strings.IndexByte(source, '>') + 1
	}
	return n
}

func classLength(source string) int {
	for i := 1; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case ']':
			return i + 1
		}
	}
	return len(source)
}

// matchingEnds gives the position of the ")" for each token that opens a group,
// 0 for others.
func matchingEnds(tokens []string) []int {
	ends := make([]int, len(tokens))
	var open []int
	for i, token := range tokens {
		switch {
		case token[0] == '(':
			open = append(open, i)
		case token == ")" && len(open) > 0:
			ends[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return ends
}

func lookAround(token string) (behind, negated, ok bool) {
	behind = strings.HasPrefix(token, "(?<")
	negated = strings.HasSuffix(token, "!")
	return behind, negated, slices.Contains([]string{"(?=", "(?!", "(?<=", "(?<!"}, token)
}

// notSpace is \S as the ranges of a class (ECMA-262 section 22.2.2.9).
const notSpace = `\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
	`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`

// withoutLooks writes the tokens from start to end without look-around.
func withoutLooks(tokens []string, ends []int, start, end int) string {
	var b strings.Builder
	for i := start; i < end; i++ {
		token := tokens[i]
		_, _, look := lookAround(token)
		switch {
		case look:
			i = max(i, ends[i])
		case token == "[^]":
			b.WriteString(`[\d\D]`)
		case token[0] == '[':
			b.WriteString(strings.ReplaceAll(token, `\S`, notSpace))
		case len(token) > 1 && token[0] == '\\' && (token[1] >= '1' && token[1] <= '9' || token[1] == 'k'):
			if open := groupOf(tokens, token); open >= 0 && ends[open] > 0 && ends[open] < i {
				b.WriteString("(?:" + withoutLooks(tokens, ends, open+1, ends[open]) + ")")
			}
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

// groupOf gives the position of the group that a back reference is about, -1 if
// there is none.
func groupOf(tokens []string, reference string) int {
	n, _ := strconv.Atoi(reference[1:])
	for i, token := range tokens {
		_, _, look := lookAround(token)
		if token[0] != '(' || token == "(?:" || look {
			continue
		}
		if n--; n == 0 || len(token) > 1 && token[2:] == reference[2:] { // (?<name> and \k<name>
			return i
		}
	}
	return -1
}

// capRepeats lowers the upper bounds of {n,m} to n plus a limit.
func capRepeats(source string, limit int) string {
	tokens := tokenize(source)
	for i, token := range tokens {
		lo, hi, ok := strings.Cut(strings.Trim(token, "{}"), ",")
		least, err := strconv.Atoi(lo)
		most, _ := strconv.Atoi(hi)
		if token[0] == '{' && ok && err == nil && most > least+limit {
			tokens[i] = "{" + lo + "," + strconv.Itoa(least+limit) + "}"
		}
	}
	return strings.Join(tokens, "")
}
