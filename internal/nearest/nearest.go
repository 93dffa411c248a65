// Package nearest finds the known word, or the file name, that a misspelt one most likely means.
package nearest

import (
	"strconv"
	"strings"
)

// maxBytes limits the length of words that are compared.
const maxBytes = 200

// Word returns the candidate that differs least from a word, ignoring case, the first of equals; "" if each differs
// by more than most.
func Word(word string, candidates []string, most int) string {
	best, least := "", most+1
	lower := strings.ToLower(word)
	for _, c := range candidates {
		if len(c)-len(word) >= least || len(word)-len(c) >= least { // at least so many insertions or deletions
			continue
		}
		if d := Distance(lower, strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// Distance counts the insertions, deletions, replacements and swaps of neighbouring bytes between two words (optimal
// string alignment). Words over 200 bytes differ completely unless they are equal.
func Distance(a, b string) int {
	if a == b {
		return 0
	}
	if len(a) > maxBytes || len(b) > maxBytes {
		return max(len(a), len(b))
	}
	var rows [3][maxBytes + 1]uint8
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) {
		last[j+1] = uint8(j + 1)
	}
	for i := range len(a) {
		row[0] = uint8(i + 1)
		for j := range len(b) {
			cost := uint8(1)
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return int(last[len(b)])
}

// Hint returns the end of a message about an unknown word, "" if no known word is near.
func Hint(word string, known []string) string {
	if best := Word(word, known, len(word)/2); best != "" {
		return "; did you mean " + strconv.Quote(best) + "?"
	}
	return ""
}
