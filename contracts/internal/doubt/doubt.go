// Package doubt reads the descriptions of a document for sentences that may excuse what a backend does. Nothing else in
// the tester reads descriptions to judge a response. A sentence decides nothing: it lowers one finding by one step, and
// the finding prints it.
//
//	doubt.In(doubt.Value, nil, "Set by the server.")                        // "Set by the server."
//	doubt.In(doubt.Gone, []string{"task"}, "Archives a task. It is fun.")   // "Archives a task."
//	doubt.In(doubt.Gone, []string{"task"}, "The archive is a stone house.") // ""
package doubt

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// Class says what a phrase may lower.
type Class string

// The classes of findings, by what a backend may do otherwise than a finding expects.
const (
	Value    Class = "value"   // decide on a value itself
	Named    Class = "named"   // show the value that the sentence has
	Form     Class = "form"    // keep a value in another form
	Hidden   Class = "hidden"  // not show a property
	Late     Class = "late"    // show a change later
	Gone     Class = "gone"    // go on to show a deleted item in some way
	List     Class = "list"    // leave items out of a list
	Page     Class = "page"    // cut, count or order a list in a way of its own
	Filter   Class = "filter"  // compare in another way than for equality
	Replaced Class = "replace" // keep what a PUT omits
	Refused  Class = "refused" // refuse a value that the schema allows
	Wider    Class = "wider"   // accept a value that the schema forbids
	Slow     Class = "slow"    // answer by and by, or late: a timeout is skipped, and reported so
	Ends     Class = "ends"    // end credentials: this decides only when the operation is tested, see package safety
)

// phrases.tsv has a phrase a line, in any inflection; the classes of findings that it may lower; a sentence that has
// it, and the public documents in which it was seen: "-" if only documents of tests have it.
//
//go:embed phrases.tsv
var table string

type phrase struct {
	classes []string
	words   string // stems with a space around each
}

var phrases = sync.OnceValue(func() (all []phrase) {
	_, rows, _ := strings.Cut(table, "\n")
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.TrimSpace(row), "\t")
		all = append(all, phrase{strings.Split(cells[1], ","), stems(cells[0])})
	}
	return all
})

// In returns the first sentence of some texts that may excuse a backend in a class; "" if none. about are names of
// which a sentence must have one if its phrase is a single word; nil for texts that concern one thing alone.
func In(class Class, about []string, texts ...string) string {
	for _, text := range texts {
		for _, sentence := range Sentences(text) {
			if excuses(class, about, stems(sentence)) {
				return sentence
			}
		}
	}
	return ""
}

// About is In for sentences that have one of some names, whatever the phrase.
func About(class Class, names []string, texts ...string) string {
	for _, text := range texts {
		for _, sentence := range Sentences(text) {
			if words := stems(sentence); names != nil && has(words, names) && excuses(class, nil, words) {
				return sentence
			}
		}
	}
	return ""
}

func excuses(class Class, about []string, words string) bool {
	return slices.ContainsFunc(phrases(), func(p phrase) bool {
		if !slices.Contains(p.classes, string(class)) {
			return false
		}
		before, _, found := strings.Cut(words, p.words)
		if !found {
			joined := " " + stem(strings.ReplaceAll(strings.TrimSpace(p.words), " ", "")) + " " // lowercase
			before, _, found = strings.Cut(words, joined)
		}
		isOneWord := strings.Count(p.words, " ") == 2
		return found && !isDenied(before) && (about == nil || !isOneWord || has(words, about))
	})
}

// denials are words of which one shortly before a phrase makes the sentence say the opposite.
var denials = sync.OnceValue(func() []string {
	all := slices.Collect(words.RoleOf("denial-word").All())
	return strings.Fields(stems(strings.Join(all, " ")))
})

// reach is how many words a denial may be before a phrase.
const reach = 4

func isDenied(before string) bool {
	last := strings.Fields(before[strings.LastIndexByte(before, clauseEnd)+1:])
	return slices.ContainsFunc(last[max(0, len(last)-reach):], func(word string) bool {
		return slices.Contains(denials(), word)
	})
}

func has(words string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		spoken := stems(strings.Join(naming.Words(name), " "))
		return spoken != " " && strings.Contains(words, spoken) || strings.Contains(words, stems(naming.Fold(name)))
	})
}

var ends = strings.NewReplacer(". ", ".\x00", ".\n", ".\x00", "; ", ";\x00", "\n\n", "\x00", "\n- ", "\x00")

// Sentences returns the sentences of a text, each in one line.
func Sentences(text string) (all []string) {
	for sentence := range strings.SplitSeq(ends.Replace(text), "\x00") {
		if words := strings.Fields(sentence); len(words) > 0 {
			all = append(all, strings.Join(words, " "))
		}
	}
	return all
}

// stems returns the words of a text without their inflections, with a space around each.
func stems(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for word := range strings.FieldsFuncSeq(strings.ReplaceAll(strings.ToLower(text), ": ", " \x00 "), func(r rune) bool {
		return r != '_' && r != '\'' && r != clauseEnd && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if contrasts.Has(word) || word[0] == clauseEnd {
			b.WriteByte(clauseEnd)
		} else {
			b.WriteString(stem(word))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// clauseEnd stands for what ends the scope of a denial: a colon, or a word such as "but".
const clauseEnd = '\x00'

var contrasts = words.RoleOf("contrast-word")

// inflections are endings of English words, the longest first, and what stands in their place: steps 1a and 1b of M. F.
// Porter, "An algorithm for suffix stripping" (1980), and adverbs.
var inflections = [][2]string{{"ies", "y"}, {"ing", ""}, {"ly", ""}, {"ed", ""}, {"es", ""}, {"s", ""}}

// shortest is the least number of letters of a stem, and shortestWithoutE if an e was cut: "note" is not "not".
const shortest, shortestWithoutE = 3, 4

func stem(word string) string {
	for _, end := range inflections {
		rest, cut := strings.CutSuffix(word, end[0])
		isWord := len(rest) >= shortest && (end[0] != "es" || len(rest) >= shortestWithoutE)
		if cut && isWord && !strings.HasSuffix(word, "ss") {
			word = rest + end[1]
			break
		}
	}
	if rest := strings.TrimSuffix(word, "e"); len(rest) >= shortestWithoutE {
		word = rest
	}
	if rest, isVerb := strings.CutSuffix(word, "is"); isVerb && len(rest) > shortest { // normalise
		word = rest + "iz"
	}
	last, size := utf8.DecodeLastRuneInString(word)
	if rest := word[:len(word)-size]; len(rest) >= shortest && strings.HasSuffix(rest, string(last)) { // trimmed
		word = rest
	}
	return word
}
