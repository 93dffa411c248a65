package scenario

import (
	"strconv"
	"strings"
)

// maxSuggested is the longest word that suggestions are made for, in bytes.
const maxSuggested = 200

// nearest gives the candidate that a misspelt word most likely means, "" where
// none is near.
func nearest(word string, candidates []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, c := range candidates {
		if strings.EqualFold(word, c) {
			return c
		}
		if len(word) > maxSuggested || len(c) > maxSuggested {
			continue
		}
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours between two words (optimal string alignment).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// meant turns nearest's answer into a hint, with the candidates themselves
// where nothing is near and they are few.
func meant(word string, candidates []string, what string) string {
	if c := nearest(word, candidates); c != "" {
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
