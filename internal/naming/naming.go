// Package naming splits, compares and inflects the names that APIs give to
// properties, parameters, paths and operations.
package naming

import (
	"strings"
	"unicode"
)

// Words splits a name at its case changes and separators, in lower case: plantID
// → plant id, per_page → per page, page[size] → page size, line1Text → line1
// text.
func Words(name string) []string {
	var all []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			all = append(all, string(word))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0:
			next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			pluralOfInitials := next && runes[i+1] == 's' && i+2 == len(runes) // URLs
			if !unicode.IsUpper(runes[i-1]) || next && !pluralOfInitials {
				flush()
			}
		}
		word = append(word, unicode.ToLower(r))
	}
	flush()
	return all
}

// Fold makes names comparable whatever their case and separators.
func Fold(name string) string {
	plain := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= '0' && r <= '9' }
	if strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	var b strings.Builder
	b.Grow(len(name))
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// Set makes a set of the words of a text.
func Set(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
