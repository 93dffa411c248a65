// Package naming splits, compares and inflects names of properties, parameters, paths and operations, and has tables
// by name.
package naming

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/words"
)

// Words splits a name at its case changes and separators, in lower case: plantID → plant id, per_page → per
// page, page[size] → page size, line1Text → line1 text.
func Words(name string) []string {
	const usual = 4 // words
	all, start, before := make([]string, 0, usual), -1, rune(0)
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			if start >= 0 {
				all = append(all, strings.ToLower(name[start:i]))
			}
			start = -1
		case start < 0:
			start = i
		case unicode.IsUpper(r):
			rest := name[i+utf8.RuneLen(r):]
			after, size := utf8.DecodeRuneInString(rest)
			next := unicode.IsLower(after)
			pluralOfInitials := next && after == 's' && len(rest) == size // URLs
			if !unicode.IsUpper(before) || next && !pluralOfInitials {
				all = append(all, strings.ToLower(name[start:i]))
				start = i
			}
		}
		before = r
	}
	if start >= 0 {
		all = append(all, strings.ToLower(name[start:]))
	}
	return all
}

// Fold returns a name in a form that ignores case and separators.
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

// Set returns the set of the words in a text.
func Set(text string) map[string]bool {
	set := make(map[string]bool, 1+strings.Count(text, " "))
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// endings are the endings of plurals. The first match counts: if keep is set, the word is not a plural, else add
// replaces the last cut letters.
var endings = []struct {
	suffix string
	keep   bool
	cut    int
	add    string
}{
	{suffix: "ss", keep: true}, {suffix: "us", keep: true}, {suffix: "is", keep: true},
	{suffix: "ies", cut: 3, add: "y"},
	{suffix: "auses", cut: 1}, {suffix: "ouses", cut: 1},
	{suffix: "sses", cut: 2}, {suffix: "xes", cut: 2}, {suffix: "ches", cut: 2}, {suffix: "shes", cut: 2},
	{suffix: "uses", cut: 2}, {suffix: "iases", cut: 2},
	{suffix: "s", cut: 1},
}

// Singular returns the singular of a word in lower case; other words are returned unchanged.
func Singular(word string) string {
	if s := words.Plurals.Second(word); s != "" {
		return s
	}
	if len(word) < 4 && word != "ids" {
		return word
	}
	for _, e := range endings {
		if !strings.HasSuffix(word, e.suffix) || e.suffix == "ies" && len(word) == 4 {
			continue
		}
		if e.keep {
			return word
		}
		return word[:len(word)-e.cut] + e.add
	}
	return word
}

// SingularName folds a name with its last word in the singular: ChannelSenders → channelsender.
func SingularName(name string) string {
	words := Words(name)
	if len(words) == 0 {
		return ""
	}
	words[len(words)-1] = Singular(words[len(words)-1])
	return strings.Join(words, "")
}

// IsPlural reports whether the last word of a name is a plural.
func IsPlural(name string) bool {
	words := Words(name)
	return len(words) > 0 && Singular(words[len(words)-1]) != words[len(words)-1]
}
