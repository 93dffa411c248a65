package stateful

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// transformation is a way in which documents say that backends keep values otherwise than they come.
type transformation struct {
	words [][]string // of each list, one stands in the sentence that names it
	// excludes reports whether it cannot make one value of another, which is an ordinary one.
	excludes func(sent, shown any) bool
}

// transformations are the changes whose result on an ordinary value is certain: another case, other white
// space or another order leave all its letters, and a number that is rounded is near.
var transformations = []transformation{
	{[][]string{{"white space", "whitespace", "trimmed", "line ends"}}, losesLetters},
	{[][]string{{"small letters", "lower case", "lowercase", "lower-case", "upper case", "uppercase", "upper-case",
		"capitals", "capital letters"}}, losesLetters},
	{[][]string{{"first ", "cut to", "cut after", "truncated to"}, {" characters", " letters"}}, isNoBeginning},
	{[][]string{{"rounded to", "kept to", "in steps of"}, {" decimal", " tenth", " hundredth", "whole number"}}, isFar},
	{[][]string{{" utc"}}, isOtherMoment},
	{[][]string{{"whole seconds"}}, isOtherMoment},
	{[][]string{{"alphabetical order", "sorted", "each once", "each tag once", "duplicates", "a set"}}, hasNewElement},
	{[][]string{{"a blank ", "nothing else", "an empty "}}, hasText},
}

// carriers are words of transformations and of servers that say nothing of their own: how, or when, another word of
// the sentence applies.
var carriers = []string{"kept as", "kept in", "stored as", "answered as", "answered in", "returned as", "returned in",
	"shown as", "shown in", "written as", "case", "round", "decimal", "sort", "order", "duplicate", "capital", "lower",
	"upper", "trim", "cut", "truncat", "utc", "empty", "blank", "only", "always", "repeated", "unique"}

// lookalikes have one of the words within, which they do not say.
var lookalikes = strings.NewReplacer(" around ", " ", " removed ", " dropped ", " remove ", " drop ")

// limits are words that say that a value loses a part.
var limits = []string{"first ", " last ", "most ", "drop", "up to", "at least"}

// maxNaming is how many words a sentence has that says what a value is, rather than what becomes of it.
const maxNaming = 5

// saysMore reports whether a sentence may say what becomes of a value in words that are not known.
func saysMore(sentence string) bool {
	return len(strings.Fields(sentence)) > maxNaming || containsAny(sentence, " is ", " are ", "becom", "turn")
}

// contradicts reports whether the descriptions of a value that is sent name what becomes of it, and nothing of that,
// nor other descriptions can turn into the other. The value is an ordinary one.
func contradicts(described, elsewhere prose, sent, shown any) bool {
	named := false
	for at, sentence := range slices.Concat(described, elsewhere) {
		rest, isNamed := lookalikes.Replace(sentence), false
		for _, row := range transformations {
			if !(prose{sentence}).says(row.words...) {
				continue
			}
			if !row.excludes(sent, shown) {
				return false
			}
			isNamed, named = true, true
			for _, word := range slices.Concat(row.words...) {
				rest = strings.ReplaceAll(rest, strings.Trim(word, " "), "")
			}
		}
		if !isNamed && at < len(described) && saysMore(sentence) {
			return false
		}
		for _, words := range [][]string{transformWords, serverWords} {
			isOpen := func(word string) bool {
				return strings.Contains(rest, word) && !(isNamed && slices.Contains(carriers, word))
			}
			if slices.ContainsFunc(words, isOpen) {
				return false
			}
		}
		if _, isList := sent.([]any); isList && containsAny(rest, limits...) {
			return false
		}
	}
	return named && isOrdinary(sent)
}

// losesLetters reports whether a text, or one of a list, has other letters and digits than each that was sent.
func losesLetters(sent, shown any) bool {
	switch a := sent.(type) {
	case string:
		b, ok := shown.(string)
		return ok && lettersAndDigits(a) != lettersAndDigits(b)
	case []any:
		b, ok := shown.([]any)
		return ok && (lacks(a, b) || lacks(b, a))
	}
	return false
}

// lacks reports whether a text has the letters of none of some texts.
func lacks(texts, of []any) bool {
	return slices.ContainsFunc(texts, func(text any) bool {
		_, isText := text.(string)
		return isText && !slices.ContainsFunc(of, func(other any) bool { return !losesLetters(text, other) })
	})
}

func isNoBeginning(sent, shown any) bool {
	a, ok := sent.(string)
	b, also := shown.(string)
	b = lettersAndDigits(b)
	return ok && also && (b == "" || !strings.HasPrefix(lettersAndDigits(a), b))
}

func isFar(sent, shown any) bool {
	a, ok := sent.(json.Number)
	b, also := shown.(json.Number)
	x, _ := a.Float64()
	y, err := b.Float64()
	return ok && also && err == nil && math.Abs(x-y) > 1
}

func isOtherMoment(sent, shown any) bool {
	a, ok := sent.(string)
	b, also := shown.(string)
	x, isTime := momentOf(a)
	_, other := momentOf(b)
	return ok && also && isTime && other && x.Year() > 1970 && x.Year() < 2100 && !sameMoment(a, b)
}

func hasNewElement(sent, shown any) bool {
	a, ok := sent.([]any)
	b, also := shown.([]any)
	return ok && also && lacks(b, a)
}

func hasText(sent, _ any) bool {
	text, ok := sent.(string)
	return ok && lettersAndDigits(text) != ""
}
