package scenario

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/nearest"
)

// maxSuggested is the longest path that suggestions are made for, in bytes.
const maxSuggested = 200

// meant gives a hint at what a misspelt word most likely means: the nearest
// candidate, or all where none is near and they are few.
func meant(word string, candidates []string, what string) string {
	if c := nearest.Word(word, candidates, max(2, len(word)/3)); c != "" {
		return "; did you mean " + strconv.Quote(c) + "?"
	}
	if n := len(candidates); n > 0 && n <= 16 {
		return "; " + what + " " + enumerate(candidates, "and")
	}
	return ""
}

// enumerate writes words as English does: a, b and c.
func enumerate(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
