package exchange

import (
	"strconv"
	"strings"
)

// Shell writes command lines. It holds what the shell fills in when it runs one,
// such as credentials that must not be shown. The zero value is ready.
type Shell struct {
	// Insecure lets curl take any certificate.
	Insecure   bool
	expansions []string
	options    []string
}

// Expand gives a text that stands for a shell's expansion, such as
// $COLDFRAME_TOKEN, in the target or the fields of a request. The expansion is
// written between double quotes as it is.
func (s *Shell) Expand(expansion string) string {
	s.expansions = append(s.expansions, expansion)
	return "\x00" + strconv.Itoa(len(s.expansions)-1) + "\x00"
}

// Option adds words to the command as they are.
func (s *Shell) Option(words string) { s.options = append(s.options, words) }

// next finds the first expansion that a text has; rest is what comes after.
func (s *Shell) next(text string) (before, expansion, rest string, found bool) {
	for i := strings.IndexByte(text, 0); i >= 0 && i < len(text); {
		number, after, closed := strings.Cut(text[i+1:], "\x00")
		if !closed {
			break
		}
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n < len(s.expansions) {
			return text[:i], s.expansions[n], after, true
		}
		i += 1 + len(number)
	}
	return text, "", "", false
}

// quote quotes a word, in which expansions happen and nothing else does.
func (s *Shell) quote(text string) string {
	var b strings.Builder
	before, expansion, rest, found := s.next(text)
	if !found {
		return quoteShell(text)
	}
	// History is expanded between double quotes as well, and cannot be escaped
	// there (bash(1), QUOTING): then what is plain has quotes of its own.
	apart := strings.Contains(text, "!") || strings.ContainsFunc(strings.ReplaceAll(text, "\x00", ""), unseen)
	plain := func(text string) {
		switch {
		case text == "":
		case apart:
			b.WriteString(quoteShell(text))
		default:
			b.WriteString(inDoubleQuotes.Replace(text))
		}
	}
	for ; found; before, expansion, rest, found = s.next(rest) {
		plain(before)
		if apart {
			expansion = `"` + expansion + `"`
		}
		b.WriteString(expansion)
	}
	plain(before)
	if apart {
		return b.String()
	}
	return `"` + b.String() + `"`
}

var inDoubleQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`")
